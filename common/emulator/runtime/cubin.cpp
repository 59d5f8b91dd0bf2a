#include "emulator/runtime/cubin.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

// Section .nv.info is a row of records: format u8, attribute u8, then a size u16 and that
// many bytes (format 4), or a value of two bytes. Seen in the output of nvcc 13; the
// register counts equal those of ptxas -v.
namespace emu {
namespace {

constexpr std::uint8_t sized_format = 4;
constexpr std::uint8_t attribute_frame = 0x11;       // symbol u32, bytes u32
constexpr std::uint8_t attribute_registers = 0x2f;   // symbol u32, count u32
constexpr std::uint8_t attribute_barriers = 0x4c;    // count u8

class Elf {
public:
    explicit Elf(std::string_view image) : image_(image) {
        Elf64_Ehdr head;
        if (!copy(0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return;
        for (int i = 0; i < head.e_shnum; ++i) {
            Elf64_Shdr section;
            if (!copy(head.e_shoff + std::uint64_t(i) * sizeof section, section)) return;
            sections_.push_back(section);
        }
        names_ = head.e_shstrndx < sections_.size() ? bytes(sections_[head.e_shstrndx])
                                                    : std::string_view();
    }

    std::string_view bytes(const Elf64_Shdr& section) const {
        if (section.sh_type == SHT_NOBITS || section.sh_offset > image_.size()) return {};
        return image_.substr(section.sh_offset, section.sh_size);
    }
    std::string_view name(const Elf64_Shdr& section) const {
        return text(names_, section.sh_name);
    }
    const std::vector<Elf64_Shdr>& sections() const { return sections_; }

    std::string_view symbol(std::uint32_t index) const {
        for (const Elf64_Shdr& section : sections_) {
            if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections_.size()) continue;
            Elf64_Sym symbol;
            if (!copy(section.sh_offset + std::uint64_t(index) * sizeof symbol, symbol))
                return {};
            return text(bytes(sections_[section.sh_link]), symbol.st_name);
        }
        return {};
    }

private:
    template <class T>
    bool copy(std::uint64_t at, T& value) const {
        if (at > image_.size() || image_.size() - at < sizeof value) return false;
        std::memcpy(&value, image_.data() + at, sizeof value);
        return true;
    }
    static std::string_view text(std::string_view table, std::uint64_t at) {
        if (at >= table.size()) return {};
        return table.substr(at, table.find('\0', at) - at);
    }

    std::string_view image_, names_;
    std::vector<Elf64_Shdr> sections_;
};

using Record = std::function<void(std::uint8_t attribute, std::string_view payload)>;

void for_each_record(std::string_view info, const Record& record) {
    while (info.size() >= 4) {
        auto format = std::uint8_t(info[0]), attribute = std::uint8_t(info[1]);
        std::uint16_t size;
        std::memcpy(&size, info.data() + 2, sizeof size);
        bool sized = format == sized_format;
        std::size_t length = sized ? size : 0;
        if (length > info.size() - 4) return;
        record(attribute, sized ? info.substr(4, length) : info.substr(2, 2));
        info.remove_prefix(4 + length);
    }
}

}  // namespace

std::map<std::string, CubinKernel> read_cubin(std::string_view image) {
    constexpr std::string_view own = ".nv.info.";
    std::map<std::string, CubinKernel> kernels;
    Elf elf(image);
    auto pair_of = [&](std::string_view payload, auto&& use) {
        std::uint32_t words[2];
        if (payload.size() < sizeof words) return;
        std::memcpy(words, payload.data(), sizeof words);
        std::string_view name = elf.symbol(words[0]);
        if (!name.empty()) use(kernels[std::string(name)], int(words[1]));
    };
    for (const Elf64_Shdr& section : elf.sections()) {
        std::string_view name = elf.name(section);
        if (name == ".nv.info")
            for_each_record(elf.bytes(section), [&](auto attribute, auto payload) {
                if (attribute == attribute_registers)
                    pair_of(payload, [](auto& kernel, int n) { kernel.registers = n; });
                if (attribute == attribute_frame)
                    pair_of(payload, [](auto& kernel, int n) { kernel.frame_bytes = n; });
            });
        if (name.starts_with(own))
            for_each_record(elf.bytes(section), [&](auto attribute, auto payload) {
                if (attribute == attribute_barriers && !payload.empty())
                    kernels[std::string(name.substr(own.size()))].barriers =
                        std::uint8_t(payload[0]);
            });
    }
    return kernels;
}

}  // namespace emu
