#include "emulator/runtime/pending.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "emulator/runtime/report.h"
#include "emulator/runtime/where.h"

namespace emu {
namespace {

// Pages that the host may not touch, where a signal handler can find them without a lock.
struct Closed {
    std::atomic<std::uint64_t> begin{0}, end{0};
};
constexpr int most_closed = 64;       // further copies are just not watched
Closed closed_pages[most_closed];

std::uint64_t page_bytes() {
    static const auto bytes = std::uint64_t(sysconf(_SC_PAGESIZE));
    return bytes;
}

void set_access(std::uint64_t begin, std::uint64_t end, int access) {
    mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

void open_pages(std::uint64_t begin, std::uint64_t end) {
    for (Closed& pages : closed_pages) {
        if (pages.begin >= end || pages.end <= begin) continue;
        set_access(pages.begin, pages.end, PROT_READ | PROT_WRITE);
        pages.begin = pages.end = 0;
    }
}

// Only pages that hold nothing else of the program's: the copy's own, and the unused rest of
// an allocation's last page.
void close_pages(const PendingCopy& copy, const Allocation& a) {
    std::uint64_t page = page_bytes(), first = address_of(copy.to);
    std::uint64_t begin = (first + page - 1) / page * page, end = first + copy.bytes.size();
    bool whole_tail = end == a.address + a.bytes;
    end = whole_tail ? (end + page - 1) / page * page : end / page * page;
    if (begin >= end) return;
    for (Closed& pages : closed_pages) {
        if (pages.end != 0) continue;
        pages.begin = begin;
        pages.end = end;
        return set_access(begin, end, PROT_NONE);
    }
}

}  // namespace

void add_pending(Call& call, PendingCopy copy, const Allocation& a) {
    State& s = call.state();
    auto known = s.host_memory.find(a.address);
    bool ours = known != s.host_memory.end() && known->second.mapped != 0;
    if (ours && options().checks_group("api")) {
        copy.callers = call.callers();
        close_pages(copy, a);
    }
    s.pending.push_back(std::move(copy));
}

void land(PendingCopy& copy) {
    open_pages(address_of(copy.to), address_of(copy.to) + copy.bytes.size());
    std::memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
}

bool host_touched_pending(std::uint64_t address, void* instruction) {
    bool closed = false;
    for (Closed& pages : closed_pages)
        closed = closed || (address >= pages.begin && address < pages.end);
    if (!closed) return false;
    open_pages(address, address + 1);
    State& s = state();
    std::unique_lock lock(s.mutex, std::try_to_lock);
    if (!lock) return true;
    for (const PendingCopy& copy : s.pending) {
        std::uint64_t offset = address - address_of(copy.to);
        if (offset >= copy.bytes.size()) continue;
        std::string copied = place_of(copy.callers).text();
        Finding finding;
        finding.kind = "copy-not-awaited";
        Place place = place_of(caller_at(instruction));
        finding.file = place.file;
        finding.line = place.line;
        finding.message =
            "host code" + (place.file.empty() ? "" : " at " + place.text()) +
            " uses pinned memory at byte " + std::to_string(offset) +
            " of an asynchronous copy" + (copied.empty() ? "" : " (" + copied + ")") +
            " that is still pending on a stream: what is there is old";
        finding.remedy = "call cudaStreamSynchronize on that stream first";
        tell(s, std::move(finding));
        break;
    }
    return true;
}

void land_copies(State& s) {
    for (PendingCopy& copy : s.pending) land(copy);
    s.pending.clear();
}

void land_copies_within(State& s, const void* begin, std::uint64_t bytes) {
    auto* first = static_cast<const std::byte*>(begin);
    for (PendingCopy& copy : s.pending)
        if (copy.to < first + bytes && first < copy.to + copy.bytes.size())
            return land_copies(s);
}

}  // namespace emu
