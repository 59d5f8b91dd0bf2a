#include "kit/arguments.h"

#include <doctest/doctest.h>

#include <array>

using kit::parse_size;
constexpr std::size_t any = std::size_t(-1);

static std::string refusal(const std::string& text, std::size_t least = 1,
                           std::size_t most = any) {
    try {
        parse_size("size", text, least, most);
    } catch (const kit::Usage& usage) {
        CHECK(usage.code == 2);
        return usage.what();
    }
    return "accepted";
}

struct Parsed {
    std::size_t size = 1000, block = 256;
    bool quick = false;
    std::string message;
    int code = -1;
};

static Parsed parse(std::vector<std::string> words) {
    Parsed parsed;
    kit::Arguments arguments("demo", "A demonstration.");
    arguments.size("size", parsed.size, 1, any, "elements");
    arguments.size("block", parsed.block, 1, 1024, "threads in a block");
    arguments.flag("quick", parsed.quick, "fewer repeats");
    words.insert(words.begin(), "demo");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    try {
        arguments.parse(int(words.size()), argv.data());
    } catch (const kit::Usage& usage) {
        parsed.message = usage.what();
        parsed.code = usage.code;
    }
    return parsed;
}

TEST_CASE("sizes may be written in several ways") {
    CHECK(parse_size("size", "1000", 1, any) == 1000);
    CHECK(parse_size("size", "64K", 1, any) == 65536);
    CHECK(parse_size("size", "3m", 1, any) == 3145728);
    CHECK(parse_size("size", "2G", 1, any) == 2147483648u);
    CHECK(parse_size("size", "2^20", 1, any) == 1048576);
    CHECK(parse_size("size", "2^0", 1, any) == 1);
    CHECK(parse_size("size", "0", 0, any) == 0);
}

TEST_CASE("each bad size has its own sentence") {
    CHECK(refusal("0") == "--size is 0, and has to be 1 or more.");
    CHECK(refusal("-5") == "--size cannot be negative: -5. Give 1 or more.");
    CHECK(refusal("2048", 1, 1024) == "--size is 2048, and has to be 1 to 1024.");
    for (const char* text :
         {"", "ten", "1.5", "1 000", "K", "2^", "2^x", "0x10", "-", "1e6"}) {
        CAPTURE(text);
        CHECK(refusal(text).find("takes a whole number") != std::string::npos);
    }
    for (const char* text : {"99999999999999999999", "2^64", "2^99999999999999999999",
                             "18446744073709551615K"}) {
        CAPTURE(text);
        CHECK(refusal(text).find("larger than any memory") != std::string::npos);
    }
}

TEST_CASE("options set their variables, and the rest keep their defaults") {
    const Parsed parsed = parse({"--size", "2^10", "--quick"});
    CHECK(parsed.size == 1024);
    CHECK(parsed.block == 256);
    CHECK(parsed.quick);
    CHECK(parsed.code == -1);
    CHECK(parse({"--block=33"}).block == 33);
}

TEST_CASE("wrong usage is exit code 2 and a sentence") {
    CHECK(parse({"--sise", "5"}).message ==
          "There is no option --sise. Did you mean --size? See demo --help.");
    CHECK(parse({"--colour"}).message == "There is no option --colour. See demo --help.");
    CHECK(parse({"-x"}).code == 2);
    CHECK(parse({"--size"}).message == "--size needs a value, as in --size 1000.");
    CHECK(parse({"1000"}).message ==
          "'1000' is no option: demo takes options only. See demo --help.");
    CHECK(parse({"--json", "--csv"}).message == "Give --json or --csv, not both.");
    CHECK(parse({"--block", "2048"}).code == 2);
}

TEST_CASE("help lists every option with its default, and is no error") {
    const Parsed parsed = parse({"--help"});
    CHECK(parsed.code == 0);
    CHECK(parsed.message.find("--size N           elements (default 1000)") !=
          std::string::npos);
    CHECK(parsed.message.find("--json") != std::string::npos);
}

TEST_CASE("what a lesson throws becomes an exit code") {
    CHECK(kit::run_lesson([] {}) == 0);
    CHECK(kit::run_lesson([] { throw kit::Usage("(a usage message)", 2); }) == 2);
    CHECK(kit::run_lesson([] { throw std::runtime_error("(a failure)"); }) == 1);
    CHECK(kit::run_lesson([] { kit::require_equal("plain", ""); }) == 0);
    CHECK(kit::run_lesson([] { kit::require_equal("plain", "1 of 2 values"); }) == 1);
}
