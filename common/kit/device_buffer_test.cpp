#include "kit/device_buffer.h"

#include <doctest/doctest.h>

#include <utility>

TEST_CASE("an empty buffer needs no device") {
    kit::DeviceBuffer<float> empty(0);
    CHECK(empty.data() == nullptr);
    CHECK(empty.bytes() == 0);
    CHECK(empty.copy_out().empty());
}

TEST_CASE("copying in the wrong number of values is refused before the device is asked") {
    kit::DeviceBuffer<int> empty(0);
    CHECK_THROWS_WITH(empty.copy_in(std::vector<int>{1, 2, 3}),
                      "DeviceBuffer::copy_in: 3 values for 0 places");
}

TEST_CASE("what goes in comes out, and a moved buffer is empty") {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        MESSAGE("no device here: not run");
        return;
    }
    kit::DeviceBuffer<int> buffer(std::vector<int>{3, 1, 4, 1, 5});
    kit::DeviceBuffer<int> other = std::move(buffer);
    CHECK(buffer.data() == nullptr);
    CHECK(other.copy_out() == std::vector<int>{3, 1, 4, 1, 5});
    kit::DeviceBuffer<unsigned> poisoned(2, kit::Fill::poison);
    CHECK(poisoned.copy_out() == std::vector<unsigned>{0xCDCDCDCDu, 0xCDCDCDCDu});
}
