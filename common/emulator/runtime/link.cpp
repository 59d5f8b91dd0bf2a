#include "emulator/runtime/link.h"

#include <cstdlib>
#include <sstream>

namespace emu {
namespace {

// ".loc 1 12 5" and ".file 1 "name"" get their number moved by `offset`; a `.loc` can name
// a second file after inlined_at.
std::string renumbered(std::string line, int offset) {
    for (const char* word : {".loc", ".file", "inlined_at"}) {
        std::size_t at = line.find(word);
        if (at == line.npos) continue;
        std::size_t digits = line.find_first_not_of(" \t", at + std::string(word).size());
        if (digits == line.npos || !std::isdigit(static_cast<unsigned char>(line[digits])))
            continue;
        std::size_t end = line.find_first_not_of("0123456789", digits);
        int number = std::atoi(line.c_str() + digits) + offset;
        line.replace(digits, (end == line.npos ? line.size() : end) - digits,
                     std::to_string(number));
    }
    return line;
}

bool is_header(const std::string& line) {
    return line.starts_with(".version") || line.starts_with(".target") ||
           line.starts_with(".address_size");
}

}  // namespace

std::string link_texts(const std::vector<std::string>& texts) {
    constexpr int files_a_text = 10000;      // more than a translation unit names
    std::string linked;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::istringstream lines(texts[i]);
        for (std::string line; std::getline(lines, line);) {
            if (i > 0 && is_header(line)) continue;
            linked += i == 0 ? line : renumbered(line, int(i) * files_a_text);
            linked += '\n';
        }
    }
    return linked;
}

}  // namespace emu
