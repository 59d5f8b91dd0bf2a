#include "emulator/state/demangle.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace emu {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
        text.replace(at, from.size(), to);
}

// "float const" becomes "const float": the type that stands before goes behind.
void const_first(std::string& text) {
    constexpr std::string_view word = " const";
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const char after = at + word.size() < text.size() ? text[at + word.size()] : ' ';
        if (at == 0 || text[at - 1] == '*' || text[at - 1] == ')' ||
            std::isalnum(after) || after == '_') {
            at += word.size();
            continue;
        }
        std::size_t begin = at;
        for (int depth = 0; begin > 0; --begin) {
            const char c = text[begin - 1];
            if (c == '>')
                ++depth;
            else if (c == '<' && depth > 0)
                --depth;
            else if (depth == 0 && (c == '(' || c == ',' || c == '<'))
                break;
        }
        if (begin < at && text[begin] == ' ') ++begin;
        text.erase(at, word.size());
        text.insert(begin, "const ");
        at += 1;
    }
}

// A space before the first `*` or `&` after a type's name.
void space_before_pointers(std::string& text) {
    for (std::size_t at = 1; at < text.size(); ++at) {
        const char c = text[at], before = text[at - 1];
        if ((c == '*' || c == '&') && before != '*' && before != '&' && before != ' ' &&
            before != '(')
            text.insert(at++, 1, ' ');
    }
}

}  // namespace

std::string demangled(std::string_view mangled) {
    const std::string name(mangled);
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || !plain) return name;
    std::string text = plain.get();
    replace_all(text, "> >", ">>");
    const_first(text);
    space_before_pointers(text);
    return text;
}

}  // namespace emu
