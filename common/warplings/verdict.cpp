#include "warplings/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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

// What a message continues on further lines stands below its first.
std::string indented(const std::string& text, std::string_view margin) {
    std::string result;
    for (const char c : text) {
        result += c;
        if (c == '\n') result += margin;
    }
    return result;
}

// The last lines of what the program printed: enough to see, never a flood.
std::string tail(const std::string& text) {
    std::size_t from = text.size();
    for (int lines = 0; from > 0 && lines <= 20; --from)
        if (text[from - 1] == '\n' && ++lines > 20) break;
    return (from > 0 ? "...\n" : "") + text.substr(from);
}

bool is_leak(const FoundMistake& f) { return f.kind == "leak"; }

// The first lines of what a compiler said: later errors often follow from the first.
std::string head(const std::string& text) {
    std::size_t end = 0;
    for (int lines = 0; lines < 20 && end < text.size(); ++lines)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return text.substr(0, end) + (end < text.size() ? "..." : "");
}

// The check runs the answer, too, after the learner's code: what went wrong before may show there.
bool of_reference(const FoundMistake& f) {
    return f.severity == "note" && f.message.find(" solution::") != f.message.npos;
}

// One line may be wrong in reading and in writing, and for arrays of several sizes: told once.
// What an error cut short frees nothing: such leaks are no further mistake.
std::string findings(const Verdict& v) {
    std::string text;
    std::set<std::string> told;
    const bool only_leaks = v.what == "leak" || v.verdict == VerdictClass::wrong_answer;
    for (const FoundMistake& f : v.findings) {
        if (is_leak(f) && !only_leaks) continue;
        const std::string at = place(f.file, f.line);
        if (of_reference(f)) continue;
        if (!told.insert(f.kind + at + f.remedy).second) continue;
        text += fmt::format("\n  {} {}{}{}{}\n    {}\n", f.severity, f.kind,
                            at.empty() ? "" : " at ", at,
                            f.count > 1 ? fmt::format(", {} times", f.count) : "", f.message);
        if (!f.remedy.empty()) text += fmt::format("    what to do: {}\n", f.remedy);
    }
    return text;
}

// Each case with its first failure, the others counted.
std::string failed_cases(const Verdict& v) {
    std::string text;
    for (std::size_t k = 0; k < v.cases.size();) {
        const FailedCase& first = v.cases[k];
        std::size_t end = k + 1;
        while (end < v.cases.size() && v.cases[end].name == first.name) ++end;
        text += fmt::format("\n  failed: {}\n    {}\n", first.name, indented(first.message, "  "));
        if (end - k > 1) text += fmt::format("    and {} more in this case\n", end - k - 1);
        k = end;
    }
    return text;
}

}  // namespace

std::string text_of(const Verdict& v, std::string_view name) {
    std::string text = fmt::format("{}: {}\n", name, headline(v));
    if (!v.remedy.empty()) text += fmt::format("  what to do: {}\n", v.remedy);
    text += findings(v);
    if (v.verdict == VerdictClass::wrong_answer) text += failed_cases(v);
    const bool compiler = v.verdict == VerdictClass::compile_error;
    if (!v.passed() && !v.output.empty())
        text += fmt::format("\n  the {}:\n{}\n", compiler ? "compiler said" : "program printed",
                            compiler ? head(v.output) : tail(v.output));
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
