#include "warplings/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace warplings {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept_output = 1 << 20;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// ---- what /proc knows

struct Process {
    pid_t id = 0, parent = 0, group = 0;
    std::size_t resident = 0;         // bytes
};

Process process_at(const fs::path& folder) {
    std::ifstream in(folder / "stat");
    std::string text;
    std::getline(in, text, '\0');
    // Behind the name, which may hold anything: state, parent, group, ... resident pages.
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    Process process;
    std::string skipped;
    fields >> skipped >> process.parent >> process.group;
    for (int field = 6; field < 24; ++field) fields >> skipped;
    fields >> process.resident;
    process.resident *= std::size_t(::sysconf(_SC_PAGESIZE));
    return process;
}

std::vector<Process> all_processes() {
    std::vector<Process> all;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        pid_t id = 0;
        const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), id);
        if (bad != std::errc() || end != name.data() + name.size()) continue;
        all.push_back(process_at(entry.path()));
        all.back().id = id;
    }
    return all;
}

std::set<pid_t> our_children() {
    std::set<pid_t> children;
    for (const Process& process : all_processes())
        if (process.parent == ::getpid()) children.insert(process.id);
    return children;
}

std::size_t resident_in_group(pid_t group) {
    std::size_t bytes = 0;
    for (const Process& process : all_processes())
        if (process.group == group) bytes += process.resident;
    return bytes;
}

// A process that left its group becomes our child when its parent ends (we are its
// subreaper). Each that ends may hand us more.
void end_stragglers(const std::set<pid_t>& before) {
    for (bool found = true; found;) {
        found = false;
        for (const pid_t child : our_children()) {
            if (before.contains(child)) continue;
            found = true;
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
}

// ---- signals that ask us to end: told on to the program, obeyed when it has ended

volatile sig_atomic_t interruption = 0;
volatile sig_atomic_t told_on_to = 0;     // a process, or minus a group; 0: not yet known

void tell_on(int signal) {
    interruption = signal;
    if (told_on_to != 0) ::kill(pid_t(told_on_to), signal);
}

class HeldSignals {
public:
    HeldSignals() {
        interruption = 0;
        told_on_to = 0;
        struct sigaction ours {};
        ours.sa_handler = tell_on;
        ::sigemptyset(&ours.sa_mask);
        for (std::size_t i = 0; i < std::size(signals); ++i) {
            ::sigaction(signals[i], nullptr, &before_[i]);
            // What we were told to ignore (nohup) stays ignored.
            if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &ours, nullptr);
        }
    }
    ~HeldSignals() {
        for (std::size_t i = 0; i < std::size(signals); ++i)
            ::sigaction(signals[i], &before_[i], nullptr);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

private:
    static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[std::size(signals)];
};

// ---- the program

// Where memory runs out, the kernel ends this program rather than another one.
void go_first() {
    const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    [[maybe_unused]] auto ignored = ::write(file, "1000", 4);
    ::close(file);
}

// What happens between fork and exec. Only calls that are safe there.
[[noreturn]] void become(const Command& command, char** argv, int output, int report) {
    if (!command.inherit) {
        ::setpgid(0, 0);
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(output, STDOUT_FILENO);
        ::dup2(output, STDERR_FILENO);
        go_first();
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

// A limit is met, or we are to end and the program has had its time to do so.
class Limits {
public:
    Limits(const Command& command, pid_t child, Clock::time_point start)
        : command_(command), child_(child), start_(start), next_look_(start) {}

    bool met(Outcome& outcome) {
        const auto now = Clock::now();
        if (interruption != 0 && !interrupted_) interrupted_ = now;
        if (interrupted_ && now - *interrupted_ > std::chrono::seconds(2)) return true;
        if (command_.seconds > 0 && seconds_since(start_) > command_.seconds) {
            outcome.end = Outcome::End::timed_out;
            return true;
        }
        if (command_.memory_limit == 0 || now < next_look_) return false;
        next_look_ = now + std::chrono::milliseconds(100);
        if (resident_in_group(child_) <= command_.memory_limit) return false;
        outcome.end = Outcome::End::memory_limit;
        return true;
    }

private:
    const Command& command_;
    pid_t child_;
    Clock::time_point start_, next_look_;
    std::optional<Clock::time_point> interrupted_;
};

// Reads until the program closes its output, or a limit is met.
void follow(const Command& command, int output, pid_t child, Clock::time_point start,
            Outcome& outcome) {
    Limits limits(command, child, start);
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
            if (got < 0 && errno == EINTR) continue;
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
        if (limits.met(outcome)) return;
    }
    // Output closed; the program may live on without it.
    while (!has_ended(child)) {
        if (limits.met(outcome)) return;
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

    std::set<pid_t> before;
    if (!command.inherit) {
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        before = our_children();
    }
    std::optional<HeldSignals> held(std::in_place);
    const auto start = Clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        held.reset();
        set_environment(command);
        become(command, argv.data(), pipe_ends[1], report[1]);
    }
    int error = child < 0 ? errno : 0;
    ::close(pipe_ends[1]);
    ::close(report[1]);
    if (child > 0) {
        ssize_t got = 0;
        while ((got = ::read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {
        }
        if (got <= 0) error = 0;
        told_on_to = command.inherit ? child : -child;
        if (interruption != 0) ::kill(pid_t(told_on_to), interruption);
    }
    ::close(report[0]);
    if (error != 0) {
        outcome.end = Outcome::End::not_started;
        outcome.output = std::strerror(error);
    } else if (!command.inherit) {
        follow(command, pipe_ends[0], child, start, outcome);
        ::kill(-child, SIGKILL);  // the group: nothing it started stays behind
    }
    if (child > 0) collect(child, outcome);
    told_on_to = 0;
    if (!command.inherit) end_stragglers(before);
    ::close(pipe_ends[0]);
    outcome.seconds = seconds_since(start);
    held.reset();
    if (interruption != 0) throw Interrupted{interruption};
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
