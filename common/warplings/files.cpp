#include "warplings/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
    if (fs::is_directory(path)) fail(path, "cannot be read", EISDIR);
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

namespace {

// Bytes of the character at the start of `text`; 0 where there is none. Unicode 15.0,
// table 3-7: neither overlong forms, nor surrogates, nor what is above U+10FFFF.
std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3
                              : lead < 0xf5 ? 4 : 0;
    for (std::size_t i = 1; i < bytes; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const unsigned second = byte(1);
    const bool excluded = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                          (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
    return excluded ? 0 : bytes;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
    std::string valid;
    while (!text.empty()) {
        const std::size_t bytes = character_bytes(text);
        valid += bytes == 0 ? "\xef\xbf\xbd" : text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return valid;
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
    const char* wanted = std::getenv("TMPDIR");
    std::string name = std::string(wanted && *wanted ? wanted : "/tmp") + "/warplings-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
        throw Failure{2, fmt::format("no folder can be made for temporary files: {}: {}. Remedy: "
                                     "TMPDIR=/a/folder/of/yours", name, std::strerror(errno))};
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace warplings
