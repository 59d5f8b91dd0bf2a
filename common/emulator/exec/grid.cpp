#include "emulator/exec/grid.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <numeric>
#include <thread>

#include "emulator/exec/fault.h"
#include "emulator/mem/access.h"
#include "emulator/mem/memory.h"

namespace emu {
namespace {

constexpr std::uint64_t none = ~std::uint64_t(0);
constexpr std::uint64_t most_seeded_blocks = 1u << 28;

// Turns in a row, for each block, in which all that ran only went round waiting loops.
constexpr std::uint64_t turns_until_deadlock = 500;
// The same where the kernel looks at a clock: some 10^9 ticks, beyond usual time limits.
constexpr std::uint64_t turns_until_late = 500'000;

// Block numbers in the order in which they run.
class Order {
public:
    Order(std::uint64_t blocks, std::uint64_t seed) : blocks_(blocks) {
        if (seed == 0 || blocks > most_seeded_blocks) return;
        shuffled_.resize(blocks);
        std::iota(shuffled_.begin(), shuffled_.end(), 0u);
        std::uint64_t state = seed * 0x9e3779b97f4a7c15u;
        for (std::uint64_t k = blocks; k > 1; --k) {
            state ^= state << 13;  // xorshift64
            state ^= state >> 7;
            state ^= state << 17;
            std::swap(shuffled_[k - 1], shuffled_[state % k]);
        }
    }
    std::uint64_t blocks() const { return blocks_; }
    std::uint64_t operator[](std::uint64_t position) const {
        return shuffled_.empty() ? position : shuffled_[position];
    }

private:
    std::uint64_t blocks_;
    std::vector<std::uint32_t> shuffled_;
};

// What one host thread has of its own.
struct WorkerState {
    WorkerState(Launch& launch, const FrameImages& images, Observer* observer,
                FindingSink& findings, std::uint64_t print_room)
        : frames(*launch.program, images), printed(print_room) {
        worker.launch = &launch;
        worker.sites = &sites;
        worker.observer = observer;
        worker.findings = &findings;
    }
    Worker worker;
    SiteTable sites;
    FramePool frames;
    PrintLog printed;
};

class Grid {
public:
    Grid(Launch& launch, const GridOptions& options, std::span<Observer* const> observers,
         std::span<FindingSink> sinks)
        : launch_(launch),
          options_(options),
          observers_(observers),
          sinks_(sinks),
          images_(launch, options.arguments_address),
          order_(launch.grid.product(), options.seed),
          patience_(kernel().timed ? turns_until_late : turns_until_deadlock) {}

    GridResult run() {
        const bool ordered = is_ordered(launch_, options_);
        const std::size_t workers =
            ordered ? 1 : std::min<std::uint64_t>(observers_.size(), order_.blocks());
        std::deque<WorkerState> states;
        for (std::size_t w = 0; w < workers; ++w)
            states.emplace_back(launch_, images_, observers_[w], sinks_[w],
                                options_.limits.printf_bytes);
        if (ordered) {
            run_in_order(states[0]);
        } else {
            chunk_ = std::clamp<std::uint64_t>(order_.blocks() / (workers * 16), 1, 256);
            std::vector<std::thread> threads;
            for (std::size_t w = 1; w < workers; ++w)
                threads.emplace_back([this, &states, w] { run_any(states[w]); });
            run_any(states[0]);
            for (std::thread& thread : threads) thread.join();
        }
        return result(states);
    }

private:
    // ---- any order ----

    void run_any(WorkerState& state) {
        BlockState block(launch_, options_.limits, state.worker, state.frames,
                         state.printed);
        for (;;) {
            const std::uint64_t first =
                next_.fetch_add(chunk_, std::memory_order_relaxed);
            const std::uint64_t last = std::min(first + chunk_, order_.blocks());
            if (first >= order_.blocks()) return;
            for (std::uint64_t position = first; position < last; ++position) {
                // Blocks before the first that failed still run, so that what is reported
                // does not depend on who was faster.
                if (position > failed_at_.load(std::memory_order_relaxed)) return;
                if (!run_whole(block, position)) return;
            }
        }
    }

    bool run_whole(BlockState& block, std::uint64_t position) {
        try {
            block.start(order_[position], position, options_.seed);
            std::uint64_t counted = 0;
            for (Stop stop = Stop::quantum; stop != Stop::done;) {
                stop = block.run();
                spend(block, block.issued() - counted);
                counted = block.issued();
            }
            return true;
        } catch (const Fault& fault) {
            fail(position, fault);
            return false;
        }
    }

    // ---- in order ----

    // Blocks that are resident together take turns when they wait for each other; all
    // others run one after the other.
    void run_in_order(WorkerState& state) {
        const std::uint64_t resident =
            options_.resident_blocks > 0 ? options_.resident_blocks : order_.blocks();
        std::deque<BlockState> pool;
        std::vector<BlockState*> spare;
        std::deque<std::pair<BlockState*, std::uint64_t>> open;  // block, counted so far
        std::uint64_t next = 0;
        std::uint64_t idle = 0;  // turns in a row in which a block only went round
        while (next < order_.blocks() || !open.empty()) {
            const bool room = next < order_.blocks() && open.size() < resident;
            // A new block starts when those before it wait.
            if (open.empty() || (room && idle >= open.size())) {
                if (spare.empty())
                    spare.push_back(&pool.emplace_back(launch_, options_.limits,
                                                       state.worker, state.frames,
                                                       state.printed));
                open.emplace_front(spare.back(), 0);
                spare.pop_back();
                open.front().first->start(order_[next], next, options_.seed);
                ++next;
                idle = 0;
            }
            auto [block, counted] = open.front();
            open.pop_front();
            try {
                if (idle > patience_ * (open.size() + 1))
                    waits_for_ever(*block, open.size() + 1, order_.blocks() - next);
                const Stop stop = block->run();
                spend(*block, block->issued() - counted);
                if (stop == Stop::done) {
                    spare.push_back(block);
                    idle = 0;
                } else {
                    open.emplace_back(block, block->issued());
                    idle = stop == Stop::spins ? idle + 1 : 0;
                }
            } catch (const Fault& fault) {
                return fail(block->position, fault);
            }
        }
    }

    // ---- both ----

    void spend(BlockState& block, std::uint64_t instructions) {
        const std::uint64_t total =
            issued_.fetch_add(instructions, std::memory_order_relaxed) + instructions;
        if (options_.budget == 0 || total <= options_.budget) return;
        const SourcePlace place = block.busiest();
        Fault over = fault(
            block.any_warp(), nullptr, 0, "instruction-limit",
            "The launch has run its limit of " + std::to_string(options_.budget) +
                " warp instructions" +
                (place.ptx_line > 0 ? "; most of them near " + place.text() : "") + ".",
            "If the loop there should end, look at its condition and at what it "
            "waits for; if the launch is just large, raise WARPLINGS_LIMIT or "
            "use a smaller input.",
            error_timeout);
        over.finding.block = {0, 0, 0};  // which block was running is an accident
        over.finding.file = place.file;
        over.finding.line = place.line;
        over.finding.ptx_line = place.ptx_line;
        throw over;
    }

    const ProgramFunction& kernel() const {
        return launch_.program->functions[launch_.function];
    }

    // Was the kernel handed memory that the host can write while it runs?
    bool shares_with_host() const {
        const std::vector<std::byte>& bytes = launch_.arguments;
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            std::uint64_t address = 0;
            std::memcpy(&address, bytes.data() + at, 8);
            const Allocation* a = launch_.memory->find(address);
            if (a && (a->kind == Kind::managed || a->kind == Kind::pinned ||
                      a->kind == Kind::mapped))
                return true;
        }
        return false;
    }

    // No fault of the program's: on a GPU the host goes on while the kernel runs.
    Fault waits_for_host(BlockState& block, const SourcePlace& place) {
        return fault(block.any_warp(), nullptr, 0, "unsupported-wait",
                     "The kernel waits in a loop near " + place.text() +
                         ", perhaps for the host, which shares memory with it. The "
                         "emulator runs a kernel to its end before the host goes on.",
                     "Let the host write what the loop reads before the launch, or run "
                     "this program on a GPU.",
                     error_timeout);
    }

    [[noreturn]] void waits_for_ever(BlockState& block, std::uint64_t open,
                                     std::uint64_t unstarted) {
        const SourcePlace place = block.busiest();
        std::string others;
        if (unstarted > 0)
            others = " " + std::to_string(unstarted) +
                     " blocks have not started: the device "
                     "holds " +
                     std::to_string(open) + " of this size at once.";
        Fault dead =
            unstarted == 0 && shares_with_host()
                ? waits_for_host(block, place)
                : fault(block.any_warp(), nullptr, 0, "deadlock",
                  "All threads that can run wait in a loop near " + place.text() +
                      " for something that no running thread does." + others,
                  unstarted > 0 ? "Do not let a block wait for one that may start "
                                  "only when it has ended: launch as many blocks as "
                                  "fit, or use a cooperative launch."
                                : "Find the thread that should set what the loop "
                                  "reads, and why it never does.",
                  error_timeout);
        dead.finding.file = place.file;
        dead.finding.line = place.line;
        dead.finding.ptx_line = place.ptx_line;
        throw dead;
    }

    void fail(std::uint64_t position, const Fault& fault) {
        const std::lock_guard lock(mutex_);
        if (position >= failed_at_.load(std::memory_order_relaxed)) return;
        failed_at_.store(position, std::memory_order_relaxed);
        fault_ = fault.finding;
    }

    GridResult result(std::deque<WorkerState>& states) {
        GridResult result;
        result.fault = std::move(fault_);
        for (WorkerState& state : states) {
            result.printed_lost += state.printed.lost();
            for (Printed& printed : state.printed.lines())
                if (printed.position <= failed_at_)
                    result.printed.push_back(std::move(printed));
        }
        std::ranges::stable_sort(result.printed, {}, &Printed::position);
        return result;
    }

    Launch& launch_;
    const GridOptions& options_;
    std::span<Observer* const> observers_;
    std::span<FindingSink> sinks_;
    const FrameImages images_;
    const Order order_;
    const std::uint64_t patience_;
    std::uint64_t chunk_ = 1;
    std::atomic<std::uint64_t> next_{0}, failed_at_{none}, issued_{0};
    std::mutex mutex_;
    std::optional<Finding> fault_;
};

}  // namespace

bool is_ordered(const Launch& launch, const GridOptions& options) {
    return options.cooperative || launch.program->functions[launch.function].ordered;
}

GridResult run_grid(Launch& launch, const GridOptions& options,
                    std::span<Observer* const> observers, std::span<FindingSink> sinks) {
    return Grid(launch, options, observers, sinks).run();
}

}  // namespace emu
