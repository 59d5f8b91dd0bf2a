// __device__, __constant__ and __managed__ variables. What the program passes is the host's
// shadow of one, which is only a key.
#include <cuda_runtime_api.h>

#include <cstring>

#include "emulator/runtime/copy.h"
#include "emulator/runtime/image.h"
#include "emulator/runtime/report.h"
#include "emulator/runtime/where.h"

using namespace emu;

namespace {

// The variable of that very name, where the program passed a string instead of the variable.
std::string variable_spelt_at(State& s, const void* text) {
    for (auto& [key, variable] : s.variables) {
        const std::string& name = variable.name;
        std::uint64_t address = address_of(text);
        if (Memory::is_host_address(address) && Memory::is_host_address(address + name.size()) &&
            std::memcmp(text, name.c_str(), name.size() + 1) == 0)
            return name;
    }
    return {};
}

cudaError_t refuse_symbol(Call& call, const void* symbol) {
    std::string name = variable_spelt_at(call.state(), symbol);
    if (!name.empty())
        tell(call, "invalid-symbol", Severity::error,
             std::string(call.name()) + call.at_place() +
                 " got a string, not a symbol (cudaErrorInvalidSymbol)",
             "write " + name + ", not \"" + name + "\"", cudaErrorInvalidSymbol);
    else
        tell(call, "invalid-symbol", Severity::error,
             std::string(call.name()) + " got " + hex(address_of(symbol)) +
                 ", which is no __device__ or __constant__ variable (cudaErrorInvalidSymbol)",
             "pass the variable itself; for a pointer from cudaMalloc use cudaMemcpy",
             cudaErrorInvalidSymbol);
    return cudaErrorInvalidSymbol;
}

// The device address `offset` bytes into the variable; null after telling why not.
void* place_in_symbol(Call& call, const void* symbol, std::size_t bytes, std::size_t offset,
                      const char* does, cudaError_t& error) {
    SymbolPlace place = find_symbol(call, symbol);
    error = place.error;
    if (error == cudaErrorInvalidSymbol) error = refuse_symbol(call, symbol);
    if (error != cudaSuccess) return nullptr;
    if (offset > place.info.bytes || bytes > place.info.bytes - offset) {
        error = cudaErrorInvalidValue;
        tell(call, "copy-out-of-bounds", Severity::error,
             std::string(call.name()) + " " + does + " " + std::to_string(bytes) +
                 " bytes at offset " + std::to_string(offset) + " of the " +
                 (place.info.constant ? "constant '" : "variable '") + place.name +
                 "', which has " + std::to_string(place.info.bytes) + " bytes",
             "pass sizeof of the variable, or less", error);
        return nullptr;
    }
    return reinterpret_cast<void*>(place.info.address + offset);
}

cudaError_t copy_to(const char* name, const void* symbol, const void* from, std::size_t bytes,
                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
    return api(name, Needs::device, [&](Call& call) {
        if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
            kind != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        cudaError_t error;
        void* to = place_in_symbol(call, symbol, bytes, offset, "writes", error);
        if (!to) return error;
        return copy(call, {to}, {const_cast<void*>(from)}, {bytes}, kind, stream, waits);
    });
}

cudaError_t copy_from(const char* name, void* to, const void* symbol, std::size_t bytes,
                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                      Waits waits) {
    return api(name, Needs::device, [&](Call& call) {
        if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
            kind != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        cudaError_t error;
        void* from = place_in_symbol(call, symbol, bytes, offset, "reads", error);
        if (!from) return error;
        return copy(call, {to}, {from}, {bytes}, kind, stream, waits);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind) {
    return copy_to("cudaMemcpyToSymbol", symbol, from, bytes, offset, kind, nullptr,
                   Waits::yes);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
    return copy_to("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind, stream,
                   Waits::no);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind) {
    return copy_from("cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind, nullptr,
                     Waits::yes);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    return copy_from("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind, stream,
                     Waits::no);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return api("cudaGetSymbolAddress", Needs::device, [&](Call& call) {
        if (!pointer) return cudaErrorInvalidValue;
        cudaError_t error;
        *pointer = place_in_symbol(call, symbol, 0, 0, "looks at", error);
        return error;
    });
}

cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    return api("cudaGetSymbolSize", Needs::device, [&](Call& call) {
        if (!bytes) return cudaErrorInvalidValue;
        SymbolPlace place = find_symbol(call, symbol);
        if (place.error == cudaErrorInvalidSymbol) return refuse_symbol(call, symbol);
        if (place.error == cudaSuccess) *bytes = place.info.bytes;
        return place.error;
    });
}

}  // extern "C"
