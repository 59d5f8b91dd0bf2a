#include "warplings/expect.h"

#include <fmt/format.h>

#include <regex>

#include "warplings/commands.h"

namespace warplings {

namespace {

VerdictClass class_named(const std::string& name, const std::string& file) {
    for (int k = 0; k <= int(VerdictClass::budget); ++k)
        if (name_of(VerdictClass(k)) == name) return VerdictClass(k);
    throw Failure{2, fmt::format("{}: line 1 names the verdict class '{}', which there is not",
                                 file, name)};
}

// Line `number` of the text, counted from 1; empty past its end.
std::string_view line_of(std::string_view text, int number) {
    for (; number > 1 && !text.empty(); --number)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

}  // namespace

Expectation expectation_of(std::string_view text, const std::string& name) {
    static const std::regex form(
        R"x(// rejected: ([a-z-]+)(?: "([^"]*)"| ([^,"]+))?, line ([0-9]+): (.+))x");
    const std::string first(text.substr(0, text.find('\n')));
    std::smatch match;
    if (!std::regex_match(first, match, form))
        throw Failure{2, fmt::format("{}: line 1 must read `// rejected: CLASS WHAT, line N: "
                                     "reason`, and reads `{}`", name, first)};
    const int line = std::stoi(match[4]);
    if (line_of(text, line).find("// mended: ") == std::string_view::npos)
        throw Failure{2, fmt::format("{}: line {} is named as the mistake and does not end in "
                                     "`// mended: CODE`", name, line)};
    return {class_named(match[1], name), match[2].matched ? match[2] : match[3], line, match[5]};
}

std::string difference(const Expectation& expected, const Verdict& got) {
    if (got.verdict != expected.verdict)
        return fmt::format("expected the class {}, got {}", name_of(expected.verdict),
                           name_of(got.verdict));
    if (!expected.what.empty() && got.what != expected.what)
        return fmt::format("expected \"{}\", got \"{}\"", expected.what, got.what);
    // A wrong value blames no line; a finding does.
    if (expected.verdict == VerdictClass::finding && got.line != 0 && got.line != expected.line)
        return fmt::format("expected line {} to be blamed, got line {}", expected.line, got.line);
    return "";
}

int expect_verdict(const std::string& expected, const fs::path& count_build,
                   const fs::path& check_build) {
    const Verdict got = judge({count_build, check_build});
    std::string complaint;
    if (expected != "passed")
        complaint = difference(expectation_of(read_file(expected), expected), got);
    else if (!got.passed())
        complaint = "expected to pass";
    if (!complaint.empty()) fmt::print("{}\n", complaint);
    fmt::print("{}", text_of(got, count_build.filename().string()));
    return complaint.empty() ? 0 : 1;
}

}  // namespace warplings
