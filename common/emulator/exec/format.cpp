#include "emulator/exec/format.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace emu {
namespace {

constexpr std::int32_t widest = 4096;  // a field; C would fill memory with spaces

// One conversion, "%-8.3lld", taken apart.
struct Conversion {
    std::string flags_and_width;
    std::string precision;  // with its dot
    bool eight_bytes = false;
    char kind = '\0';
};

template <class T>
std::string printed(const Conversion& c, std::string_view length, T value) {
    const std::string pattern =
        "%" + c.flags_and_width + c.precision + std::string(length) + c.kind;
    char small[128];
    const int n = std::snprintf(small, sizeof(small), pattern.c_str(), value);
    if (n < static_cast<int>(sizeof(small))) return small;
    std::string text(static_cast<std::size_t>(n), '\0');
    std::snprintf(text.data(), text.size() + 1, pattern.c_str(), value);
    return text;
}

class Formatter {
public:
    Formatter(std::string_view pattern, const Arguments& arguments)
        : pattern_(pattern), arguments_(arguments) {}

    Formatted run() {
        while (at_ < pattern_.size()) {
            if (pattern_[at_] == '%')
                conversion();
            else
                out_.text += pattern_[at_++];
        }
        out_.bytes += 16;  // the record's header and the pattern's address
        return out_;
    }

private:
    char here() const { return at_ < pattern_.size() ? pattern_[at_] : '\0'; }

    std::uint64_t take(int bytes) {
        ++out_.arguments;
        out_.bytes += 8;
        return arguments_.next(bytes);
    }

    std::string number() {  // digits, or `*` which takes an argument
        if (here() == '*') {
            ++at_;
            const auto asked = static_cast<std::int32_t>(take(4));
            return std::to_string(std::clamp(asked, -widest, widest));
        }
        std::string digits;
        while (here() >= '0' && here() <= '9') digits += pattern_[at_++];
        return digits.size() < 5 ? digits : std::to_string(widest);
    }

    void conversion() {
        const std::size_t start = at_++;
        Conversion c;
        while (here() != '\0' &&
               std::string_view("-+ #0").find(here()) != std::string::npos)
            c.flags_and_width += pattern_[at_++];
        c.flags_and_width += number();
        if (here() == '.') {
            ++at_;
            c.precision = "." + number();
            if (c.precision.starts_with(".-")) c.precision.clear();
        }
        for (; here() != '\0' &&
               std::string_view("hlLjzt").find(here()) != std::string::npos;
             ++at_)
            c.eight_bytes |= here() != 'h';
        c.kind = here();
        if (c.kind != '\0') ++at_;
        write(c, start);
    }

    void write(const Conversion& c, std::size_t start) {
        switch (c.kind) {
            case 'd':
            case 'i': {
                const std::uint64_t bits = take(c.eight_bytes ? 8 : 4);
                const long long value = c.eight_bytes ? static_cast<long long>(bits)
                                                      : static_cast<std::int32_t>(bits);
                out_.text += printed(c, "ll", value);
                break;
            }
            case 'u':
            case 'o':
            case 'x':
            case 'X':
                out_.text +=
                    printed(c, "ll",
                            static_cast<unsigned long long>(take(c.eight_bytes ? 8 : 4)));
                break;
            case 'c':
                out_.text += printed(c, "", static_cast<int>(take(4)));
                break;
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
            case 'a':
            case 'A':
                out_.text += printed(c, "", std::bit_cast<double>(take(8)));
                break;
            case 'p':
                out_.text += printed(c, "", reinterpret_cast<void*>(take(8)));
                break;
            case 's': {
                const std::string text = arguments_.text(take(8));
                out_.bytes += static_cast<std::uint32_t>((text.size() + 8) / 8 * 8);
                out_.text += printed(c, "", text.c_str());
                break;
            }
            case 'n':
                take(8);
                break;  // nothing is written back
            case '%':
                out_.text += '%';
                break;
            default:
                out_.text += pattern_.substr(start, at_ - start);
                break;
        }
    }

    std::string_view pattern_;
    const Arguments& arguments_;
    std::size_t at_ = 0;
    Formatted out_;
};

}  // namespace

Formatted format(std::string_view pattern, const Arguments& arguments) {
    return Formatter(pattern, arguments).run();
}

}  // namespace emu
