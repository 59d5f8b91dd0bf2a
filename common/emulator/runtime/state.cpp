#include "emulator/runtime/state.h"

#include <pthread.h>

#include <cstdlib>

#include "emulator/runtime/host_fault.h"

namespace emu {
namespace {

// A GPU does not survive a fork: the child gets errors, as with CUDA.
void after_fork_in_child() {
    State& s = state();
    // The lock may have been held by a thread that the child does not have.
    new (&s.mutex) std::recursive_mutex;
    s.lost_by_fork = s.device != nullptr;
    s.printed.clear();
}

}  // namespace

State& state() {
    static State* made = [] {
        auto* s = new State;
        s->default_stream.id = 7;     // as the first streams of a process have on a GPU
        s->thread_stream.id = 8;
        s->thread_stream.flags = cudaStreamNonBlocking;
        s->stream_count = 13;
        pthread_atfork(nullptr, nullptr, after_fork_in_child);
        return s;
    }();
    return *made;
}

Device& device_of(State& s) {
    if (!s.device) {
        DeviceOptions wanted;
        wanted.spec = device_named(options().device);
        wanted.host_threads = options().threads;
        wanted.schedule = options().schedule;
        wanted.budget = options().limit;
        s.device = std::make_unique<Device>(wanted);
        static bool watching = (watch_host_accesses(), true);
        (void)watching;
    }
    return *s.device;
}

LastError& last_error() {
    thread_local LastError last;
    return last;
}

std::string without_parameters(const std::string& name) {
    // The last top-level parenthesis opens the parameters: "void f<int>(int*)".
    int depth = 0;
    std::size_t end = name.size();
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == ')') ++depth;
        if (name[i] == '(' && --depth == 0) {
            end = i;
            break;
        }
    }
    std::string shown = name.substr(0, end);
    if (shown.starts_with("void ")) shown.erase(0, 5);
    return shown;
}

}  // namespace emu
