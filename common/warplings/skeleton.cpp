#include "warplings/skeleton.h"

#include <algorithm>

namespace warplings {

namespace {

enum class Part { shared, solution, skeleton };
enum class Mark { none, solution, skeleton, end };

struct Line {
    const std::string& file;
    int number;

    SkeletonError error(const std::string& text) const { return {file, number, text}; }
};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

std::string_view without_indent(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == line.npos ? std::string_view{} : line.substr(first);
}

// A misspelt mark would leave the answer in the learner's file, so any `// #word` that is
// no listing's region is an error.
Mark mark_of(std::string_view line, const Line& at) {
    line = without_indent(line);
    if (!line.starts_with("// #")) return Mark::none;
    line.remove_prefix(4);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line == "solution") return Mark::solution;
    if (line == "skeleton") return Mark::skeleton;
    if (line == "end") return Mark::end;
    if (line.starts_with("region") || line.starts_with("endregion")) return Mark::none;
    throw at.error("unknown mark '#" + std::string(line) +
                   "': the marks are #solution, #skeleton and #end");
}

Part next_part(Part now, Mark mark, const Line& at) {
    if (mark == Mark::solution && now == Part::shared) return Part::solution;
    if (mark == Mark::skeleton && now == Part::solution) return Part::skeleton;
    if (mark == Mark::end && now != Part::shared) return Part::shared;
    if (mark == Mark::solution)
        throw at.error("#solution inside a marked part: #end is missing above");
    if (mark == Mark::skeleton)
        throw at.error(now == Part::shared ? "#skeleton without #solution before it"
                                           : "#skeleton twice in one part");
    throw at.error("#end without #solution before it");
}

bool is_kept_line(std::string_view line) {
    return without_indent(line).starts_with("//|");
}

// "    //| int i;" gives "    int i;": the indent is the mark's, the rest follows one
// space.
std::string unmarked(std::string_view line) {
    const std::size_t mark = line.find("//|");
    std::string_view rest = line.substr(mark + 3);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest.empty() ? "" : std::string(line.substr(0, mark)) + std::string(rest);
}

std::string renamed(std::string_view line) {
    constexpr std::string_view from = "solution", to = "exercise";
    std::string result;
    for (std::size_t at = 0; at < line.size();) {
        const bool starts =
            line.substr(at).starts_with(from) && (at == 0 || !is_word(line[at - 1]));
        const std::string_view after = starts ? line.substr(at + from.size()) : "";
        const bool is_name =
            starts && (after.starts_with("::") ||
                       (std::string_view(result).ends_with("namespace ") &&
                        (after.empty() || !is_word(after[0]))));
        if (is_name) {
            result += to;
            at += from.size();
        } else {
            result += line[at++];
        }
    }
    return result;
}

}  // namespace

std::string skeleton_of(std::string_view answer, const std::string& name) {
    std::string skeleton;
    Part part = Part::shared;
    int number = 0, opened = 0;
    while (!answer.empty()) {
        const std::size_t end = std::min(answer.find('\n'), answer.size());
        const std::string_view line = answer.substr(0, end);
        answer.remove_prefix(std::min(end + 1, answer.size()));
        const Line at{name, ++number};
        if (const Mark mark = mark_of(line, at); mark != Mark::none) {
            part = next_part(part, mark, at);
            if (mark == Mark::solution) opened = number;
        } else if (is_kept_line(line) != (part == Part::skeleton)) {
            throw at.error(part == Part::skeleton
                               ? "a line between #skeleton and #end must start with //|"
                               : "//| outside #skeleton and #end");
        } else if (part == Part::skeleton) {
            skeleton += renamed(unmarked(line)) + '\n';
        } else if (part == Part::shared) {
            skeleton += renamed(line) + '\n';
        }
    }
    if (part != Part::shared) throw SkeletonError(name, opened, "#end is missing below");
    if (opened == 0)
        throw SkeletonError(name, 1, "no #solution: all of the answer would stay");
    return skeleton;
}

std::string answer_of(std::string_view marked, const std::string& name) {
    std::string answer;
    for (int number = 1; !marked.empty(); ++number) {
        const std::size_t end = std::min(marked.find('\n'), marked.size());
        const std::string_view line = marked.substr(0, end);
        marked.remove_prefix(std::min(end + 1, marked.size()));
        if (mark_of(line, {name, number}) == Mark::none && !is_kept_line(line))
            answer += std::string(line) + '\n';
    }
    return answer;
}

}  // namespace warplings
