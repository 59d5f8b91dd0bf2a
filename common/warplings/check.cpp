// `warplings check`: builds the learner's file, runs its check, shows the verdict first.
#include <fmt/format.h>
#include <unistd.h>

#include "warplings/build.h"
#include "warplings/commands.h"
#include "warplings/json.h"
#include "warplings/verdict.h"
#include "warplings/wrap.h"

namespace warplings {

namespace {

// Where no compiler says what is wrong with the source, the machine is what is wrong.
std::string machine_trouble(const std::string& log) {
    static const struct {
        const char *says, *means;
    } known[] = {
        {"No space left on device", "the disk is full. Remedy: make room, there or in TMPDIR"},
        {"Permission denied", "the build folder cannot be written to. Remedy: "
                              "WARPLINGS_BUILD_DIR=/a/folder/of/yours ./warplings"},
        {"missing and no known rule", "a file is gone that the build was made with. Remedy: "
                                      "remove the build folder, and start ./warplings again"},
    };
    for (const auto& trouble : known)
        if (log.find(trouble.says) != log.npos) return trouble.means;
    return "no compiler said why";
}

Verdict compile_error(const BuildResult& built, const Unit& unit) {
    if (!built.error)
        throw Failure{3, fmt::format("the check of {} cannot be built: {}.\n{}", unit.slug,
                                     machine_trouble(built.log), built.log)};
    Verdict verdict;
    verdict.verdict = VerdictClass::compile_error;
    verdict.what = "compile-error";
    verdict.file = built.error->file;
    verdict.line = built.error->line;
    verdict.message = built.error->message;
    verdict.remedy = usual_meaning(*built.error);
    verdict.output = valid_utf8(what_the_compiler_said(built.log));
    return verdict;
}

Verdict missing_file(const fs::path& file, const Unit& unit) {
    Verdict verdict;
    verdict.verdict = VerdictClass::compile_error;
    verdict.what = "missing-file";
    verdict.message = file.string() + " is missing";
    verdict.remedy = "./warplings reset " + unit.slug + " puts the first one there.";
    return verdict;
}

Verdict check(const Session& session, const Unit& unit) {
    const fs::path file = session.course.learner_file(unit);
    if (!fs::is_regular_file(file)) return missing_file(file, unit);
    const BuildTree& tree = build_tree();
    const std::string target = "check_" + unit.slug, twin = target + "_checkbuild";
    const BuildResult built = build({target, twin});
    Verdict verdict;
    if (!built.succeeded) {
        verdict = compile_error(built, unit);
    } else {
        Judged program{tree.executable(target), tree.executable(twin)};
        verdict = judge(program);
        const bool ask_gpu = tree.backend == "gpu" && (verdict.passed() || verdict.our_fault);
        if (ask_gpu) {
            program.on_gpu = true;
            program.check_build.clear();
            Verdict on_gpu = judge(program);
            // What the emulator cannot do is not held against anyone: the GPU decides.
            if (!on_gpu.passed() || verdict.our_fault) verdict = on_gpu;
        }
    }
    verdict.build_seconds = built.seconds;
    return verdict;
}

// A verdict does not wait for a file: where it cannot be kept, it is shown all the same.
void keep(Session& session, const Unit& unit, const Verdict& verdict) {
    try {
        session.progress.mark(unit.slug, verdict.passed());
    } catch (const Failure& failure) {
        fmt::print(stderr, "warplings: the progress is not kept: {}\n", failure.text);
    }
}

void show_progress(const std::string& slug) {
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "building and checking {} ...\r", slug);
}

void clear_progress() {
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\033[2K\r");
}

void print_next_step(const Session& session, const Unit& unit, const Verdict& verdict) {
    if (verdict.our_fault)
        fmt::print("\nThe emulator does not support this; that is our fault, not yours.\n");
    else if (!verdict.passed())
        fmt::print("\n  stuck?  ./warplings hint {}\n", unit.slug);
    else if (const Unit* next = first_unsolved(session))
        fmt::print("\n  next:  {} {}   ./warplings\n  ours:  ./warplings solution {}\n",
                   next->number, next->slug, unit.slug);
    else
        fmt::print("\nThat was the last one: all exercises pass.\n");
}

}  // namespace

int check_exercises(Session& session, std::vector<std::string> names, bool all) {
    if (all)
        for (const Unit& unit : session.course.exercises) names.push_back(unit.slug);
    if (names.empty()) {
        const Unit* unit = first_unsolved(session);
        if (!unit) throw Failure{2, "all exercises pass. Name the one to check again."};
        names.push_back(unit->slug);
    }
    std::vector<const Unit*> units;  // every name is looked up before anything is built
    for (const std::string& name : names) units.push_back(&session.course.exercise(name));

    int status = 0;
    nlohmann::json verdicts = nlohmann::json::array();
    for (const Unit* unit : units) {
        if (!session.json) show_progress(unit->slug);
        const Verdict verdict = check(session, *unit);
        keep(session, *unit, verdict);
        status = std::max(status, verdict.our_fault ? 3 : verdict.passed() ? 0 : 1);
        if (session.json) {
            verdicts.push_back(json_of(verdict, unit->slug));
            continue;
        }
        clear_progress();
        fmt::print("{}", wrapped(text_of(verdict, unit->slug), terminal_columns()));
        if (units.size() == 1) print_next_step(session, *unit, verdict);
    }
    if (session.json) fmt::print("{}\n", json_text(verdicts));
    return status;
}

}  // namespace warplings
