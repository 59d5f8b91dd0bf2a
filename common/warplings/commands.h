#pragma once
// What each command does. Every one returns the exit status: 0 done, 1 the learner's code
// is wrong, 2 wrong usage, 3 our own fault; or throws Failure.
#include <string>
#include <vector>

#include "warplings/course.h"
#include "warplings/progress.h"

namespace warplings {

struct Session {
    Course course;
    Progress progress;
    bool json = false;                // one JSON value on stdout instead of text
};

// ---- the course
int open_course(Session& session);                          // no command: where you are
int list_units(Session& session);
int run_lesson(Session& session, const std::string& name, const std::string& backend,
               const std::vector<std::string>& arguments);
int check_exercises(Session& session, std::vector<std::string> names, bool all);
int show_hint(Session& session, const std::string& name, int level);
int reset_exercise(Session& session, const std::string& name, bool yes);
int show_solution(Session& session, const std::string& name);
// The first exercise that has not passed; null when all have.
const Unit* first_unsolved(const Session& session);

// ---- the emulator as a tool
struct EmulateOptions {
    bool counters = false;
    bool quiet = false;
    std::string check = "all";        // kinds, comma-separated, or all, or none
    std::string json;                 // file
    std::string device, schedule, threads, limit;   // as their environment variables take them
    std::vector<std::string> program;
};
int emulate(const EmulateOptions& options);
int list_devices(bool json);

// ---- for authors
int sync_pages(const Course& course, bool check);           // skeletons, listings, README table
// `expected`: a wrong answer, whose first line says how it is rejected; or "passed".
int expect_verdict(const std::string& expected, const fs::path& count_build,
                   const fs::path& check_build);
int bench(bool json);

}  // namespace warplings
