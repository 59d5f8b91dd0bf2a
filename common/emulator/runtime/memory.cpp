// Allocating and freeing: device, pinned, managed and registered memory.
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "emulator/runtime/report.h"
#include "emulator/runtime/where.h"

namespace emu {
namespace {

constexpr std::uint64_t pitch_step = 512;     // as an H200 aligns the rows of pitched memory

void note_place(Call& call, const Allocation& made) {
    call.state().allocated_at[made.number] = call.callers();
    call.state().freed_at.erase(made.address);
    call.memory().set_place(made.address, call.place().text());
}

cudaError_t allocate(Call& call, void** pointer, std::uint64_t bytes, std::uint64_t pitch = 0) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const Allocation* made = call.memory().allocate(bytes, Kind::device, call.name());
    if (!made) return cudaErrorMemoryAllocation;
    note_place(call, *made);
    if (pitch) call.memory().set_pitch(made->address, pitch);
    *pointer = reinterpret_cast<void*>(made->address);
    return cudaSuccess;
}

std::uint64_t whole_pages(std::uint64_t bytes) {
    auto page = std::uint64_t(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

// Pinned and managed memory: ordinary host memory that the device knows.
cudaError_t allocate_host(Call& call, void** pointer, std::uint64_t bytes, Kind kind,
                          unsigned flags) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    std::uint64_t mapped = whole_pages(bytes);
    if (mapped < bytes) return cudaErrorMemoryAllocation;
    void* host = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) return cudaErrorMemoryAllocation;
    const Allocation* made = call.memory().adopt(host, bytes, kind, call.name());
    if (!made) {
        munmap(host, mapped);
        return cudaErrorMemoryAllocation;
    }
    call.state().host_memory[address_of(host)] = {bytes, mapped, flags};
    call.state().results.read = true;   // kernels may write there: nobody can tell
    note_place(call, *made);
    *pointer = host;
    return cudaSuccess;
}

cudaError_t refuse_free(Call& call, const char* kind, std::string why, std::string remedy) {
    tell(call, kind, Severity::error, std::string(call.name()) + " " + why, std::move(remedy),
         cudaErrorInvalidValue);
    return cudaErrorInvalidValue;
}

// `address` is not the start of something that this call frees: says what it is.
cudaError_t refuse_free(Call& call, std::uint64_t address) {
    State& s = call.state();
    const Allocation* a = call.memory().nearest(address);
    bool within = a && address >= a->address && address < a->address + std::max(a->bytes, 1ul);
    if (within && a->freed && address == a->address) {
        auto freed = s.freed_at.find(address);
        std::string where =
            freed == s.freed_at.end() ? "" : place_of(freed->second).text();
        return refuse_free(call, "double-free",
                           "frees " + described(*a) + " a second time" +
                               (where.empty() ? "" : "; the first was at " + where),
                           "free each allocation once, and set the pointer to nullptr then");
    }
    if (within && !a->freed && address != a->address)
        return refuse_free(call, "invalid-free",
                           "is given a pointer " + std::to_string(address - a->address) +
                               " bytes into " + described(*a),
                           "free the pointer that the allocating call gave");
    if (within && !a->freed) {
        bool of_host = a->kind == Kind::pinned || a->kind == Kind::mapped;
        bool variable = a->kind == Kind::symbol || a->kind == Kind::constant;
        return refuse_free(call, "invalid-free", "is given " + described(*a),
                           variable  ? "a __device__ variable is never freed"
                           : of_host ? "free it with cudaFreeHost"
                                     : "free it with cudaFree");
    }
    bool device = Memory::is_device_address(address);
    return refuse_free(call, "invalid-free",
                       "is given " + hex(address) +
                           (device ? ", where no allocation is" : ", which is host memory"),
                       device ? "free the pointer that the allocating call gave"
                              : "free host memory with what allocated it: free or delete");
}

cudaError_t release(Call& call, void* pointer, bool of_host) {
    if (!pointer) return cudaSuccess;
    State& s = call.state();
    std::uint64_t address = address_of(pointer);
    const Allocation* a = call.memory().find(address, 0);
    bool start = a && a->address == address;
    auto host = s.host_memory.find(address);
    bool registered = host != s.host_memory.end() && host->second.mapped == 0;
    bool fits = start && !registered &&
                (of_host ? a->kind == Kind::pinned || a->kind == Kind::mapped
                         : a->kind == Kind::device || a->kind == Kind::managed);
    if (!fits) return refuse_free(call, address);
    s.allocated_at.erase(a->number);
    s.freed_at[address] = call.callers();
    call.memory().release(address);
    if (host != s.host_memory.end()) {
        munmap(pointer, host->second.mapped);
        s.host_memory.erase(host);
    }
    return cudaSuccess;
}

cudaError_t allocate_pitched(Call& call, void** pointer, std::size_t* pitch, std::size_t width,
                             std::size_t rows) {
    if (!pointer || !pitch) return cudaErrorInvalidValue;
    *pitch = (width + pitch_step - 1) / pitch_step * pitch_step;
    std::uint64_t bytes;
    if (__builtin_mul_overflow(*pitch, rows, &bytes)) return cudaErrorMemoryAllocation;
    return allocate(call, pointer, bytes, *pitch);
}

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return api("cudaMalloc", Needs::device,
               [&](Call& call) { return allocate(call, pointer, bytes); });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return api("cudaMallocAsync", Needs::device, [&](Call& call) {
        if (!stream_of(call.state(), stream)) return cudaErrorInvalidResourceHandle;
        return allocate(call, pointer, bytes);
    });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    return api("cudaMallocPitch", Needs::device, [&](Call& call) {
        return allocate_pitched(call, pointer, pitch, width, height);
    });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent) {
    return api("cudaMalloc3D", Needs::device, [&](Call& call) {
        if (!made) return cudaErrorInvalidValue;
        std::size_t rows;
        if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
            return cudaErrorMemoryAllocation;
        made->xsize = extent.width;
        made->ysize = extent.height;
        return allocate_pitched(call, &made->ptr, &made->pitch, extent.width, rows);
    });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return api("cudaMallocManaged", Needs::device, [&](Call& call) {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
            return cudaErrorInvalidValue;
        return allocate_host(call, pointer, bytes, Kind::managed, flags);
    });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return api("cudaMallocHost", Needs::device, [&](Call& call) {
        return allocate_host(call, pointer, bytes, Kind::pinned, cudaHostAllocMapped);
    });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return api("cudaHostAlloc", Needs::device, [&](Call& call) {
        constexpr unsigned known =
            cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
        if (flags & ~known) return cudaErrorInvalidValue;
        return allocate_host(call, pointer, bytes, Kind::pinned, flags | cudaHostAllocMapped);
    });
}

cudaError_t cudaFree(void* pointer) {
    return api("cudaFree", Needs::wait,
               [&](Call& call) { return release(call, pointer, false); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return api("cudaFreeAsync", Needs::device, [&](Call& call) {
        if (!stream_of(call.state(), stream)) return cudaErrorInvalidResourceHandle;
        return release(call, pointer, false);
    });
}

cudaError_t cudaFreeHost(void* pointer) {
    return api("cudaFreeHost", Needs::wait,
               [&](Call& call) { return release(call, pointer, true); });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return api("cudaHostRegister", Needs::device, [&](Call& call) {
        if (!pointer || bytes == 0 || Memory::is_device_address(address_of(pointer)))
            return cudaErrorInvalidValue;
        const Allocation* made =
            call.memory().adopt(pointer, bytes, Kind::mapped, "cudaHostRegister");
        if (!made) return cudaErrorHostMemoryAlreadyRegistered;
        call.state().host_memory[address_of(pointer)] = {bytes, 0, flags};
        return cudaSuccess;
    });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return api("cudaHostUnregister", Needs::wait, [&](Call& call) {
        auto& known = call.state().host_memory;
        auto found = known.find(address_of(pointer));
        if (found == known.end() || found->second.mapped != 0)
            return cudaErrorHostMemoryNotRegistered;
        call.memory().release(address_of(pointer));
        known.erase(found);
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return api("cudaHostGetDevicePointer", Needs::device, [&](Call& call) {
        if (!device || flags != 0) return cudaErrorInvalidValue;
        const Allocation* a = call.memory().find(address_of(host));
        if (!a || (a->kind != Kind::pinned && a->kind != Kind::mapped))
            return cudaErrorInvalidValue;
        *device = host;               // one address space, as on every GPU since Fermi
        return cudaSuccess;
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return api("cudaHostGetFlags", Needs::device, [&](Call& call) {
        auto& known = call.state().host_memory;
        auto found = known.find(address_of(host));
        if (!flags || found == known.end()) return cudaErrorInvalidValue;
        *flags = found->second.flags;
        return cudaSuccess;
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
    return api("cudaMemGetInfo", Needs::device, [&](Call& call) {
        if (!free_bytes || !total) return cudaErrorInvalidValue;
        *total = call.memory().capacity();
        *free_bytes = *total - call.memory().used();
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return api("cudaPointerGetAttributes", Needs::device, [&](Call& call) {
        if (!attributes) return cudaErrorInvalidValue;
        cudaPointerAttributes a{};
        auto* plain = const_cast<void*>(pointer);
        const Allocation* in = call.memory().find(address_of(pointer));
        a.type = cudaMemoryTypeUnregistered;
        a.device = cudaInvalidDeviceId;
        if (!in && !Memory::is_device_address(address_of(pointer))) a.hostPointer = plain;
        if (in) {
            bool managed = in->kind == Kind::managed;
            bool host = in->kind == Kind::pinned || in->kind == Kind::mapped;
            a.type = managed ? cudaMemoryTypeManaged
                     : host  ? cudaMemoryTypeHost
                             : cudaMemoryTypeDevice;
            a.device = 0;
            a.devicePointer = plain;
            a.hostPointer = managed || host ? plain : nullptr;
        }
        *attributes = a;
        return cudaSuccess;
    });
}

// Where managed memory lies is not emulated: these answer whether the range is managed.

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation,
                                 unsigned, cudaStream_t stream) {
    return api("cudaMemPrefetchAsync", Needs::device, [&](Call& call) {
        if (!stream_of(call.state(), stream)) return cudaErrorInvalidResourceHandle;
        const Allocation* a = call.memory().find(address_of(pointer), bytes);
        return a && a->kind == Kind::managed ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise,
                          cudaMemLocation) {
    return api("cudaMemAdvise", Needs::device, [&](Call& call) {
        const Allocation* a = call.memory().find(address_of(pointer), bytes);
        return a && a->kind == Kind::managed ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t,
                                     unsigned) {
    return api("cudaStreamAttachMemAsync", Needs::device, [&](Call& call) {
        if (!stream_of(call.state(), stream)) return cudaErrorInvalidResourceHandle;
        const Allocation* a = call.memory().find(address_of(pointer));
        return a && a->kind == Kind::managed ? cudaSuccess : cudaErrorInvalidValue;
    });
}

}  // extern "C"
