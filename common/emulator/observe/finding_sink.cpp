#include "emulator/observe/finding_sink.h"

#include <algorithm>
#include <tuple>

namespace emu {
namespace {

auto rank(const Finding& f) {
    return std::tuple(f.order, f.thread.z, f.thread.y, f.thread.x);
}

// The literal of the kinds table: a key that outlives the finding.
std::string_view kept(std::string_view kind) {
    const FindingKind* known = finding_kind(kind);
    return known ? known->kind : std::string_view("other");
}

void merge(Finding& into, Finding&& from) {
    const std::uint64_t sum = into.count + from.count;
    if (rank(from) < rank(into)) into = std::move(from);
    into.count = sum;
}

}  // namespace

bool FindingSink::known(std::string_view kind, const Inst* inst, std::uint64_t order,
                        std::uint64_t lanes) {
    auto found = findings_.find({kept(kind), inst});
    if (found == findings_.end() || order <= found->second.order) return false;
    found->second.count += lanes;
    return true;
}

void FindingSink::add(Finding finding, const Inst* inst) {
    auto [place, fresh] = findings_.try_emplace({kept(finding.kind), inst}, finding);
    if (!fresh) merge(place->second, std::move(finding));
}

void FindingSink::join(FindingSink&& other) {
    for (auto& [key, finding] : other.findings_) add(std::move(finding), key.second);
    other.findings_.clear();
}

std::vector<FindingSink::Entry> FindingSink::take(std::size_t cap) {
    std::vector<Entry> all;
    for (auto& [key, finding] : findings_)
        all.push_back({std::move(finding), key.second});
    findings_.clear();
    std::ranges::sort(all, [](const Entry& a, const Entry& b) {
        return std::tuple(rank(a.finding), std::string_view(a.finding.kind),
                          a.finding.address) <
               std::tuple(rank(b.finding), std::string_view(b.finding.kind),
                          b.finding.address);
    });
    std::map<std::string, std::size_t> kept_of;
    std::erase_if(all, [&](const Entry& e) { return kept_of[e.finding.kind]++ >= cap; });
    return all;
}

}  // namespace emu
