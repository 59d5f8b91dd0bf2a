// A call that the emulator does not have answers so, once by name on stderr.
// findings:
int main() {
    cudaGraph_t graph;
    if (cudaGraphCreate(&graph, 0) != cudaErrorNotSupported) return 1;
    if (cudaGetLastError() != cudaErrorNotSupported) return 2;
    return cudaGetLastError() != cudaSuccess ? 3 : 0;
}
