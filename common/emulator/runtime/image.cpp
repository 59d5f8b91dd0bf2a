#include "emulator/runtime/image.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "emulator/runtime/fatbin.h"
#include "emulator/runtime/link.h"
#include "emulator/runtime/report.h"

namespace emu {
namespace {

std::string capability(const DeviceSpec& spec) {
    return std::to_string(spec.major) + "." + std::to_string(spec.minor);
}

cudaError_t refuse(Call& call, const char* kind, cudaError_t error, std::string message,
                   std::string remedy) {
    tell(call, kind, Severity::error, std::move(message), std::move(remedy), error);
    return error;
}

cudaError_t refuse_without_ptx(Call& call, const Binary& binary,
                               const std::vector<ImageEntry>& entries) {
    const DeviceSpec& spec = call.device().spec();
    std::string number = std::to_string(architecture_of(spec));
    bool any = std::any_of(entries.begin(), entries.end(), [](const ImageEntry& entry) {
        return entry.kind == ImageEntry::Kind::ptx;
    });
    std::string holds = "the program holds " + contents_of(entries) + "; ";
    if (binary.relocatable && !any)
        return refuse(call, "no-kernel-image", cudaErrorNotSupported,
                      holds + "it is compiled as relocatable device code (-rdc=true), and "
                              "the emulator runs PTX only",
                      "compile each file with -gencode arch=compute_" + number +
                          ",code=compute_" + number + ", or without -rdc=true");
    return refuse(call, "no-kernel-image", cudaErrorNoKernelImageForDevice,
                  holds + "the emulated " + std::string(spec.name) +
                      " has compute capability " + capability(spec) +
                      " and runs PTX that is not newer",
                  "compile with -arch=sm_" + number + " or -gencode arch=compute_" + number +
                      ",code=compute_" + number);
}

// A registered image comes without a size, and the one inside may be broken: the memory from
// its address on, as far as there is any, is the limit.
std::uint64_t readable_from(const void* data) {
    auto address = reinterpret_cast<std::uint64_t>(data);
    std::uint64_t end = address;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long long first = 0, last = 0;
        char readable = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx %c", &first, &last, &readable) != 3) continue;
        if (readable == 'r' && first <= end && end < last) end = last;
    }
    return end - address;
}

void set_managed_pointers(Call& call, Binary& binary) {
    for (ManagedVariable& variable : binary.managed)
        if (auto info = call.device().symbol(binary.module, variable.name)) {
            *variable.host_pointer = reinterpret_cast<void*>(info->address);
            call.state().variables[*variable.host_pointer] = {&binary, variable.name};
        }
}

cudaError_t load_now(Call& call, Binary& binary) {
    int architecture = architecture_of(call.device().spec());
    std::vector<ImageEntry> all;
    std::vector<std::string> texts;
    try {
        for (const void* container : binary.containers) {
            std::uint64_t limit = readable_from(container);
            if (limit == 0) throw BadImage("there is no memory at its address");
            std::vector<ImageEntry> entries = read_container(container, limit);
            std::string text = choose_ptx(entries, architecture);
            if (!text.empty()) texts.push_back(std::move(text));
            all.insert(all.end(), entries.begin(), entries.end());
        }
        binary.machine_code = read_cubin(choose_cubin(all, architecture));
    } catch (const BadImage& bad) {
        return refuse(call, "bad-image", cudaErrorInvalidKernelImage,
                      std::string("the program's CUDA image cannot be read: ") + bad.what(),
                      "build the program again with nvcc 13");
    }
    if (!binary.text.empty()) texts.push_back(binary.text);
    if (texts.empty()) return refuse_without_ptx(call, binary, all);
    std::string text = texts.size() == 1 ? std::move(texts[0]) : link_texts(texts);
    binary.ptx_architecture = target_of(text).architecture;
    binary.module = call.device().load(text);
    set_managed_pointers(call, binary);
    return cudaSuccess;
}

}  // namespace

int architecture_of(const DeviceSpec& spec) { return spec.major * 10 + spec.minor; }

cudaError_t load(Call& call, Binary& binary) {
    if (!binary.loaded) {
        binary.loaded = true;
        binary.error = load_now(call, binary);
    }
    return binary.error;
}

cudaError_t find_kernel(Call& call, HostKernel& kernel) {
    if (cudaError_t error = load(call, *kernel.binary); error != cudaSuccess) return error;
    if (kernel.known) return cudaSuccess;
    auto info = call.device().kernel(kernel.binary->module, kernel.name);
    if (!info)
        return refuse(call, "bad-image", cudaErrorInvalidDeviceFunction,
                      "the program launches " + kernel.shown +
                          ", and its PTX defines no kernel of that name",
                      "build the program again with nvcc 13");
    kernel.info = *info;
    kernel.local_bytes = int(info->local_bytes);
    auto code = kernel.binary->machine_code.find(kernel.name);
    if (code != kernel.binary->machine_code.end()) {
        kernel.registers = code->second.registers;
        kernel.local_bytes = std::max(kernel.local_bytes, code->second.frame_bytes);
    }
    kernel.known = true;
    return cudaSuccess;
}

HostKernel* kernel_of(State& s, const void* function) {
    if (auto found = s.kernels.find(function); found != s.kernels.end())
        return found->second.get();
    auto handle = s.handles.find(function);
    return handle == s.handles.end() ? nullptr : handle->second;
}

SymbolPlace find_symbol(Call& call, const void* host_variable) {
    SymbolPlace place;
    auto found = call.state().variables.find(host_variable);
    if (found == call.state().variables.end()) return place;
    // Loading may add managed variables to the table, so nothing of it is kept.
    HostVariable variable = found->second;
    place.name = variable.name;
    place.error = load(call, *variable.binary);
    if (place.error != cudaSuccess) return place;
    auto info = call.device().symbol(variable.binary->module, variable.name);
    if (!info) {
        place.error = cudaErrorInvalidSymbol;
        return place;
    }
    place.info = *info;
    return place;
}

}  // namespace emu
