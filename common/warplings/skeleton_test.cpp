#include "warplings/skeleton.h"

#include <doctest/doctest.h>

using warplings::skeleton_of;
using warplings::SkeletonError;

namespace {

int line_of_error(const char* answer) {
    try {
        skeleton_of(answer);
    } catch (const SkeletonError& error) {
        return error.line;
    }
    return 0;
}

}  // namespace

TEST_CASE("the answer goes, the marked lines stay with their indent, the rest is kept") {
    CHECK(skeleton_of("int a;\n"
                      "    // #solution\n"
                      "    int answer;\n"
                      "    // #skeleton\n"
                      "    //| // TODO: write it\n"
                      "    //|     deeper();\n"
                      "    //|\n"
                      "    // #end\n"
                      "int b;\n") ==
          "int a;\n"
          "    // TODO: write it\n"
          "        deeper();\n"
          "\n"
          "int b;\n");
}

TEST_CASE("a part without a skeleton leaves nothing behind") {
    CHECK(skeleton_of("a;\n// #solution\nb;\n// #end\nc;\n") == "a;\nc;\n");
}

TEST_CASE("the namespace is renamed, words that only contain its name are not") {
    CHECK(
        skeleton_of("namespace solution {\n"
                    "// a solution of solution::f, my_solution::g, namespace solutions\n"
                    "// #solution\n// #end\n"
                    "}  // namespace solution\n") ==
        "namespace exercise {\n"
        "// a solution of exercise::f, my_solution::g, namespace solutions\n"
        "}  // namespace exercise\n");
}

TEST_CASE("a listing's regions are no marks") {
    CHECK(skeleton_of("// #region guard\n// #solution\n// #end\n// #endregion\n") ==
          "// #region guard\n// #endregion\n");
}

TEST_CASE("marks that do not balance are refused with their line") {
    CHECK(line_of_error("a;\n// #solution\nb;\n") == 2);
    CHECK(line_of_error("// #solution\n// #solution\n// #end\n") == 2);
    CHECK(line_of_error("a;\n// #skeleton\n// #end\n") == 2);
    CHECK(line_of_error("// #solution\n// #skeleton\n// #skeleton\n// #end\n") == 3);
    CHECK(line_of_error("// #solution\n// #end\na;\n// #end\n") == 4);
    CHECK(line_of_error("// #solution\n// #skeleton\nkept?;\n// #end\n") == 3);
    CHECK(line_of_error("a;\n//| b;\n") == 2);
    CHECK(line_of_error("// #solution\n//| b;\n// #end\n") == 2);
}

TEST_CASE("the message names file and line as compilers do") {
    CHECK_THROWS_WITH(skeleton_of("a;\n// #end\n", "saxpy.cu"),
                      "saxpy.cu:2: error: #end without #solution before it");
}

TEST_CASE("a misspelt mark is refused, as it would give the answer away") {
    CHECK(line_of_error("// #solution\n// #skeletn\n// #end\n") == 2);
    CHECK(line_of_error("int everything;\n") == 1);
}

TEST_CASE("the answer is shown without marks and without what only the learner finds") {
    CHECK(warplings::answer_of(
              "a;\n// #solution\n    b;\n// #skeleton\n//| TODO\n// #end\nc;") ==
          "a;\n    b;\nc;\n");
}
