// The emulator against the hardware's counters: two programs of micro-kernels run on it,
// and every count of their memory accesses must be what an H200 counted. Where ptxas does
// not leave an access as PTX has it, truth/differences.csv says so, with both counts.
//
// Not compared: instructions and branches, which are PTX's and not the machine code's.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "emulator/observe/counters.h"
#include "emulator/observe/truth/csv.h"

using namespace emu;
using truth::Row;

namespace {

struct Ran {
    std::vector<std::string> launches;  // JSON lines
    std::vector<std::string> printed;
    int status = -1;
};

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string scratch_file() {
    std::string path = (std::filesystem::temp_directory_path() / "truth-XXXXXX").string();
    const int file = mkstemp(path.data());
    REQUIRE(file >= 0);
    close(file);
    return path;
}

Ran run(const std::string& program) {
    const std::string json = scratch_file(), out = scratch_file();
    const std::string command = "LD_LIBRARY_PATH='" TRUTH_RUNTIME
                                "' WARPLINGS_REPORT=quiet "
                                "WARPLINGS_JSON='" +
                                json + "' '" TRUTH_PROGRAMS "/" + program + "' > '" +
                                out + "'";
    Ran ran;
    ran.status = std::system(command.c_str());
    for (const std::string& line : lines_of(json))
        if (line.find("\"counters\":") != std::string::npos) ran.launches.push_back(line);
    ran.printed = lines_of(out);
    std::filesystem::remove(json);
    std::filesystem::remove(out);
    return ran;
}

std::optional<std::uint64_t> value(const std::string& json, const std::string& key) {
    const std::string quoted = "\"" + key + "\":";
    const std::size_t at = json.find(quoted);
    if (at == std::string::npos) return std::nullopt;
    return std::stoull(json.substr(at + quoted.size()));
}

std::string kernel_of(const std::string& json) {
    const std::size_t at = json.find("\"kernel\":\"") + 10;
    return json.substr(at, json.find('"', at) - at);
}

// "sh_load<float> identity" and "a_red k=1 step=8" name kernels up to here.
std::string first_word(const std::string& launch) {
    return launch.substr(0, launch.find_first_of(" <"));
}

bool compared(std::string_view metric) {
    return metric != "smsp__inst_executed.sum" &&
           metric != "smsp__thread_inst_executed.sum" &&
           !metric.starts_with("smsp__sass_branch");
}

const Row* difference(const std::vector<Row>& rows, const std::string& kernel,
                      std::string_view metric) {
    for (const Row& row : rows)
        if (row.at("kernel") == kernel && row.at("metric") == metric) return &row;
    return nullptr;
}

// Requests to the constant cache for the kernel's parameters, which PTX has no loads for.
std::uint64_t parameters_of(const std::string& kernel) {
    static const std::vector<Row> rows = truth::read_csv("parameters.csv");
    for (const Row& row : rows)
        if (row.at("kernel") == kernel) return truth::number(row, "requests");
    FAIL("no row in parameters.csv for " << kernel);
    return 0;
}

// All counts of one launch; how many were compared.
int compare(const std::string& launch, const std::string& kernel, const Row& h200,
            std::uint64_t warps) {
    static const std::vector<Row> known = truth::read_csv("differences.csv");
    int seen = 0;
    for (const CounterInfo& info : counter_table()) {
        const std::string metric(info.metric);
        if (!compared(metric) || !h200.contains(metric)) continue;
        CAPTURE(kernel);
        CAPTURE(metric);
        const auto ours = value(launch, metric);
        REQUIRE(ours.has_value());
        std::uint64_t theirs = truth::number(h200, metric);
        if (const Row* listed = difference(known, kernel, metric)) {
            CHECK(*ours == truth::number(*listed, "ours"));
            CHECK(theirs == truth::number(*listed, "h200"));
        } else if (metric == "idc__requests.sum") {
            CHECK(*ours + warps * parameters_of(kernel) == theirs);
        } else {
            CHECK(*ours == theirs);
        }
        ++seen;
    }
    return seen;
}

std::uint64_t product(const std::string& triple) {  // "(256, 1, 1)"
    unsigned x = 0, y = 0, z = 0;
    std::sscanf(triple.c_str(), "(%u, %u, %u)", &x, &y, &z);
    return std::uint64_t(x) * y * z;
}

}  // namespace

TEST_CASE("every listed difference shows the machine code that causes it") {
    for (const Row& row : truth::read_csv("differences.csv")) {
        CAPTURE(row.at("kernel"));
        const auto lines = lines_of(truth::folder() / "sass" / (row.at("machine code") + ".txt"));
        CHECK(lines.size() > 2);
        CHECK(!row.at("reason").empty());
    }
}

TEST_CASE("kernels.cu: every launch counts what an H200 counted") {
    const Ran ran = run("kernels");
    const std::vector<Row> rows = truth::read_csv("h200.csv");
    CHECK(ran.status == 0);
    REQUIRE(ran.launches.size() == rows.size());
    int seen = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::string kernel = kernel_of(ran.launches[k]);
        CHECK(kernel == rows[k].at("Kernel Name"));
        const std::uint64_t warps = product(rows[k].at("Grid Size")) *
                                    ((product(rows[k].at("Block Size")) + 31) / 32);
        seen += compare(ran.launches[k], kernel, rows[k], warps);
    }
    CHECK(seen == 46 * 17);
}

TEST_CASE("patterns.cu: every launch that was measured counts what an H200 counted") {
    const Ran ran = run("patterns");
    CHECK(ran.status == 0);
    REQUIRE(ran.launches.size() == ran.printed.size());
    std::map<std::string, std::string> by_label;
    for (std::size_t k = 0; k < ran.printed.size(); ++k)
        by_label[ran.printed[k]] = ran.launches[k];
    int rows = 0;
    for (const Row& row : truth::read_csv("patterns_h200.csv")) {
        const std::string& label = row.at("launch");
        CAPTURE(label);
        REQUIRE(by_label.contains(label));
        CHECK(compare(by_label[label], first_word(label), row, 1) > 0);
        ++rows;
    }
    CHECK(rows == 107);
}
