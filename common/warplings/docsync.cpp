#include "warplings/docsync.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "emulator/device/table.h"
#include "warplings/course.h"
#include "warplings/figures.h"

namespace warplings {
namespace {

constexpr const char* end_mark = "<!-- end -->";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(" \t\n");
    return from == text.npos
               ? ""
               : text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
}

std::string dedented(const std::vector<std::string>& lines) {
    std::size_t margin = std::string::npos;
    for (const std::string& line : lines)
        margin = std::min(margin, line.find_first_not_of(' '));
    std::string text;
    for (const std::string& line : lines)
        text += (line.size() > margin ? line.substr(margin) : "") + "\n";
    return text;
}

std::string key_of(const std::string& title) {
    std::string key;
    for (unsigned char c : title) {
        if (std::isalnum(c))
            key += char(std::tolower(c));
        else if (!key.empty() && key.back() != '-')
            key += '-';
    }
    while (!key.empty() && key.back() == '-') key.pop_back();
    return key;
}

struct Mark {
    std::string kind, name, part;  // "code", "vector_add.cu", "add"
};

std::optional<Mark> mark_in(const std::string& line) {
    static const std::regex form(
        R"(\s*<!-- (code|output|results|table): ([^ #]+)(?:#([^ ]+))? -->\s*)");
    std::smatch match;
    if (!std::regex_match(line, match, form)) return std::nullopt;
    return Mark{match[1], match[2], match[3]};
}

std::string fenced(const std::string& language, const std::string& text) {
    return "```" + language + "\n" + text + "```\n";
}

std::string language_of(const fs::path& file) {
    const std::string extension = file.extension();
    if (extension == ".cu") return "cuda";
    if (extension == ".cpp" || extension == ".h") return "cpp";
    return extension.empty() ? "bash" : extension.substr(1);
}

fs::path beside_or_in_root(const std::string& name, const fs::path& page,
                           const fs::path& root) {
    const fs::path beside = page.parent_path() / name;
    return fs::exists(root / name) && !fs::exists(beside) ? root / name : beside;
}

std::string code(const Mark& mark, const fs::path& page, const fs::path& root,
                 std::vector<std::string>& used) {
    const fs::path file = beside_or_in_root(mark.name, page, root);
    const std::string text = read_file(file);
    const std::string link = file.lexically_relative(page.parent_path());
    const std::string caption = fmt::format("\n*[{}]({})*\n", mark.name, link);
    if (mark.part.empty()) return fenced(language_of(file), text) + caption;
    const auto regions = regions_of(text, mark.name);
    const auto found = regions.find(mark.part);
    if (found == regions.end())
        throw Failure{1, fmt::format("{} has no region '{}'", mark.name, mark.part)};
    used.push_back(file.lexically_normal().string() + "#" + mark.part);
    return fenced(language_of(file), found->second) + caption;
}

std::string output(const Mark& mark, const fs::path& page, const fs::path& root) {
    const std::string text = read_file(beside_or_in_root(mark.name, page, root));
    return fenced("text",
                  mark.part.empty() ? text : output_section(text, mark.part, mark.name));
}

std::string results(const Mark& mark, const fs::path& root) {
    const fs::path file = root / "docs/results" / (mark.name + ".json");
    if (!fs::exists(file))
        return fmt::format(
            "*Not measured on a GPU yet. On one, `./warplings run {0} --json > "
            "docs/results/{0}.json` and `./warplings dev sync` put the table "
            "here.*\n",
            mark.name);
    return results_table(read_file(file), mark.part, file.filename());
}

// The exercises of the page's lesson, from their folders.
std::string exercises(const fs::path& page, const fs::path& root) {
    const std::string lesson = page.parent_path().filename();
    std::string text = "| exercise | what you do | minutes |\n|---|---|---:|\n";
    for (const Unit& unit : read_course(root).exercises) {
        if (unit.lesson != lesson) continue;
        text += fmt::format("| [{}](../../exercises/{}/{}) | {} | {} |\n", unit.slug,
                            lesson, unit.folder.filename().string(),
                            unit.fact("objective", unit.fact("title", unit.slug)),
                            unit.fact("minutes", "–"));
    }
    return text;
}

std::string devices() {
    std::string text =
        "| device | compute capability | SMs | threads on an SM | blocks on an SM | "
        "memory [GiB] |\n|---|---:|---:|---:|---:|---:|\n";
    for (const emu::DeviceSpec& d : emu::device_table())
        text +=
            fmt::format("| {} | {}.{} | {} | {} | {} | {:.0f} |\n", d.name, d.major,
                        d.minor, d.multiprocessors, d.threads_per_multiprocessor,
                        d.blocks_per_multiprocessor, double(d.memory_bytes) / (1 << 30));
    return text;
}

std::string table(const Mark& mark, const fs::path& page, const fs::path& root) {
    if (mark.name == "exercises") return exercises(page, root);
    if (mark.name == "devices") return devices();
    throw Failure{
        1, fmt::format("there is no table '{}'; known: exercises, devices", mark.name)};
}

std::string derived(const Mark& mark, const fs::path& page, const fs::path& root,
                    std::vector<std::string>& used) {
    if (mark.kind == "code") return code(mark, page, root, used);
    if (mark.kind == "output") return output(mark, page, root);
    if (mark.kind == "results") return results(mark, root);
    return table(mark, page, root);
}

// Files of one extension below the folders that hold pages and lessons, in order.
std::vector<fs::path> files(const fs::path& root,
                            const std::set<std::string>& extensions) {
    std::vector<fs::path> found;
    for (const char* folder : {"lessons", "exercises", "docs", "common"}) {
        if (!fs::is_directory(root / folder)) continue;
        for (auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().string().find("/node_modules/") == std::string::npos &&
                extensions.contains(entry.path().extension()))
                found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

struct Sync {
    fs::path root;
    bool check;
    int status = 0;
    std::vector<std::string> used;

    std::string name(const fs::path& file) {
        return file.lexically_relative(root).string();
    }
    void complain(const std::string& text) {
        fmt::print("{}\n", text);
        status = 1;
    }
    void put(const fs::path& file, const std::string& text) {
        if (fs::exists(file) && read_file(file) == text) return;
        if (check)
            return complain(name(file) + " is out of date. Run: ./warplings dev sync");
        write_file(file, text);
        fmt::print("wrote {}\n", name(file));
    }
    void page(const fs::path& file) {
        try {
            const std::string text = synced_page(read_file(file), file, root, used);
            links(file, text);
            put(file, text);
        } catch (const Failure& failure) {
            complain(name(file) + ": " + failure.text);
        }
    }
    void figure(const fs::path& command) {
        try {
            put(fs::path(command).replace_extension(".svg"),
                warplings::figure(trimmed(read_file(command))));
        } catch (const Failure& failure) {
            complain(name(command) + ": " + failure.text);
        }
    }
    void links(const fs::path& file, const std::string& text) {
        static const std::regex form(R"(\]\(([^)#: ]+)(?:#[^)]*)?\))");
        bool inside = false;  // a fenced block shows code, not links
        for (const std::string& line : lines_of(text)) {
            if (line.starts_with("```")) inside = !inside;
            if (inside) continue;
            for (std::sregex_iterator link(line.begin(), line.end(), form), end;
                 link != end; ++link)
                if (!fs::exists(file.parent_path() / (*link)[1].str()))
                    complain(fmt::format("{}: the link to {} leads nowhere", name(file),
                                         (*link)[1].str()));
        }
    }
    void unused(const fs::path& source) {
        for (const auto& [region, text] : regions_of(read_file(source), name(source)))
            if (std::find(used.begin(), used.end(),
                          source.lexically_normal().string() + "#" + region) ==
                used.end())
                complain(
                    fmt::format("{}: no page shows region '{}'", name(source), region));
    }
};

}  // namespace

std::map<std::string, std::string> regions_of(const std::string& text,
                                              const std::string& name) {
    static const std::regex opens(R"(\s*// #region ([a-z0-9_]+)\s*)"),
        closes(R"(\s*// #endregion\s*)");
    std::map<std::string, std::string> regions;
    std::string open;
    std::vector<std::string> lines;
    int number = 0;
    auto fail = [&](const std::string& what) {
        throw Failure{1, fmt::format("{}:{}: {}", name, number, what)};
    };
    for (const std::string& line : lines_of(text)) {
        ++number;
        std::smatch match;
        if (std::regex_match(line, match, opens)) {
            if (!open.empty()) fail("a region inside region '" + open + "'");
            open = match[1];
            if (regions.contains(open)) fail("a second region '" + open + "'");
            lines.clear();
        } else if (std::regex_match(line, closes)) {
            if (open.empty()) fail("#endregion without #region");
            regions[open] = dedented(lines);
            open.clear();
        } else if (!open.empty()) {
            lines.push_back(line);
        }
    }
    if (!open.empty()) fail("region '" + open + "' is never closed");
    return regions;
}

std::string output_section(const std::string& output, const std::string& key,
                           const std::string& name) {
    std::string keys, section;
    bool inside = false, found = false;
    for (const std::string& line : lines_of(output)) {
        if (line.starts_with("## ")) {
            const std::string here = key_of(line.substr(3));
            keys += (keys.empty() ? "" : ", ") + here;
            inside = here == key;
            found |= inside;
        } else if (inside) {
            section += line + "\n";
        }
    }
    if (!found)
        throw Failure{1,
                      fmt::format("{} has no section '{}'; it has {}", name, key, keys)};
    const std::size_t from = section.find_first_not_of('\n');
    const std::size_t to = section.find_last_not_of('\n');
    return from == section.npos ? "" : section.substr(from, to - from + 1) + "\n";
}

std::string results_table(const std::string& text, const std::string& key,
                          const std::string& name) {
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_discarded()) throw Failure{1, name + " is no JSON"};
    for (const auto& table : document.at("tables")) {
        if (key_of(table.at("title")) != key) continue;
        std::string head = "|", rule = "|", body;
        for (const auto& column : table.at("columns")) {
            const std::string unit = column.at("unit"), label = column.at("name");
            head += " " + label +
                    (unit.empty()    ? ""
                     : label.empty() ? unit
                                     : " [" + unit + "]") +
                    " |";
        }
        for (const auto& row : table.at("rows")) {
            body += "|";
            for (std::size_t i = 0; i < row.size(); ++i) {
                const int digits = table.at("columns")[i].at("digits");
                const auto& cell = row[i];
                body += cell.is_null()     ? " – |"
                        : cell.is_string() ? " " + cell.get<std::string>() + " |"
                        : digits > 0
                            ? fmt::format(" {:.{}f} |", cell.get<double>(), digits)
                            : fmt::format(" {} |", cell.get<std::int64_t>());
            }
            body += "\n";
        }
        for (std::size_t i = 0; i < table.at("columns").size(); ++i) {
            const auto& rows = table.at("rows");
            rule += !rows.empty() && rows[0][i].is_string() ? "---|" : "---:|";
        }
        const int runtime = document.at("runtime");
        return head + "\n" + rule + "\n" + body +
               fmt::format("\n*Measured: {}, CUDA {}.{}, driver {}, {}.*\n",
                           document.at("device").get<std::string>(), runtime / 1000,
                           runtime % 1000 / 10,
                           document.at("driver_release").get<std::string>(),
                           document.at("date").get<std::string>());
    }
    throw Failure{1, fmt::format("{} has no table '{}'", name, key)};
}

std::string synced_page(const std::string& page, const fs::path& path,
                        const fs::path& root, std::vector<std::string>& used) {
    std::string text;
    std::optional<Mark> open;
    int number = 0, opened = 0;
    for (const std::string& line : lines_of(page)) {
        ++number;
        const auto mark = mark_in(line);
        if (mark) {
            if (open)
                throw Failure{1, fmt::format("line {}: a mark inside the one of line {}",
                                             number, opened)};
            open = mark;
            opened = number;
            text += line + "\n" + derived(*mark, path, root, used);
        } else if (trimmed(line) == end_mark && open) {
            open.reset();
            text += line + "\n";
        } else if (!open) {
            text += line + "\n";
        }
    }
    if (open)
        throw Failure{1, fmt::format("line {}: the mark has no {}", opened, end_mark)};
    return text;
}

int docsync(const fs::path& root, bool check) {
    Sync sync{root, check, 0, {}};
    for (const fs::path& command : files(root, {".fig"})) sync.figure(command);
    for (const fs::path& page : files(root, {".md"})) sync.page(page);
    for (const fs::path& source : files(root, {".cu", ".cpp", ".h"}))
        if (source.lexically_relative(root).string().starts_with("lessons/")) {
            try {
                sync.unused(source);
            } catch (const Failure& failure) {
                sync.complain(failure.text);
            }
        }
    return sync.status;
}

}  // namespace warplings
