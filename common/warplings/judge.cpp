// Runs a check and decides. The order of the classes is that of VerdictClass.
#include <fmt/format.h>

#include <fstream>

#include "warplings/build.h"
#include "warplings/process.h"
#include "warplings/runtime_library.h"
#include "warplings/verdict.h"

namespace warplings {

namespace {

constexpr std::size_t output_limit = 8 << 20;               // bytes; a check prints a few lines
constexpr std::size_t memory_limit = std::size_t(4) << 30;  // bytes; a check takes a few hundred MiB
constexpr const char* launch_limit = "50000000";            // warp instructions a launch

using nlohmann::json;

// Whole lines only: a program killed half-way may leave a broken last one.
std::vector<json> read_json_lines(const fs::path& path) {
    std::vector<json> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        json value = json::parse(valid_utf8(line), nullptr, false);
        if (value.is_object()) lines.push_back(std::move(value));
    }
    return lines;
}

// A field of the expected type, or its empty value: the files come from programs that we
// do not trust.
template <class T>
T field(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return T{};
    if constexpr (std::is_same_v<T, std::string>)
        return found->is_string() ? found->get<std::string>() : T{};
    else
        return found->is_number() ? found->get<T>() : T{};
}

FoundMistake finding_of(const json& line) {
    return {field<std::string>(line, "finding"),  field<std::string>(line, "severity"),
            field<std::string>(line, "kernel"),   field<std::string>(line, "file"),
            field<std::string>(line, "message"),  field<std::string>(line, "remedy"),
            field<int>(line, "line"),             field<std::uint64_t>(line, "count")};
}

bool counts(const FoundMistake& finding) {
    return finding.severity == "error" || finding.severity == "warning";
}

bool is_unsupported(const FoundMistake& finding) {
    return finding.kind == "unsupported-instruction" || finding.kind == "not-supported";
}

// A launch is counted unread: there may be a million of them.
void read_emulator(const fs::path& path, Verdict& verdict) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("{\"kernel\"")) {
            ++verdict.launches;
            continue;
        }
        const json value = json::parse(valid_utf8(line), nullptr, false);
        if (value.is_object() && value.contains("finding"))
            verdict.findings.push_back(finding_of(value));
    }
}

// A comparison against "" is how checks say "no difference": then the left side is the
// message. The values that the check captured (sizes) go in front.
FailedCase failed_case(const json& line) {
    std::string message = field<std::string>(line, "message");
    for (const std::string_view nothing : {" ==  ", " == ", " == \"\""})
        if (message.ends_with(nothing)) {
            message.resize(message.size() - nothing.size());
            break;
        }
    std::string context;
    if (const auto info = line.find("info"); info != line.end() && info->is_array())
        for (const json& item : *info)
            if (item.is_string())
                context += (context.empty() ? "" : ", ") + item.get<std::string>();
    if (!context.empty()) message = "with " + context + ": " + message;
    return {field<std::string>(line, "case"), message, field<std::string>(line, "file"),
            field<int>(line, "line")};
}

// True where the check's own main came to its end and said so.
bool read_cases(const fs::path& path, Verdict& verdict) {
    bool complete = false;
    for (const json& line : read_json_lines(path)) {
        if (line.contains("summary")) {
            complete = true;
            verdict.cases_passed = field<int>(line, "cases") - field<int>(line, "failed_cases");
        } else {
            verdict.cases.push_back(failed_case(line));
        }
    }
    return complete;
}

void blame_finding(Verdict& verdict, const FoundMistake& finding) {
    verdict.verdict = VerdictClass::finding;
    verdict.what = finding.kind;
    verdict.file = finding.file;
    verdict.line = finding.line;
    verdict.message = finding.message;
    verdict.remedy = finding.remedy;
}

// A program that ended half-way leaves its memory behind: such leaks explain nothing.
const FoundMistake* first_that_counts(const Verdict& verdict, bool cut_short) {
    for (const FoundMistake& finding : verdict.findings)
        if (counts(finding) && !(cut_short && finding.kind == "leak")) return &finding;
    return nullptr;
}

void decide(const Outcome& outcome, bool complete, double limit, Verdict& verdict) {
    using End = Outcome::End;
    const bool cut_short = outcome.end == End::exited && !complete;
    const FoundMistake* finding = first_that_counts(verdict, cut_short);
    if (outcome.end == End::not_started)
        throw Failure{3, "the check cannot be started: " + outcome.output};
    if (outcome.end == End::output_limit) {
        verdict.verdict = VerdictClass::output_limit;
        verdict.message = fmt::format("stopped after {} MiB of output", output_limit >> 20);
        verdict.remedy = "Remove prints from loops, or let one thread print.";
    } else if (outcome.end == End::timed_out || (finding && finding->kind == "instruction-limit")) {
        if (finding) blame_finding(verdict, *finding);
        verdict.verdict = VerdictClass::time_limit;
        if (!finding) verdict.message = fmt::format("not done after {:.0f} s, stopped", limit);
        if (verdict.remedy.empty())
            verdict.remedy = "Look for a loop whose condition never becomes false.";
    } else if (outcome.end == End::memory_limit) {
        verdict.verdict = VerdictClass::crash;
        verdict.what = "memory limit";
        verdict.message = fmt::format("stopped, having taken {} GiB of memory", memory_limit >> 30);
        verdict.remedy = "Look for an allocation in a loop, and for a size that is too large.";
    } else if (outcome.end == End::signalled && !finding) {
        verdict.verdict = VerdictClass::crash;
        verdict.what = signal_text(outcome.status);
        verdict.message = "the program ended by " + verdict.what;
        verdict.remedy = outcome.status == 9
                             ? "Something killed it: itself, or too much memory."
                             : "Host code did something invalid: a wrong pointer or index.";
    } else if (finding) {
        blame_finding(verdict, *finding);
    } else if (!verdict.cases.empty()) {
        verdict.verdict = VerdictClass::wrong_answer;
        verdict.what = verdict.cases.front().name;
        verdict.message = verdict.cases.front().message;
    } else if (!complete || outcome.status != 0) {
        verdict.verdict = VerdictClass::crash;
        verdict.what = "early exit";
        verdict.message = fmt::format(
            "the program ended with status {} before the check was through", outcome.status);
        verdict.remedy = "The function must return: it must not call exit().";
    }
    if (!verdict.passed() && finding && is_unsupported(*finding)) verdict.our_fault = true;
}

Verdict judge_one(const fs::path& executable, const Judged& program) {
    const ScratchFolder scratch;
    Command command;
    // The verdict is our reporter: the output that is left is the learner's own.
    command.argv = {executable.string(), "--reporters=none", "--no-intro"};
    command.seconds = program.seconds;
    command.output_limit = output_limit;
    command.memory_limit = memory_limit;
    command.environment = {
        {"LD_PRELOAD", runtime_library(program.on_gpu).string()},
        {"WARPLINGS_VERDICT", (scratch.path() / "cases.json").string()},
        {"WARPLINGS_JSON", (scratch.path() / "emulator.json").string()},
        {"WARPLINGS_REPORT", "quiet"},
        {"WARPLINGS_CHECK", "all"},
        {"WARPLINGS_LIMIT", launch_limit},
    };
    const Outcome outcome = run(command);
    Verdict verdict;
    verdict.run_seconds = outcome.seconds;
    verdict.output = valid_utf8(outcome.output);
    read_emulator(scratch.path() / "emulator.json", verdict);
    const bool complete = read_cases(scratch.path() / "cases.json", verdict);
    decide(outcome, complete, program.seconds, verdict);
    return verdict;
}

}  // namespace

Verdict judge(const Judged& program) {
    Verdict verdict = judge_one(program.count_build, program);
    if (!verdict.passed() || program.check_build.empty()) return verdict;
    // The optimiser hides mistakes: the check build may still find some.
    Verdict second = judge_one(program.check_build, program);
    second.run_seconds += verdict.run_seconds;
    if (!second.passed()) return second;
    verdict.run_seconds = second.run_seconds;
    return verdict;
}

}  // namespace warplings
