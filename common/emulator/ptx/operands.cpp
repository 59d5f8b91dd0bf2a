#include "emulator/ptx/operands.h"

#include "emulator/ptx/constants.h"

namespace emu::ptx {
namespace {

constexpr int deepest = 8;  // nested brackets: protects the stack

Operand read_part(Cursor& cursor, Scopes& scopes, int depth);

// a, b, c up to `close`; may be empty, as the list of a call may.
void read_items(Cursor& cursor, Scopes& scopes, char close, Operand& operand, int depth) {
    if (cursor.take_mark(close)) return;
    do operand.items.push_back(read_part(cursor, scopes, depth + 1));
    while (cursor.take_mark(','));
    cursor.need_mark(close);
}

Operand group(Operand::Kind kind) {
    Operand operand;
    operand.kind = kind;
    return operand;
}

// [base], [base + 4], [4], and for textures [base, {x, y}].
Operand read_address(Cursor& cursor, Scopes& scopes, int depth) {
    Operand address = group(Operand::Kind::address);
    address.items.push_back(read_part(cursor, scopes, depth + 1));
    Operand& base = address.items[0];
    if (base.kind == Operand::Kind::symbol)
        std::swap(base.offset, address.offset);
    else if (cursor.peek().is('+') || cursor.peek().is('-')) {
        address.offset = read_integer(cursor);
    }
    if (cursor.take_mark(','))
        read_items(cursor, scopes, ']', address, depth);
    else
        cursor.need_mark(']');
    return address;
}

// v.x names an element of a vector register, %tid.x one of a special register, and
// %r1.b0 a part of a register, as the video instructions take it.
bool is_selector(const Token& token) {
    if (token.kind != Token::Kind::dot || token.text.empty()) return false;
    const char first = token.text[0];
    return (first == 'b' || first == 'h') && token.text.size() > 1 &&
           token.text.find_first_not_of("0123456789", 1) == token.text.npos;
}

bool is_element(const Token& token) {
    return token.kind == Token::Kind::dot && token.text.size() == 1 &&
           std::string_view("xyzwrgba").find(token.text[0]) != std::string_view::npos;
}

Operand read_element(Cursor& cursor, Scopes& scopes, std::string_view name) {
    // Colours are another spelling of the same four: .r is .x.
    static constexpr std::string_view colours = "rgba", elements = "xyzw";
    char element = cursor.take().text[0];
    if (const std::size_t at = colours.find(element); at != colours.npos)
        element = elements[at];
    const std::string full = std::string(name) + '.' + element;
    Operand operand = scopes.operand(full);
    if (operand.kind == Operand::Kind::symbol) throw Unreadable{"a vector register"};
    return operand;
}

Operand read_name(Cursor& cursor, Scopes& scopes) {
    const std::string_view name = cursor.take().text;
    if (name == "_") return {};
    if (is_element(cursor.peek())) return read_element(cursor, scopes, name);
    if (name == "WARP_SZ") {
        Operand operand = group(Operand::Kind::integer);
        operand.bits = 32;
        return operand;
    }
    if (name == "generic" && cursor.take_mark('(')) {
        Operand operand = scopes.operand(cursor.need_word("a symbol"));
        cursor.need_mark(')');
        return operand;
    }
    Operand operand = scopes.operand(name);
    if (operand.kind == Operand::Kind::reg && is_selector(cursor.peek()))
        operand.name = cursor.take().text;
    if (operand.kind == Operand::Kind::symbol &&
        (cursor.peek().is('+') || cursor.peek().is('-')))
        operand.offset = read_integer(cursor);
    return operand;
}

Operand read_number(Cursor& cursor) {
    const Constant constant = read_constant(cursor);
    Operand operand = group(constant.real ? Operand::Kind::real : Operand::Kind::integer);
    operand.single = constant.single;
    operand.bits = constant.bits;
    return operand;
}

// One operand without the `|` of a pair.
Operand read_part(Cursor& cursor, Scopes& scopes, int depth) {
    if (depth > deepest) throw Unreadable{"fewer brackets"};
    if (cursor.peek().is_word()) return read_name(cursor, scopes);
    if (cursor.take_mark('[')) return read_address(cursor, scopes, depth);
    if (cursor.take_mark('{')) {
        Operand vector = group(Operand::Kind::vector);
        read_items(cursor, scopes, '}', vector, depth);
        return vector;
    }
    if (cursor.peek().is('!') || cursor.peek().is('-')) {
        const bool names = cursor.peek(1).is_word();
        if (names) {
            // -%r is no PTX; !%p is, of a predicate.
            if (!cursor.take_mark('!')) throw Unreadable{"a number after '-'"};
            Operand operand = read_name(cursor, scopes);
            operand.negated = true;
            return operand;
        }
    }
    if (begins_constant(cursor.peek())) return read_number(cursor);
    throw Unreadable{"an operand"};
}

// A list and a parenthesised number begin alike; only a list is closed at once, holds a
// name, or goes on with a comma.
bool begins_list(const Cursor& cursor) {
    if (!cursor.peek().is('(')) return false;
    const Token& first = cursor.peek(1);
    if (first.is_word() || first.is(')')) return true;
    const std::size_t after = first.is('-') ? 3 : 2;
    return cursor.peek(after).is(',') || cursor.peek(after).is(')');
}

}  // namespace

Operand read_operand(Cursor& cursor, Scopes& scopes) {
    if (begins_list(cursor)) {
        cursor.take();
        Operand list = group(Operand::Kind::list);
        read_items(cursor, scopes, ')', list, 0);
        return list;
    }
    Operand operand = read_part(cursor, scopes, 0);
    if (!cursor.take_mark('|')) return operand;
    Operand pair = group(Operand::Kind::pair);
    pair.items.push_back(std::move(operand));
    pair.items.push_back(read_part(cursor, scopes, 0));
    return pair;
}

Operand read_guard(Cursor& cursor, Scopes& scopes) {
    if (!cursor.take_mark('@')) return {};
    const bool negated = cursor.take_mark('!');
    Operand guard = scopes.operand(cursor.need_word("a predicate"));
    if (guard.kind != Operand::Kind::reg) throw Unreadable{"a predicate register"};
    guard.negated = negated;
    return guard;
}

}  // namespace emu::ptx
