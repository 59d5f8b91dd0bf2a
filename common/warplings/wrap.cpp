#include "warplings/wrap.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace warplings {

namespace {

constexpr std::size_t narrowest = 20;  // below that a word a line reads worse than no break

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Characters, not bytes: those that go on a UTF-8 character take no column.
std::size_t width(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(),
                                     [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

// The length of "1. ", "- " or "* " after the indentation; 0 for a line of plain text.
std::size_t bullet(std::string_view line) {
    const std::string_view text = line.substr(indentation(line));
    if (text.starts_with("- ") || text.starts_with("* ")) return 2;
    std::size_t digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])))
        ++digits;
    return digits > 0 && text.substr(digits, 2) == ". " ? digits + 2 : 0;
}

void append_wrapped(std::string& to, std::string_view line, std::size_t columns,
                    std::size_t hang) {
    const std::string margin(hang, ' ');
    const std::size_t start = indentation(line);
    std::string current(line.substr(0, start));
    bool has_word = false;
    for (std::string_view rest = line.substr(start); !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        if (has_word && width(current) + 1 + width(word) > columns) {
            to += current + "\n";
            current = margin;
            has_word = false;
        }
        if (has_word) current += ' ';
        current += word;
        has_word = true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    to += current + "\n";
}

bool keeps_its_line(std::string_view line) {
    return line.empty() || line.starts_with("#") || line.starts_with("|") ||
           line.starts_with("    ");
}

}  // namespace

int terminal_columns() {
    winsize size{};
    if (!::isatty(STDOUT_FILENO) || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

std::string wrapped(std::string_view text, int columns) {
    if (columns < int(narrowest)) return std::string(text);
    std::string result;
    for (const std::string_view line : lines_of(text))
        if (width(line) <= std::size_t(columns))
            result += std::string(line) + "\n";
        else
            append_wrapped(result, line, std::size_t(columns), indentation(line));
    if (!text.ends_with('\n') && !result.empty()) result.pop_back();
    return result;
}

std::string wrapped_page(std::string_view page, int columns) {
    if (columns < int(narrowest)) return std::string(page);
    std::string result, paragraph;
    bool in_code = false;
    const auto finish = [&] {
        if (!paragraph.empty())
            append_wrapped(result, paragraph, std::size_t(columns),
                           indentation(paragraph) + bullet(paragraph));
        paragraph.clear();
    };
    for (const std::string_view line : lines_of(page)) {
        const bool fence = line.starts_with("```");
        if (in_code || fence || keeps_its_line(line)) {
            finish();
            result += std::string(line) + "\n";
            in_code = in_code != fence;
            continue;
        }
        if (bullet(line) > 0) finish();
        if (paragraph.empty())
            paragraph = line;
        else
            paragraph += " " + std::string(line.substr(indentation(line)));
    }
    finish();
    if (!page.ends_with('\n') && !result.empty()) result.pop_back();
    return result;
}

}  // namespace warplings
