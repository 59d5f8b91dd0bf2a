#include "warplings/course.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

namespace warplings {

namespace {

struct Numbered {
    fs::path folder;
    std::string number, name;
};

// Folders called NUMBER_name, in order of their number.
std::vector<Numbered> numbered_folders(const fs::path& parent) {
    static const std::regex form("([0-9]{1,6})_([a-z][a-z0-9_]*)");
    std::vector<Numbered> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        std::smatch match;
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && std::regex_match(name, match, form))
            found.push_back({entry.path(), match[1], match[2]});
    }
    std::sort(found.begin(), found.end(), [](const Numbered& a, const Numbered& b) {
        return std::pair(std::stoi(a.number), a.name) < std::pair(std::stoi(b.number), b.name);
    });
    return found;
}

Unit read_unit(const Numbered& entry, std::string number, std::string lesson) {
    Unit unit{entry.name, std::move(number), std::move(lesson), entry.folder, {}};
    const fs::path page = entry.folder / "README.md";
    if (fs::exists(page)) unit.facts = front_matter(read_file(page));
    return unit;
}

void refuse_twins(const std::vector<Unit>& lessons, const std::vector<Unit>& exercises) {
    std::map<std::string, fs::path> seen;
    for (const auto* units : {&lessons, &exercises})
        for (const Unit& unit : *units) {
            auto [at, is_new] = seen.emplace(unit.slug, unit.folder);
            if (!is_new)
                throw Failure{3, fmt::format("two units are called '{}': {} and {}. Rename one.",
                                             unit.slug, at->second.string(),
                                             unit.folder.string())};
        }
}

std::string without_zeros(std::string_view number) {
    std::string plain;
    bool at_start = true;
    for (char c : number) {
        if (c == '0' && at_start) continue;
        at_start = c == '.';
        plain += c;
    }
    return plain;
}

const Unit& named(const std::vector<Unit>& units, std::string_view name, const char* kind) {
    std::vector<std::string> names;
    for (const Unit& unit : units) {
        if (unit.slug == name || unit.folder.filename() == name ||
            (!name.empty() && without_zeros(unit.number) == without_zeros(name)))
            return unit;
        names.push_back(unit.slug);
    }
    throw Failure{2, fmt::format("no {} is called '{}'. Nearest: {}. ./warplings list shows all.", kind, name,
                                 fmt::join(nearest(name, names), ", "))};
}

int edit_distance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = int(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = int(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int swap = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, swap});
        }
    }
    return row.back();
}

}  // namespace

std::string Unit::fact(const std::string& key, std::string otherwise) const {
    auto found = facts.find(key);
    return found == facts.end() ? std::move(otherwise) : found->second;
}

const Unit& Course::lesson(std::string_view name) const { return named(lessons, name, "lesson"); }

const Unit& Course::exercise(std::string_view name) const {
    return named(exercises, name, "exercise");
}

fs::path Course::learner_file(const Unit& exercise) const {
    return exercise.folder / (exercise.slug + ".cu");
}

fs::path Course::answer_folder(const Unit& exercise) const {
    return root / "solutions" / exercise.lesson / exercise.folder.filename();
}

Course read_course(const fs::path& root) {
    Course course{root, {}, {}};
    for (const Numbered& entry : numbered_folders(root / "lessons"))
        course.lessons.push_back(
            read_unit(entry, entry.number, entry.folder.filename().string()));
    for (const Numbered& lesson : numbered_folders(root / "exercises"))
        for (const Numbered& entry : numbered_folders(lesson.folder))
            course.exercises.push_back(read_unit(entry, lesson.number + "." + entry.number,
                                                 lesson.folder.filename().string()));
    if (course.lessons.empty() && course.exercises.empty())
        throw Failure{3, fmt::format("{} holds no course: it needs the folders lessons/ and "
                                     "exercises/ of a Warplings clone.", root.string())};
    refuse_twins(course.lessons, course.exercises);
    return course;
}

std::map<std::string, std::string> front_matter(std::string_view page) {
    std::map<std::string, std::string> facts;
    if (!page.starts_with("---\n")) return facts;
    std::size_t at = 4;
    while (at < page.size()) {
        const std::size_t end = std::min(page.find('\n', at), page.size());
        const std::string_view line = page.substr(at, end - at);
        if (line == "---") return facts;
        if (const std::size_t colon = line.find(':'); colon != line.npos) {
            std::string_view value = line.substr(colon + 1);
            while (value.starts_with(' ')) value.remove_prefix(1);
            facts[std::string(line.substr(0, colon))] = value;
        }
        at = end + 1;
    }
    return {};
}

std::string_view without_front_matter(std::string_view page) {
    if (!page.starts_with("---\n")) return page;
    const std::size_t end = page.find("\n---\n", 3);
    return end == page.npos ? page : page.substr(end + 5);
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names) {
    std::vector<std::pair<int, std::string>> by_distance;
    for (const std::string& candidate : names) {
        const bool contains = !name.empty() && candidate.find(name) != candidate.npos;
        by_distance.emplace_back(contains ? 0 : edit_distance(name, candidate), candidate);
    }
    std::stable_sort(by_distance.begin(), by_distance.end());
    std::vector<std::string> best;
    for (const auto& entry : by_distance)
        if (best.size() < 3) best.push_back(entry.second);
    return best;
}

}  // namespace warplings
