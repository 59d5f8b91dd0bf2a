#include "kit/arguments.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <getopt.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <numeric>

#include "kit/check.h"
#include "kit/counters.h"

namespace kit {
namespace {

constexpr std::size_t largest = std::size_t(-1);

// Edits between two words: inserted, dropped or replaced letters.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

struct Parsed {
    std::size_t value = 0;
    bool number = false;  // it reads as a whole number
    bool fits = true;     // in 64 bits
};

Parsed digits(const std::string& text) {
    Parsed parsed{0, !text.empty(), true};
    for (char c : text) {
        if (!std::isdigit(static_cast<unsigned char>(c))) return {0, false, true};
        const auto digit = std::size_t(c - '0');
        if (parsed.value > (largest - digit) / 10) parsed.fits = false;
        parsed.value = parsed.value * 10 + digit;
    }
    return parsed;
}

Parsed scaled(Parsed base, unsigned shift) {
    if (shift >= 64 || base.value > (largest >> shift))
        base.fits = base.value == 0;
    else
        base.value <<= shift;
    return base;
}

Parsed read_size(std::string text) {
    if (text.starts_with("2^")) {
        const Parsed power = digits(text.substr(2));
        return power.number ? scaled({1, true, power.fits},
                                     unsigned(std::min<std::size_t>(power.value, 64)))
                            : power;
    }
    static const std::string suffixes = "KMG";
    const char last = text.empty() ? ' ' : char(std::toupper(text.back()));
    const std::size_t suffix = suffixes.find(last);
    if (suffix == std::string::npos) return digits(text);
    text.pop_back();
    return scaled(digits(text), unsigned(10 * (suffix + 1)));
}

std::string bytes_text(double bytes) {
    const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 6; ++unit) bytes /= 1024;
    return fmt::format("{:.4g} {}", bytes, units[unit]);
}

}  // namespace

std::size_t parse_size(const std::string& option, const std::string& text,
                       std::size_t least, std::size_t most) {
    const bool negative = text.size() > 1 && text[0] == '-';
    const Parsed parsed = read_size(negative ? text.substr(1) : text);
    const std::string range = most == largest ? fmt::format("{} or more", least)
                                              : fmt::format("{} to {}", least, most);
    if (!parsed.number)
        throw Usage(
            fmt::format("--{} takes a whole number ({}; 64K, 1M and 2^20 work too), "
                        "not '{}'.",
                        option, range, text),
            2);
    if (negative)
        throw Usage(
            fmt::format("--{} cannot be negative: {}. Give {}.", option, text, range), 2);
    if (!parsed.fits)
        throw Usage(fmt::format("--{} {} is larger than any memory. Give {}.", option,
                                text, range),
                    2);
    if (parsed.value < least || parsed.value > most)
        throw Usage(
            fmt::format("--{} is {}, and has to be {}.", option, parsed.value, range), 2);
    return parsed.value;
}

Arguments::Arguments(std::string program, std::string purpose)
    : program_(std::move(program)), purpose_(std::move(purpose)) {
    flag("json", json_, "print the tables as one JSON document");
    flag("csv", csv_, "print the tables as CSV");
}

void Arguments::size(const char* name, std::size_t& value, std::size_t least,
                     std::size_t most, const char* help) {
    const std::string option = name;
    options_.push_back(
        {option, fmt::format("{} (default {})", help, value),
         [=, &value](const char* text) { value = parse_size(option, text, least, most); },
         true});
}

void Arguments::flag(const char* name, bool& value, const char* help) {
    options_.push_back({name, help, [&value](const char*) { value = true; }, false});
}

Format Arguments::format() const {
    return json_ ? Format::json : csv_ ? Format::csv : Format::text;
}

std::string Arguments::help() const {
    std::string text = fmt::format("{}\n\nUsage: {} [options]\n\n", purpose_, program_);
    for (const Option& option : options_)
        text += fmt::format("  {:<18} {}\n",
                            "--" + option.name + (option.takes_value ? " N" : ""),
                            option.help);
    return text + fmt::format("  {:<18} show this help", "--help");
}

void Arguments::unknown(const std::string& option) const {
    const Option* nearest = nullptr;
    std::size_t best = 3;  // further away is no likely slip of the finger
    for (const Option& known : options_)
        if (const std::size_t d = distance("--" + known.name, option); d < best) {
            best = d;
            nearest = &known;
        }
    throw Usage(
        fmt::format("There is no option {}.{} See {} --help.", option,
                    nearest ? " Did you mean --" + nearest->name + "?" : "", program_),
        2);
}

void Arguments::parse(int argc, char** argv) {
    std::vector<::option> table;
    for (std::size_t i = 0; i < options_.size(); ++i)
        table.push_back({options_[i].name.c_str(),
                         options_[i].takes_value ? required_argument : no_argument,
                         nullptr, int(256 + i)});
    table.push_back({"help", no_argument, nullptr, 'h'});
    table.push_back({nullptr, 0, nullptr, 0});

    optind = 0;  // 0, not 1: glibc then forgets an earlier parse
    opterr = 0;  // we have our own sentences
    for (;;) {
        const int at = optind ? optind : 1;
        const int found = getopt_long(argc, argv, "+:h", table.data(), nullptr);
        if (found == -1) break;
        if (found == 'h') throw Usage(help(), 0);
        if (found == ':')
            throw Usage(
                fmt::format("{} needs a value, as in {} 1000.", argv[at], argv[at]), 2);
        if (found == '?') unknown(argv[at]);
        const Option& option = options_[std::size_t(found - 256)];
        option.accept(optarg);
    }
    if (optind < argc)
        throw Usage(
            fmt::format("'{}' is no option: {} takes options only. See {} --help.",
                        argv[optind], program_, program_),
            2);
    if (json_ && csv_) throw Usage("Give --json or --csv, not both.", 2);
}

void require_memory(const char* option, double device_bytes, double host_bytes) {
    std::size_t free_bytes = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    if (device_bytes > double(free_bytes))
        throw Usage(
            fmt::format("--{} asks for {} of device memory, and {} are free. Give a "
                        "smaller one.",
                        option, bytes_text(device_bytes), bytes_text(double(free_bytes))),
            2);
    // The emulator's device memory is the host's, too.
    const double needed = host_bytes + (on_emulator() ? device_bytes : 0);
    const double host_free =
        double(sysconf(_SC_AVPHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    if (needed > host_free)
        throw Usage(
            fmt::format("--{} asks for {} of host memory, and {} are free. Give a "
                        "smaller one.",
                        option, bytes_text(needed), bytes_text(host_free)),
            2);
}

void require_equal(const char* version, const std::string& difference) {
    if (difference.empty()) return;
    throw std::runtime_error(
        fmt::format("{} computes a wrong result\n  {}", version, difference));
}

int run_lesson(const std::function<void()>& lesson) {
    try {
        lesson();
        return 0;
    } catch (const Usage& usage) {
        fmt::print(usage.code == 0 ? stdout : stderr, "{}\n", usage.what());
        return usage.code;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "The host has not that much memory: give a smaller size.\n");
        return 2;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}

}  // namespace kit
