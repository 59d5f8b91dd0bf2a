#include "warplings/runtime_library.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "warplings/build.h"

namespace warplings {

fs::path runtime_library(bool of_gpu) {
    if (!of_gpu) return build_tree().emulator_library();
    const fs::path library = WARPLINGS_CUDART;
    if (!fs::exists(library))
        throw Failure{3, fmt::format("the CUDA runtime {} is gone. Remedy: install the CUDA "
                                     "Toolkit and configure again.", library.string())};
    return library;
}

namespace {

template <class T>
const T* at(std::string_view file, std::uint64_t offset, std::uint64_t count = 1) {
    if (count > file.size() / sizeof(T) || offset > file.size() - count * sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(file.data() + offset);
}

// Any of the libraries that the dynamic section asks for starts with `name`.
bool needs_library(std::string_view file, const Elf64_Ehdr& header, std::string_view name) {
    const auto* sections = at<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
    if (!sections) return false;
    for (int i = 0; i < header.e_shnum; ++i) {
        if (sections[i].sh_type != SHT_DYNAMIC || sections[i].sh_link >= header.e_shnum) continue;
        const Elf64_Shdr& strings = sections[sections[i].sh_link];
        const std::uint64_t count = sections[i].sh_size / sizeof(Elf64_Dyn);
        const auto* entries = at<Elf64_Dyn>(file, sections[i].sh_offset, count);
        for (std::uint64_t k = 0; entries && k < count; ++k) {
            if (entries[k].d_tag != DT_NEEDED) continue;
            const std::uint64_t offset = strings.sh_offset + entries[k].d_un.d_val;
            if (offset < file.size() && file.substr(offset).starts_with(name)) return true;
        }
    }
    return false;
}

}  // namespace

Linked linked_runtime(const fs::path& executable) {
    const std::string file = read_file(executable);
    const auto* header = at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        !at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum))
        return Linked::not_a_program;
    if (needs_library(file, *header, "libcudart.so")) return Linked::shared;
    // The static runtime carries its entry points' names for the driver library.
    if (file.find("__nv_cudaEntity") != file.npos || file.find(".nvFatBinSegment") != file.npos ||
        file.find("__cudaRegisterFatBinary") != file.npos)
        return Linked::statically;
    return Linked::not_at_all;
}

}  // namespace warplings
