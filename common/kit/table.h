#pragma once
// Tables of results, and the page of text and tables that a lesson prints: plain where
// the output is piped, boxed on a terminal, or JSON or CSV where asked for.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kit {

enum class Format { text, json, csv };

// Empty prints as – : not measured, or not counted, here.
class Cell {
public:
    Cell() = default;
    Cell(const char* text) : value_(std::string(text)) {}
    Cell(std::string text) : value_(std::move(text)) {}
    Cell(double number) : value_(number) {}
    template <std::integral T>
    Cell(T count) : value_(std::int64_t(count)) {}
    Cell(std::optional<double> number);
    Cell(std::optional<std::uint64_t> count);
    using Value = std::variant<std::monostate, std::string, double, std::int64_t>;
    const Value& value() const { return value_; }

private:
    Value value_;
};

enum class Align { left, right };

struct Column {
    std::string name;
    std::string unit;  // "ms"; empty where there is none
    int digits = 0;    // after the point
    Align align = Align::right;
};
Column text_column(std::string name);
Column count_column(std::string name);  // 1,048,576
Column number_column(std::string name, std::string unit, int digits);

class Table {
public:
    Table(std::string title, std::vector<Column> columns);
    // Throws std::invalid_argument unless there is one cell for each column.
    void row(std::vector<Cell> cells);

    const std::string& title() const { return title_; }
    std::string text(bool boxed) const;
    std::string json() const;  // {"title", "columns", "rows"}; raw numbers
    std::string csv() const;

private:
    std::string shown(const Column& column, const Cell& cell) const;
    std::string title_;
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

// What a lesson prints, from top to bottom. In JSON and CSV the text between the tables
// is left out, so that a tool gets data alone.
class Report {
public:
    Report(std::string program, Format format);
    ~Report();  // JSON is one document: written whole, at the end

    void say(const std::string& text);
    void show(const Table& table);
    bool is_text() const { return format_ == Format::text; }

private:
    Format format_;
    std::string head_;
    std::vector<std::string> tables_;
};

std::string json_string(const std::string& text);  // with its quotes

}  // namespace kit
