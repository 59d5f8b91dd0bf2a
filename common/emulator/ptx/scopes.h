#pragma once
// What a name in a function's body stands for. Scopes nest (`{ }`), and inner names hide
// outer ones; Function knows no scopes, so what would collide there gets a name of its
// own: the name, a dot and a number. No identifier of PTX holds a dot.
//
// Registers come to exist when they are first used: `.reg .b32 %r<4000>` declares names,
// and a frame has room only for the ones that matter. A register or parameter whose scope
// has ended is given out again to a later scope that declares the like: a function with a
// hundred calls needs the parameters of one.
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/program.h"

namespace emu::ptx {

class Scopes {
public:
    explicit Scopes(Function& function);

    void open();
    void close();
    int depth() const { return static_cast<int>(scopes_.size()); }

    // Views must outlive the scope; `vector` is 2 or 4 for .v2 and .v4, whose elements
    // are registers too: v.x, v.y, ...
    void declare_register(std::string_view name, Type type, int vector = 1);
    void declare_range(std::string_view prefix, std::uint64_t count, Type type);
    void declare_local(Variable variable, std::string_view name);
    void declare_label(std::string_view name);  // throws Unreadable where it is taken
    // .branchtargets and .callprototype: answers the name to be used in Function.
    std::string declare_table(std::string_view name);

    // An operand that names a register, a vector of registers, or something else.
    Operand operand(std::string_view name);
    std::string symbol(std::string_view name);

private:
    struct Binding {
        enum class Kind { reg, vector, local, label } kind = Kind::reg;
        Type type = Type::none;
        int index = -1;  // reg: -1 until used; local: in Function::locals
        int width = 1;   // vector
    };
    struct Range {
        std::string_view prefix;
        std::uint64_t count = 0;
        Type type = Type::none;
    };
    struct Scope {
        std::unordered_map<std::string_view, Binding> names;
        std::vector<Range> ranges;
        std::unordered_map<std::string, std::string> renamed;  // labels and tables
        std::size_t first_instruction = 0, first_targets = 0;
    };

    Binding* find(std::string_view name);
    Binding* in_range(Scope& scope, std::string_view name);
    int register_of(std::string_view name, Binding& binding);
    std::string unique(std::string_view name);
    int reusable(const Variable& variable, std::string_view name);
    void rename_labels(const Scope& scope);

    Function& function_;
    std::vector<Scope> scopes_;
    std::deque<std::string> made_names_;  // of vector elements
    int renames_ = 0;
    // What closed scopes left, by name.
    std::map<std::pair<std::string_view, Type>, std::vector<int>> free_registers_;
    std::unordered_map<std::string_view, std::vector<int>> free_params_;
    std::unordered_map<std::string_view, int> taken_;  // by locals and parameters
};

}  // namespace emu::ptx
