#pragma once
// What nvcc puts into an executable: containers of PTX and machine code, one entry each,
// perhaps compressed. The format is not documented; its fields are known from nvcc's output.
//
//   wrapper    magic 0x466243b1, version, pointer to a container, pointer to a list of
//              containers with the parts of relocatable code (version 2)
//   container  magic 0xba55ed50, 16-byte header, entries
//   entry      header of a size that it states itself, payload
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace emu {

// A container that cannot be read; the message says what is wrong with it.
struct BadImage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct ImageEntry {
    enum class Kind : std::uint16_t { ptx = 1, cubin = 2 };
    enum class Packing : std::uint8_t { none, lz4, zstd };
    Kind kind = Kind::ptx;
    Packing packing = Packing::none;
    int architecture = 0;                    // 90 for sm_90 and compute_90
    std::span<const std::byte> payload;      // as stored
    std::uint64_t unpacked_bytes = 0;        // 0 where it is not packed
};

// The entries of the container at `data`. With `limit` 0 the container's own size counts,
// because a registered image comes without one. Entries of other kinds are left out.
std::vector<ImageEntry> read_container(const void* data, std::uint64_t limit = 0);

// The payload without its packing.
std::string unpack(const ImageEntry& entry);

// What `.target` of a PTX text demands of a device.
struct PtxTarget {
    int architecture = 0;                    // 90
    char suffix = 0;                         // 'a': that very architecture; 'f': its family
};
PtxTarget target_of(std::string_view ptx);
bool runs_on(PtxTarget target, int architecture);

// Which PTX a device of this architecture compiles: the newest that it can. Empty if none.
std::string choose_ptx(const std::vector<ImageEntry>& entries, int architecture);

// The machine code that says how many registers a kernel takes: made for this architecture
// if there is such, else the nearest below, else the nearest above. Empty if none.
std::string choose_cubin(const std::vector<ImageEntry>& entries, int architecture);

// "PTX for 75, 80; machine code for 90", for messages.
std::string contents_of(const std::vector<ImageEntry>& entries);

}  // namespace emu
