#pragma once
// The command line of a lesson: options are declared once, with their range and a
// sentence of help; everything else (--help, --json, --csv, messages, exit codes)
// follows.
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kit/table.h"

namespace kit {

// Ends the program with a message: exit code 2 for wrong usage, 0 for --help.
struct Usage : std::runtime_error {
    Usage(const std::string& message, int exit_code)
        : std::runtime_error(message), code(exit_code) {}
    int code;
};

class Arguments {
public:
    Arguments(std::string program, std::string purpose);

    // The variable holds the default and gets the value. Sizes may be written 1000, 64K,
    // 1M, 2G (powers of 1024) or 2^20.
    void size(const char* name, std::size_t& value, std::size_t least, std::size_t most,
              const char* help);
    void flag(const char* name, bool& value, const char* help);

    void parse(int argc, char** argv);  // throws Usage
    Format format() const;
    const std::string& program() const { return program_; }

private:
    struct Option {
        std::string name, help;
        std::function<void(const char*)> accept;
        bool takes_value;
    };
    std::string help() const;
    [[noreturn]] void unknown(const std::string& option) const;

    std::string program_, purpose_;
    std::vector<Option> options_;
    bool json_ = false, csv_ = false;
};

// "1M" to 1048576; throws Usage with a sentence that names the option, the value, the
// range.
std::size_t parse_size(const std::string& option, const std::string& text,
                       std::size_t least, std::size_t most);

// Throws Usage unless the device has `device_bytes` free and the host `host_bytes`.
void require_memory(const char* option, double device_bytes, double host_bytes);

// Runs `lesson` and turns what it throws into a message on stderr and an exit code:
// Usage its own, CudaError and a wrong result 1.
int run_lesson(const std::function<void()>& lesson);

// A version whose result is wrong stops the lesson: nobody should read its numbers.
void require_equal(const char* version, const std::string& difference);

}  // namespace kit
