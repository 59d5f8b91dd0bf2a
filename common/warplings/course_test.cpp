#include "warplings/course.h"

#include <doctest/doctest.h>

#include "warplings/progress.h"

using namespace warplings;

namespace {

// A miniature course of its own, so that these tests never depend on the real one.
void plant(const fs::path& root, const char* folder, const char* page) {
    fs::create_directories(root / folder);
    write_file(root / folder / "README.md", page);
}

}  // namespace

TEST_CASE("units are found by folder, in order of their number, not of their name") {
    const ScratchFolder scratch;
    plant(scratch.path(), "lessons/02_b", "---\ntitle: Second\n---\ntext\n");
    plant(scratch.path(), "lessons/01_z", "---\ntitle: First\n---\n");
    plant(scratch.path(), "exercises/01_z/10_late", "");
    plant(scratch.path(), "exercises/01_z/2_early", "---\nminutes: 7\n---\n");
    plant(scratch.path(), "exercises/01_z/notes", "");
    const Course course = read_course(scratch.path());
    REQUIRE(course.lessons.size() == 2);
    CHECK(course.lessons[0].slug == "z");
    CHECK(course.lessons[1].fact("title") == "Second");
    REQUIRE(course.exercises.size() == 2);
    CHECK(course.exercises[0].slug == "early");
    CHECK(course.exercises[0].fact("minutes") == "7");
    CHECK(course.exercises[1].number == "01.10");
}

TEST_CASE("a unit answers to slug, folder and number; another name gets the nearest") {
    const ScratchFolder scratch;
    plant(scratch.path(), "lessons/01_vector_add", "");
    plant(scratch.path(), "exercises/01_vector_add/1_saxpy", "");
    const Course course = read_course(scratch.path());
    for (const char* name : {"saxpy", "1_saxpy", "01.1", "1.1"})
        CHECK(course.exercise(name).slug == "saxpy");
    CHECK(course.lesson("1").slug == "vector_add");
    try {
        course.exercise("sapxy");
        FAIL("an unknown name must be refused");
    } catch (const Failure& failure) {
        CHECK(failure.status == 2);
        CHECK(failure.text.find("saxpy") != std::string::npos);
    }
}

TEST_CASE("two units of one slug are refused") {
    const ScratchFolder scratch;
    plant(scratch.path(), "lessons/01_same", "");
    plant(scratch.path(), "exercises/01_same/1_same", "");
    CHECK_THROWS_AS(read_course(scratch.path()), Failure);
}

TEST_CASE("front matter ends at its second rule and is not part of the text") {
    CHECK(front_matter("---\na: b: c\n---\nd: e\n").at("a") == "b: c");
    CHECK(front_matter("---\na: b: c\n---\nd: e\n").count("d") == 0);
    CHECK(front_matter("a: b\n").empty());
    CHECK(front_matter("---\na: b\n").empty());
    CHECK(without_front_matter("---\na: b\n---\ntext") == "text");
}

TEST_CASE("progress survives, and keeps lines that it does not know") {
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "progress.txt";
    write_file(file, "# a title of another version\ndone gone\nstreak 4\n");
    Progress(file).mark("saxpy", true);
    CHECK(Progress(file).done("saxpy"));
    CHECK(Progress(file).done("gone"));
    CHECK(read_file(file).find("streak 4\n") != std::string::npos);
    Progress(file).mark("saxpy", false);
    CHECK(!Progress(file).done("saxpy"));
}
