#include "emulator/runtime/fatbin.h"

#include <doctest/doctest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>

using namespace emu;

namespace {

constexpr std::uint64_t lz4 = 0x2000, zstd = 0x8000;

std::string ptx_for(const std::string& target) {
    std::string text = "//\n.version 8.0\n.target " + target + "\n.address_size 64\n";
    for (int i = 0; i < 40; ++i) text += ".visible .func f" + std::to_string(i) + "();\n";
    return text;
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

// An entry as nvcc writes it: header of 64 or more bytes, payload padded to 8.
std::string entry(std::uint16_t kind, std::uint32_t architecture, std::string payload,
                  std::uint64_t flags = 0, std::uint32_t header = 64) {
    std::uint64_t unpacked = payload.size();
    if (flags == zstd) {
        std::string packed(ZSTD_compressBound(payload.size()), '\0');
        packed.resize(ZSTD_compress(packed.data(), packed.size(), payload.data(),
                                    payload.size(), 3));
        payload = packed;
    }
    if (flags == lz4) {
        std::string packed(std::size_t(LZ4_compressBound(int(payload.size()))), '\0');
        packed.resize(std::size_t(LZ4_compress_default(payload.data(), packed.data(),
                                                       int(payload.size()),
                                                       int(packed.size()))));
        payload = packed;
    }
    std::uint32_t packed_bytes = flags ? std::uint32_t(payload.size()) : 0;
    payload.resize((payload.size() + 7) / 8 * 8);
    std::string bytes(header, '\0');
    put(bytes, 0, kind);
    put(bytes, 2, std::uint16_t(0x101));
    put(bytes, 4, header);
    put(bytes, 8, std::uint64_t(payload.size()));
    put(bytes, 16, packed_bytes);
    put(bytes, 28, architecture);
    put(bytes, 40, flags | 0x11);
    put(bytes, 56, unpacked);
    return bytes + payload;
}

std::string container(const std::string& entries) {
    std::string bytes(16, '\0');
    put(bytes, 0, std::uint32_t(0xba55ed50));
    put(bytes, 4, std::uint16_t(1));
    put(bytes, 6, std::uint16_t(16));
    put(bytes, 8, std::uint64_t(entries.size()));
    return bytes + entries;
}

std::vector<ImageEntry> read(const std::string& bytes) {
    return read_container(bytes.data(), bytes.size());
}

}  // namespace

TEST_CASE("PTX is the same raw, packed with LZ4 and packed with zstd") {
    std::string text = ptx_for("sm_90");
    for (std::uint64_t flags : {std::uint64_t(0), lz4, zstd})
        for (std::uint32_t header : {64u, 80u, 96u}) {
            CAPTURE(flags);
            std::string image = container(entry(1, 90, text, flags, header));
            CHECK(choose_ptx(read(image), 90) == text);
        }
}

TEST_CASE("a device takes the newest PTX that is not newer than itself") {
    std::string image = container(entry(1, 75, ptx_for("sm_75")) + entry(2, 80, "code") +
                                  entry(1, 90, ptx_for("sm_90"), zstd) +
                                  entry(1, 80, ptx_for("sm_80"), lz4));
    auto entries = read(image);
    CHECK(target_of(choose_ptx(entries, 100)).architecture == 90);
    CHECK(target_of(choose_ptx(entries, 90)).architecture == 90);
    CHECK(target_of(choose_ptx(entries, 89)).architecture == 80);
    CHECK(target_of(choose_ptx(entries, 75)).architecture == 75);
    CHECK(choose_ptx(entries, 70) == "");
    CHECK(contents_of(entries) == "PTX for 75, 80, 90, machine code for 80");
}

TEST_CASE("PTX of one architecture runs on that one, of a family on the family") {
    CHECK(runs_on({90, 'a'}, 90));
    CHECK_FALSE(runs_on({90, 'a'}, 100));
    CHECK(runs_on({100, 'f'}, 103));
    CHECK_FALSE(runs_on({100, 'f'}, 120));
    CHECK(runs_on({90, 0}, 120));
    CHECK_FALSE(runs_on({0, 0}, 90));

    std::string image =
        container(entry(1, 90, ptx_for("sm_90")) + entry(1, 90, ptx_for("sm_90a")));
    CHECK(target_of(choose_ptx(read(image), 90)).suffix == 'a');
    CHECK(target_of(choose_ptx(read(image), 100)).suffix == 0);
}

TEST_CASE("register counts come from the nearest machine code, below before above") {
    std::string image = container(entry(2, 75, "code 75") + entry(2, 100, "code 100"));
    CHECK(choose_cubin(read(image), 90).substr(0, 7) == "code 75");
    CHECK(choose_cubin(read(image), 100).substr(0, 8) == "code 100");
    CHECK(choose_cubin(read(container(entry(1, 90, ptx_for("sm_90")))), 90) == "");
}

TEST_CASE("a foreign, cut-off or inconsistent image is refused, never read beyond its end") {
    std::string image = container(entry(1, 90, ptx_for("sm_90"), zstd));
    CHECK_THROWS_AS(read(std::string("\x7f" "ELF and more than sixteen bytes")), BadImage);
    for (std::size_t length : {std::size_t(4), std::size_t(15), std::size_t(17),
                               std::size_t(60), image.size() - 1})
        CHECK_THROWS_AS(read(image.substr(0, length)), BadImage);

    std::string broken = image;
    put(broken, 16 + 8, std::uint64_t(1) << 40);     // payload size
    CHECK_THROWS_AS(read(broken), BadImage);
    broken = image;
    put(broken, 16 + 4, std::uint32_t(8));           // header size
    CHECK_THROWS_AS(read(broken), BadImage);
    broken = image;
    put(broken, 16 + 16, std::uint32_t(1u << 30));   // packed size
    CHECK_THROWS_AS(read(broken), BadImage);
    broken = image;
    put(broken, 16 + 56, std::uint64_t(1) << 50);    // unpacked size
    CHECK_THROWS_AS(choose_ptx(read(broken), 90), BadImage);
    broken = image;
    broken[16 + 64] = 'x';                           // zstd's own mark
    CHECK_THROWS_AS(choose_ptx(read(broken), 90), BadImage);
    broken = container(entry(1, 90, ptx_for("sm_90"), lz4));
    std::memset(broken.data() + 16 + 64, 0xff, 32);
    CHECK_THROWS_AS(choose_ptx(read(broken), 90), BadImage);
}
