#include "kit/timer.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "kit/check.h"
#include "kit/counters.h"

namespace kit {
namespace {

class Event {
public:
    Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record() { CUDA_CHECK(cudaEventRecord(event_)); }
    double since(const Event& start) const {
        float ms = 0;
        CUDA_CHECK(cudaEventSynchronize(event_));
        CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
        return ms;
    }

private:
    cudaEvent_t event_ = nullptr;
};

Timing repeat(Repeats repeats, const std::function<void()>& work,
              const std::function<double()>& sample) {
    if (on_emulator()) {
        work();
        CUDA_CHECK(cudaDeviceSynchronize());
        return {};
    }
    for (int i = 0; i < repeats.warm_ups; ++i) work();
    std::vector<double> samples;
    for (int i = 0; i < repeats.runs; ++i) {
        CUDA_CHECK(cudaDeviceSynchronize());
        samples.push_back(sample());
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    return summary(std::move(samples));
}

}  // namespace

Timing time_device(const std::function<void()>& work, Repeats repeats) {
    Event start, stop;
    return repeat(repeats, work, [&] {
        start.record();
        work();
        stop.record();
        return stop.since(start);
    });
}

Timing time_host(const std::function<void()>& work, Repeats repeats) {
    using Clock = std::chrono::steady_clock;
    return repeat(repeats, work, [&] {
        const auto start = Clock::now();
        work();
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    });
}

std::optional<double> gigabytes_per_second(double bytes, std::optional<double> ms) {
    if (!ms || *ms <= 0 || bytes <= 0) return std::nullopt;
    return bytes / *ms / 1e6;
}

std::optional<double> percent(std::optional<double> part, std::optional<double> whole) {
    if (!part || !whole || *whole == 0) return std::nullopt;
    return 100 * *part / *whole;
}

Timing summary(std::vector<double> samples) {
    if (samples.empty()) return {};
    std::sort(samples.begin(), samples.end());
    const std::size_t half = samples.size() / 2;
    const double median =
        samples.size() % 2 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
    return {samples.front(), median};
}

}  // namespace kit
