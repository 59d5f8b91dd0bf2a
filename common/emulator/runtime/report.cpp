#include "emulator/runtime/report.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <set>

#include "emulator/observe/counters.h"

namespace emu {
namespace {

std::string quoted(std::string_view text) {
    std::string json = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            json += '\\';
            json += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
            json += code;
        } else {
            json += c;
        }
    }
    return json + '"';
}

std::string triple(const Dim3& d) {
    return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) +
           "]";
}

std::string parenthesised(const Dim3& d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) +
           ")";
}

}  // namespace

const char* name_of(Severity severity) {
    switch (severity) {
        case Severity::error: return "error";
        case Severity::warning: return "warning";
        case Severity::note: return "note";
        case Severity::hint: return "hint";
    }
    return "";
}

namespace {

// One write, so that lines of several processes do not mix.
void append_json(std::string line) {
    if (options().json.empty()) return;
    int file = open(options().json.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    line += '\n';
    if (file < 0 || write(file, line.data(), line.size()) != ssize_t(line.size()))
        say_once("warplings: cannot write to " + options().json);
    if (file >= 0) close(file);
}

}  // namespace

std::string text_of(const Finding& f) {
    std::string text = std::string(name_of(f.severity)) + ": " + f.kind;
    if (!f.kernel.empty()) text += " in " + f.kernel;
    if (!f.file.empty()) text += "  " + f.file + ":" + std::to_string(f.line);
    text += "\n  " + f.message;
    bool says_thread = f.message.find("thread (") != f.message.npos;
    if (f.has_thread && !says_thread)
        text += "\n  block " + parenthesised(f.block) + ", thread " + parenthesised(f.thread);
    if (f.count > 1) text += "\n  " + std::to_string(f.count) + " times at this place";
    if (f.file.empty() && f.ptx_line > 0)
        text += "\n  PTX line " + std::to_string(f.ptx_line) + "; compile with -lineinfo for "
                "the line of your source";
    if (!f.remedy.empty()) text += "\n  remedy: " + f.remedy;
    return text;
}

std::string json_of(const Finding& f) {
    char address[24];
    std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(f.address));
    return "{\"finding\":" + quoted(f.kind) + ",\"severity\":" + quoted(name_of(f.severity)) +
           ",\"kernel\":" + quoted(f.kernel) + ",\"file\":" + quoted(f.file) +
           ",\"line\":" + std::to_string(f.line) +
           ",\"block\":" + (f.has_thread ? triple(f.block) : "null") +
           ",\"thread\":" + (f.has_thread ? triple(f.thread) : "null") +
           ",\"address\":" + (f.address ? quoted(address) : "null") +
           ",\"message\":" + quoted(f.message) + ",\"remedy\":" + quoted(f.remedy) +
           ",\"count\":" + std::to_string(f.count) + "}";
}

std::string json_of(const FinishedLaunch& launch) {
    std::string counters;
    for (const CounterInfo& info : counter_table())
        counters += (counters.empty() ? "" : ",") + quoted(info.metric) + ":" +
                    std::to_string(launch.counters.*info.member);
    return "{\"kernel\":" + quoted(launch.kernel) + ",\"grid\":" + triple(launch.grid) +
           ",\"block\":" + triple(launch.block) + ",\"counters\":{" + counters + "}}";
}

void tell(State& s, Finding finding) {
    const FindingKind* kind = finding_kind(finding.kind);
    if (kind && !options().checks_group(std::string(kind->check))) return;
    append_json(json_of(finding));
    if (!options().quiet) {
        std::string text = text_of(finding) + "\n";
        std::fflush(stdout);          // so that the order on a terminal is that of events
        std::fwrite(text.data(), 1, text.size(), stderr);
    }
    s.findings.push_back(std::move(finding));
}

void tell(Call& call, const char* kind, Severity severity, std::string message,
          std::string remedy, cudaError_t error) {
    Finding finding;
    finding.kind = kind;
    finding.severity = severity;
    finding.message = std::move(message);
    finding.remedy = std::move(remedy);
    finding.error = error;
    Place place = call.place();
    finding.file = place.file;
    finding.line = place.line;
    tell(call.state(), std::move(finding));
}

void tell_launch(State& s, const LaunchReport& report) {
    FinishedLaunch launch{report.kernel, report.grid, report.block, report.counters};
    append_json(json_of(launch));
    s.launches.push_back(std::move(launch));
    for (const Finding& finding : report.findings) tell(s, finding);
    if (report.printed_lost > 0)
        say_once("warplings: the printf buffer was full, " +
                 std::to_string(report.printed_lost) +
                 " calls of printf are lost: enlarge it with cudaDeviceSetLimit("
                 "cudaLimitPrintfFifoSize, bytes)");
}

void say_once(const std::string& sentence) {
    static auto* said = new std::set<std::string>;
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (!said->insert(sentence).second) return;
    std::string line = sentence + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

// A kernel touches few of the counters: those at 0 are only told by name.
static void print_nonzero(const Counters& counters) {
    std::string zero;
    for (const CounterInfo& info : counter_table()) {
        const std::string name(info.name), label(name_of(info.label)), metric(info.metric);
        const std::uint64_t value = counters.*info.member;
        if (value == 0)
            zero += (zero.empty() ? "" : ", ") + name;
        else
            std::fprintf(stderr, "  %-32s %16llu  %-9s  %s\n", name.c_str(),
                         static_cast<unsigned long long>(value), label.c_str(), metric.c_str());
    }
    if (!zero.empty()) std::fprintf(stderr, "  0: %s\n", zero.c_str());
}

void print_counters(State& s) {
    struct Sum {
        std::uint64_t launches = 0;
        Counters counters;
    };
    std::vector<std::string> order;
    std::map<std::string, Sum> kernels;
    for (const FinishedLaunch& launch : s.launches) {
        Sum& sum = kernels[launch.kernel];
        if (sum.launches++ == 0) order.push_back(launch.kernel);
        sum.counters.add(launch.counters);
    }
    for (const std::string& kernel : order) {
        const Sum& sum = kernels[kernel];
        std::fprintf(stderr, "%s, %llu launch%s\n", kernel.c_str(),
                     static_cast<unsigned long long>(sum.launches),
                     sum.launches == 1 ? "" : "es");
        print_nonzero(sum.counters);
    }
}

}  // namespace emu
