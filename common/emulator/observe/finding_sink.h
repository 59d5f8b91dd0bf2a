#pragma once
// Where a worker's findings gather: one for each kind and instruction, with the earliest
// example and the number of lanes.
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/observe/finding.h"

namespace emu {

struct Inst;

class FindingSink {
public:
    // True where an earlier example is already known: then `lanes` are counted, and the
    // caller need not make the text.
    bool known(std::string_view kind, const Inst* inst, std::uint64_t order,
               std::uint64_t lanes);
    // Keeps the earlier example of two; counts add up.
    void add(Finding finding, const Inst* inst);

    struct Entry {
        Finding finding;
        const Inst* inst = nullptr;  // where: exec/ knows its source line
    };
    // Joins another worker's findings; the result does not depend on who ran which block.
    void join(FindingSink&& other);
    // In order of (block, step), at most `cap` of a kind; empties the sink.
    std::vector<Entry> take(std::size_t cap = 20);

private:
    using Key = std::pair<std::string_view, const Inst*>;  // kinds are literals
    std::map<Key, Finding> findings_;
};

}  // namespace emu
