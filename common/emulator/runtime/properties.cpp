#include "emulator/runtime/properties.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

// What is not in the device table is the same on every device that CUDA 13 compiles for, or
// as an H200 with CUDA 13.0 answers.
namespace emu {
namespace {

template <class T, std::size_t n>
void fill(T (&sides)[n], std::initializer_list<T> values) {
    std::copy(values.begin(), values.end(), sides);
}

void fill_textures(cudaDeviceProp& p) {
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    p.maxTexture1D = 131072;
    p.maxTexture1DMipmap = 32768;
    fill(p.maxTexture2D, {131072, 65536});
    fill(p.maxTexture2DMipmap, {32768, 32768});
    fill(p.maxTexture2DLinear, {131072, 65000, 2097120});
    fill(p.maxTexture2DGather, {32768, 32768});
    fill(p.maxTexture3D, {16384, 16384, 16384});
    fill(p.maxTexture3DAlt, {8192, 8192, 32768});
    p.maxTextureCubemap = 32768;
    fill(p.maxTexture1DLayered, {32768, 2048});
    fill(p.maxTexture2DLayered, {32768, 32768, 2048});
    fill(p.maxTextureCubemapLayered, {32768, 2046});
    p.maxSurface1D = 32768;
    fill(p.maxSurface2D, {131072, 65536});
    fill(p.maxSurface3D, {16384, 16384, 16384});
    fill(p.maxSurface1DLayered, {32768, 2048});
    fill(p.maxSurface2DLayered, {32768, 32768, 2048});
    p.maxSurfaceCubemap = 32768;
    fill(p.maxSurfaceCubemapLayered, {32768, 2046});
}

void fill_abilities(cudaDeviceProp& p) {
    p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.managedMemory = p.concurrentManagedAccess = p.computePreemptionSupported = 1;
    p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    p.asyncEngineCount = 3;
    p.pciDeviceID = 1;
    p.hostNumaId = -1;
    p.deviceNumaId = -1;
}

}  // namespace

cudaDeviceProp properties_of(const DeviceSpec& spec) {
    cudaDeviceProp p{};
    std::snprintf(p.name, sizeof p.name, "%.*s", int(spec.product.size()), spec.product.data());
    std::snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "emulated-%.*s", int(spec.name.size()),
                  spec.name.data());
    p.totalGlobalMem = spec.memory_bytes;
    p.sharedMemPerBlock = spec.shared_per_block;
    p.sharedMemPerBlockOptin = spec.shared_per_block_optin;
    p.sharedMemPerMultiprocessor = spec.shared_per_multiprocessor;
    p.reservedSharedMemPerBlock = spec.shared_reserved;
    p.regsPerBlock = int(spec.registers_per_block);
    p.regsPerMultiprocessor = int(spec.registers_per_multiprocessor);
    p.warpSize = 32;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = 1024;
    fill(p.maxThreadsDim, {1024, 1024, 64});
    fill(p.maxGridSize, {2147483647, 65535, 65535});
    p.totalConstMem = 65536;
    p.major = spec.major;
    p.minor = spec.minor;
    p.multiProcessorCount = spec.multiprocessors;
    p.maxThreadsPerMultiProcessor = spec.threads_per_multiprocessor;
    p.maxBlocksPerMultiProcessor = spec.blocks_per_multiprocessor;
    p.memoryBusWidth = spec.bus_bits;
    p.l2CacheSize = int(spec.l2_bytes);
    if (spec.major >= 8) p.persistingL2CacheMaxSize = int(spec.l2_bytes / 8 * 5);
    if (spec.major >= 8) p.accessPolicyMaxWindowSize = 134217728;
    fill_textures(p);
    fill_abilities(p);
    return p;
}

bool attribute_of(const DeviceSpec& spec, int attribute, int& value) {
    static_assert(CUDART_VERSION >= 13000);
    cudaDeviceProp p = properties_of(spec);
    struct Row {
        int attribute;
        long long value;
    };
    const Row rows[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p.sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, (long long)p.totalConstMem},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxPitch, (long long)p.memPitch},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrClockRate, spec.clock_khz},
        {cudaDevAttrTextureAlignment, (long long)p.textureAlignment},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
        {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
        {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
        {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
        {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
        {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
        {cudaDevAttrMaxTexture2DLayeredWidth, p.maxTexture2DLayered[0]},
        {cudaDevAttrMaxTexture2DLayeredHeight, p.maxTexture2DLayered[1]},
        {cudaDevAttrMaxTexture2DLayeredLayers, p.maxTexture2DLayered[2]},
        {cudaDevAttrSurfaceAlignment, (long long)p.surfaceAlignment},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrPciDeviceId, p.pciDeviceID},
        {cudaDevAttrMemoryClockRate, spec.memory_clock_khz},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrMaxTexture1DLayeredWidth, p.maxTexture1DLayered[0]},
        {cudaDevAttrMaxTexture1DLayeredLayers, p.maxTexture1DLayered[1]},
        {cudaDevAttrMaxTexture2DGatherWidth, p.maxTexture2DGather[0]},
        {cudaDevAttrMaxTexture2DGatherHeight, p.maxTexture2DGather[1]},
        {cudaDevAttrMaxTexture3DWidthAlt, p.maxTexture3DAlt[0]},
        {cudaDevAttrMaxTexture3DHeightAlt, p.maxTexture3DAlt[1]},
        {cudaDevAttrMaxTexture3DDepthAlt, p.maxTexture3DAlt[2]},
        {cudaDevAttrTexturePitchAlignment, (long long)p.texturePitchAlignment},
        {cudaDevAttrMaxTextureCubemapWidth, p.maxTextureCubemap},
        {cudaDevAttrMaxTextureCubemapLayeredWidth, p.maxTextureCubemapLayered[0]},
        {cudaDevAttrMaxTextureCubemapLayeredLayers, p.maxTextureCubemapLayered[1]},
        {cudaDevAttrMaxSurface1DWidth, p.maxSurface1D},
        {cudaDevAttrMaxSurface2DWidth, p.maxSurface2D[0]},
        {cudaDevAttrMaxSurface2DHeight, p.maxSurface2D[1]},
        {cudaDevAttrMaxSurface3DWidth, p.maxSurface3D[0]},
        {cudaDevAttrMaxSurface3DHeight, p.maxSurface3D[1]},
        {cudaDevAttrMaxSurface3DDepth, p.maxSurface3D[2]},
        {cudaDevAttrMaxSurface1DLayeredWidth, p.maxSurface1DLayered[0]},
        {cudaDevAttrMaxSurface1DLayeredLayers, p.maxSurface1DLayered[1]},
        {cudaDevAttrMaxSurface2DLayeredWidth, p.maxSurface2DLayered[0]},
        {cudaDevAttrMaxSurface2DLayeredHeight, p.maxSurface2DLayered[1]},
        {cudaDevAttrMaxSurface2DLayeredLayers, p.maxSurface2DLayered[2]},
        {cudaDevAttrMaxSurfaceCubemapWidth, p.maxSurfaceCubemap},
        {cudaDevAttrMaxSurfaceCubemapLayeredWidth, p.maxSurfaceCubemapLayered[0]},
        {cudaDevAttrMaxSurfaceCubemapLayeredLayers, p.maxSurfaceCubemapLayered[1]},
        {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
        {cudaDevAttrMaxTexture2DLinearWidth, p.maxTexture2DLinear[0]},
        {cudaDevAttrMaxTexture2DLinearHeight, p.maxTexture2DLinear[1]},
        {cudaDevAttrMaxTexture2DLinearPitch, p.maxTexture2DLinear[2]},
        {cudaDevAttrMaxTexture2DMipmappedWidth, p.maxTexture2DMipmap[0]},
        {cudaDevAttrMaxTexture2DMipmappedHeight, p.maxTexture2DMipmap[1]},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMaxTexture1DMipmappedWidth, p.maxTexture1DMipmap},
        {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
        {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
        {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (long long)p.sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, spec.double_ratio},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)p.sharedMemPerBlockOptin},
        {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
        {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
        {cudaDevAttrReservedSharedMemoryPerBlock, (long long)p.reservedSharedMemPerBlock},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrMemSyncDomainCount, spec.major >= 9 ? 4 : 1},
        {cudaDevAttrNumaId, p.deviceNumaId},
        {cudaDevAttrHostNumaId, p.hostNumaId},
    };
    if (attribute < 1 || attribute >= cudaDevAttrMax) return false;
    auto row = std::find_if(std::begin(rows), std::end(rows),
                            [&](const Row& r) { return r.attribute == attribute; });
    // What has no row is an ability that the emulated device lacks.
    value = row == std::end(rows) ? 0 : int(row->value);
    return true;
}

}  // namespace emu
