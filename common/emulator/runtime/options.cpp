#include "emulator/runtime/options.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>

#include "emulator/device/table.h"

namespace emu {
namespace {

constexpr int most_threads = 1024;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

template <class T>
void read_number(const char* name, T& number, std::string& problem,
                 T most = std::numeric_limits<T>::max()) {
    std::string text = variable(name);
    if (text.empty()) return;
    T read{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (error == std::errc() && end == text.data() + text.size() && read >= 0 && read <= most)
        number = read;
    else
        problem = std::string(name) + "='" + text + "' is no whole number from 0 to " +
                  std::to_string(most) + ", and not heeded";
}

}  // namespace

Options options_from_environment() {
    Options o;
    if (std::string name = variable("WARPLINGS_DEVICE"); !name.empty()) o.device = name;
    if (!device_named(o.device)) {
        o.problem = "WARPLINGS_DEVICE='" + o.device + "' is no emulated device; there are";
        for (const DeviceSpec& spec : device_table()) o.problem += " " + std::string(spec.name);
        o.device = "H200";
    }
    read_number("WARPLINGS_SCHEDULE", o.schedule, o.problem);
    read_number("WARPLINGS_THREADS", o.threads, o.problem, most_threads);
    read_number("WARPLINGS_LIMIT", o.limit, o.problem);
    o.json = variable("WARPLINGS_JSON");
    std::istringstream groups(variable("WARPLINGS_CHECK"));
    for (std::string group; std::getline(groups, group, ',');) o.checks.insert(group);
    o.counters = variable("WARPLINGS_COUNTERS") == "1";
    o.quiet = variable("WARPLINGS_REPORT") == "quiet";
    o.launch_blocking = variable("CUDA_LAUNCH_BLOCKING") == "1";
    return o;
}

const Options& options() {
    static const Options* read = new Options(options_from_environment());
    return *read;
}

}  // namespace emu
