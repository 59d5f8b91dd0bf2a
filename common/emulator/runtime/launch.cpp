#include "emulator/runtime/launch.h"

#include <cstring>

#include "emulator/runtime/image.h"
#include "emulator/runtime/occupancy.h"
#include "emulator/runtime/report.h"

namespace emu {
namespace {

std::string parenthesised(dim3 d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) +
           ")";
}

struct Refusal {
    cudaError_t error = cudaSuccess;
    std::string why, remedy;
};

std::uint64_t product(dim3 d) { return std::uint64_t(d.x) * d.y * d.z; }

// The codes are those of an H200 with CUDA 13.0: its <<<...>>> answers every wrong shape and
// size with cudaErrorInvalidValue, where older toolkits and the manual have
// cudaErrorInvalidConfiguration. Registers have a code of their own.
constexpr cudaError_t wrong_shape = cudaErrorInvalidValue;

Refusal check_block(dim3 block) {
    constexpr std::uint64_t most_threads = 1024;
    constexpr unsigned most_z = 64;
    std::string shown = "block " + parenthesised(block);
    if (product(block) == 0)
        return {wrong_shape, shown + " has a side of 0", "give every side at least 1"};
    if (product(block) > most_threads)
        return {wrong_shape,
                shown + " = " + std::to_string(product(block)) + " threads, limit 1024",
                "use blocks of 256 threads, say, and more of them"};
    if (block.z > most_z)
        return {wrong_shape, shown + " has z = " + std::to_string(block.z) + ", limit 64",
                "put the long side on x or y"};
    return {};
}

Refusal check_grid(dim3 grid) {
    constexpr unsigned most_x = 0x7fffffff, most_yz = 65535;
    std::string shown = "grid " + parenthesised(grid);
    auto too_long = [&](char side, unsigned length, unsigned limit) {
        return Refusal{wrong_shape,
                       shown + " has " + side + " = " + std::to_string(length) + ", limit " +
                           std::to_string(limit),
                       side == 'x' ? "let each thread do more than one element"
                                   : "put the long dimension on x"};
    };
    if (product(grid) == 0)
        return {wrong_shape, shown + " has a side of 0",
                "give every side at least 1: is a size 0, or rounded down to 0?"};
    if (grid.x > most_x) return too_long('x', grid.x, most_x);
    if (grid.y > most_yz) return too_long('y', grid.y, most_yz);
    if (grid.z > most_yz) return too_long('z', grid.z, most_yz);
    return {};
}

Refusal check_bounds(const HostKernel& kernel, dim3 block) {
    auto threads = product(block);
    const int* required = kernel.info.required_threads;
    if (kernel.info.max_threads > 0 && threads > std::uint64_t(kernel.info.max_threads))
        return {wrong_shape,
                "block " + parenthesised(block) + " = " + std::to_string(threads) +
                    " threads, but the kernel is compiled for at most " +
                    std::to_string(kernel.info.max_threads) + " (__launch_bounds__)",
                "use a smaller block, or raise the number in __launch_bounds__"};
    if (required[0] > 0 && (int(block.x) != required[0] || int(block.y) != required[1] ||
                            int(block.z) != required[2]))
        return {wrong_shape,
                "block " + parenthesised(block) + ", but the kernel is compiled for " +
                    parenthesised(dim3(unsigned(required[0]), unsigned(required[1]),
                                       unsigned(required[2]))) + " only",
                "launch it with that block"};
    return {};
}

Refusal check_shared(const DeviceSpec& spec, const HostKernel& kernel, std::size_t dynamic) {
    std::size_t fixed = kernel.info.static_shared, total = fixed + dynamic;
    std::string shown = std::to_string(total) + " bytes of shared memory a block (" +
                        std::to_string(fixed) + " static, " + std::to_string(dynamic) +
                        " dynamic)";
    if (total > spec.shared_per_block_optin)
        return {wrong_shape,
                shown + ", the device has " + std::to_string(spec.shared_per_block_optin),
                "use a smaller tile, or split it"};
    std::size_t allowed = kernel.dynamic_limit >= 0 ? fixed + std::size_t(kernel.dynamic_limit)
                                                    : spec.shared_per_block;
    if (total > allowed)
        return {wrong_shape,
                shown + ", the kernel may use " + std::to_string(allowed),
                "allow it first: cudaFuncSetAttribute(kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, " + std::to_string(dynamic) +
                    ")"};
    return {};
}

Refusal check_registers(const DeviceSpec& spec, const HostKernel& kernel, dim3 block) {
    int threads = int(product(block));
    if (kernel.registers == 0 || registers_fit(spec, kernel.registers, threads)) return {};
    return {cudaErrorLaunchOutOfResources,
            "the kernel needs " + std::to_string(kernel.registers) +
                " registers per thread x " + std::to_string(threads) +
                " threads, the register file has " +
                std::to_string(spec.registers_per_block),
            "use a smaller block, or __launch_bounds__(" + std::to_string(threads) + ")"};
}

Refusal check(const DeviceSpec& spec, const HostKernel& kernel, const LaunchCall& wanted) {
    Refusal refusal = check_block(wanted.block);
    if (refusal.error == cudaSuccess) refusal = check_grid(wanted.grid);
    if (refusal.error == cudaSuccess) refusal = check_bounds(kernel, wanted.block);
    if (refusal.error == cudaSuccess) refusal = check_shared(spec, kernel, wanted.shared);
    if (refusal.error == cudaSuccess) refusal = check_registers(spec, kernel, wanted.block);
    return refusal;
}

std::string code_shown(cudaError_t error) {
    std::string name = cudaGetErrorName(error);
    return error == wrong_shape ? name + ", in older toolkits cudaErrorInvalidConfiguration"
                                : name;
}

cudaError_t tell_refusal(Call& call, const HostKernel& kernel, const Refusal& refusal,
                         const Place& place) {
    Finding finding;
    finding.kind = "launch-rejected";
    finding.kernel = demangled(kernel.name);
    finding.file = place.file;
    finding.line = place.line;
    finding.message = "launch of " + kernel.shown + " rejected: " + refusal.why + " (" +
                      code_shown(refusal.error) + "); the kernel did not run";
    finding.remedy = refusal.remedy + "; ask cudaGetLastError() after the launch";
    finding.error = refusal.error;
    tell(call.state(), std::move(finding));
    return refusal.error;
}

std::vector<std::byte> packed(const KernelInfo& info, void** arguments) {
    std::vector<std::byte> bytes(std::size_t(info.parameter_bytes), std::byte(0));
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        auto [offset, size] = info.parameters[i];
        std::memcpy(bytes.data() + offset, arguments[i], std::size_t(size));
    }
    return bytes;
}

void run(Call& call, HostKernel& kernel, const LaunchCall& wanted) {
    State& s = call.state();
    LaunchRequest request;
    request.module = kernel.binary->module;
    request.kernel = kernel.name;
    request.grid = {wanted.grid.x, wanted.grid.y, wanted.grid.z};
    request.block = {wanted.block.x, wanted.block.y, wanted.block.z};
    request.dynamic_shared = std::uint32_t(wanted.shared);
    request.arguments = packed(kernel.info, wanted.arguments);
    land_copies(s);                   // the kernel can read pinned memory
    LaunchReport report = call.device().launch(request);
    s.printed += report.printed;
    tell_launch(s, report);
    if (report.error != 0)
        s.fault = {cudaError_t(report.error), false, kernel.shown, place_of(wanted.callers)};
}

}  // namespace

cudaError_t launch(Call& call, const LaunchCall& wanted) {
    State& s = call.state();
    Stream* stream = stream_of(s, wanted.stream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!wanted.function) return cudaErrorInvalidDeviceFunction;
    HostKernel* kernel = kernel_of(s, wanted.function);
    if (!kernel) return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = find_kernel(call, *kernel); error != cudaSuccess) return error;

    Refusal refusal = check(call.device().spec(), *kernel, wanted);
    if (refusal.error != cudaSuccess)
        return tell_refusal(call, *kernel, refusal, place_of(wanted.callers));

    ++stream->queued;
    if (last_error().error != cudaSuccess) last_error().launched_since = kernel->shown;
    // After a fault nothing runs any more, though the program does not know of it yet.
    if (s.fault.error == cudaSuccess) run(call, *kernel, wanted);
    if (!options().launch_blocking) return cudaSuccess;
    finish_everything(s);
    return fault_seen_by(call);
}

}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
    return api("cudaLaunchKernel", Needs::device, [&](Call& call) {
        return launch(call,
                      {function, grid, block, arguments, shared, stream, call.callers()});
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
    return api("cudaLaunchKernelExC", Needs::device, [&](Call& call) {
        if (!config) return cudaErrorInvalidValue;
        for (unsigned i = 0; i < config->numAttrs; ++i) {
            auto& attribute = config->attrs[i];
            bool clusters = attribute.id == cudaLaunchAttributeClusterDimension &&
                            attribute.val.clusterDim.x * attribute.val.clusterDim.y *
                                    attribute.val.clusterDim.z > 1;
            bool cooperative = attribute.id == cudaLaunchAttributeCooperative &&
                               attribute.val.cooperative != 0;
            if (!clusters && !cooperative) continue;
            say_once(std::string("warplings: the emulator does not launch ") +
                     (clusters ? "clusters of blocks" : "cooperative kernels") +
                     " (cudaLaunchKernelExC answers cudaErrorNotSupported)");
            return cudaErrorNotSupported;
        }
        return launch(call, {function, config->gridDim, config->blockDim, arguments,
                             config->dynamicSmemBytes, config->stream, call.callers()});
    });
}

}  // extern "C"
