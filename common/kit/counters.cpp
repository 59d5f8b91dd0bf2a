#include "kit/counters.h"

#include <cstdlib>

namespace kit {
namespace {

const EmulatorTable* ask_runtime() {
    if (!std::getenv(emulator_variable)) return nullptr;
    const void* table = nullptr;
    if (cudaGetExportTable(&table, &emulator_table_id) != cudaSuccess || !table) {
        cudaGetLastError();  // the question was ours: leave no error for the program
        return nullptr;
    }
    const auto* found = static_cast<const EmulatorTable*>(table);
    return found->bytes >= sizeof(EmulatorTable) ? found : nullptr;
}

std::string text_or_empty(const char* text) { return text ? text : ""; }

Finding copied(const FindingView& view) {
    return {text_or_empty(view.kind),
            text_or_empty(view.severity),
            text_or_empty(view.kernel),
            text_or_empty(view.file),
            view.line,
            text_or_empty(view.message),
            text_or_empty(view.remedy),
            view.count};
}

LaunchCounters launch_of(const EmulatorTable& table, std::uint64_t index) {
    LaunchCounters launch{text_or_empty(table.launch_kernel(index)), index, {}, {}};
    table.launch_shape(index, launch.grid, launch.block);
    return launch;
}

}  // namespace

const EmulatorTable* emulator_table() {
    static const EmulatorTable* const table = ask_runtime();
    return table;
}

std::optional<std::uint64_t> Counted::operator[](const char* metric) const {
    if (!table_ || launches_.empty()) return std::nullopt;
    std::uint64_t sum = 0;
    for (const LaunchCounters& launch : launches_) {
        std::uint64_t value = 0;
        if (!table_->launch_counter(launch.index, metric, &value)) return std::nullopt;
        sum += value;
    }
    return sum;
}

std::optional<double> Counted::ratio(const char* a, const char* b) const {
    const auto above = (*this)[a], below = (*this)[b];
    if (!above || !below || *below == 0) return std::nullopt;
    return double(*above) / double(*below);
}

std::string Counted::note() const {
    if (!table_) return "A GPU does not count for us: run on the emulator for counters.";
    if (launches_.empty()) return "No kernel was launched, so nothing was counted.";
    return "";
}

Counted count(const std::function<void()>& work, const EmulatorTable* table) {
    Counted counted;
    counted.table_ = table;
    if (!table) {
        work();
        return counted;
    }
    const std::uint64_t launches_before = table->launches();
    const std::uint64_t findings_before = table->findings();
    work();
    cudaDeviceSynchronize();  // its status stays for the caller, who checks the launch
    for (std::uint64_t i = launches_before; i < table->launches(); ++i)
        counted.launches_.push_back(launch_of(*table, i));
    FindingView view{};
    for (std::uint64_t i = findings_before; i < table->findings(); ++i)
        if (table->finding(i, &view)) counted.findings_.push_back(copied(view));
    return counted;
}

}  // namespace kit
