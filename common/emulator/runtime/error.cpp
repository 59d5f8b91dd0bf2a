// Names and wordings of error codes, and the error that a thread has not looked at.
#include <cuda_runtime_api.h>

#include <cctype>
#include <map>

#include "emulator/runtime/report.h"

using namespace emu;

namespace {

struct Code {
    int number;
    const char* name;
};
// Written at build time from the toolkit's driver_types.h: {0, "cudaSuccess"}, ...
const Code codes[] = {
#include "error_names.inc"
};

// The wordings that programs print, books quote and people search for.
struct Wording {
    cudaError_t code;
    const char* text;
};
const Wording wordings[] = {
    {cudaSuccess, "no error"},
    {cudaErrorInvalidValue, "invalid argument"},
    {cudaErrorMemoryAllocation, "out of memory"},
    {cudaErrorInitializationError, "initialization error"},
    {cudaErrorCudartUnloading, "driver shutting down"},
    {cudaErrorInvalidConfiguration, "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "invalid host pointer"},
    {cudaErrorInvalidDevicePointer, "invalid device pointer"},
    {cudaErrorInvalidTexture, "invalid texture reference"},
    {cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"},
    {cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"},
    {cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"},
    {cudaErrorInvalidNormSetting, "read as normalized float not supported for data type"},
    {cudaErrorInsufficientDriver,
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorMissingConfiguration, "__global__ function call is not configured"},
    {cudaErrorInvalidDeviceFunction, "invalid device function"},
    {cudaErrorNoDevice, "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "invalid device ordinal"},
    {cudaErrorInvalidKernelImage, "device kernel image is invalid"},
    {cudaErrorDeviceUninitialized, "invalid device context"},
    {cudaErrorNoKernelImageForDevice,
     "no kernel image is available for execution on the device"},
    {cudaErrorUnsupportedLimit, "limit is not supported on this architecture"},
    {cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"},
    {cudaErrorInvalidPtx, "a PTX JIT compilation failed"},
    {cudaErrorUnsupportedPtxVersion,
     "the provided PTX was compiled with an unsupported toolchain."},
    {cudaErrorFileNotFound, "file not found"},
    {cudaErrorInvalidResourceHandle, "invalid resource handle"},
    {cudaErrorSymbolNotFound, "named symbol not found"},
    {cudaErrorNotReady, "device not ready"},
    {cudaErrorIllegalAddress, "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "the launch timed out and was terminated"},
    {cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"},
    {cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"},
    {cudaErrorContextIsDestroyed, "context is destroyed"},
    {cudaErrorAssert, "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered,
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered,
     "pointer does not correspond to a registered memory region"},
    {cudaErrorHardwareStackError, "hardware stack error"},
    {cudaErrorIllegalInstruction, "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "misaligned address"},
    {cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"},
    {cudaErrorInvalidPc, "invalid program counter"},
    {cudaErrorLaunchFailure, "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"},
    {cudaErrorNotPermitted, "operation not permitted"},
    {cudaErrorNotSupported, "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"},
    {cudaErrorTimeout, "wait operation timed out"},
    {cudaErrorUnknown, "unknown error"},
};

// "cudaErrorGraphExecUpdateFailure" says "graph exec update failure".
std::string words_of(std::string name) {
    if (name.starts_with("cudaError")) name.erase(0, 9);
    std::string words;
    for (char c : name) {
        bool capital = std::isupper(static_cast<unsigned char>(c));
        if (capital && !words.empty()) words += ' ';
        words += char(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

const std::map<int, std::string>& texts() {
    static auto* made = [] {
        auto* all = new std::map<int, std::string>;
        for (const Code& code : codes) (*all)[code.number] = words_of(code.name);
        for (const Wording& wording : wordings) (*all)[wording.code] = wording.text;
        return all;
    }();
    return *made;
}

// An error that was tolerated, and then blamed on a launch that is fine.
void tell_if_stale(Call& call, const LastError& last) {
    if (last.error == cudaSuccess || last.launched_since.empty()) return;
    if (call.state().fault.visible) return;
    std::string from = place_of(last.callers).text();
    tell(call, "unread-error", Severity::note,
         std::string(call.name()) + call.at_place() + " returns '" +
             cudaGetErrorString(last.error) + "' from " + last.call +
             (from.empty() ? "" : " at " + from) +
             "; that error was never read, the launch of " + last.launched_since + " is fine",
         "call cudaGetLastError() where the error is tolerated: reading clears it", last.error);
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
    for (const Code& code : codes)
        if (code.number == int(error)) return code.name;
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    auto found = texts().find(int(error));
    return found == texts().end() ? "unrecognized error code" : found->second.c_str();
}

cudaError_t cudaGetLastError() {
    Call call("cudaGetLastError", Needs::nothing);
    LastError last = last_error();
    tell_if_stale(call, last);
    last_error() = {};
    return last.error;
}

cudaError_t cudaPeekAtLastError() {
    Call call("cudaPeekAtLastError", Needs::nothing);
    tell_if_stale(call, last_error());
    last_error().launched_since.clear();
    return last_error().error;
}

}  // extern "C"
