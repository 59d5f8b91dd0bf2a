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

}  // namespace

Expectation expectation_of(std::string_view text, const std::string& name) {
    static const std::regex form(
        R"x(// rejected: ([a-z-]+)(?: "([^"]*)"| ([^,"]+))?, line ([0-9]+): (.+))x");
    const std::string first(text.substr(0, text.find('\n')));
    std::smatch match;
    if (!std::regex_match(first, match, form))
        throw Failure{2, fmt::format("{}: line 1 must read `// rejected: CLASS WHAT, line N: "
                                     "reason`, and reads `{}`", name, first)};
    return {class_named(match[1], name), match[2].matched ? match[2] : match[3],
            std::stoi(match[4]), match[5]};
}

std::string mended(std::string_view text, const std::string& name) {
    constexpr std::string_view mark = "// mended:";
    const Expectation expected = expectation_of(text, name);
    std::string result;
    int number = 0;
    bool found = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t at = line.find(mark);
        if (++number == expected.line && at != line.npos) {
            line = line.substr(at + mark.size());
            if (line.starts_with(' ')) line.remove_prefix(1);
            found = true;
        }
        result.append(line).append("\n");
    }
    if (!found)
        throw Failure{2, fmt::format("{}: line {} holds no `// mended: CODE`", name,
                                     expected.line)};
    return result;
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

int expect_verdict(const fs::path& wrong, const fs::path& count_build,
                   const fs::path& check_build, bool is_mended) {
    const Expectation expected = expectation_of(read_file(wrong), wrong.string());
    const Verdict got = judge({count_build, check_build});
    const std::string text = text_of(got, wrong.stem().string());
    const std::string complaint = !is_mended     ? difference(expected, got)
                                  : got.passed() ? ""
                                                 : "the mended file must pass";
    fmt::print("{}{}", complaint.empty() ? "" : complaint + "\n", text);
    return complaint.empty() ? 0 : 1;
}

}  // namespace warplings
