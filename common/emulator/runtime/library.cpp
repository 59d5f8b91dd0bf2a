// Libraries: images that the program loads while it runs, from memory or a file.
#include <cuda_runtime_api.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "emulator/runtime/fatbin.h"
#include "emulator/runtime/image.h"
#include "emulator/runtime/report.h"

using namespace emu;

namespace {

struct Library {
    std::string file;                 // its bytes, where it came from a file
    std::unique_ptr<Binary> binary;
    std::map<std::string, std::unique_ptr<HostKernel>> kernels;
};

std::map<cudaLibrary_t, std::unique_ptr<Library>>& libraries() {
    static auto* all = new std::map<cudaLibrary_t, std::unique_ptr<Library>>;
    return *all;
}

// An image is a container, or PTX as a text that ends with a zero byte.
cudaError_t open(Call& call, cudaLibrary_t* made, std::unique_ptr<Library> library,
                 const void* code) {
    constexpr std::uint32_t container_magic = 0xba55ed50;
    std::uint32_t magic;
    std::memcpy(&magic, code, sizeof magic);
    library->binary = std::make_unique<Binary>();
    if (magic == container_magic)
        library->binary->containers.push_back(code);
    else
        library->binary->text = static_cast<const char*>(code);
    if (target_of(library->binary->text).architecture == 0 && magic != container_magic)
        return cudaErrorInvalidKernelImage;
    if (cudaError_t error = load(call, *library->binary); error != cudaSuccess) return error;
    auto handle = reinterpret_cast<cudaLibrary_t>(library.get());
    libraries()[handle] = std::move(library);
    *made = handle;
    return cudaSuccess;
}

template <class Use>
cudaError_t with_library(const char* name, cudaLibrary_t handle, Use&& use) {
    return api(name, Needs::device, [&](Call& call) {
        auto found = libraries().find(handle);
        return found == libraries().end() ? cudaErrorInvalidResourceHandle
                                          : use(call, *found->second);
    });
}

cudaError_t place_of_global(Call& call, Library& library, void** pointer, std::size_t* bytes,
                            const char* name) {
    auto info = call.device().symbol(library.binary->module, name);
    if (!info) return cudaErrorSymbolNotFound;
    if (pointer) *pointer = reinterpret_cast<void*>(info->address);
    if (bytes) *bytes = info->bytes;
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*,
                                void**, unsigned, cudaLibraryOption*, void**, unsigned) {
    return api("cudaLibraryLoadData", Needs::device, [&](Call& call) {
        if (!library || !code) return cudaErrorInvalidValue;
        return open(call, library, std::make_unique<Library>(), code);
    });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* name, cudaJitOption*,
                                    void**, unsigned, cudaLibraryOption*, void**, unsigned) {
    return api("cudaLibraryLoadFromFile", Needs::device, [&](Call& call) {
        if (!library || !name) return cudaErrorInvalidValue;
        std::ifstream file(name, std::ios::binary);
        if (!file) return cudaErrorFileNotFound;
        std::ostringstream bytes;
        bytes << file.rdbuf();
        auto made = std::make_unique<Library>();
        made->file = bytes.str();
        if (made->file.size() < 16) return cudaErrorInvalidKernelImage;
        const char* code = made->file.c_str();
        return open(call, library, std::move(made), code);
    });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle) {
    return with_library("cudaLibraryUnload", handle, [&](Call& call, Library& library) {
        State& s = call.state();
        for (auto& [name, kernel] : library.kernels) s.handles.erase(kernel.get());
        call.device().unload(library.binary->module);
        libraries().erase(handle);
        return cudaSuccess;
    });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* handle, cudaLibrary_t library_handle,
                                 const char* name) {
    return with_library(
        "cudaLibraryGetKernel", library_handle, [&](Call& call, Library& library) {
            if (!handle || !name) return cudaErrorInvalidValue;
            auto& kernel = library.kernels[name];
            if (!kernel) {
                kernel = std::make_unique<HostKernel>();
                kernel->binary = library.binary.get();
                kernel->name = name;
                kernel->shown = without_parameters(demangled(name));
            }
            if (find_kernel(call, *kernel) != cudaSuccess) {
                library.kernels.erase(name);
                return cudaErrorSymbolNotFound;
            }
            call.state().handles[kernel.get()] = kernel.get();
            *handle = reinterpret_cast<cudaKernel_t>(kernel.get());
            return cudaSuccess;
        });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
    return with_library("cudaLibraryGetGlobal", library, [&](Call& call, Library& found) {
        return name ? place_of_global(call, found, pointer, bytes, name)
                    : cudaErrorInvalidValue;
    });
}

cudaError_t cudaLibraryGetManaged(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
    return with_library("cudaLibraryGetManaged", library, [&](Call& call, Library& found) {
        return name ? place_of_global(call, found, pointer, bytes, name)
                    : cudaErrorInvalidValue;
    });
}

}  // extern "C"
