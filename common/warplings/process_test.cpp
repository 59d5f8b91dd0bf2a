#include "warplings/process.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

using namespace warplings;

namespace {

Command shell(const char* script) {
    Command command;
    command.argv = {"/bin/sh", "-c", script};
    return command;
}

}  // namespace

TEST_CASE("exit status and output come back") {
    const Outcome outcome = run(shell("echo out; echo err >&2; exit 7"));
    CHECK(outcome.end == Outcome::End::exited);
    CHECK(outcome.status == 7);
    CHECK(outcome.output == "out\nerr\n");
}

TEST_CASE("a program that does not end is stopped, with all that it started") {
    Command command = shell("trap '' TERM INT; sleep 60 & sleep 60");
    command.seconds = 0.3;
    const Outcome outcome = run(command);
    CHECK(outcome.end == Outcome::End::timed_out);
    CHECK(outcome.seconds < 5);
}

TEST_CASE("a program that closes its output and lives on is stopped too") {
    Command command = shell("exec >&- 2>&-; sleep 60");
    command.seconds = 0.3;
    CHECK(run(command).end == Outcome::End::timed_out);
}

TEST_CASE("what a child keeps open is not waited for") {
    const Outcome outcome = run(shell("sleep 60 & echo done"));
    CHECK(outcome.succeeded());
    CHECK(outcome.seconds < 5);
}

TEST_CASE("a flood is cut off, and only its beginning kept") {
    Command command = shell("yes | head -c 100000000");
    command.output_limit = 4 << 20;
    const Outcome outcome = run(command);
    CHECK(outcome.end == Outcome::End::output_limit);
    CHECK(outcome.output.size() <= (1 << 20));
}

TEST_CASE("death by signal and a missing program are told apart") {
    const Outcome killed = run(shell("kill -9 $$"));
    CHECK(killed.end == Outcome::End::signalled);
    CHECK(killed.status == SIGKILL);
    CHECK(signal_text(SIGSEGV).starts_with("SIGSEGV ("));
    Command missing;
    missing.argv = {"/no/such/program"};
    CHECK(run(missing).end == Outcome::End::not_started);
}

TEST_CASE("the environment is added to, and an empty value takes a name away") {
    ::setenv("WARPLINGS_TEST_GONE", "1", 1);
    Command command = shell("echo $WARPLINGS_TEST_NEW${WARPLINGS_TEST_GONE-gone}");
    command.environment = {{"WARPLINGS_TEST_NEW", "new-"}, {"WARPLINGS_TEST_GONE", ""}};
    CHECK(run(command).output == "new-gone\n");
}

TEST_CASE("what leaves its group and its parent behind is ended, too") {
    const Outcome outcome = run(shell("setsid sleep 60 >/dev/null 2>&1 & echo $!"));
    const int left_behind = std::stoi(outcome.output);
    REQUIRE(left_behind > 1);
    CHECK(::kill(left_behind, 0) != 0);
}

TEST_CASE("a program that takes too much memory is stopped") {
    Command command = shell("x=0123456789; while :; do x=$x$x; done");
    command.seconds = 20;
    command.memory_limit = 200 << 20;
    CHECK(run(command).end == Outcome::End::memory_limit);
}

TEST_CASE("an interruption ends the program first, and is told on") {
    Command command = shell("trap '' TERM; kill -TERM $PPID; sleep 60");
    command.seconds = 20;
    CHECK_THROWS_AS(run(command), Interrupted);
    CHECK(run(shell("exit 0")).succeeded());  // the next one runs as ever
}
