#include "warplings/docsync.h"

#include <doctest/doctest.h>

using namespace warplings;

namespace {

const std::string source =
    "int before;\n"
    "    // #region add\n"
    "    int sum() {\n"
    "        return a + b;\n"
    "\n"
    "    }\n"
    "    // #endregion\n";

template <class F>
std::string refusal(F work) {
    try {
        work();
    } catch (const Failure& failure) {
        return failure.text;
    }
    return "accepted";
}

// A small course: one lesson with a page.
struct Fixture {
    ScratchFolder scratch;
    fs::path root = scratch.path(), lesson = root / "lessons/01_demo",
             page = lesson / "README.md";

    Fixture() {
        fs::create_directories(lesson / "figures");
        fs::create_directories(root / "docs/results");
        write_file(lesson / "demo.cu", source);
        write_file(lesson / "expected.txt",
                   "head\n\n## First part\n\none\n\n## Second\n\ntwo\n");
    }
    std::string synced(const std::string& text) {
        std::vector<std::string> used;
        return synced_page(text, page, root, used);
    }
};

}  // namespace

TEST_CASE("a region is found by name and loses its margin") {
    const auto regions = regions_of(source, "demo.cu");
    REQUIRE(regions.size() == 1);
    CHECK(regions.at("add") == "int sum() {\n    return a + b;\n\n}\n");
}

TEST_CASE("regions that do not balance are refused with file and line") {
    auto wrong = [](const std::string& text) {
        return refusal([&] { regions_of(text, "demo.cu"); });
    };
    CHECK(wrong("// #region a\n") == "demo.cu:1: region 'a' is never closed");
    CHECK(wrong("x\n// #endregion\n") == "demo.cu:2: #endregion without #region");
    CHECK(wrong("// #region a\n// #region b\n") ==
          "demo.cu:2: a region inside region 'a'");
    CHECK(wrong("// #region a\n// #endregion\n// #region a\n") ==
          "demo.cu:3: a second region 'a'");
}

TEST_CASE_FIXTURE(Fixture, "code is written between the marks, whatever stood there") {
    const std::string text =
        synced("text\n<!-- code: demo.cu#add -->\nold\n<!-- end -->\nmore\n");
    CHECK(text ==
          "text\n<!-- code: demo.cu#add -->\n```cuda\nint sum() {\n    return a + "
          "b;\n\n}\n```\n"
          "\n*[demo.cu](demo.cu)*\n<!-- end -->\nmore\n");
    CHECK(synced(text) == text);
}

TEST_CASE_FIXTURE(Fixture, "output is a section of the tested output") {
    CHECK(synced("<!-- output: expected.txt#first-part -->\n<!-- end -->\n") ==
          "<!-- output: expected.txt#first-part -->\n```text\none\n```\n<!-- end -->\n");
    CHECK(refusal([&] {
              synced("<!-- output: expected.txt#third -->\n<!-- end -->\n");
          }) == "expected.txt has no section 'third'; it has first-part, second");
}

TEST_CASE_FIXTURE(Fixture,
                  "results are a Markdown table with the device below, or a plain word") {
    const std::string text = "<!-- results: demo#where-it-goes -->\n<!-- end -->\n";
    CHECK(synced(text).find("Not measured on a GPU yet") != std::string::npos);
    write_file(root / "docs/results/demo.json",
               R"({"program":"demo","device":"NVIDIA X","runtime":13000,
                  "driver_release":"580.1","date":"2026-01-02","tables":[
                  {"title":"Where it goes","columns":[{"name":"step","unit":"","digits":0},
                   {"name":"time","unit":"ms","digits":2},{"name":"","unit":"GB/s","digits":1},
                   {"name":"bytes","unit":"","digits":0}],
                   "rows":[["copy",0.125,null,4096]]}]})");
    CHECK(
        synced(text) ==
        "<!-- results: demo#where-it-goes -->\n"
        "| step | time [ms] | GB/s | bytes |\n|---|---:|---:|---:|\n"
        "| copy | 0.12 | – | 4096 |\n\n"
        "*Measured: NVIDIA X, CUDA 13.0, driver 580.1, 2026-01-02.*\n<!-- end -->\n");
    CHECK(refusal([&] { synced("<!-- results: demo#other -->\n<!-- end -->\n"); }) ==
          "demo.json has no table 'other'");
}

TEST_CASE_FIXTURE(Fixture, "unknown names and open marks are errors") {
    CHECK(refusal([&] { synced("<!-- code: demo.cu#sub -->\n<!-- end -->\n"); }) ==
          "demo.cu has no region 'sub'");
    CHECK(refusal([&] { synced("<!-- code: none.cu#add -->\n<!-- end -->\n"); }) !=
          "accepted");
    CHECK(refusal([&] { synced("<!-- table: nothing -->\n<!-- end -->\n"); }) ==
          "there is no table 'nothing'; known: exercises, devices");
    CHECK(refusal([&] { synced("a\n<!-- code: demo.cu#add -->\n"); }) ==
          "line 2: the mark has no <!-- end -->");
    CHECK(
        refusal([&] {
            synced(
                "<!-- code: demo.cu#add -->\n<!-- code: demo.cu#add -->\n<!-- end -->\n");
        }) == "line 2: a mark inside the one of line 1");
}

TEST_CASE_FIXTURE(Fixture,
                  "the whole tree: written once, then in step, then out of step") {
    write_file(page, "<!-- code: demo.cu#add -->\n<!-- end -->\n[a file](demo.cu)\n");
    write_file(lesson / "figures/lanes.fig",
               "warps --blocks 33 --title t --description d\n");
    CHECK(docsync(root, true) == 1);
    CHECK(docsync(root, false) == 0);
    CHECK(docsync(root, true) == 0);
    CHECK(fs::exists(lesson / "figures/lanes.svg"));

    SUBCASE("a source that changed") {
        write_file(lesson / "demo.cu", "// #region add\nint x;\n// #endregion\n");
    }
    SUBCASE("a region that no page shows") {
        write_file(lesson / "demo.cu", source + "// #region extra\n// #endregion\n");
    }
    SUBCASE("a link that leads nowhere") {
        write_file(page, read_file(page) + "[gone](gone.md)\n");
    }
    SUBCASE("a figure edited by hand") {
        write_file(lesson / "figures/lanes.svg", "<svg/>");
    }
    CHECK(docsync(root, true) == 1);
}
