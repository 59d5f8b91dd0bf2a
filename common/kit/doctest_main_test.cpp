// Runs this very program again on the cases marked "verdict probe" and reads what the
// listener wrote.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

TEST_SUITE_BEGIN("verdict probe" * doctest::skip());

TEST_CASE("probe: an assertion") {
    const int sum = 3;
    CAPTURE(sum);
    SUBCASE("inner") { CHECK(sum == 4); }
}
TEST_CASE("probe: an exception") { throw std::runtime_error("a \"quoted\" reason"); }
TEST_CASE("probe: all is well") { CHECK(true); }

TEST_SUITE_END();

TEST_CASE("failed assertions, exceptions and a summary are written as JSON lines") {
    namespace fs = std::filesystem;
    const fs::path self = fs::read_symlink("/proc/self/exe");
    const fs::path file =
        fs::temp_directory_path() / ("verdict_" + std::to_string(getpid()) + ".jsonl");
    fs::remove(file);
    const std::string command = "WARPLINGS_VERDICT='" + file.string() + "' '" +
                                self.string() +
                                "' --no-skip --test-suite='verdict probe' > /dev/null";
    CHECK(std::system(command.c_str()) != 0);

    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    fs::remove(file);
    REQUIRE(lines.size() == 3);
    auto has = [&](std::size_t i, const char* text) {
        CAPTURE(lines[i]);
        CHECK(lines[i].find(text) != std::string::npos);
    };
    has(0, R"({"case":"probe: an assertion","subcase":"inner","file":")");
    has(0,
        R"(doctest_main_test.cpp","line":18,"expression":"sum == 4","message":"3 == 4")");
    has(0, R"("info":["sum := 3"],"kind":"assertion"})");
    has(1, R"("message":"a \"quoted\" reason","info":[],"kind":"exception"})");
    has(2,
        R"({"summary":true,"cases":3,"failed_cases":2,"assertions":2,"failed_assertions":1})");
}
