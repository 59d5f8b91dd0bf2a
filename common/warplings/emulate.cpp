// `warplings emulate PROGRAM`: any program linked with the shared CUDA runtime, on the CPU.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "emulator/device/table.h"
#include "warplings/build.h"
#include "warplings/commands.h"
#include "warplings/json.h"
#include "warplings/process.h"
#include "warplings/runtime_library.h"

namespace warplings {

namespace {

// Folders, devices and pipes are no programs, and reading some of them has no end.
bool is_file(const fs::path& path) {
    std::error_code none;
    return fs::is_regular_file(path, none);
}

fs::path find_program(const std::string& name) {
    if (name.find('/') != name.npos) {
        if (!is_file(name)) throw Failure{2, fmt::format("there is no program {}", name)};
        return name;
    }
    if (is_file(name)) return fs::absolute(name);
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
        if (is_file(candidate)) return candidate;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    throw Failure{2, fmt::format("there is no program '{}' here or in PATH", name)};
}

void refuse_what_cannot_run(const fs::path& program) {
    switch (linked_runtime(program)) {
        case Linked::shared: return;
        case Linked::statically:
            throw Failure{2, fmt::format("{} is linked with the static CUDA runtime, which the "
                                         "emulator cannot replace. Remedy: build it with "
                                         "nvcc -cudart shared.", program.string())};
        case Linked::not_at_all:
            throw Failure{2, fmt::format("{} does not use the CUDA runtime: nothing to emulate. "
                                         "(A script? Name the program that it starts.)",
                                         program.string())};
        case Linked::not_a_program:
            throw Failure{2, fmt::format("{} is not a whole 64-bit Linux program. Remedy: give what nvcc "
                                         "makes of it: nvcc -cudart shared FILE.cu -o PROGRAM.", program.string())};
    }
}

void refuse_unknown_device(const std::string& name) {
    if (name.empty() || emu::device_named(name)) return;
    std::string known;
    for (const emu::DeviceSpec& spec : emu::device_table())
        known += (known.empty() ? "" : ", ") + std::string(spec.name);
    throw Failure{2, fmt::format("no emulated device is called '{}'. There are: {}.", name, known)};
}

// Says at once where it cannot be written. Written in place: what is no plain file (a
// terminal, a pipe) must not be replaced by one, and cannot be read again at the end.
void start_report(const fs::path& report) {
    std::error_code none;
    if (fs::exists(report, none) && !is_file(report))
        throw Failure{2, fmt::format("--json {}: it is no plain file. Remedy: name one that can "
                                     "be read again.", report.string())};
    if (!std::ofstream(report, std::ios::trunc))
        throw Failure{2, fmt::format("--json {}: cannot be written: {}", report.string(),
                                     std::strerror(errno))};
}

struct Tally {
    bool finding = false, our_fault = false;
};

Tally tally(const fs::path& report) {
    Tally result;
    std::ifstream in(report);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("{\"kernel\"")) continue;
        const auto json = nlohmann::json::parse(valid_utf8(line), nullptr, false);
        if (!json.is_object() || !json.contains("finding")) continue;
        const std::string severity = json.value("severity", "error");
        if (severity != "error" && severity != "warning") continue;
        const std::string kind = json.value("finding", "");
        const bool ours = kind.starts_with("unsupported") || kind == "not-supported";
        (ours ? result.our_fault : result.finding) = true;
    }
    return result;
}

}  // namespace

int emulate(const EmulateOptions& options) {
    const fs::path program = find_program(options.program.front());
    refuse_what_cannot_run(program);
    refuse_unknown_device(options.device);

    const ScratchFolder scratch;
    const fs::path report = options.json.empty() ? scratch.path() / "report.json"
                                                 : fs::absolute(options.json);
    start_report(report);
    Command command;
    command.argv = options.program;
    command.argv.front() = program.string();
    command.inherit = true;
    command.environment = {{"LD_PRELOAD", runtime_library(false).string()},
                           {"WARPLINGS_JSON", report.string()},
                           {"WARPLINGS_CHECK", options.check},
                           {"WARPLINGS_COUNTERS", options.counters ? "1" : ""},
                           {"WARPLINGS_REPORT", options.quiet ? "quiet" : ""},
                           {"WARPLINGS_SCHEDULE", options.schedule},
                           {"WARPLINGS_THREADS", options.threads},
                           {"WARPLINGS_LIMIT", options.limit}};
    if (!options.device.empty()) command.environment["WARPLINGS_DEVICE"] = options.device;

    const Outcome outcome = run(command);
    if (outcome.end == Outcome::End::not_started)
        throw Failure{2, fmt::format("{} cannot be started: {}", program.string(), outcome.output)};
    const Tally said = tally(report);
    if (said.our_fault) return 3;
    if (said.finding) return 1;
    if (outcome.end == Outcome::End::signalled) {
        fmt::print(stderr, "{} ended by {}\n", program.string(), signal_text(outcome.status));
        return 128 + outcome.status;
    }
    return outcome.status;
}

int list_devices(bool json) {
    nlohmann::json rows = nlohmann::json::array();
    if (!json)
        fmt::print("{:<10} {:>10} {:>4} {:>9} {:>13} {:>13}\n", "device", "capability", "SMs",
                   "memory", "shared/block", "threads/SM");
    for (const emu::DeviceSpec& d : emu::device_table()) {
        if (json)
            rows.push_back({{"name", d.name}, {"product", d.product}, {"major", d.major},
                            {"minor", d.minor}, {"multiprocessors", d.multiprocessors},
                            {"memory_bytes", d.memory_bytes}, {"source", d.source}});
        else
            fmt::print("{:<10} {:>8}.{} {:>4} {:>5.0f} GiB {:>9} KiB {:>13}\n", d.name, d.major, d.minor,
                       d.multiprocessors, double(d.memory_bytes) / (1 << 30), d.shared_per_block_optin >> 10,
                       d.threads_per_multiprocessor);
    }
    if (json) fmt::print("{}\n", json_text(rows));
    return 0;
}

}  // namespace warplings
