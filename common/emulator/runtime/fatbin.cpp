#include "emulator/runtime/fatbin.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace emu {
namespace {

constexpr std::uint32_t container_magic = 0xba55ed50;
constexpr std::uint64_t container_header_bytes = 16;
constexpr std::uint64_t smallest_entry_header = 64;
constexpr std::uint64_t largest_unpacked = 1ull << 30;  // a text of 1 GiB is a broken size
constexpr std::uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;

template <class T>
T field(const std::byte* at, std::size_t offset) {
    T value;
    std::memcpy(&value, at + offset, sizeof value);
    return value;
}

ImageEntry read_entry(const std::byte* at, std::uint64_t header, std::uint64_t payload) {
    ImageEntry entry;
    entry.kind = ImageEntry::Kind(field<std::uint16_t>(at, 0));
    entry.architecture = int(field<std::uint32_t>(at, 28));
    auto flags = field<std::uint64_t>(at, 40);
    auto packed = field<std::uint32_t>(at, 16);
    if (flags & flag_lz4) entry.packing = ImageEntry::Packing::lz4;
    if (flags & flag_zstd) entry.packing = ImageEntry::Packing::zstd;
    entry.payload = {at + header, payload};
    if (entry.packing == ImageEntry::Packing::none) return entry;
    if (packed > payload) throw BadImage("a packed entry is larger than its place");
    entry.payload = {at + header, packed};
    entry.unpacked_bytes = field<std::uint64_t>(at, 56);
    return entry;
}

std::string joined(const std::vector<int>& numbers) {
    std::string text;
    for (int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

}  // namespace

std::vector<ImageEntry> read_container(const void* data, std::uint64_t limit) {
    auto* start = static_cast<const std::byte*>(data);
    if (limit != 0 && limit < container_header_bytes)
        throw BadImage("it is shorter than its header");
    if (field<std::uint32_t>(start, 0) != container_magic)
        throw BadImage("it does not begin with the mark of a CUDA image");
    std::uint64_t at = field<std::uint16_t>(start, 6);
    std::uint64_t body = field<std::uint64_t>(start, 8);
    if (at < container_header_bytes) throw BadImage("its header is cut off");
    if (limit != 0 && (at > limit || body > limit - at)) throw BadImage("it is cut off");
    std::uint64_t end = at + body;

    std::vector<ImageEntry> entries;
    while (at < end) {
        if (end - at < smallest_entry_header) throw BadImage("an entry is cut off");
        std::uint64_t header = field<std::uint32_t>(start + at, 4);
        std::uint64_t payload = field<std::uint64_t>(start + at, 8);
        if (header < smallest_entry_header || header > end - at ||
            payload > end - at - header)
            throw BadImage("an entry reaches past the end");
        ImageEntry entry = read_entry(start + at, header, payload);
        if (entry.kind == ImageEntry::Kind::ptx || entry.kind == ImageEntry::Kind::cubin)
            entries.push_back(entry);
        at += header + payload;
    }
    return entries;
}

std::string unpack(const ImageEntry& entry) {
    auto* source = reinterpret_cast<const char*>(entry.payload.data());
    std::size_t bytes = entry.payload.size();
    if (entry.packing == ImageEntry::Packing::none) return {source, bytes};
    if (entry.unpacked_bytes > largest_unpacked) throw BadImage("an entry's size is absurd");
    std::string text(entry.unpacked_bytes, '\0');
    if (entry.packing == ImageEntry::Packing::zstd) {
        std::size_t got = ZSTD_decompress(text.data(), text.size(), source, bytes);
        if (ZSTD_isError(got))
            throw BadImage(std::string("zstd: ") + ZSTD_getErrorName(got));
        text.resize(got);
    } else {
        int got = LZ4_decompress_safe(source, text.data(), int(bytes), int(text.size()));
        if (got < 0) throw BadImage("its LZ4 data is broken");
        text.resize(std::size_t(got));
    }
    return text;
}

PtxTarget target_of(std::string_view ptx) {
    PtxTarget target;
    std::size_t at = ptx.find("\n.target");
    at = at == ptx.npos ? ptx.npos : ptx.find("sm_", at);
    if (at == ptx.npos) return target;
    const char* first = ptx.data() + at + 3;
    const char* last = ptx.data() + ptx.size();
    auto [end, error] = std::from_chars(first, last, target.architecture);
    if (error == std::errc() && end != last && (*end == 'a' || *end == 'f'))
        target.suffix = *end;
    return target;
}

bool runs_on(PtxTarget target, int architecture) {
    if (target.architecture == 0) return false;
    if (target.suffix == 'a') return target.architecture == architecture;
    bool not_newer = target.architecture <= architecture;
    if (target.suffix == 'f')
        return not_newer && target.architecture / 10 == architecture / 10;
    return not_newer;
}

std::string choose_ptx(const std::vector<ImageEntry>& entries, int architecture) {
    std::string best;
    PtxTarget best_target;
    for (const ImageEntry& entry : entries) {
        if (entry.kind != ImageEntry::Kind::ptx || entry.architecture > architecture) continue;
        std::string text = unpack(entry);
        // Texts end with a zero byte, which is no part of the language.
        text.resize(std::strlen(text.c_str()));
        PtxTarget target = target_of(text);
        if (!runs_on(target, architecture)) continue;
        bool newer = target.architecture > best_target.architecture;
        bool more_special = target.architecture == best_target.architecture && target.suffix;
        if (!newer && !more_special) continue;
        best = std::move(text);
        best_target = target;
    }
    return best;
}

std::string choose_cubin(const std::vector<ImageEntry>& entries, int architecture) {
    const ImageEntry* best = nullptr;
    auto distance = [&](const ImageEntry& entry) {
        int above = entry.architecture - architecture;
        return above <= 0 ? -above : 1000 + above;  // below goes before above
    };
    for (const ImageEntry& entry : entries) {
        if (entry.kind != ImageEntry::Kind::cubin) continue;
        if (!best || distance(entry) < distance(*best)) best = &entry;
    }
    return best ? unpack(*best) : std::string();
}

std::string contents_of(const std::vector<ImageEntry>& entries) {
    std::vector<int> ptx, cubin;
    for (const ImageEntry& entry : entries)
        (entry.kind == ImageEntry::Kind::ptx ? ptx : cubin).push_back(entry.architecture);
    std::sort(ptx.begin(), ptx.end());
    std::sort(cubin.begin(), cubin.end());
    std::string text = ptx.empty() ? "no PTX" : "PTX for " + joined(ptx);
    return text + (cubin.empty() ? ", no machine code" : ", machine code for " + joined(cubin));
}

}  // namespace emu
