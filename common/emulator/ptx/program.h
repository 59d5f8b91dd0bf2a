#pragma once
// What the parser makes of a PTX file: names resolved to register numbers, opcodes still
// text. Nothing here knows what an instruction means; that is ops/.
//
// Source: PTX ISA, chapters 4 (syntax), 5 (state spaces, types), 6 (operands).
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace emu::ptx {

enum class Type : std::uint8_t {
    none, pred,
    b8, b16, b32, b64, b128,
    u8, u16, u32, u64,
    s8, s16, s32, s64,
    f16, f16x2, bf16, bf16x2, tf32, f32, f64,
    texref, samplerref, surfref,
};

int size_of(Type type);                    // bytes; pred and none are 0
std::string_view name_of(Type type);       // "s32"
Type type_named(std::string_view name);    // without the dot; none if it is no type

enum class Space : std::uint8_t {
    generic, reg, param, constant, global, local, shared, texture,
};

std::string_view name_of(Space space);     // "global"

// Where an instruction comes from. `file` indexes Module::files; line 0 is unknown.
struct Location {
    int file = -1;
    int line = 0;
    int column = 0;
};

struct Operand {
    enum class Kind : std::uint8_t {
        none,      // `_`, a value that is thrown away
        reg,       // index: Function::registers
        special,   // name: "%tid.x"
        integer,   // bits
        real,      // bits: the f64 pattern, or the f32 pattern if `single` (0f...)
        symbol,    // name (+ offset): a variable, function, label, table
        address,   // [items[0] + offset], items[0] is reg, symbol or integer; a
                   // texture's other items follow: [texture, sampler, {coordinates}]
        vector,    // {items...}
        list,      // (items...), of a call
        pair,      // items[0] | items[1], as setp and shfl write it
    };
    Kind kind = Kind::none;
    bool single = false;            // real: written as 0f
    bool negated = false;           // !%p
    int index = -1;                 // reg
    std::uint64_t bits = 0;         // integer (two's complement), real
    std::int64_t offset = 0;        // bytes: symbol and address
    std::string name;               // special, symbol; reg: selector of video ops, "b0"
    std::vector<Operand> items;
};

struct Instruction {
    std::string opcode;                  // "ld"
    std::vector<std::string> modifiers;  // in order, no dots: {"global", "v4", "f32"}
    std::vector<Operand> operands;       // in order; destinations first
    Operand guard;                       // reg, perhaps negated; none: unconditional
    Location location;                   // from .loc
    int inlined = -1;                    // index into Module::inlines, -1: not inlined
    int ptx_line = 0;                    // 1-based line of the PTX text

    bool has(std::string_view modifier) const;
};

struct Register {
    std::string name;
    Type type = Type::none;
};

// A piece of an initialiser: bytes, or the address of a symbol (+ offset).
struct Initial {
    std::uint64_t at = 0;             // byte offset within the variable
    std::vector<std::uint8_t> bytes;  // empty where `symbol` is set
    std::string symbol;
    std::int64_t offset = 0;          // added to the symbol's address
    int width = 8;                    // bytes of the address that are stored
    int shift = 0;                    // 0xFF00(name): bits to shift the address right
};

struct Variable {
    std::string name;
    Space space = Space::global;
    Type type = Type::b8;
    std::uint64_t bytes = 0;          // 0: an extern array of unknown length
    std::uint32_t align = 1;
    bool is_extern = false;
    bool is_visible = false;
    bool is_weak = false;             // .weak and .common
    bool is_managed = false;
    std::vector<Initial> initial;     // the rest is zero; empty: not initialised
};

// Branch targets of brx.idx (labels), or call targets of an indirect call (functions).
struct Targets {
    std::string name;
    std::vector<std::string> entries;
};

// .callprototype: what an indirect call passes.
struct Prototype {
    std::string name;
    std::vector<Variable> returns;
    std::vector<Variable> params;
};

struct Function {
    std::string name;
    bool is_entry = false;
    bool is_extern = false;           // declared only
    bool is_visible = false;
    bool is_weak = false;
    bool no_return = false;
    std::vector<Variable> returns;    // of a .func
    std::vector<Variable> params;
    std::vector<Register> registers;  // those that the body uses; names are unique within
                                      // a scope, not over all
    std::vector<Variable> locals;     // .local, .shared, .param declared in the body;
                                      // renamed where an inner scope shadows an outer one
    std::vector<Instruction> body;
    std::map<std::string, int> labels;  // to an index in body, one past the end included
    std::vector<Targets> targets;
    std::vector<Prototype> prototypes;
    int max_threads = 0;              // .maxntid product, 0 where not given
    int required_threads[3] = {};     // .reqntid
    int min_blocks = 0;               // .minnctapersm
    int max_registers = 0;            // .maxnreg
    int cluster[3] = {};              // .reqnctapercluster
    int ptx_line = 0;
};

// `inlined_at` of .loc: `function` was inlined at `at`, which may be inlined itself.
struct Inline {
    std::string function;
    Location at;
    int outer = -1;                   // index into Module::inlines
};

// A sentence about something the parser could not read. It never stops the module: the
// statement becomes an instruction with opcode "?", which faults when executed.
struct Problem {
    int ptx_line = 0;
    std::string message;
};

struct Module {
    int version_major = 0, version_minor = 0;
    std::string target;               // "sm_90"
    int target_number = 0;            // 90
    bool target_specific = false;     // sm_90a
    int address_size = 64;
    std::map<int, std::string> files; // .file
    std::vector<Inline> inlines;
    std::vector<Variable> variables;  // module scope
    std::vector<Function> functions;
    std::vector<Problem> problems;
    std::string text;                 // the source, for messages

    const Function* function(std::string_view name) const;
};

// Never throws on bad input: what cannot be read is in Module::problems.
Module parse(std::string text);

}  // namespace emu::ptx
