// `warplings dev bench`: the emulator's speed, as a ratio inside one run.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "warplings/build.h"
#include "warplings/commands.h"
#include "warplings/process.h"
#include "warplings/runtime_library.h"

namespace warplings {

int bench(bool json) {
    const BuildResult built = build({"bench"});
    if (!built.succeeded) throw Failure{3, "the benchmark does not build:\n" + built.log};
    Command command;
    command.argv = {build_tree().executable("bench").string()};
    command.environment["LD_PRELOAD"] = runtime_library(false).string();
    const Outcome outcome = run(command);
    if (!outcome.succeeded()) throw Failure{3, "the benchmark failed:\n" + outcome.output};

    nlohmann::json rows = nlohmann::json::array();
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);) {
        auto row = nlohmann::json::parse(line, nullptr, false);
        if (!row.is_object()) continue;
        row["ratio"] = row["kernel_seconds"].get<double>() / row["loop_seconds"].get<double>();
        row["thread_instructions_per_second"] =
            row["thread_instructions"].get<double>() / row["kernel_seconds"].get<double>();
        rows.push_back(row);
    }
    if (json) {
        fmt::print("{}\n", rows.dump(2));
        return 0;
    }
    fmt::print("{:<30} {:>12} {:>12} {:>12} {:>8}\n", "measured, counters on", "thread-inst/s",
               "kernel ms", "loop ms", "ratio");
    for (const auto& row : rows)
        fmt::print("{:<30} {:>10.2f} G {:>12.1f} {:>12.1f} {:>8.2f}\n",
                   row["name"].get<std::string>(),
                   row["thread_instructions_per_second"].get<double>() * 1e-9,
                   row["kernel_seconds"].get<double>() * 1e3,
                   row["loop_seconds"].get<double>() * 1e3, row["ratio"].get<double>());
    fmt::print("loop: the same work in C++, one thread, g++ -O2 (common/warplings/bench)\n");
    return 0;
}

}  // namespace warplings
