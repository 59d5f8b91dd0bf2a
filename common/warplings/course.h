#pragma once
// The course as its folders say it: lessons, exercises, their order and their facts.
// A unit is found, never listed; identity is the slug, order is the number.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warplings/files.h"

namespace warplings {

struct Unit {
    std::string slug;                 // "saxpy"
    std::string number;               // "01" of a lesson, "01.1" of an exercise
    std::string lesson;               // folder name of its lesson: "01_vector_add"
    fs::path folder;
    std::map<std::string, std::string> facts;  // front matter of its README.md

    std::string fact(const std::string& key, std::string otherwise = "") const;
};

struct Course {
    fs::path root;
    std::vector<Unit> lessons, exercises;  // in order

    // By slug, number ("01", "1", "01.2", "1.2") or folder name; throws Failure(2) with
    // the nearest names where there is none.
    const Unit& lesson(std::string_view name) const;
    const Unit& exercise(std::string_view name) const;

    fs::path learner_file(const Unit& exercise) const;    // exercises/.../slug.cu
    fs::path answer_folder(const Unit& exercise) const;   // solutions/..., may be absent
};

// Throws Failure(3) where two units have one slug, or where root holds no course.
Course read_course(const fs::path& root);

// "---\nkey: value\n---" at the start of a page; empty where there is none.
std::map<std::string, std::string> front_matter(std::string_view page);
std::string_view without_front_matter(std::string_view page);

// Up to three names nearest to `name` by edit distance, best first.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names);

}  // namespace warplings
