#include "warplings/expect.h"

#include <doctest/doctest.h>

using namespace warplings;

TEST_CASE("the first line says class, what and line") {
    const auto wrong = expectation_of(
        "// rejected: wrong-answer \"any n\", line 3: a\nb\nc  // mended: d\n", "f");
    CHECK(wrong.verdict == VerdictClass::wrong_answer);
    CHECK(wrong.what == "any n");
    CHECK(wrong.line == 3);
    const auto finding =
        expectation_of("// rejected: finding out-of-bounds, line 2: r\nb  // mended: c", "f");
    CHECK(finding.verdict == VerdictClass::finding);
    CHECK(finding.what == "out-of-bounds");
    CHECK(expectation_of("// rejected: crash, line 2: r\nb  // mended: c", "f").what == "");
}

TEST_CASE("a first line that says less is refused, and so is a line that is not marked") {
    CHECK_THROWS_AS(expectation_of("int x;\n", "f"), Failure);
    CHECK_THROWS_AS(expectation_of("// rejected: nonsense, line 2: r\nb  // mended: c\n", "f"),
                    Failure);
    CHECK_THROWS_AS(expectation_of("// rejected: crash, line 2: r\nint a;\n", "f"), Failure);
    CHECK_THROWS_AS(expectation_of("// rejected: crash, line 9: r\nint a;  // mended: b\n", "f"),
                    Failure);
}

TEST_CASE("a verdict of another class, kind or line is not the expected one") {
    const Expectation expected{VerdictClass::finding, "out-of-bounds", 7, "r"};
    Verdict got;
    got.verdict = VerdictClass::finding;
    got.what = "out-of-bounds";
    got.line = 7;
    CHECK(difference(expected, got) == "");
    got.line = 8;
    CHECK(difference(expected, got) != "");
    got.line = 7;
    got.what = "leak";
    CHECK(difference(expected, got) != "");
    got.verdict = VerdictClass::wrong_answer;
    CHECK(difference(expected, got) != "");
}
