#include "kit/counters.h"

#include <doctest/doctest.h>

#include <cstring>

// A stand-in for the emulator's table: launch i counted 10 * (i + 1) requests and four
// times as many sectors; the second finding is a race.
namespace {

std::uint64_t fake_launches = 0, fake_findings = 0;

const char* name(std::uint64_t) { return "add(int)"; }
bool counter(std::uint64_t launch, const char* metric, std::uint64_t* value) {
    const std::uint64_t requests = 10 * (launch + 1);
    if (std::strcmp(metric, kit::metric::load_requests) == 0)
        *value = requests;
    else if (std::strcmp(metric, kit::metric::load_sectors) == 0)
        *value = 4 * requests;
    else if (std::strcmp(metric, kit::metric::store_requests) == 0)
        *value = 0;
    else
        return false;
    return true;
}
bool finding(std::uint64_t i, kit::FindingView* view) {
    *view = {i == 1 ? "race" : "leak",
             "error",
             "add(int)",
             nullptr,
             12,
             "message",
             "remedy",
             3};
    return true;
}

bool shape(std::uint64_t launch, unsigned grid[3], unsigned block[3]) {
    for (unsigned k = 0; k < 3; ++k) {
        grid[k] = unsigned(launch) + k;
        block[k] = 32 * (k + 1);
    }
    return true;
}

const kit::EmulatorTable fake = {sizeof(kit::EmulatorTable),
                                 [] { return fake_launches; },
                                 name,
                                 counter,
                                 [] { return fake_findings; },
                                 finding,
                                 [] {},
                                 [] { return "H200"; },
                                 shape};

}  // namespace

TEST_CASE("counters sum over the launches of the work alone") {
    fake_launches = 2;  // earlier launches, not ours
    fake_findings = 1;
    const kit::Counted counted = kit::count(
        [] {
            fake_launches += 2;
            ++fake_findings;
        },
        &fake);
    CHECK(*counted[kit::metric::load_requests] == 30 + 40);
    CHECK(*counted.ratio(kit::metric::load_sectors, kit::metric::load_requests) == 4);
    CHECK(!counted.ratio(kit::metric::load_sectors, kit::metric::store_requests));
    CHECK(!counted["no such metric"]);
    REQUIRE(counted.launches().size() == 2);
    CHECK(counted.launches()[1].grid[0] == 3);
    CHECK(counted.launches()[1].grid[2] == 5);
    CHECK(counted.launches()[1].block[1] == 64);
    CHECK(counted.note() == "");
    REQUIRE(counted.findings().size() == 1);
    CHECK(counted.findings()[0].kind == "race");
    CHECK(counted.findings()[0].file == "");
    CHECK(counted.findings()[0].count == 3);
}

TEST_CASE("work without a launch counts nothing and says so") {
    const kit::Counted counted = kit::count([] {}, &fake);
    CHECK(!counted[kit::metric::load_requests]);
    CHECK(counted.note().find("No kernel was launched") == 0);
}

TEST_CASE("on a GPU the work still runs, and the result is empty and says so") {
    bool ran = false;
    const kit::Counted counted = kit::count([&] { ran = true; }, nullptr);
    CHECK(ran);
    CHECK(!counted[kit::metric::load_requests]);
    CHECK(counted.findings().empty());
    CHECK(counted.note().find("A GPU does not count") == 0);
}
