#include "emulator/ptx/program.h"

#include <algorithm>
#include <iterator>

namespace emu::ptx {
namespace {

struct TypeRow {
    Type type;
    std::string_view name;
    int bytes;
};

// In the order of the enumeration. Predicates have no size: PTX ISA, 5.2.1.
constexpr TypeRow types[] = {
    {Type::none, "", 0},           {Type::pred, "pred", 0},
    {Type::b8, "b8", 1},           {Type::b16, "b16", 2},
    {Type::b32, "b32", 4},         {Type::b64, "b64", 8},
    {Type::b128, "b128", 16},      {Type::u8, "u8", 1},
    {Type::u16, "u16", 2},         {Type::u32, "u32", 4},
    {Type::u64, "u64", 8},         {Type::s8, "s8", 1},
    {Type::s16, "s16", 2},         {Type::s32, "s32", 4},
    {Type::s64, "s64", 8},         {Type::f16, "f16", 2},
    {Type::f16x2, "f16x2", 4},     {Type::bf16, "bf16", 2},
    {Type::bf16x2, "bf16x2", 4},   {Type::tf32, "tf32", 4},
    {Type::f32, "f32", 4},         {Type::f64, "f64", 8},
    {Type::texref, "texref", 8},   {Type::samplerref, "samplerref", 8},
    {Type::surfref, "surfref", 8},
};

constexpr std::string_view spaces[] = {
    "generic", "reg", "param", "const", "global", "local", "shared", "tex",
};

const TypeRow& row(Type type) { return types[static_cast<std::size_t>(type)]; }

}  // namespace

int size_of(Type type) { return row(type).bytes; }

std::string_view name_of(Type type) { return row(type).name; }

Type type_named(std::string_view name) {
    const auto found = std::ranges::find(types, name, &TypeRow::name);
    return found == std::end(types) ? Type::none : found->type;
}

std::string_view name_of(Space space) { return spaces[static_cast<std::size_t>(space)]; }

bool Instruction::has(std::string_view modifier) const {
    return std::ranges::find(modifiers, modifier) != modifiers.end();
}

const Function* Module::function(std::string_view name) const {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

}  // namespace emu::ptx
