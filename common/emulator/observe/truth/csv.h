#pragma once
// Reads the tables of counts that a profiler wrote on a real GPU.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace emu::truth {

inline std::filesystem::path folder() {
    return std::filesystem::path(__FILE__).parent_path();
}

using Row = std::map<std::string, std::string>;  // by column

// Fields may be quoted; a quoted one may hold commas.
inline std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

inline std::vector<Row> read_csv(const std::string& name) {
    std::ifstream in(folder() / name);
    std::vector<Row> rows;
    std::vector<std::string> columns;
    for (std::string line; std::getline(in, line);) {
        const std::vector<std::string> fields = split(line);
        if (columns.empty()) {
            columns = fields;
            continue;
        }
        Row& row = rows.emplace_back();
        for (std::size_t k = 0; k < fields.size() && k < columns.size(); ++k)
            row[columns[k]] = fields[k];
    }
    return rows;
}

inline std::uint64_t number(const Row& row, const std::string& column) {
    return std::stoull(row.at(column));
}

}  // namespace emu::truth
