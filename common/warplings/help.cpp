// hint, reset, solution: help with an exercise, none of which loses what was written.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "warplings/commands.h"
#include "warplings/json.h"
#include "warplings/skeleton.h"
#include "warplings/wrap.h"

namespace warplings {

namespace {

// The texts between the headings "## 1", "## 2", ... of hints.md.
std::vector<std::string> read_hints(const Unit& unit) {
    std::vector<std::string> hints;
    const std::string text = read_file(unit.folder / "hints.md");
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        if (line.starts_with("## "))
            hints.emplace_back();
        else if (!hints.empty())
            hints.back() += line + "\n";
        at = end + 1;
    }
    for (std::string& hint : hints) {
        hint.erase(0, hint.find_first_not_of('\n'));
        hint.erase(hint.find_last_not_of('\n') + 1);
    }
    return hints;
}

const Unit& named_or_current(const Session& session, const std::string& name) {
    if (!name.empty()) return session.course.exercise(name);
    if (const Unit* unit = first_unsolved(session)) return *unit;
    throw Failure{2, "all exercises pass. Name the one you mean."};
}

bool confirmed(const std::string& question) {
    if (!::isatty(STDIN_FILENO))
        throw Failure{2, "there is no terminal to ask on. Say --yes if you mean it."};
    fmt::print("{} [y/N] ", question);
    std::cout.flush();
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

int show_hint(Session& session, const std::string& name, int level) {
    const Unit& unit = named_or_current(session, name);
    const std::vector<std::string> hints = read_hints(unit);
    if (hints.empty()) throw Failure{3, unit.slug + " has no hints: hints.md holds no '## ' heading"};
    const int last = int(hints.size());
    if (level < 1 || level > last)
        throw Failure{2, fmt::format("{} has hints 1 to {}, not {}.", unit.slug, last, level)};
    if (session.json) {
        fmt::print("{}\n", json_text({{"exercise", unit.slug}, {"level", level}, {"levels", last},
                                        {"hint", hints[std::size_t(level - 1)]}}));
        return 0;
    }
    fmt::print("{}, hint {} of {}\n\n{}\n", unit.slug, level, last,
               wrapped_page(hints[std::size_t(level - 1)], terminal_columns()));
    if (level < last) fmt::print("\ndeeper:  ./warplings hint {} {}\n", unit.slug, level + 1);
    return 0;
}

int reset_exercise(Session& session, const std::string& name, bool yes) {
    const Unit& unit = session.course.exercise(name);
    const fs::path file = session.course.learner_file(unit);
    const fs::path answer = session.course.answer_folder(unit) / (unit.slug + ".cu");
    if (!fs::exists(answer))
        throw Failure{3, fmt::format("{} cannot be reset: its skeleton is derived from {}, which "
                                     "this hand-out does not hold. Remedy: take {} from the "
                                     "hand-out again.", unit.slug, answer.string(),
                                     file.filename().string())};
    const std::string skeleton = skeleton_of(read_file(answer), answer.string());
    if (fs::exists(file) && read_file(file) == skeleton) {
        fmt::print("{} is as it was handed out.\n", file.filename().string());
        return 0;
    }
    if (!yes && !confirmed(fmt::format("Put {} back to its first state? Yours is kept beside it.",
                                       file.filename().string())))
        return 0;
    if (fs::exists(file)) fmt::print("yours is kept as {}\n", back_up(file).filename().string());
    write_file(file, skeleton);
    session.progress.mark(unit.slug, false);
    return 0;
}

int show_solution(Session& session, const std::string& name) {
    const Unit& unit = named_or_current(session, name);
    const fs::path answer = session.course.answer_folder(unit) / (unit.slug + ".cu");
    if (!fs::exists(answer))
        throw Failure{2, "this hand-out holds no solutions."};
    if (!session.progress.done(unit.slug))
        throw Failure{2, fmt::format("{} has not passed yet: try ./warplings hint {} first. The "
                                     "answer is in solutions/ for those who insist.", unit.slug,
                                     unit.slug)};
    fmt::print("{}", answer_of(read_file(answer), answer.string()));
    return 0;
}

}  // namespace warplings
