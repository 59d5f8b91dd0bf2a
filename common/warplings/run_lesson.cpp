// `warplings run NN`: builds a lesson's program and runs it, on the emulator or the GPU.
#include <fmt/format.h>

#include "warplings/build.h"
#include "warplings/commands.h"
#include "warplings/process.h"
#include "warplings/runtime_library.h"

namespace warplings {

int run_lesson(Session& session, const std::string& name, const std::string& backend,
               const std::vector<std::string>& arguments) {
    const Unit& unit = session.course.lesson(name);
    const BuildResult built = build({unit.slug});
    if (!built.succeeded) {
        fmt::print(stderr, "{}", built.log);
        if (!built.error) throw Failure{3, "building " + unit.slug + " failed"};
        fmt::print(stderr, "{} does not compile: {}:{}: {}\n", unit.slug, built.error->file,
                   built.error->line, built.error->message);
        return 1;
    }
    Command command;
    command.argv = {build_tree().executable(unit.slug).string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.inherit = true;
    const std::string on = backend.empty() ? build_tree().backend : backend;
    command.environment["LD_PRELOAD"] = runtime_library(on == "gpu").string();
    const Outcome outcome = run(command);
    if (outcome.end == Outcome::End::not_started)
        throw Failure{3, fmt::format("{} cannot be started: {}", unit.slug, outcome.output)};
    if (outcome.end == Outcome::End::signalled) {
        fmt::print(stderr, "{} ended by {}\n", unit.slug, signal_text(outcome.status));
        return 1;
    }
    return outcome.status;
}

}  // namespace warplings
