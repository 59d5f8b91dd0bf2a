#include "warplings/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace warplings {

namespace {

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
    throw Failure{3, fmt::format("{}: {}: {}", path.string(), what, std::strerror(error))};
}

}  // namespace

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(path, "cannot be read", errno);
    std::ostringstream text;
    text << in.rdbuf();
    if (in.bad()) fail(path, "cannot be read", errno);
    return std::move(text).str();
}

void write_file(const fs::path& path, std::string_view text) {
    std::string temporary = path.string() + ".XXXXXX";
    int file = ::mkstemp(temporary.data());
    if (file < 0) fail(path, "cannot be written", errno);
    ::fchmod(file, 0644);
    std::size_t done = 0;
    while (done < text.size()) {
        ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) {
            int error = errno;
            ::close(file);
            ::unlink(temporary.c_str());
            fail(path, "cannot be written", error);
        }
        done += static_cast<std::size_t>(wrote);
    }
    if (::close(file) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
        int error = errno;
        ::unlink(temporary.c_str());
        fail(path, "cannot be written", error);
    }
}

fs::path back_up(const fs::path& path) {
    for (int number = 1;; ++number) {
        fs::path copy = path.string() + ".backup-" + std::to_string(number);
        std::error_code error;
        if (fs::copy_file(path, copy, fs::copy_options::none, error)) return copy;
        if (error && error != std::errc::file_exists)
            throw Failure{3, fmt::format("{}: cannot be backed up to {}: {}", path.string(),
                                         copy.string(), error.message())};
    }
}

ScratchFolder::ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "warplings-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail(name, "cannot be made", errno);
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace warplings
