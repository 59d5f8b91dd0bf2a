// `warplings` alone and `warplings list`: where you are, and what there is.
#include <fmt/format.h>

#include <algorithm>

#include "warplings/commands.h"
#include "warplings/json.h"
#include "warplings/wrap.h"

namespace warplings {

namespace {

int done_count(const Session& session) {
    int done = 0;
    for (const Unit& unit : session.course.exercises) done += session.progress.done(unit.slug);
    return done;
}

std::string relative(const Session& session, const fs::path& path) {
    return path.lexically_relative(session.course.root).string();
}

const Unit* lesson_of(const Session& session, const Unit& exercise) {
    for (const Unit& lesson : session.course.lessons)
        if (lesson.folder.filename() == exercise.lesson) return &lesson;
    return nullptr;
}

void print_task(const Session& session, const Unit& unit) {
    fmt::print("{} {}  ({}, about {} minutes)\n\n", unit.number, unit.fact("title", unit.slug),
               unit.fact("kind", "exercise"), unit.fact("minutes", "10"));
    const std::string file = read_file(unit.folder / "README.md");
    std::string_view page = without_front_matter(file);
    page.remove_prefix(std::min(page.find_first_not_of('\n'), page.size()));
    fmt::print("{}\n", wrapped_page(page, terminal_columns()));
    if (const Unit* lesson = lesson_of(session, unit))
        fmt::print("lesson   {}   its program: ./warplings run {}\n",
                   relative(session, lesson->folder / "README.md"), lesson->number);
    fmt::print("edit     {}\n", relative(session, session.course.learner_file(unit)));
    fmt::print("check    ./warplings check {}\n", unit.slug);
    fmt::print("stuck?   ./warplings hint {}\n", unit.slug);
    fmt::print("others   ./warplings list\n");
}

nlohmann::json json_of(const Session& session, const Unit& unit) {
    return {{"slug", unit.slug}, {"number", unit.number}, {"title", unit.fact("title", unit.slug)},
            {"minutes", unit.fact("minutes")}, {"folder", relative(session, unit.folder)}};
}

nlohmann::json list_json(const Session& session) {
    nlohmann::json json = {{"lessons", nlohmann::json::array()},
                           {"exercises", nlohmann::json::array()}};
    const Unit* current = first_unsolved(session);
    for (const Unit& unit : session.course.lessons)
        json["lessons"].push_back(json_of(session, unit));
    for (const Unit& unit : session.course.exercises) {
        json["exercises"].push_back(json_of(session, unit));
        json["exercises"].back()["done"] = session.progress.done(unit.slug);
        json["exercises"].back()["current"] = &unit == current;
    }
    return json;
}

}  // namespace

const Unit* first_unsolved(const Session& session) {
    for (const Unit& unit : session.course.exercises)
        if (!session.progress.done(unit.slug)) return &unit;
    return nullptr;
}

int open_course(Session& session) {
    if (session.json) {
        fmt::print("{}\n", json_text(list_json(session)));
        return 0;
    }
    const int done = done_count(session), all = int(session.course.exercises.size());
    fmt::print("Warplings: CUDA C++, on a GPU or without one. {} of {} exercises done.\n\n", done,
               all);
    if (const Unit* unit = first_unsolved(session))
        print_task(session, *unit);
    else
        fmt::print("All exercises pass. ./warplings list shows them, ./warplings solution NAME "
                   "compares yours with ours.\n");
    return 0;
}

int list_units(Session& session) {
    if (session.json) {
        fmt::print("{}\n", json_text(list_json(session)));
        return 0;
    }
    const Unit* current = first_unsolved(session);
    for (const Unit& lesson : session.course.lessons) {
        fmt::print("{}  {:<20} {}\n", lesson.number, lesson.slug, lesson.fact("title"));
        for (const Unit& unit : session.course.exercises)
            if (unit.lesson == lesson.folder.filename())
                fmt::print("  {} {}  {}  {:<18} {:<8} {:>3} min  {}\n",
                           &unit == current ? ">" : " ",
                           session.progress.done(unit.slug) ? "done" : "    ", unit.number,
                           unit.slug, unit.fact("kind"), unit.fact("minutes"), unit.fact("title"));
    }
    fmt::print("\n{} of {} exercises done\n", done_count(session),
               session.course.exercises.size());
    return 0;
}

}  // namespace warplings
