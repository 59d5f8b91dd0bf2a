#include "kit/table.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include "kit/counters.h"

namespace kit {
namespace {

constexpr const char* nothing = "–";

// Columns line up by characters, not bytes: – is one character of three bytes.
std::size_t width_of(const std::string& text) {
    return std::size_t(std::count_if(text.begin(), text.end(),
                                     [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, Align align) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return align == Align::left ? text + space : space + text;
}

std::string with_commas(std::int64_t value) {
    std::string digits = fmt::format("{}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string raw(const Cell& cell, const char* empty, bool quoted) {
    if (auto* text = std::get_if<std::string>(&cell.value()))
        return quoted ? json_string(*text) : *text;
    if (auto* number = std::get_if<double>(&cell.value()))
        return fmt::format("{:.6g}", *number);
    if (auto* count = std::get_if<std::int64_t>(&cell.value()))
        return fmt::format("{}", *count);
    return empty;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string rule(const std::vector<std::size_t>& widths, const char* left,
                 const char* cross, const char* right) {
    std::string line = left;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (i > 0) line += cross;
        for (std::size_t n = 0; n < widths[i] + 2; ++n) line += "─";
    }
    return line + right + "\n";
}

std::string heading(const Column& column) {
    if (column.unit.empty()) return column.name;
    return column.name.empty() ? column.unit : column.name + " [" + column.unit + "]";
}

std::string join(const std::vector<std::string>& parts, const char* between) {
    return fmt::format("{}", fmt::join(parts, between));
}

}  // namespace

std::string json_string(const std::string& text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (c == '\n')
            quoted += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20)
            quoted += fmt::format("\\u{:04x}", c);
        else
            quoted += c;
    }
    return quoted + '"';
}

Cell::Cell(std::optional<double> number) {
    if (number) value_ = *number;
}
Cell::Cell(std::optional<std::uint64_t> count) {
    if (count) value_ = std::int64_t(*count);
}

Column text_column(std::string name) { return {std::move(name), "", 0, Align::left}; }
Column count_column(std::string name) { return {std::move(name), "", 0, Align::right}; }
Column number_column(std::string name, std::string unit, int digits) {
    return {std::move(name), std::move(unit), digits, Align::right};
}

Table::Table(std::string title, std::vector<Column> columns)
    : title_(std::move(title)), columns_(std::move(columns)) {}

void Table::row(std::vector<Cell> cells) {
    if (cells.size() != columns_.size())
        throw std::invalid_argument(fmt::format("table '{}' has {} columns, a row has {}",
                                                title_, columns_.size(), cells.size()));
    rows_.push_back(std::move(cells));
}

std::string Table::shown(const Column& column, const Cell& cell) const {
    if (auto* count = std::get_if<std::int64_t>(&cell.value()))
        return with_commas(*count);
    if (auto* number = std::get_if<double>(&cell.value()))
        return fmt::format("{:.{}f}", *number, column.digits);
    return raw(cell, nothing, false);
}

std::string Table::text(bool boxed) const {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& c : columns_) lines[0].push_back(heading(c));
    for (const auto& cells : rows_) {
        auto& line = lines.emplace_back();
        for (std::size_t i = 0; i < cells.size(); ++i)
            line.push_back(shown(columns_[i], cells[i]));
    }
    std::vector<std::size_t> widths(columns_.size());
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], width_of(line[i]));

    std::string text = boxed ? "\033[1m" + title_ + "\033[0m\n" : "## " + title_ + "\n\n";
    if (boxed) text += rule(widths, "┌", "┬", "┐");
    for (std::size_t n = 0; n < lines.size(); ++n) {
        std::string line;
        for (std::size_t i = 0; i < lines[n].size(); ++i) {
            if (i > 0) line += boxed ? " │ " : "  ";
            line += padded(lines[n][i], widths[i], columns_[i].align);
        }
        if (!boxed) line.erase(line.find_last_not_of(' ') + 1);
        text += boxed ? "│ " + line + " │\n" : line + "\n";
        if (boxed && n == 0) text += rule(widths, "├", "┼", "┤");
    }
    if (boxed) text += rule(widths, "└", "┴", "┘");
    return text;
}

std::string Table::json() const {
    std::vector<std::string> columns, rows;
    for (const Column& c : columns_)
        columns.push_back(fmt::format(R"({{"name":{},"unit":{},"digits":{}}})",
                                      json_string(c.name), json_string(c.unit),
                                      c.digits));
    for (const auto& cells : rows_) {
        std::vector<std::string> values;
        for (const Cell& cell : cells) values.push_back(raw(cell, "null", true));
        rows.push_back("      [" + join(values, ",") + "]");
    }
    return fmt::format(
        "    {{\"title\":{},\n     \"columns\":[{}],\n     \"rows\":[\n{}]}}",
        json_string(title_), join(columns, ","), join(rows, ",\n"));
}

std::string Table::csv() const {
    std::vector<std::string> names;
    for (const Column& c : columns_) names.push_back(csv_field(heading(c)));
    std::string text = "# " + title_ + "\n" + join(names, ",") + "\n";
    for (const auto& cells : rows_) {
        std::vector<std::string> fields;
        for (const Cell& cell : cells) fields.push_back(csv_field(raw(cell, "", false)));
        text += join(fields, ",") + "\n";
    }
    return text;
}

namespace {

// Of NVIDIA's kernel module, such as 580.159.04; empty where there is none, as in WSL2.
std::string driver_release() {
    std::ifstream file("/sys/module/nvidia/version");
    std::string release;
    file >> release;
    return release;
}

std::string today() {                 // UTC
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%F", &parts);
    return text;
}

}  // namespace

Report::Report(std::string program, Format format) : format_(format) {
    cudaDeviceProp device{};
    int runtime = 0, driver = 0;
    const bool known = cudaGetDeviceProperties(&device, 0) == cudaSuccess;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    const std::string name = known ? device.name : "no device";
    if (format == Format::text)
        fmt::print("{} on {}{}\n", program, name, on_emulator() ? ", emulated" : "");
    head_ = fmt::format(
        "  \"program\":{},\n  \"backend\":\"{}\",\n  \"device\":{},\n"
        "  \"runtime\":{},\n  \"driver\":{},\n  \"driver_release\":{},\n"
        "  \"date\":{},\n",
        json_string(program), on_emulator() ? "emulator" : "gpu", json_string(name),
        runtime, driver, json_string(driver_release()), json_string(today()));
}

Report::~Report() {
    if (format_ == Format::json)
        fmt::print("{{\n{}  \"tables\":[\n{}\n  ]\n}}\n", head_, join(tables_, ",\n"));
    std::fflush(stdout);
}

void Report::say(const std::string& text) {
    if (is_text()) fmt::print("\n{}\n", text);
}

void Report::show(const Table& table) {
    if (format_ == Format::json)
        tables_.push_back(table.json());
    else if (format_ == Format::csv)
        fmt::print("{}\n", table.csv());
    else
        fmt::print("\n{}", table.text(isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR")));
}

}  // namespace kit
