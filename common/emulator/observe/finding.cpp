#include "emulator/observe/finding.h"

#include <algorithm>

namespace emu {
namespace {

constexpr FindingKind kinds[] = {
    {"out-of-bounds", "memory", "a kernel reads or writes beside its allocation"},
    {"null-pointer", "memory", "a kernel reads or writes through a null pointer"},
    {"use-after-free", "memory", "a kernel reads or writes memory that was freed"},
    {"host-pointer", "memory", "a kernel uses an address of plain host memory"},
    {"illegal-address", "memory", "a kernel uses an address where no memory is"},
    {"misaligned-access", "memory", "an address is no multiple of the access's width"},
    {"read-only-write", "memory", "a kernel writes to constant memory"},
    {"shared-out-of-bounds", "memory", "an access beyond the block's shared memory"},
    {"local-out-of-bounds", "memory", "an access beyond the thread's local memory"},
    {"stack-overflow", "memory", "calls nest deeper than the thread's stack allows"},
    {"device-pointer-on-host", "memory", "host code dereferences device memory"},
    {"invalid-free", "memory", "an address is freed that is no live allocation"},
    {"leak", "leak", "an allocation is still there when the program ends"},
    {"barrier-divergence", "sync", "threads of a block wait at different barriers"},
    {"barrier-missed", "sync", "a barrier waits for threads that never reach it"},
    {"lane-mask", "sync", "a warp-wide operation whose mask does not fit its lanes"},
    {"deadlock", "sync", "nothing in the block or grid can run any more"},
    {"instruction-limit", "sync", "the launch ran its limit of instructions"},
    {"assert", "api", "a device assertion failed"},
    {"trap", "api", "the kernel stopped itself with a trap"},
    {"unsupported-wait", "api", "a kernel waits for the host, which waits for the kernel"},
    {"unsupported-instruction", "api", "an instruction that the emulator does not have"},
    {"double-free", "memory", "an allocation is freed twice"},
    {"copy-out-of-bounds", "memory", "a copy or fill reaches beyond an allocation"},
    {"host-device-mixup", "memory", "a copy whose direction and pointers do not agree"},
    {"launch-rejected", "api", "a launch that the device cannot do"},
    {"no-kernel-image", "api", "a program without PTX that the device can run"},
    {"bad-image", "api", "CUDA code in the program that cannot be read"},
    {"event-not-ready", "api", "a time asked for before the event was waited for"},
    {"copy-not-awaited", "api",
     "host code reads what an asynchronous copy has yet to write"},
    {"invalid-symbol", "api", "a name that is no device variable"},
    {"memset-of-bytes", "api", "a fill whose value is hardly meant for single bytes"},
    {"result-never-read", "api", "what kernels made is never copied back"},
    {"invalid-call", "api", "a call to the runtime that cannot do what it is asked"},
    {"unread-error", "api", "an error that the program did not look at"},
    {"sticky-error", "api", "a call fails because of an earlier kernel"},
    {"not-supported", "api", "a runtime call that the emulator does not have"},
};

}  // namespace

const FindingKind* finding_kind(std::string_view kind) {
    auto found = std::ranges::find(kinds, kind, &FindingKind::kind);
    return found == std::end(kinds) ? nullptr : found;
}

}  // namespace emu
