#pragma once
// How long work takes, on the device and by the host's clock. The emulator answers "no
// time", so that a table shows – there and nobody mistakes an emulator's speed for a
// GPU's.
#include <functional>
#include <optional>
#include <vector>

namespace kit {

struct Timing {
    std::optional<double> best, median;  // ms
};

struct Repeats {
    int warm_ups = 3;  // not counted: first launches load code, fill caches
    int runs = 15;
};

// Between two events on the default stream around `work`. On the emulator `work` runs
// once.
Timing time_device(const std::function<void()>& work, Repeats repeats = {});

// By the host's clock, from the call of `work` to its return: it does not wait for the
// device unless `work` does. The device is idle when the clock starts.
Timing time_host(const std::function<void()>& work, Repeats repeats = {});

// GB/s (1e9) for so many bytes in so many ms; empty where the time is, and for no bytes.
std::optional<double> gigabytes_per_second(double bytes, std::optional<double> ms);
// 100 * part / whole; empty where either is, or where whole is 0.
std::optional<double> percent(std::optional<double> part, std::optional<double> whole);

// Best and median of the samples; of an even number, the mean of the middle two.
Timing summary(std::vector<double> samples);

}  // namespace kit
