#include "emulator/runtime/copy.h"

#include <cstring>

#include "emulator/runtime/image.h"
#include "emulator/runtime/pending.h"
#include "emulator/runtime/report.h"
#include "emulator/runtime/where.h"

namespace emu {
namespace {

const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost: return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice: return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost: return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice: return "cudaMemcpyDeviceToDevice";
        default: return "cudaMemcpyDefault";
    }
}

// What the kind says about one of the two pointers.
enum class Wanted { any, host, device };
Wanted wanted_to(cudaMemcpyKind kind) {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice)
        return Wanted::device;
    return kind == cudaMemcpyDefault ? Wanted::any : Wanted::host;
}
Wanted wanted_from(cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice)
        return Wanted::device;
    return kind == cudaMemcpyDefault ? Wanted::any : Wanted::host;
}
bool agrees(Wanted wanted, Side side) {
    return wanted == Wanted::any || side == Side::both ||
           (wanted == Wanted::host) == (side == Side::host);
}

const char* noun(Side side) { return side == Side::host ? "host memory" : "device memory"; }

cudaMemcpyKind kind_between(Side to, Side from) {
    if (to == Side::host)
        return from == Side::host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from == Side::host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

// A GPU forgives a device pointer where the kind says host, and refuses the reverse.
cudaError_t check_direction(Call& call, const Region& to, const Region& from,
                            cudaMemcpyKind kind) {
    bool to_agrees = agrees(wanted_to(kind), to.side);
    bool from_agrees = agrees(wanted_from(kind), from.side);
    if (to_agrees && from_agrees) return cudaSuccess;
    bool forgiven = (to_agrees || wanted_to(kind) == Wanted::host) &&
                    (from_agrees || wanted_from(kind) == Wanted::host) &&
                    (kind == cudaMemcpyHostToHost ||
                     (to.side != Side::host && from.side != Side::host));
    std::string message = std::string(call.name()) + " is told " + name_of(kind) +
                          ", but the destination is " + noun(to.side) +
                          " and the source is " + noun(from.side);
    if (to.allocation) message += "; the destination is " + described(*to.allocation);
    if (from.allocation) message += "; the source is " + described(*from.allocation);
    std::string remedy = std::string("if the pointers are right, the kind is ") +
                         name_of(kind_between(to.side, from.side)) +
                         "; the destination comes first";
    cudaError_t error = forgiven ? cudaSuccess : cudaErrorInvalidValue;
    tell(call, "host-device-mixup", forgiven ? Severity::note : Severity::error, message,
         remedy, error);
    return error;
}

cudaError_t wait_for_device(Call& call) {
    finish_everything(call.state());
    return fault_seen_by(call);
}

void move_rows(std::byte* to, const Layout& to_layout, const std::byte* from,
               const Layout& from_layout, const Box& box) {
    for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t row = 0; row < box.height; ++row)
            std::memmove(to + (z * to_layout.layer_rows + row) * to_layout.pitch,
                         from + (z * from_layout.layer_rows + row) * from_layout.pitch,
                         box.width);
}

// A copy to pinned memory that nobody waits for may still be on its way: the host sees the
// old bytes until it has waited.
void move_later(Call& call, Stream& stream, const Region& to, const Layout& to_layout,
                const std::byte* from, const Layout& from_layout, const Box& box) {
    for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t row = 0; row < box.height; ++row) {
            PendingCopy copy;
            copy.stream = &stream;
            copy.place = stream.queued;
            copy.to = to.at + (z * to_layout.layer_rows + row) * to_layout.pitch;
            const std::byte* first =
                from + (z * from_layout.layer_rows + row) * from_layout.pitch;
            copy.bytes.assign(first, first + box.width);
            add_pending(call, std::move(copy), *to.allocation);
        }
}

void note_direction(Call& call, const Region& to, const Region& from) {
    State& s = call.state();
    if (to.side != Side::device || from.side == Side::both) s.results.read = true;
    if (to.side == Side::device && from.side == Side::host && !s.launches.empty() &&
        !s.results.overwritten)
        s.results = {s.results.read, true, s.launches.back().kernel, call.callers()};
}

// 1 in every byte of an int is 16843009, and 1000 does not fit a byte: rarely what is meant.
void tell_if_not_bytes(Call& call, const Box& box, int value) {
    bool fits = value >= -1 && value <= 255 && value != 1;
    if (fits || box.width % sizeof(int) != 0) return;
    auto byte = static_cast<unsigned char>(value);
    tell(call, "memset-of-bytes", Severity::hint,
         std::string(call.name()) + " sets each byte to " + std::to_string(int(byte)) +
             ": a 4-byte integer there is then " +
             std::to_string(static_cast<int>(byte * 0x01010101u)),
         "set integers or floats with a kernel, or copy them from the host",
         cudaSuccess);
}

bool is_pinned(const Region& region) {
    return region.allocation && (region.allocation->kind == Kind::pinned ||
                                 region.allocation->kind == Kind::mapped);
}

}  // namespace

cudaError_t copy(Call& call, Layout to, Layout from, Box box, cudaMemcpyKind kind,
                 cudaStream_t stream_handle, Waits waits) {
    State& s = call.state();
    Stream* stream = stream_of(s, stream_handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (box.width == 0 || box.rows() == 0) return cudaSuccess;
    if (box.rows() > 1 && (to.pitch < box.width || from.pitch < box.width))
        return cudaErrorInvalidPitchValue;
    if (waits == Waits::yes)
        if (cudaError_t error = wait_for_device(call); error != cudaSuccess) return error;

    Region target = region_of(call, to.pointer, to.span(box), "writes");
    if (target.error != cudaSuccess) return target.error;
    Region source = region_of(call, from.pointer, from.span(box), "reads");
    if (source.error != cudaSuccess) return source.error;
    if (cudaError_t error = check_direction(call, target, source, kind); error != cudaSuccess)
        return error;
    ++stream->queued;
    if (s.fault.error != cudaSuccess) return cudaSuccess;   // nothing runs after a fault

    note_direction(call, target, source);
    land_copies_within(s, source.at, from.span(box));
    land_copies_within(s, target.at, to.span(box));
    if (waits == Waits::no && is_pinned(target) && source.side == Side::device)
        move_later(call, *stream, target, to, source.at, from, box);
    else
        move_rows(target.at, to, source.at, from, box);
    return cudaSuccess;
}

cudaError_t fill(Call& call, Layout to, Box box, int value, cudaStream_t stream_handle) {
    State& s = call.state();
    Stream* stream = stream_of(s, stream_handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (box.width == 0 || box.rows() == 0) return cudaSuccess;
    if (box.rows() > 1 && to.pitch < box.width) return cudaErrorInvalidValue;
    Region target = region_of(call, to.pointer, to.span(box), "writes");
    if (target.error != cudaSuccess) return target.error;
    if (target.side == Side::host) {
        tell(call, "host-device-mixup", Severity::error,
             std::string(call.name()) + " is given host memory (" +
                 hex(address_of(to.pointer)) + ")",
             "fill host memory with std::fill or memset", cudaErrorInvalidValue);
        return cudaErrorInvalidValue;
    }
    ++stream->queued;
    if (s.fault.error != cudaSuccess) return cudaSuccess;
    tell_if_not_bytes(call, box, value);
    land_copies_within(s, target.at, to.span(box));
    for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t row = 0; row < box.height; ++row)
            std::memset(target.at + (z * to.layer_rows + row) * to.pitch, value, box.width);
    return cudaSuccess;
}

}  // namespace emu
