#include "warplings/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "warplings/files.h"

namespace warplings {
namespace {

// Each colour twice: by value for viewers that know no custom properties, then by name.
struct Shade {
    const char *name, *light, *dark;
};
constexpr Shade shades[] = {
    {"paper", "#ffffff", "#15181e"}, {"ink", "#1d2433", "#e4e8f0"},
    {"soft", "#5a6478", "#9aa5ba"},  {"line", "#aab3c3", "#4a5365"},
    {"idle", "#eef0f4", "#20252e"},  {"a", "#cfe0fb", "#24477f"},
    {"b", "#fbe3b5", "#70510f"},     {"c", "#c7ecd7", "#1f5c40"},
    {"d", "#ecd3f2", "#5c3168"},
};

class Picture {
public:
    Picture(std::string title, std::string description)
        : title_(std::move(title)), description_(std::move(description)) {}

    void box(double x, double y, double w, double h, const char* shade,
             bool dashed = false) {
        reach(x + w, y + h);
        body_ += fmt::format(
            "<rect class=\"{}{}\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" "
            "height=\"{:g}\"/>\n",
            shade, dashed ? " dashed" : "", x, y, w, h);
    }
    void frame(double x, double y, double w, double h) {
        reach(x + w, y + h);
        body_ += fmt::format(
            "<rect class=\"frame\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" "
            "height=\"{:g}\"/>\n",
            x, y, w, h);
    }
    // `where`: "mid" centred on x, "left" from x on, "soft" from x on and paler.
    void text(double x, double y, const std::string& words, const char* where) {
        const double width = 7.9 * double(words.size());
        reach(x + (std::string(where) == "mid" ? width / 2 : width), y + 4);
        body_ += fmt::format("<text class=\"{}\" x=\"{:g}\" y=\"{:g}\">{}</text>\n",
                             where, x, y, escaped(words));
    }
    std::string svg() const {
        const double width = width_ + 16, height = height_ + 16;
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
            "viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\">\n"
            "<title>{2}</title>\n<desc>{3}</desc>\n<style>\n{4}</style>\n"
            "<rect class=\"paper\" width=\"{0:g}\" height=\"{1:g}\"/>\n{5}</svg>\n",
            width, height, escaped(title_), escaped(description_), style(), body_);
    }

private:
    static std::string escaped(const std::string& text) {
        std::string safe;
        for (char c : text)
            safe += c == '<'   ? "&lt;"
                    : c == '>' ? "&gt;"
                    : c == '&' ? "&amp;"
                               : std::string(1, c);
        return safe;
    }
    static std::string properties(bool dark) {
        std::string text;
        for (const Shade& s : shades)
            text += fmt::format("--{}:{};", s.name, dark ? s.dark : s.light);
        return text;
    }
    static std::string style() {
        std::string text = "svg{" + properties(false) + "}\n";
        text += "@media (prefers-color-scheme:dark){svg{" + properties(true) + "}}\n";
        for (const Shade& s : shades)
            text += fmt::format(".{0}{{fill:{1};fill:var(--{0})}}\n", s.name, s.light);
        text +=
            "rect{stroke:#aab3c3;stroke:var(--line)}\n.paper{stroke:none}\n"
            ".dashed{stroke-dasharray:3 3}\n"
            ".frame{fill:none;stroke:#1d2433;stroke:var(--ink);stroke-width:1.5}\n"
            "text{font:13px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;"
            "fill:#1d2433;fill:var(--ink)}\n"
            ".mid{text-anchor:middle}\n.soft{fill:#5a6478;fill:var(--soft)}\n";
        return text;
    }
    void reach(double x, double y) {
        width_ = std::max(width_, x);
        height_ = std::max(height_, y);
    }

    std::string title_, description_, body_;
    double width_ = 0, height_ = 0;
};

using Option = std::pair<std::string, std::string>;

// Words, with "..." as one; then --name value pairs.
struct Command {
    std::string kind;
    std::vector<Option> options;

    explicit Command(const std::string& line) {
        std::vector<std::string> words;
        std::string word;
        bool quoted = false, any = false;
        for (char c : line + " ") {
            if (c == '"') {
                quoted = !quoted;
                any = true;
            } else if (!quoted && (c == ' ' || c == '\n' || c == '\\')) {
                if (any || !word.empty()) words.push_back(std::exchange(word, ""));
                any = false;
            } else {
                word += c;
            }
        }
        if (quoted || words.empty())
            throw Failure{1, "a figure's command is empty or has an open \""};
        kind = words[0];
        for (std::size_t i = 1; i < words.size(); i += 2) {
            if (!words[i].starts_with("--") || i + 1 == words.size())
                throw Failure{
                    1, "a figure takes --name value pairs, not '" + words[i] + "'"};
            options.push_back({words[i].substr(2), words[i + 1]});
        }
    }
    std::string get(const std::string& name) const {
        for (const Option& option : options)
            if (option.first == name) return option.second;
        throw Failure{1, "figure '" + kind + "' needs --" + name};
    }
    std::vector<int> numbers(const std::string& name) const {
        std::vector<int> values;
        std::string text = get(name);
        std::replace(text.begin(), text.end(), 'x', ' ');
        std::replace(text.begin(), text.end(), ',', ' ');
        std::istringstream in(text);
        for (int value; in >> value;) values.push_back(value);
        if (!in.eof() || values.empty() ||
            *std::min_element(values.begin(), values.end()) < 1)
            throw Failure{
                1, fmt::format("--{} takes numbers above 0, not '{}'", name, get(name))};
        return values;
    }
};

constexpr const char* block_shades[] = {"a", "b", "c", "d"};
constexpr int cell = 30;

void draw_grid(Picture& picture, const Command& command) {
    auto size = command.numbers("size"), block = command.numbers("block");
    size.resize(2, 1);
    block.resize(2, 1);
    const int across = (size[0] + block[0] - 1) / block[0],
              down = (size[1] + block[1] - 1) / block[1];
    const int gap = 10, top = 30;
    for (int y = 0; y < down * block[1]; ++y)
        for (int x = 0; x < across * block[0]; ++x) {
            const int bx = x / block[0], by = y / block[1];
            const double px = 16 + x * cell + bx * gap,
                         py = 16 + y * cell + (by + 1) * top;
            const bool inside = x < size[0] && y < size[1];
            const int thread = (y % block[1]) * block[0] + x % block[0];
            picture.box(px, py, cell, cell,
                        inside ? block_shades[(bx + 2 * by) % 4] : "idle", !inside);
            picture.text(px + cell / 2., py + 20, std::to_string(thread),
                         inside ? "mid" : "mid soft");
            if (thread == 0)
                picture.text(px, py - 8,
                             block[1] > 1 || down > 1
                                 ? fmt::format("block ({}, {})", bx, by)
                                 : fmt::format("block {}", bx),
                             "left");
        }
    picture.text(16, 16 + down * (block[1] * cell + top) + 24,
                 "numbers: the thread in its block; dashed: no work", "soft");
}

void draw_warps(Picture& picture, const Command& command) {
    double y = 16;
    for (int threads : command.numbers("blocks")) {
        const int warps = (threads + 31) / 32;
        picture.text(
            16, y + 14,
            fmt::format("block of {}: {} warp{}, {} of {} lanes idle", threads, warps,
                        warps > 1 ? "s" : "", 32 * warps - threads, 32 * warps),
            "left");
        y += 24;
        for (int warp = 0; warp < warps; ++warp, y += 18)
            for (int lane = 0; lane < 32; ++lane) {
                const bool used = 32 * warp + lane < threads;
                picture.box(16 + 17 * lane, y, 17, 14,
                            used ? block_shades[warp % 4] : "idle", !used);
            }
        y += 12;
    }
}

void draw_turns(Picture& picture, const Command& command) {
    const int blocks = command.numbers("blocks")[0];
    double y = 16;
    for (int sms : command.numbers("sms")) {
        picture.text(16, y + 14,
                     fmt::format("{} blocks on a device of {} SMs: {} turns", blocks, sms,
                                 (blocks + sms - 1) / sms),
                     "left");
        y += 24;
        for (int sm = 0; sm < sms; ++sm, y += 28) {
            picture.text(16, y + 17, fmt::format("SM {}", sm), "soft");
            for (int block = sm, turn = 0; block < blocks; block += sms, ++turn) {
                picture.box(72 + 76 * turn, y, 72, 24, block_shades[block % 4]);
                picture.text(108 + 76 * turn, y + 17, fmt::format("block {}", block),
                             "mid");
            }
        }
        y += 14;
    }
    picture.text(16, y + 8, "time runs to the right", "soft");
}

// --row "host: launch 1, free to work 4, wait 2": names with lengths; "." leaves a gap.
void draw_timeline(Picture& picture, const Command& command) {
    double y = 16;
    for (const auto& [name, value] : command.options) {
        if (name != "row") continue;
        const std::size_t colon = value.find(':');
        if (colon == value.npos)
            throw Failure{1, "--row is \"name: what length, what length\""};
        picture.text(16, y + 20, value.substr(0, colon), "left");
        std::istringstream parts(value.substr(colon + 1));
        double x = 90;
        int shade = 0;
        for (std::string part; std::getline(parts, part, ',');) {
            const std::size_t last = part.find_last_of(' ');
            const std::size_t first = part.find_first_not_of(' ');
            const double width =
                last == part.npos ? 0 : 40 * std::atof(part.c_str() + last);
            if (width <= 0 || last <= first)
                throw Failure{1, "--row is \"name: what length, what length\""};
            const std::string what = part.substr(first, last - first);
            if (what != ".") {
                picture.box(x, y, width, 30, block_shades[shade++ % 4]);
                picture.text(x + width / 2, y + 20, what, "mid");
            }
            x += width;
        }
        y += 40;
    }
    picture.text(16, y + 10, "time runs to the right, not to scale", "soft");
}

}  // namespace

std::string figure(const std::string& line) {
    const Command command(line);
    const std::string title = command.get("title");
    Picture picture(title, command.get("description"));
    if (command.kind == "grid")
        draw_grid(picture, command);
    else if (command.kind == "warps")
        draw_warps(picture, command);
    else if (command.kind == "turns")
        draw_turns(picture, command);
    else if (command.kind == "timeline")
        draw_timeline(picture, command);
    else
        throw Failure{1, "there is no figure '" + command.kind +
                             "'; known: grid, warps, turns, timeline"};
    return picture.svg();
}

}  // namespace warplings
