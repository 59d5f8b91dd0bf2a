#include "warplings/progress.h"

#include <sstream>

namespace warplings {

namespace {
constexpr const char* title = "# Warplings: exercises that have passed. Safe to commit.\n";
}

Progress::Progress(fs::path file) : file_(std::move(file)) {
    if (!fs::exists(file_)) return;
    std::istringstream in(read_file(file_));
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();  // saved by an editor on Windows
        if (line.starts_with("done ") && line.size() > 5)
            done_.insert(line.substr(5));
        else if (!line.empty() && line + "\n" != title)
            unknown_lines_ += line + "\n";
    }
}

void Progress::mark(const std::string& slug, bool done) {
    if (done == this->done(slug)) return;
    done ? void(done_.insert(slug)) : void(done_.erase(slug));
    std::string text = title + unknown_lines_;
    for (const std::string& name : done_) text += "done " + name + "\n";
    write_file(file_, text);
}

}  // namespace warplings
