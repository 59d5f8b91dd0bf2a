#include "kit/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kit/device_buffer.h"

namespace kit {
namespace {

template <class T>
struct Pair {
    std::span<const T> got, expected;
    Tolerance tolerance;
    Shape shape;

    bool same(T a, T b) const {
        if (a == b) return true;  // also infinities of one sign
        const double x = double(a), y = double(b);
        if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
        if (std::isinf(x) || std::isinf(y)) return false;
        return std::abs(x - y) <= tolerance.absolute + tolerance.relative * std::abs(y);
    }
    bool right(std::size_t i) const { return same(got[i], expected[i]); }
    // An explanation has to hold wherever the result is wrong, and there must be enough
    // of that for it to be no coincidence.
    template <class F>
    bool wherever_wrong(F explains) const {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < got.size(); ++i)
            if (!right(i) && (++wrong, !explains(i))) return false;
        return wrong > 0;
    }
};

template <class T>
bool is_poison(T value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    return std::all_of(bytes, bytes + sizeof(T),
                       [](unsigned char byte) { return byte == poison_byte; });
}

// The shift k with got[i] == expected[i + k] at every wrong place where that exists.
template <class T>
int shift_of(const Pair<T>& pair) {
    const auto size = std::ptrdiff_t(pair.got.size());
    for (int k : {1, -1, 2, -2, 3, -3, 4, -4, 31, -31, 32, -32, 33, -33}) {
        std::size_t agreeing = 0;
        const bool fits = pair.wherever_wrong([&](std::size_t i) {
            const std::ptrdiff_t from = std::ptrdiff_t(i) + k;
            if (from < 0 || from >= size) return true;
            ++agreeing;
            return pair.same(pair.got[i], pair.expected[std::size_t(from)]);
        });
        if (fits && agreeing >= 3) return k;
    }
    return 0;
}

template <class T>
bool is_transposed(const Pair<T>& pair) {
    const auto [rows, cols, block] = pair.shape;
    if (rows < 2 || cols < 2 || rows * cols != pair.got.size()) return false;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t col = 0; col < cols; ++col)
            if (!pair.same(pair.got[col * rows + row], pair.expected[row * cols + col]))
                return false;
    return true;
}

// The factor between got and expected, where it is the same at no fewer than three wrong
// places; 0 where there is none.
template <class T>
double factor_of(const Pair<T>& pair) {
    double factor = 0;
    std::size_t agreeing = 0;
    const bool fits = pair.wherever_wrong([&](std::size_t i) {
        const double expected = double(pair.expected[i]), got = double(pair.got[i]);
        if (expected == 0 || got == 0 || !std::isfinite(got / expected)) return false;
        if (factor == 0) factor = got / expected;
        ++agreeing;
        return std::abs(got / expected - factor) <= 1e-6 * std::abs(factor);
    });
    return fits && agreeing >= 3 ? factor : 0;
}

template <class T>
std::string tail_pattern(const Pair<T>& pair, const Difference& found) {
    const std::size_t size = found.size, right = found.first;
    if (right == 0 || size - right != found.wrong) return "";
    const std::size_t block = pair.shape.block;
    if (block && found.wrong <= block && right % block == 0)
        return fmt::format(
            "only the last block of {} is wrong: is the grid rounded up, and "
            "the bounds check right?",
            block);
    return fmt::format(
        "everything from {} on is wrong: is the grid rounded up, and large "
        "enough?",
        right);
}

template <class T>
std::string guess(const Pair<T>& pair, const Difference& found) {
    const std::string share =
        found.wrong == found.size ? "every wrong value" : "each of them";
    const std::string tail = tail_pattern(pair, found);
    if (pair.wherever_wrong([&](std::size_t i) { return is_poison(pair.got[i]); }))
        return share + " was never written" + (tail.empty() ? "" : "; " + tail);
    if (pair.wherever_wrong([&](std::size_t i) { return pair.got[i] == T(0); }))
        return share + " is 0" + (tail.empty() ? "" : "; " + tail);
    if (is_transposed(pair))
        return "this is the transposed array: rows and columns are exchanged";
    if (const int k = shift_of(pair))
        return fmt::format(
            "each wrong value is the one that belongs {} further {}: an index "
            "is off by {}",
            std::abs(k), k > 0 ? "on" : "back", std::abs(k));
    if (const double factor = factor_of(pair))
        return fmt::format("each wrong value is {:g} times what it should be", factor);
    return tail;
}

std::string place(std::size_t i, Shape shape) {
    if (shape.cols == 0) return fmt::format("[{}]", i);
    return fmt::format("[{}] (row {}, column {})", i, i / shape.cols, i % shape.cols);
}

std::string sentences(const Difference& d, Tolerance tolerance, Shape shape) {
    std::string text = fmt::format(
        "{} of {} values are wrong; the first is {}: expected "
        "{:.9g}, got {:.9g}",
        d.wrong, d.size, place(d.first, shape), d.expected, d.got);
    if (tolerance.relative > 0 || tolerance.absolute > 0)
        text += fmt::format(" (tolerance {:g} relative, {:g} absolute)",
                            tolerance.relative, tolerance.absolute);
    if (!d.pattern.empty()) text += "\n  " + d.pattern;
    return text;
}

}  // namespace

template <class T>
Difference compare(std::span<const T> got, std::span<const T> expected,
                   Tolerance tolerance, Shape shape) {
    Difference found;
    found.size = expected.size();
    if (got.size() != expected.size()) {
        found.wrong = found.size;
        found.text = fmt::format("{} values came back, {} were expected", got.size(),
                                 expected.size());
        return found;
    }
    const Pair<T> pair{got, expected, tolerance, shape};
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (pair.right(i)) continue;
        if (found.wrong++ > 0) continue;
        found.first = i;
        found.expected = double(expected[i]);
        found.got = double(got[i]);
    }
    if (found.wrong == 0) return found;
    found.pattern = guess(pair, found);
    found.text = sentences(found, tolerance, shape);
    return found;
}

#define KIT_COMPARE(T)                                                                \
    template Difference compare<T>(std::span<const T>, std::span<const T>, Tolerance, \
                                   Shape);
KIT_COMPARE(float)
KIT_COMPARE(double)
KIT_COMPARE(int)
KIT_COMPARE(unsigned)
KIT_COMPARE(long long)
KIT_COMPARE(unsigned long long)
KIT_COMPARE(unsigned char)
#undef KIT_COMPARE

}  // namespace kit
