#include "emulator/observe/bounds.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "emulator/mem/memory.h"
#include "emulator/observe/finding_sink.h"
#include "emulator/state/block.h"
#include "emulator/state/demangle.h"

namespace emu {
namespace {

using std::to_string;

constexpr int illegal_address = 700, misaligned_address = 716;  // cudaError_t
constexpr std::uint64_t null_zone = 4096;

// One bad lane, with what the messages need.
struct Case {
    const Warp& warp;
    ptx::Space space;
    Does does;
    int bytes;
    std::uint64_t address;
};

// What the finding says; `kind` is a row of the kinds table.
struct Words {
    std::string_view kind;
    std::string what;  // follows "thread (..) of block (..) "
    std::string remedy;
};

std::string plural(std::int64_t n, const char* thing) {
    return to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string triple(const Dim3& d) {
    char text[40];
    std::snprintf(text, sizeof text, "(%u,%u,%u)", d.x, d.y, d.z);
    return text;
}

std::string verb(const Case& c) {
    const char* does = c.does == Does::load    ? "reads "
                       : c.does == Does::store ? "writes "
                                               : "updates (atomically) ";
    return does + plural(c.bytes, "byte");
}

bool is_variable(const Allocation& a) {
    return a.kind == Kind::symbol || a.kind == Kind::constant;
}

// A variable as the source has it: of "blur(int const*, int*)::tile" the last part.
std::string source_name(const std::string& symbol) {
    const std::string whole = demangled(symbol);
    const std::size_t at = whole.rfind("::");
    return at == std::string::npos ? whole : whole.substr(at + 2);
}

// "the variable 'table'", "a 360-byte allocation (cudaMalloc at a.cu:12)".
std::string name_of(const Allocation& a) {
    if (is_variable(a))
        return std::string(a.kind == Kind::constant ? "the constant '"
                                                    : "the variable '") +
               source_name(a.name) + "'";
    return "a " + to_string(a.bytes) + "-byte allocation (" +
           (a.name.empty() ? std::string("cudaMalloc") : a.name) +
           (a.place.empty() ? "" : " at " + a.place) + ")";
}

// The offset as an element, if the access has the array's element width.
std::string as_index(std::int64_t offset, std::uint64_t size, int bytes) {
    if (offset % bytes != 0 || size % static_cast<unsigned>(bytes) != 0) return "";
    return ", index " + to_string(offset / bytes) + " of length " +
           to_string(size / static_cast<unsigned>(bytes));
}

Words beside(const Case& c, const Allocation& a) {
    const auto offset = static_cast<std::int64_t>(c.address - a.address);
    Words words{"out-of-bounds",
                verb(c) + " at offset " + to_string(offset) + " of " + name_of(a) +
                    (is_variable(a) ? ", which has " + plural(a.bytes, "byte") : "") +
                    as_index(offset, a.bytes, c.bytes),
                ""};
    if (a.pitch > 0)
        words.what += ", whose rows are " + to_string(a.pitch) + " bytes apart";
    words.remedy =
        offset < 0
            ? "Check the index that comes out negative: a difference of indices, or a "
              "product that overflows int (compute it in size_t)."
            : "Let only threads with an element work: pass the number of elements and "
              "test the index against it, as in `if (i < n)`.";
    const bool whole_elements = a.bytes % static_cast<unsigned>(c.bytes) == 0;
    if (offset >= 0 && !whole_elements && !is_variable(a))
        words.remedy = "The allocation is no whole number of " + to_string(c.bytes) +
                       "-byte elements. Sizes are in bytes: is `* sizeof(...)` missing?";
    if (a.pitch > 0)
        words.remedy =
            "A row of pitched memory starts pitch bytes after the one before: step "
            "by bytes, not by elements.";
    return words;
}

// "argument 2", where the address is a little above a pointer among the kernel's
// arguments.
std::string argument_with(const Case& c) {
    const Launch& launch = *c.warp.block->launch;
    std::string best;
    std::uint64_t nearest = 1 << 30;
    for (std::size_t at = 0; at + 8 <= launch.arguments.size(); at += 8) {
        std::uint64_t value;
        std::memcpy(&value, launch.arguments.data() + at, 8);
        if (value < null_zone || c.address - value >= nearest) continue;
        nearest = c.address - value;
        const auto& starts = launch.argument_offsets;
        const auto after = std::upper_bound(starts.begin(), starts.end(), at);
        best = "argument " + to_string(after - starts.begin()) + " of the kernel";
    }
    return best;
}

Words nowhere(const Case& c) {
    if (c.address < null_zone)
        return {
            "null-pointer", verb(c) + " through a null pointer",
            "The pointer was never set, or its allocation failed: check what cudaMalloc "
            "returned, and which pointer the launch passes."};
    if (c.address - shared_window < shared_window_bytes ||
        c.address - local_window < local_window_bytes)
        return {"illegal-address",
                verb(c) + " of global memory at " + hex(c.address) +
                    ", which is an address of shared or local memory",
                "Such an address means something only within its block or thread."};
    if (Memory::is_host_address(c.address)) {
        const std::string argument = argument_with(c);
        return {
            "host-pointer",
            verb(c) + " at " + hex(c.address) + ": " +
                (argument.empty() ? std::string("that") : argument) +
                " is a host pointer, not from cudaMalloc or cudaMallocManaged",
            "Allocate with cudaMalloc and copy with cudaMemcpy, or use managed memory."};
    }
    return {"illegal-address", verb(c) + " at " + hex(c.address) + ", where no memory is",
            "Check the pointer's arithmetic, and that the pointer was set before the "
            "launch."};
}

Words global_words(const Case& c) {
    const Memory& memory = *c.warp.block->launch->memory;
    const Allocation* a = memory.nearest(c.address);
    if (!a || c.address < null_zone) return nowhere(c);
    const bool inside = c.address - a->address < a->bytes;
    if (a->freed && inside)
        return {"use-after-free",
                verb(c) + " at offset " + to_string(c.address - a->address) + " of " +
                    name_of(*a) + ", which has been freed",
                "Free memory after the last kernel that uses it has finished."};
    if (inside && a->kind == Kind::constant && c.does != Does::load)
        return {
            "read-only-write",
            verb(c) + " to " + name_of(*a) + ", which a kernel can only read",
            "Set constants from the host with cudaMemcpyToSymbol, or use a __device__ "
            "variable."};
    if (!inside && !Memory::is_device_address(c.address) && a->kind != Kind::managed &&
        a->kind != Kind::pinned && a->kind != Kind::mapped)
        return nowhere(c);
    return beside(c, *a);
}

Words shared_words(const Case& c) {
    const Block& block = *c.warp.block;
    const auto address = static_cast<std::int32_t>(c.address);
    const SharedArray* array = nullptr;
    for (auto& candidate : block.launch->shared_arrays)
        if (!array || static_cast<std::int64_t>(candidate.offset) <= address)
            array = &candidate;
    std::string what = verb(c);
    if (array) {
        const std::int64_t offset = address - static_cast<std::int64_t>(array->offset);
        what += " at offset " + to_string(offset) + " of the shared array '" +
                source_name(array->name) + "', which has " +
                plural(array->bytes, "byte") + as_index(offset, array->bytes, c.bytes);
    } else {
        what += " at offset " + to_string(address) +
                " of shared memory, of which the block "
                "has " +
                plural(block.shared_bytes, "byte") +
                as_index(address, block.shared_bytes, c.bytes);
    }
    const bool none = block.shared_bytes == 0;
    return {
        "shared-out-of-bounds", what,
        none
            ? "Pass the bytes of the extern array as the launch's third parameter."
            : "Make the array as large as its indices: a tile with a halo needs room for "
              "the halo on both sides."};
}

Words local_words(const Case& c) {
    return {"local-out-of-bounds",
            verb(c) + " at offset " + to_string(static_cast<std::int32_t>(c.address)) +
                " of its local memory, of which a thread has " +
                plural(c.warp.local_stride, "byte"),
            "Check the index into the array that the thread declares."};
}

Words misaligned_words(const Case& c) {
    return {
        "misaligned-access",
        verb(c) + " at " +
            (c.space == ptx::Space::global ? hex(c.address) : to_string(c.address)) +
            " of " + std::string(ptx::name_of(c.space)) + " memory, no multiple of " +
            to_string(c.bytes),
        "An access of " + plural(c.bytes, "byte") +
            " needs an address that is a multiple "
            "of as many: a pointer cast to a wider type must start at such an address."};
}

Words words_for(const Case& c, BadAccess why) {
    if (why == BadAccess::misaligned) return misaligned_words(c);
    if (c.space == ptx::Space::shared) return shared_words(c);
    if (c.space == ptx::Space::local) return local_words(c);
    return global_words(c);
}

Dim3 thread_of(const Warp& warp, int lane) {
    return {warp.id.tid_x[lane], warp.id.tid_y[lane], warp.id.tid_z[lane]};
}

}  // namespace

std::uint64_t finding_order(const Warp& warp) {
    constexpr std::uint64_t steps = 1 << 20;
    return warp.block->number * steps + (warp.issued < steps ? warp.issued : steps - 1);
}

void report_bad_access(const Warp& warp, const Inst& inst, ptx::Space space, Does does,
                       int bytes, const std::uint64_t* address, LaneMask lanes,
                       BadAccess why) {
    FindingSink* sink = warp.worker->findings;
    if (!sink) return;
    const int lane = first_lane(lanes);
    const Case c{warp, space, does, bytes, address[lane]};
    Words words = words_for(c, why);
    const std::uint64_t order = finding_order(warp);
    if (sink->known(words.kind, &inst, order, static_cast<std::uint64_t>(count(lanes))))
        return;
    Finding finding;
    finding.kind = words.kind;
    finding.has_thread = true;
    finding.block = warp.block->index;
    finding.thread = thread_of(warp, lane);
    finding.address = c.address;
    finding.message = "thread " + triple(finding.thread) + " of block " +
                      triple(finding.block) + " " + words.what;
    finding.remedy = std::move(words.remedy);
    finding.count = static_cast<std::uint64_t>(count(lanes));
    finding.error = why == BadAccess::misaligned ? misaligned_address : illegal_address;
    finding.order = order;
    sink->add(std::move(finding), &inst);
}

}  // namespace emu
