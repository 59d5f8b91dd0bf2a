#include "emulator/ptx/declarations.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "emulator/ptx/initializer.h"

namespace emu::ptx {
namespace {

struct SpaceRow {
    std::string_view name;
    Space space;
};

constexpr SpaceRow spaces[] = {
    {"reg", Space::reg},       {"param", Space::param}, {"const", Space::constant},
    {"global", Space::global}, {"local", Space::local}, {"shared", Space::shared},
    {"tex", Space::texture},
};

// Sizes from damaged text must not wrap round to something small.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    return b != 0 && a > most / b ? most : a * b;
}

// .attribute(.managed), .attribute(.unified(1, 2)): only .managed matters here.
void read_attribute(Cursor& cursor, Variable& variable) {
    cursor.need_mark('(');
    for (int depth = 1; depth > 0;) {
        if (cursor.done() || cursor.peek().is(';')) throw Unreadable{"')'"};
        if (cursor.take_dot("managed")) {
            variable.is_managed = true;
            continue;
        }
        const Token& token = cursor.take();
        depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
    }
}

// The alignment and space of what a pointer parameter points at say nothing about the
// parameter itself.
void skip_pointee(Cursor& cursor) {
    while (cursor.peek().kind == Token::Kind::dot)
        if (cursor.take().text == "align") cursor.need_integer();
}

// Everything between the space and the name.
void read_shape(Cursor& cursor, Declared& declared) {
    Variable& variable = declared.variable;
    std::uint64_t align = 0;
    while (cursor.peek().kind == Token::Kind::dot) {
        const std::string_view word = cursor.peek().text;
        if (const Type type = type_named(word); type != Type::none)
            variable.type = type;
        else if (word == "v2" || word == "v4" || word == "v8")
            declared.vector = word[1] - '0';
        else if (word != "align" && word != "ptr" && word != "attribute")
            throw Unreadable{"a type"};
        cursor.take();
        if (word == "align") align = cursor.need_integer();
        if (word == "ptr") skip_pointee(cursor);
        if (word == "attribute") read_attribute(cursor, variable);
    }
    // Elements fix the alignment where nothing else does: PTX ISA, 5.4.5.
    const std::uint64_t natural =
        std::max<std::uint64_t>(1, product(size_of(variable.type), declared.vector));
    variable.align = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        align ? align : natural, std::numeric_limits<std::uint32_t>::max()));
}

std::vector<std::uint64_t> read_dimensions(Cursor& cursor) {
    std::vector<std::uint64_t> dimensions;
    while (cursor.take_mark('[')) {
        const bool open = cursor.peek().is(']');
        dimensions.push_back(open ? 0 : static_cast<std::uint64_t>(read_integer(cursor)));
        cursor.need_mark(']');
    }
    return dimensions;
}

void read_name(Cursor& cursor, Declared& declared) {
    Variable& variable = declared.variable;
    declared.name = cursor.need_word("a name");
    variable.name = declared.name;
    if (variable.space == Space::reg && cursor.take_mark('<')) {
        declared.has_range = true;
        declared.range = cursor.need_integer();
        cursor.need_mark('>');
    }
    const std::vector<std::uint64_t> dimensions = read_dimensions(cursor);
    const std::uint64_t element = product(size_of(variable.type), declared.vector);
    variable.bytes = element;
    for (const std::uint64_t size : dimensions)
        variable.bytes = product(variable.bytes, size);
    if (!cursor.take_mark('=')) return;
    const std::uint64_t reached = read_initializer(cursor, dimensions, variable);
    if (!dimensions.empty() && dimensions[0] == 0) variable.bytes = reached;
}

}  // namespace

Linkage read_linkage(Cursor& cursor) {
    Linkage linkage;
    for (;;) {
        if (cursor.take_dot("extern"))
            linkage.is_extern = true;
        else if (cursor.take_dot("visible"))
            linkage.is_visible = true;
        else if (cursor.take_dot("weak") || cursor.take_dot("common"))
            linkage.is_weak = true;
        else
            return linkage;
    }
}

Space declared_space(std::string_view name) {
    name = name.substr(0, name.find("::"));  // .shared::cta
    const auto found = std::ranges::find(spaces, name, &SpaceRow::name);
    return found == std::end(spaces) ? Space::generic : found->space;
}

std::vector<Declared> read_variables(Cursor& cursor, Space space, Linkage linkage) {
    Declared shape;
    shape.variable.space = space;
    shape.variable.is_extern = linkage.is_extern;
    shape.variable.is_visible = linkage.is_visible;
    shape.variable.is_weak = linkage.is_weak;
    read_shape(cursor, shape);
    std::vector<Declared> all;
    do read_name(cursor, all.emplace_back(shape));
    while (cursor.take_mark(','));
    cursor.need_mark(';');
    return all;
}

std::vector<Declared> read_parameters(Cursor& cursor) {
    std::vector<Declared> all;
    if (!cursor.take_mark('(') || cursor.take_mark(')')) return all;
    do {
        const Space space = cursor.peek().kind == Token::Kind::dot
                                ? declared_space(cursor.peek().text)
                                : Space::generic;
        if (space != Space::param && space != Space::reg) throw Unreadable{".param"};
        cursor.take();
        Declared& declared = all.emplace_back();
        declared.variable.space = space;
        read_shape(cursor, declared);
        read_name(cursor, declared);
    } while (cursor.take_mark(','));
    cursor.need_mark(')');
    return all;
}

}  // namespace emu::ptx
