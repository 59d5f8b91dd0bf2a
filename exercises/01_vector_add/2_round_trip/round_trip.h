#pragma once
// The whole journey of an array: to the device, through a kernel, and back.
#include <vector>

namespace exercise {

// Returns each temperature in degrees Fahrenheit: 1.8 * celsius + 32.
//   celsius   any number of values, also none, in host memory
// The conversion runs on the device. All device memory is free again on return.
std::vector<float> to_fahrenheit(const std::vector<float>& celsius);

}  // namespace exercise

namespace solution {
std::vector<float> to_fahrenheit(const std::vector<float>& celsius);
}
