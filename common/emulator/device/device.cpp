#include "emulator/device/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "emulator/exec/grid.h"
#include "emulator/exec/program.h"
#include "emulator/observe/counting.h"
#include "emulator/state/demangle.h"

namespace emu {
namespace {

// Long enough for anything a lesson does, short enough to end a loop that never would.
constexpr std::uint64_t default_budget = 20'000'000'000;

constexpr int error_illegal_address = 700, error_invalid_kernel = 98;

struct Loaded {
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    Program program;
    std::vector<std::unique_ptr<void, Free>>
        managed;  // variables that the host reads too
    std::vector<std::uint64_t> allocations;
    bool live = true;
};

std::uint64_t align_up(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) / to * to;
}

KernelInfo describe(const Program& program, const ProgramFunction& function) {
    const ptx::Function& text = *function.text;
    KernelInfo info;
    info.name = function.name;
    info.static_shared = function.static_shared;
    info.local_bytes = function.depot_bytes;
    for (const ptx::Variable& v : program.module.variables)
        if (v.space == ptx::Space::constant)
            info.constant_bytes = static_cast<std::uint32_t>(
                align_up(info.constant_bytes, std::max(1u, v.align)) + v.bytes);
    std::uint64_t offset = 0;
    for (const ptx::Variable& v : text.params) {
        offset = align_up(offset, std::max(1u, v.align));
        info.parameters.emplace_back(static_cast<int>(offset), static_cast<int>(v.bytes));
        offset += v.bytes;
    }
    info.parameter_bytes = static_cast<int>(offset);
    info.max_threads = text.max_threads;
    std::copy(std::begin(text.required_threads), std::end(text.required_threads),
              info.required_threads);
    info.min_blocks = text.min_blocks;
    info.max_registers = text.max_registers;
    info.ptx_version = program.module.target_number;
    return info;
}

std::string first_problem(const ptx::Module& module) {
    if (module.problems.empty()) return "";
    const ptx::Problem& first = module.problems.front();
    return " (line " + std::to_string(first.ptx_line) + ": " + first.message + ")";
}

Finding without_code(const std::string& kernel, const std::string& problem) {
    Finding finding;
    finding.kind = "bad-image";
    finding.kernel = kernel;
    finding.message = "the program's PTX holds no code that can be read for kernel " +
                      kernel + problem;
    finding.remedy = "Build the program again with nvcc 13.";
    finding.error = error_invalid_kernel;
    return finding;
}

// What an instruction that nobody knows may come from. The parser's first problem is a
// newer .version, because that stands at a text's top.
void name_newer_ptx(const ptx::Module& module, LaunchReport& report) {
    const std::string problem = first_problem(module);
    if (problem.find(".version") == problem.npos) return;
    for (Finding& finding : report.findings)
        if (finding.kind == "unsupported-instruction") finding.message += problem;
}

}  // namespace

struct Device::State {
    DeviceOptions options;
    const DeviceSpec* spec = nullptr;
    std::unique_ptr<Memory> memory;
    std::vector<std::unique_ptr<Loaded>> modules;
    std::uint64_t launches = 0;
    std::atomic<std::uint64_t> heap_used{0};

    Loaded* loaded(ModuleId module) const {
        const auto k = static_cast<std::size_t>(module);
        return module >= 0 && k < modules.size() && modules[k]->live ? modules[k].get()
                                                                     : nullptr;
    }

    // ---- loading ----

    void allocate_variables(Loaded& loaded) {
        for (const ptx::Variable& v : loaded.program.module.variables) {
            if (v.space != ptx::Space::global && v.space != ptx::Space::constant)
                continue;
            if (v.is_extern) continue;
            const Kind kind =
                v.space == ptx::Space::constant ? Kind::constant : Kind::symbol;
            const Allocation* a =
                v.is_managed
                    ? adopt_managed(loaded, v)
                    : memory->allocate(v.bytes, kind, v.name, std::max(256u, v.align));
            if (!a) continue;  // out of memory: naming it is then unsupported
            loaded.allocations.push_back(a->address);
            loaded.program.addresses[v.name] = a->address;
        }
    }

    // Lies in host memory, at the address that the kernel uses.
    const Allocation* adopt_managed(Loaded& loaded, const ptx::Variable& v) {
        void* host =
            std::aligned_alloc(256, align_up(std::max(v.bytes, std::uint64_t(1)), 256));
        if (!host) return nullptr;
        loaded.managed.emplace_back(host);
        return memory->adopt(host, v.bytes, Kind::managed, v.name);
    }

    void fill_variables(Loaded& loaded) {
        const Program& program = loaded.program;
        for (const ptx::Variable& v : program.module.variables) {
            const auto at = program.addresses.find(v.name);
            if (at == program.addresses.end()) continue;
            const Allocation* a = memory->find(at->second, 0);
            if (!a) a = memory->find(at->second);
            if (!a || v.bytes == 0) continue;
            std::memset(a->storage, 0, v.bytes);
            for (const ptx::Initial& initial : v.initial)
                fill(program, v, initial, a->storage);
        }
    }

    static void fill(const Program& program, const ptx::Variable& v,
                     const ptx::Initial& initial, std::byte* storage) {
        if (initial.symbol.empty()) {
            const std::uint64_t room = initial.at < v.bytes ? v.bytes - initial.at : 0;
            std::memcpy(storage + initial.at, initial.bytes.data(),
                        std::min<std::uint64_t>(room, initial.bytes.size()));
            return;
        }
        std::uint64_t value = 0;
        if (const auto data = program.addresses.find(initial.symbol);
            data != program.addresses.end())
            value = data->second;
        else if (const auto f = program.by_name.find(initial.symbol);
                 f != program.by_name.end())
            value = function_window + function_spacing * static_cast<unsigned>(f->second);
        value += static_cast<std::uint64_t>(initial.offset);
        const auto width = static_cast<std::uint64_t>(std::clamp(initial.width, 1, 8));
        if (initial.at + width <= v.bytes)
            std::memcpy(storage + initial.at, &value, width);
    }

    // ---- launching ----

    LaunchReport launch(const LaunchRequest& request) {
        LaunchReport report;
        report.kernel = demangled(request.kernel);
        report.grid = request.grid;
        report.block = request.block;
        Loaded* const loaded = this->loaded(request.module);
        const auto found = loaded ? loaded->program.by_name.find(request.kernel)
                                  : decltype(loaded->program.by_name.begin()){};
        if (!loaded || found == loaded->program.by_name.end() ||
            loaded->program.functions[found->second].segments.empty()) {
            report.error = error_invalid_kernel;
            report.findings.push_back(without_code(
                report.kernel, loaded ? first_problem(loaded->program.module) : ""));
            return report;
        }
        Launch launch = make_launch(request, *loaded, found->second);
        const Allocation* arguments = place_arguments(launch);
        GridOptions grid;
        grid.limits = {options.stack_bytes, options.printf_bytes, options.heap_bytes,
                       &heap_used};
        grid.seed = options.schedule;
        grid.budget = options.budget > 0 ? options.budget : default_budget;
        grid.resident_blocks = request.resident_blocks;
        grid.cooperative = request.cooperative;
        grid.arguments_address = arguments ? arguments->address : 0;
        run(launch, grid, report);
        name_newer_ptx(loaded->program.module, report);
        if (arguments) memory->release(arguments->address);
        return report;
    }

    Launch make_launch(const LaunchRequest& request, const Loaded& loaded, int function) {
        Launch launch;
        launch.program = &loaded.program;
        launch.function = function;
        launch.grid = request.grid;
        launch.block = request.block;
        const ProgramFunction& kernel = loaded.program.functions[function];
        launch.static_shared = kernel.static_shared;
        launch.dynamic_shared = request.dynamic_shared;
        if (request.dynamic_shared > 0)
            launch.static_shared = static_cast<std::uint32_t>(
                align_up(kernel.static_shared, kernel.dynamic_align));
        launch.shared_arrays = kernel.shared_arrays;
        launch.arguments = request.arguments;
        for (auto& [offset, bytes] : describe(loaded.program, kernel).parameters)
            launch.argument_offsets.push_back(static_cast<std::uint32_t>(offset));
        launch.grid_number = ++launches;
        launch.multiprocessors = static_cast<std::uint32_t>(spec->multiprocessors);
        launch.memory = memory.get();
        return launch;
    }

    // Kernels that take the address of a parameter find it in constant memory.
    const Allocation* place_arguments(const Launch& launch) {
        const bool needed = std::ranges::any_of(
            launch.program->functions,
            [](const ProgramFunction& f) { return f.argument_address; });
        if (!needed || launch.arguments.empty()) return nullptr;
        const Allocation* a = memory->allocate(launch.arguments.size(), Kind::constant,
                                               "kernel parameters");
        if (a) std::memcpy(a->storage, launch.arguments.data(), launch.arguments.size());
        return a;
    }

    void run(Launch& launch, const GridOptions& grid, LaunchReport& report) {
        const int asked = options.host_threads > 0
                              ? options.host_threads
                              : static_cast<int>(std::thread::hardware_concurrency());
        const auto workers = static_cast<std::size_t>(std::max(1, asked));
        std::vector<Counting> counting(workers);
        std::vector<FindingSink> sinks(workers);
        std::vector<Observer*> observers;
        for (Counting& one : counting)
            observers.push_back(options.counters ? &one : nullptr);
        GridResult result = run_grid(launch, grid, observers, sinks);
        for (std::size_t w = 1; w < workers; ++w) sinks[0].join(std::move(sinks[w]));
        take_findings(launch, sinks[0], result, report);
        // What other blocks did before the launch was stopped depends on the host's
        // speed.
        if (!result.fault)
            for (const Counting& one : counting) report.counters.add(one.counters);
        take_printed(result, grid.limits, report);
    }

    static void take_findings(const Launch& launch, FindingSink& sink, GridResult& result,
                              LaunchReport& report) {
        const std::uint64_t last = result.fault ? result.fault->order : ~std::uint64_t(0);
        for (FindingSink::Entry& entry : sink.take()) {
            if (entry.finding.order > last) continue;
            if (const ProgramFunction* f = owner_of(*launch.program, entry.inst)) {
                const SourcePlace place =
                    place_of(*launch.program, *f, entry.inst->source);
                entry.finding.file = place.file;
                entry.finding.line = place.line;
                entry.finding.ptx_line = place.ptx_line;
            }
            report.findings.push_back(std::move(entry.finding));
        }
        if (result.fault) report.findings.push_back(*result.fault);
        for (Finding& finding : report.findings) {
            finding.kernel = report.kernel;
            if (report.error == 0) report.error = finding.error;
        }
        if (result.fault) report.error = result.fault->error;
    }

    static void take_printed(const GridResult& result, const Limits& limits,
                             LaunchReport& report) {
        // A ring on the device: when it is full, the oldest lines are overwritten.
        std::uint64_t bytes = 0;
        report.printed_lost = result.printed_lost;
        std::size_t first = result.printed.size();
        while (first > 0 &&
               bytes + result.printed[first - 1].bytes <= limits.printf_bytes)
            bytes += result.printed[--first].bytes;
        for (std::size_t k = 0; k < result.printed.size(); ++k) {
            const Printed& one = result.printed[k];
            if (one.is_error)
                report.printed_errors += one.text;
            else if (k < first)
                ++report.printed_lost;
            else
                report.printed += one.text;
        }
    }
};

Device::Device(DeviceOptions options) : state_(std::make_unique<State>()) {
    state_->options = options;
    state_->spec = options.spec ? options.spec : &device_table().front();
    state_->memory = std::make_unique<Memory>(state_->spec->memory_bytes);
}

Device::~Device() = default;

DeviceOptions& Device::options() { return state_->options; }
const DeviceSpec& Device::spec() const { return *state_->spec; }
Memory& Device::memory() { return *state_->memory; }

ModuleId Device::load(std::string_view text) {
    auto loaded = std::make_unique<Loaded>();
    loaded->program.module = ptx::parse(std::string(text));
    state_->allocate_variables(*loaded);
    decode(loaded->program);
    state_->fill_variables(*loaded);
    state_->modules.push_back(std::move(loaded));
    return static_cast<ModuleId>(state_->modules.size()) - 1;
}

void Device::unload(ModuleId module) {
    Loaded* const loaded = state_->loaded(module);
    if (!loaded) return;
    for (std::uint64_t address : loaded->allocations) state_->memory->release(address);
    state_->modules[static_cast<std::size_t>(module)] = std::make_unique<Loaded>();
    state_->modules[static_cast<std::size_t>(module)]->live = false;
}

std::optional<KernelInfo> Device::kernel(ModuleId module, std::string_view name) const {
    const Loaded* const loaded = state_->loaded(module);
    const ProgramFunction* function = loaded ? loaded->program.function(name) : nullptr;
    if (!function || !function->text->is_entry) return std::nullopt;
    return describe(loaded->program, *function);
}

std::optional<SymbolInfo> Device::symbol(ModuleId module, std::string_view name) const {
    const Loaded* const loaded = state_->loaded(module);
    if (!loaded) return std::nullopt;
    const auto at = loaded->program.addresses.find(name);
    if (at == loaded->program.addresses.end()) return std::nullopt;
    for (const ptx::Variable& v : loaded->program.module.variables)
        if (v.name == name)
            return SymbolInfo{at->second, v.bytes, v.space == ptx::Space::constant,
                              v.is_managed};
    return std::nullopt;
}

LaunchReport Device::launch(const LaunchRequest& request) {
    return state_->launch(request);
}

}  // namespace emu
