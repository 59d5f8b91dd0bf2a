#include "emulator/exec/reconverge.h"

#include <algorithm>

namespace emu {

void Paths::start(LaneMask lanes, Frame* frame) {
    paths_.clear();
    free_.clear();
    order_.clear();
    add_leaf(0, lanes, frame, -1);
}

int Paths::next() const {
    for (std::size_t k = order_.size(); k-- > 0;)
        if (paths_[order_[k]].wait == Path::Wait::none) return order_[k];
    return -1;
}

int Paths::meet(int leaf) const {
    const Path& path = paths_[leaf];
    if (path.parent < 0) return -2;
    const Path& parent = paths_[path.parent];
    return parent.kind == Path::Kind::join ? parent.segment : -2;
}

int Paths::make() {
    if (free_.empty()) {
        paths_.emplace_back();
        return static_cast<int>(paths_.size()) - 1;
    }
    const int path = free_.back();
    free_.pop_back();
    paths_[path] = Path{};
    return path;
}

void Paths::add_leaf(std::int32_t segment, LaneMask mask, Frame* frame, int parent) {
    const int leaf = make();
    Path& path = paths_[leaf];
    path.kind = Path::Kind::leaf;
    path.segment = segment;
    path.mask = mask;
    path.frame = frame;
    path.parent = parent;
    if (parent >= 0) ++paths_[parent].children;
    order_.push_back(leaf);
}

void Paths::drop(int path) {
    if (paths_[path].kind == Path::Kind::leaf) std::erase(order_, path);
    paths_[path].kind = Path::Kind::unused;
    free_.push_back(path);
}

void Paths::split(int leaf, std::span<const Group> groups, std::int32_t meet,
                  const Inst* branch) {
    int parent = paths_[leaf].parent;
    // A branch that parts lanes bound for the same meeting place again (a loop) needs no
    // join of its own. Nor does one whose lanes never meet in this function.
    if (meet >= 0 && this->meet(leaf) != meet) {
        const int join = make();
        Path& j = paths_[join];
        j.kind = Path::Kind::join;
        j.segment = meet;
        j.frame = paths_[leaf].frame;
        j.parent = parent;
        j.children = 1;
        j.inst = branch;
        paths_[leaf].parent = parent = join;
    }
    Frame* const frame = paths_[leaf].frame;
    const int awaited = this->meet(leaf);
    bool first = true;
    for (const Group& group : groups) {
        if (group.segment >= 0 && group.segment == awaited) {
            paths_[parent].mask |= group.mask;
        } else if (first) {
            paths_[leaf].segment = group.segment;
            paths_[leaf].mask = group.mask;
            first = false;
        } else {
            add_leaf(group.segment, group.mask, frame, parent);
        }
    }
}

void Paths::arrive(int leaf) {
    const int join = paths_[leaf].parent;
    paths_[join].mask |= paths_[leaf].mask;
    drop(leaf);
    child_gone(join);
}

// A join or call whose last child is gone goes on with the lanes that have arrived.
void Paths::child_gone(int path) {
    while (path >= 0 && --paths_[path].children == 0) {
        Path& p = paths_[path];
        const int parent = p.parent;
        if (p.kind == Path::Kind::call) {
            if (p.mask != 0)
                copy_parameters(*p.callee, p.callee->function->returns, *p.frame,
                                p.site->results, p.mask);
            frames_.give(p.callee);
            p.callee = nullptr;
        }
        if (p.mask == 0) {
            drop(path);
            path = parent;
            continue;
        }
        p.kind = Path::Kind::leaf;
        p.wait = Path::Wait::none;
        order_.push_back(path);
        // It may have come to the place where its own parent waits.
        if (meet(path) != p.segment) return;
        paths_[parent].mask |= p.mask;
        drop(path);
        path = parent;
    }
}

void Paths::call(int leaf, const CallSite* site, Frame* callee, std::int32_t back) {
    const int call = make();
    Path& c = paths_[call];
    Path& l = paths_[leaf];
    c.kind = Path::Kind::call;
    c.segment = back;
    c.parent = l.parent;
    c.children = 1;
    c.frame = l.frame;
    c.callee = callee;
    c.site = site;
    l.parent = call;
    l.segment = 0;
    l.frame = callee;
}

bool Paths::ret(int leaf) {
    int call = paths_[leaf].parent;
    while (call >= 0 && paths_[call].kind != Path::Kind::call) call = paths_[call].parent;
    if (call < 0) return false;
    paths_[call].mask |= paths_[leaf].mask;
    const int parent = paths_[leaf].parent;
    drop(leaf);
    child_gone(parent);
    return true;
}

void Paths::exit(int leaf, LaneMask lanes) {
    paths_[leaf].mask &= ~lanes;
    if (paths_[leaf].mask != 0) return;
    const int parent = paths_[leaf].parent;
    drop(leaf);
    child_gone(parent);
}

bool Paths::rotate(int leaf) {
    const auto oldest = std::find_if(order_.begin(), order_.end(), [&](int other) {
        return other != leaf && paths_[other].wait == Path::Wait::none;
    });
    if (oldest == order_.end()) return false;
    const int turn = *oldest;
    order_.erase(oldest);
    std::erase(order_, leaf);
    order_.insert(order_.begin(), leaf);
    order_.push_back(turn);
    return true;
}

bool Paths::release() {
    bool any = false;
    const std::size_t n = paths_.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Path p = paths_[k];
        if ((p.kind != Path::Kind::join && p.kind != Path::Kind::call) || p.mask == 0)
            continue;
        if (p.kind == Path::Kind::call)
            copy_parameters(*p.callee, p.callee->function->returns, *p.frame,
                            p.site->results, p.mask);
        paths_[k].mask = 0;
        any = true;
        if (meet(static_cast<int>(k)) ==
            p.segment) {  // arrives at once where its parent waits
            paths_[p.parent].mask |= p.mask;
            continue;
        }
        add_leaf(p.segment, p.mask, p.frame, p.parent);
    }
    return any;
}

void Paths::merge() {
    for (std::size_t a = 0; a < order_.size(); ++a)
        for (std::size_t b = a + 1; b < order_.size();) {
            Path &first = paths_[order_[a]], &second = paths_[order_[b]];
            if (first.wait != Path::Wait::none || second.wait != Path::Wait::none ||
                first.parent != second.parent || first.segment != second.segment ||
                first.frame != second.frame) {
                ++b;
                continue;
            }
            first.mask |= second.mask;
            if (second.parent >= 0) --paths_[second.parent].children;
            drop(order_[b]);
        }
}

}  // namespace emu
