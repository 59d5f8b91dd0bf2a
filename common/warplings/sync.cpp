// `warplings dev sync`: rewrites everything that is derived from something else: skeletons
// from answers, listings and outputs in pages, the README's table of lessons. With --check
// it changes nothing and names what is out of date.
#include <fmt/format.h>

#include "warplings/commands.h"
#include "warplings/docsync.h"
#include "warplings/skeleton.h"

namespace warplings {

namespace {

struct Derived {
    fs::path file;
    std::string text;
    std::string source;               // where to edit instead
};

std::vector<Derived> skeletons(const Course& course) {
    std::vector<Derived> result;
    for (const Unit& unit : course.exercises) {
        const fs::path answer = course.answer_folder(unit) / (unit.slug + ".cu");
        if (fs::exists(answer))
            result.push_back({course.learner_file(unit),
                              skeleton_of(read_file(answer), answer.string()), answer.string()});
    }
    return result;
}

std::string lesson_table(const Course& course) {
    std::string table = "| lesson | question | minutes | exercises |\n|---|---|---:|---|\n";
    for (const Unit& lesson : course.lessons) {
        const std::string folder = lesson.folder.filename().string();
        std::string exercises;
        for (const Unit& unit : course.exercises)
            if (unit.lesson == folder)
                exercises += fmt::format("{}[{}](exercises/{}/{})", exercises.empty() ? "" : " · ",
                                         unit.slug, folder, unit.folder.filename().string());
        table += fmt::format("| [{}](lessons/{}) | {} | {} | {} |\n", folder, folder,
                             lesson.fact("question", lesson.fact("title")),
                             lesson.fact("minutes"), exercises);
    }
    return table;
}

// The README with the lines between the two marks replaced by the table.
Derived readme(const Course& course) {
    const fs::path file = course.root / "README.md";
    std::string text = read_file(file);
    const std::string begin = "<!-- lessons -->\n", end = "<!-- end -->";
    const std::size_t from = text.find(begin), to = text.find(end, from);
    if (from == text.npos || to == text.npos)
        throw Failure{3, "README.md lacks the marks <!-- lessons --> and <!-- end -->"};
    text.replace(from + begin.size(), to - from - begin.size(), lesson_table(course));
    return {file, std::move(text), (course.root / "lessons/*/README.md").string()};
}

}  // namespace

int sync_pages(const Course& course, bool check) {
    std::vector<Derived> derived = skeletons(course);
    derived.push_back(readme(course));
    int status = 0;
    for (const Derived& item : derived) {
        const bool same = fs::exists(item.file) && read_file(item.file) == item.text;
        if (same) continue;
        const std::string name = item.file.lexically_relative(course.root).string();
        if (check) {
            fmt::print("{} is out of date. Edit {} and run: ./warplings dev sync\n", name,
                       fs::path(item.source).lexically_relative(course.root).string());
            status = 1;
        } else {
            write_file(item.file, item.text);
            fmt::print("wrote {}\n", name);
        }
    }
    return std::max(status, docsync(course.root, check));
}

}  // namespace warplings
