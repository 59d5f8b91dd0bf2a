// `warplings emulate PROGRAM`: any program linked with the shared CUDA runtime, on the CPU.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "emulator/device/table.h"
#include "warplings/build.h"
#include "warplings/commands.h"
#include "warplings/process.h"
#include "warplings/runtime_library.h"

namespace warplings {

namespace {

fs::path find_program(const std::string& name) {
    if (name.find('/') != name.npos) {
        if (!fs::exists(name)) throw Failure{2, fmt::format("there is no program {}", name)};
        return name;
    }
    if (fs::exists(name)) return fs::absolute(name);
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
        if (fs::exists(candidate)) return candidate;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    throw Failure{2, fmt::format("there is no program {} here or in PATH", name)};
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
            throw Failure{2, fmt::format("{} is not a 64-bit Linux program", program.string())};
    }
}

struct Tally {
    bool finding = false, our_fault = false;
};

Tally tally(const fs::path& report) {
    Tally result;
    std::ifstream in(report);
    for (std::string line; std::getline(in, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object() || !json.contains("finding")) continue;
        const std::string severity = json.value("severity", "error");
        if (severity != "error" && severity != "warning") continue;
        (json.value("finding", "").starts_with("unsupported") ? result.our_fault
                                                              : result.finding) = true;
    }
    return result;
}

}  // namespace

int emulate(const EmulateOptions& options) {
    const fs::path program = find_program(options.program.front());
    refuse_what_cannot_run(program);

    const ScratchFolder scratch;
    const fs::path report = options.json.empty() ? scratch.path() / "report.json"
                                                 : fs::absolute(options.json);
    write_file(report, "");  // says at once where it cannot be written
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
        throw Failure{3, fmt::format("{} cannot be started: {}", program.string(), outcome.output)};
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
    if (json) fmt::print("{}\n", rows.dump(2));
    return 0;
}

}  // namespace warplings
