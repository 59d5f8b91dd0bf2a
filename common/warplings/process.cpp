#include "warplings/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace warplings {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept_output = 1 << 20;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// What happens between fork and exec. Only calls that are safe there.
[[noreturn]] void become(const Command& command, char** argv, int output, int report) {
    if (!command.inherit) {
        ::setpgid(0, 0);
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(output, STDOUT_FILENO);
        ::dup2(output, STDERR_FILENO);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // if we are killed, it must not stay behind
    ::execvp(argv[0], argv);
    const int error = errno;
    [[maybe_unused]] auto ignored = ::write(report, &error, sizeof error);
    ::_exit(127);
}

void set_environment(const Command& command) {
    for (const auto& [name, value] : command.environment)
        value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
}

// Ended, and still to be collected by waitpid.
bool has_ended(pid_t child) {
    siginfo_t info{};
    return ::waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           info.si_pid == child;
}

// Reads until the program closes its output, or a limit is met.
void follow(const Command& command, int output, pid_t child, Clock::time_point start,
            Outcome& outcome) {
    bool ended = false;
    while (true) {
        // Once the program itself is gone, what its children still hold open is not
        // waited for.
        ended = ended || has_ended(child);
        pollfd waiting{output, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, ended ? 0 : 20);
        if (ready > 0) {
            char buffer[65536];
            const ssize_t got = ::read(output, buffer, sizeof buffer);
            if (got <= 0) break;
            const std::string_view text(buffer, std::size_t(got));
            outcome.printed += text.size();
            if (outcome.output.size() < kept_output)
                outcome.output += text.substr(0, kept_output - outcome.output.size());
            if (command.on_output) command.on_output(text);
            if (command.output_limit != 0 && outcome.printed > command.output_limit) {
                outcome.end = Outcome::End::output_limit;
                return;
            }
        } else if (ended) {
            return;
        }
        if (command.seconds > 0 && seconds_since(start) > command.seconds) {
            outcome.end = Outcome::End::timed_out;
            return;
        }
    }
    // Output closed; the program may live on without it.
    while (!has_ended(child)) {
        if (command.seconds > 0 && seconds_since(start) > command.seconds) {
            outcome.end = Outcome::End::timed_out;
            return;
        }
        ::usleep(5000);
    }
}

void collect(pid_t child, Outcome& outcome) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (outcome.end != Outcome::End::exited) return;
    if (WIFSIGNALED(status)) {
        outcome.end = Outcome::End::signalled;
        outcome.status = WTERMSIG(status);
    } else {
        outcome.status = WEXITSTATUS(status);
    }
}

}  // namespace

Outcome run(const Command& command) {
    Outcome outcome;
    int pipe_ends[2], report[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0 || ::pipe2(report, O_CLOEXEC) != 0) {
        outcome.end = Outcome::End::not_started;
        outcome.output = std::strerror(errno);
        return outcome;
    }
    std::vector<char*> argv;
    for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);

    const auto start = Clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        set_environment(command);
        become(command, argv.data(), pipe_ends[1], report[1]);
    }
    ::close(pipe_ends[1]);
    ::close(report[1]);
    int error = child < 0 ? errno : 0;
    if (child > 0 && ::read(report[0], &error, sizeof error) <= 0) error = 0;
    ::close(report[0]);
    if (error != 0) {
        outcome.end = Outcome::End::not_started;
        outcome.output = std::strerror(error);
    } else if (!command.inherit) {
        follow(command, pipe_ends[0], child, start, outcome);
        ::kill(-child, SIGKILL);  // the group: nothing it started stays behind
    }
    if (child > 0) collect(child, outcome);
    ::close(pipe_ends[0]);
    outcome.seconds = seconds_since(start);
    return outcome;
}

std::string signal_text(int signal) {
    const char* name = ::sigabbrev_np(signal);
    const char* meaning = ::sigdescr_np(signal);
    std::string text = name ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
    if (meaning) text += " (" + std::string(meaning) + ")";
    return text;
}

}  // namespace warplings
