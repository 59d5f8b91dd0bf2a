#pragma once
// Reading and writing files so that nothing is ever half-written.
#include <filesystem>
#include <string>
#include <string_view>

namespace warplings {

namespace fs = std::filesystem;

// Thrown by commands; main prints the text and exits with `status` (2 wrong usage, 3 our
// own fault).
struct Failure {
    int status;
    std::string text;
};

// Throws Failure(3) naming the file and the reason.
std::string read_file(const fs::path& path);

// Writes beside the target and renames, so that a reader sees the old text or the new one.
// Throws Failure(3) naming the file and the reason (no space, read-only folder).
void write_file(const fs::path& path, std::string_view text);

// The text with each byte that is no UTF-8 replaced: what programs print goes into JSON.
std::string valid_utf8(std::string_view text);

// Copies `path` to `path` + ".backup-N", N the first free number; returns the copy.
fs::path back_up(const fs::path& path);

// A folder of its own that goes with the object.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

}  // namespace warplings
