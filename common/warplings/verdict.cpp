#include "warplings/verdict.h"

#include <fmt/format.h>

namespace warplings {

std::string_view name_of(VerdictClass verdict) {
    switch (verdict) {
        case VerdictClass::passed: return "passed";
        case VerdictClass::compile_error: return "compile-error";
        case VerdictClass::crash: return "crash";
        case VerdictClass::time_limit: return "time-limit";
        case VerdictClass::output_limit: return "output-limit";
        case VerdictClass::finding: return "finding";
        case VerdictClass::wrong_answer: return "wrong-answer";
        case VerdictClass::budget: return "budget";
    }
    return "";
}

namespace {

std::string place(const std::string& file, int line) {
    if (file.empty()) return "";
    const std::string name = fs::path(file).filename().string();
    return line > 0 ? fmt::format("{}:{}", name, line) : name;
}

std::string headline(const Verdict& v) {
    const std::string at = place(v.file, v.line);
    switch (v.verdict) {
        case VerdictClass::passed:
            return fmt::format("passed: {} {}, {} kernel {}, no findings", v.cases_passed,
                               v.cases_passed == 1 ? "case" : "cases", v.launches,
                               v.launches == 1 ? "launch" : "launches");
        case VerdictClass::compile_error:
            return fmt::format("does not compile{}{}: {}", at.empty() ? "" : " at ", at, v.message);
        case VerdictClass::crash: return fmt::format("crashed: {}", v.message);
        case VerdictClass::time_limit: return fmt::format("time limit: {}", v.message);
        case VerdictClass::output_limit: return fmt::format("prints too much: {}", v.message);
        case VerdictClass::finding:
            return fmt::format("finding {}{}{}: {}", v.what, at.empty() ? "" : " at ", at,
                               v.message);
        case VerdictClass::wrong_answer:
            return fmt::format("wrong answer in \"{}\": {}", v.what, v.message);
        case VerdictClass::budget: return fmt::format("budget missed: {}", v.message);
    }
    return "";
}

// The last lines of what the program printed: enough to see, never a flood.
std::string tail(const std::string& text) {
    std::size_t from = text.size();
    for (int lines = 0; from > 0 && lines <= 20; --from)
        if (text[from - 1] == '\n' && ++lines > 20) break;
    return (from > 0 ? "...\n" : "") + text.substr(from);
}

}  // namespace

std::string text_of(const Verdict& v, std::string_view name) {
    std::string text = fmt::format("{}: {}\n", name, headline(v));
    if (!v.remedy.empty()) text += fmt::format("  what to do: {}\n", v.remedy);
    for (const FoundMistake& f : v.findings) {
        const std::string at = place(f.file, f.line);
        text += fmt::format("\n  {} {}{}{}{}\n    {}\n", f.severity, f.kind,
                            at.empty() ? "" : " at ", at,
                            f.count > 1 ? fmt::format(", {} times", f.count) : "", f.message);
        if (!f.remedy.empty()) text += fmt::format("    what to do: {}\n", f.remedy);
    }
    for (const FailedCase& c : v.cases)
        text += fmt::format("\n  failed: {}\n    {}\n", c.name, c.message);
    if (!v.passed() && !v.output.empty())
        text += fmt::format("\n  the program printed:\n{}\n", tail(v.output));
    text += fmt::format("  (built in {:.1f} s, ran in {:.1f} s)\n", v.build_seconds, v.run_seconds);
    return text;
}

nlohmann::json json_of(const Verdict& v, std::string_view name) {
    nlohmann::json json = {{"exercise", name},        {"verdict", name_of(v.verdict)},
                           {"what", v.what},          {"file", v.file},
                           {"line", v.line},          {"message", v.message},
                           {"remedy", v.remedy},      {"cases_passed", v.cases_passed},
                           {"launches", v.launches},  {"build_seconds", v.build_seconds},
                           {"run_seconds", v.run_seconds}, {"output", v.output}};
    json["failed_cases"] = nlohmann::json::array();
    for (const FailedCase& c : v.cases)
        json["failed_cases"].push_back(
            {{"name", c.name}, {"message", c.message}, {"file", c.file}, {"line", c.line}});
    json["findings"] = nlohmann::json::array();
    for (const FoundMistake& f : v.findings)
        json["findings"].push_back({{"finding", f.kind}, {"severity", f.severity},
                                    {"kernel", f.kernel}, {"file", f.file}, {"line", f.line},
                                    {"message", f.message}, {"remedy", f.remedy},
                                    {"count", f.count}});
    return json;
}

}  // namespace warplings
