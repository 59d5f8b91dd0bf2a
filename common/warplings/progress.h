#pragma once
// Which exercises have passed: one small text file in the clone, safe to commit.
#include <set>
#include <string>

#include "warplings/files.h"

namespace warplings {

// The file's form: a comment line, then "done SLUG" lines. Lines and slugs that nobody
// knows are kept as they are, so that an older program loses nothing of a newer one's.
class Progress {
public:
    explicit Progress(fs::path file);     // a missing file means that nothing is done

    bool done(const std::string& slug) const { return done_.contains(slug); }
    // Writes the file at once, whole or not at all.
    void mark(const std::string& slug, bool done);

private:
    fs::path file_;
    std::set<std::string> done_;
    std::string unknown_lines_;
};

}  // namespace warplings
