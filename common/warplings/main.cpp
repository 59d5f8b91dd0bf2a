// The command-line program. Exit status: 0 done, 1 the learner's code is wrong, 2 wrong
// usage, 3 our own fault.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <set>

#include "warplings/build.h"
#include "warplings/commands.h"
#include "warplings/process.h"

namespace {

using namespace warplings;
using Action = std::function<int()>;

Session open_session(bool json) {
    const fs::path root = build_tree().source;
    return {read_course(root), Progress(root / "progress.txt"), json};
}

// What the command line holds. One struct, so that callbacks bind to members that live.
struct Arguments {
    bool json = false, all = false, yes = false, check = false;
    bool on_emulator = false, on_gpu = false;
    int level = 1;
    std::string name;
    std::vector<std::string> names, rest;
    std::string input, count_build, check_build;
    EmulateOptions emulate;
    std::vector<std::string> checks;

    std::string backend() const { return on_emulator ? "emulator" : on_gpu ? "gpu" : ""; }
};

CLI::App* command(CLI::App& parent, Action& chosen, const char* name, const char* help,
                  Action action) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->callback([&chosen, action = std::move(action)] { chosen = action; });
    return sub;
}

void add_course(CLI::App& app, Arguments& a, Action& chosen) {
    command(app, chosen, "list", "Lessons and exercises, and which are done", [&a] {
        Session session = open_session(a.json);
        return list_units(session);
    });
    auto* run = command(app, chosen, "run", "Build and run a lesson's program", {});
    run->add_option("lesson", a.name, "Number or name, such as 01 or vector_add")->required();
    auto* emulator = run->add_flag("--emulate", a.on_emulator, "On the emulator, GPU or not");
    run->add_flag("--gpu", a.on_gpu, "On the GPU")->excludes(emulator);
    // What follows the lesson's name is its program's: --size, and also --json.
    run->fallthrough(false);
    run->prefix_command();
    run->callback([&a, &chosen, run] {
        a.rest = run->remaining();
        if (a.json) a.rest.push_back("--json");
        chosen = [&a] {
            Session session = open_session(a.json);
            return run_lesson(session, a.name, a.backend(), a.rest);
        };
    });
    run->footer("After the lesson: options of its program, such as --size 1000.");
    auto* check = command(app, chosen, "check", "Build and check exercises: the verdict first", [&a] {
        Session session = open_session(a.json);
        return check_exercises(session, a.names, a.all);
    });
    check->add_option("exercises", a.names, "Names; none: the first unsolved one");
    check->add_flag("--all", a.all, "Every exercise");
    auto* hint = command(app, chosen, "hint", "A hint, deeper with each level", [&a] {
        Session session = open_session(a.json);
        return show_hint(session, a.name, a.level);
    });
    hint->add_option("exercise", a.name, "Name; none: the first unsolved one");
    hint->add_option("level", a.level, "1 is a nudge")->check(CLI::Range(1, 99));
    auto* reset = command(app, chosen, "reset", "Put an exercise back; yours is kept beside it", [&a] {
        Session session = open_session(a.json);
        return reset_exercise(session, a.name, a.yes);
    });
    reset->add_option("exercise", a.name, "Name")->required();
    reset->add_flag("--yes", a.yes, "Do not ask");
    auto* solution = command(app, chosen, "solution", "Our answer, once yours has passed", [&a] {
        Session session = open_session(a.json);
        return show_solution(session, a.name);
    });
    solution->add_option("exercise", a.name, "Name")->required();
}

// CLI11's own ranges go through floating point.
struct WholeNumber : CLI::Validator {
    explicit WholeNumber(std::uint64_t least) {
        func_ = [least](std::string& text) -> std::string {
            std::uint64_t number = 0;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), number);
            if (error == std::errc() && end == text.data() + text.size() && number >= least)
                return {};
            return "'" + text + "' is no whole number of 64 bits, " + std::to_string(least) +
                   " or more";
        };
    }
};

const std::set<std::string> check_groups = {"memory", "sync", "api", "leak", "all", "none"};

void add_emulate(CLI::App& app, Arguments& a, Action& chosen) {
    EmulateOptions& e = a.emulate;
    auto* sub = command(app, chosen, "emulate",
                        "Run any CUDA program (nvcc -cudart shared) without a GPU, and check it",
                        {});
    sub->add_flag("--counters", e.counters, "Print what each kernel did, by the profiler's names");
    sub->add_flag("--quiet", e.quiet, "Findings go to the JSON file alone");
    sub->add_option("--check", a.checks, "memory, sync, api, leak, all or none, comma-separated")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember(check_groups));
    sub->add_option("--json", e.json, "File: one line a launch, one a finding");
    sub->add_option("--device", e.device, "Emulated GPU, see `warplings devices`; H200");
    sub->add_option("--schedule", e.schedule, "Seed that shuffles blocks and warps")
        ->check(WholeNumber(0));
    sub->add_option("--threads", e.threads, "Host threads")->check(CLI::Range(1, 1024));
    sub->add_option("--limit", e.limit, "Warp instructions a launch may take")
        ->check(WholeNumber(1));
    // What follows the program's name is the program's, options too.
    sub->fallthrough(false);
    sub->prefix_command();
    sub->callback([&a, &chosen, sub] {
        a.emulate.program = sub->remaining();
        if (!a.checks.empty()) a.emulate.check = fmt::format("{}", fmt::join(a.checks, ","));
        std::vector<std::string>& program = a.emulate.program;
        if (!program.empty() && program.front().starts_with("-"))
            throw CLI::ExtrasError({program.front()});
        if (program.empty()) throw CLI::RequiredError("A program to run");
        chosen = [&a] { return emulate(a.emulate); };
    });
    sub->footer("After the options: the program and its arguments. Compile it with -lineinfo, too:\n"
                "then findings name source lines.\n"
                "Exit status: 1 on findings, 3 where the emulator itself falls short, otherwise "
                "the program's.");
    command(app, chosen, "devices", "The GPUs that can be emulated",
            [&a] { return list_devices(a.json); });
}

void add_dev(CLI::App& app, Arguments& a, Action& chosen) {
    CLI::App* dev = app.add_subcommand("dev", "For authors");
    dev->require_subcommand(1);
    auto* sync = command(*dev, chosen, "sync", "Rewrite skeletons, listings, tables", [&a] {
        return sync_pages(read_course(build_tree().source), a.check);
    });
    sync->add_flag("--check", a.check, "Change nothing; status 1 if something is out of date");
    auto* expect = command(*dev, chosen, "expect", "Hold a wrong answer against its first line", [&a] {
        return expect_verdict(a.input, a.count_build, a.check_build);
    });
    expect->add_option("file", a.input, "The wrong answer, or the word passed")->required();
    expect->add_option("--exe", a.count_build, "Its check, count build")->required();
    expect->add_option("--exe-check", a.check_build, "Its check, check build");
    command(*dev, chosen, "bench", "The emulator's speed against a plain loop",
            [&a] { return bench(a.json); });
}

// CLI11 says of a mistyped command only that it was not expected.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
    const std::string word = argc > 1 ? argv[1] : "--help";
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == word) return;
        names.push_back(command->get_name());
    }
    if (!word.starts_with("-"))
        throw Failure{2, fmt::format("no command is called '{}'. Nearest: {}. ./warplings --help "
                                     "shows all.", word, fmt::join(nearest(word, names), ", "))};
}

int parse_and_run(int argc, char** argv) {
    Arguments a;
    Action chosen = [&a] {
        Session session = open_session(a.json);
        return open_course(session);
    };
    CLI::App app("Warplings: a CUDA C++ course that runs with or without a GPU", "warplings");
    app.add_flag("--json", a.json, "JSON on stdout instead of text");
    app.fallthrough();
    app.require_subcommand(0, 1);
    app.footer("Without a command: where you are in the course.\n"
               "./warplings test builds everything and runs every test.");
    add_course(app, a, chosen);
    add_emulate(app, a, chosen);
    add_dev(app, a, chosen);
    refuse_unknown_command(app, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return chosen();
}

// Where one of these is closed, the next file to be opened would take its place, and what
// we print would go into it. Output to what is opened here fails, and that is told.
void fill_standard_files() {
    for (int file : {0, 1, 2})
        if (::fcntl(file, F_GETFD) == -1) (void)::open("/dev/null", O_RDONLY);
}

// Never throws: standard error may be closed as well.
void complain(const std::string& text) {
    std::fputs(("warplings: " + text + "\n").c_str(), stderr);
}

int status_of_output(int status) {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
    complain(std::string("the output cannot be written: ") + std::strerror(errno));
    return 3;
}

[[noreturn]] void end_by(int signal) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    std::_Exit(128 + signal);
}

}  // namespace

int main(int argc, char** argv) {
    fill_standard_files();
    try {
        return status_of_output(parse_and_run(argc, argv));
    } catch (const warplings::Interrupted& interrupted) {
        end_by(interrupted.signal);
    } catch (const warplings::Failure& failure) {
        complain(failure.text);
        return failure.status;
    } catch (const std::exception& error) {
        complain(error.what());
        return 3;
    }
}
