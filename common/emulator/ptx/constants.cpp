#include "emulator/ptx/constants.h"

#include <algorithm>
#include <iterator>

namespace emu::ptx {
namespace {

constexpr int deepest = 64;  // nested parentheses and signs: protects the stack

using Bits = std::uint64_t;

std::int64_t as_signed(Bits bits) { return static_cast<std::int64_t>(bits); }

// The one quotient that does not fit, and that C++ leaves undefined.
bool overflows(Bits a, Bits b) { return as_signed(a) == INT64_MIN && as_signed(b) == -1; }

Bits divide(Bits a, Bits b) {
    if (b == 0) return 0;
    return overflows(a, b) ? a : static_cast<Bits>(as_signed(a) / as_signed(b));
}

Bits remainder(Bits a, Bits b) {
    if (b == 0 || overflows(a, b)) return 0;
    return static_cast<Bits>(as_signed(a) % as_signed(b));
}

Bits shift_right(Bits a, Bits b) {
    return static_cast<Bits>(as_signed(a) >> (b < 64 ? b : 63));
}

// A binary operator: how tightly it binds is C's order. << and >> are two marks.
struct Operator {
    char mark;
    int tightness;
    Bits (*apply)(Bits, Bits);
};

constexpr Operator operators[] = {
    {'*', 6, [](Bits a, Bits b) { return a * b; }},
    {'/', 6, divide},
    {'%', 6, remainder},
    {'+', 5, [](Bits a, Bits b) { return a + b; }},
    {'-', 5, [](Bits a, Bits b) { return a - b; }},
    {'<', 4, [](Bits a, Bits b) { return b < 64 ? a << b : 0; }},
    {'>', 4, shift_right},
    {'&', 3, [](Bits a, Bits b) { return a & b; }},
    {'^', 2, [](Bits a, Bits b) { return a ^ b; }},
    {'|', 1, [](Bits a, Bits b) { return a | b; }},
};

bool is_shift(char mark) { return mark == '<' || mark == '>'; }

// The operator at the cursor; null where the expression ends.
const Operator* operator_at(const Cursor& cursor) {
    const Token& token = cursor.peek();
    if (token.kind != Token::Kind::mark) return nullptr;
    if (is_shift(token.mark) && !cursor.peek(1).is(token.mark)) return nullptr;
    const auto found = std::ranges::find(operators, token.mark, &Operator::mark);
    return found == std::end(operators) ? nullptr : found;
}

Bits expression(Cursor& cursor, int least, int depth);

Bits primary(Cursor& cursor, int depth) {
    if (depth > deepest) throw Unreadable{"a shallower expression"};
    if (cursor.take_mark('-')) return 0 - primary(cursor, depth + 1);
    if (cursor.take_mark('+')) return primary(cursor, depth + 1);
    if (cursor.take_mark('~')) return ~primary(cursor, depth + 1);
    if (!cursor.take_mark('(')) return cursor.need_integer();
    const Bits value = expression(cursor, 1, depth + 1);
    cursor.need_mark(')');
    return value;
}

Bits expression(Cursor& cursor, int least, int depth) {
    Bits value = primary(cursor, depth);
    for (const Operator* op = operator_at(cursor); op && op->tightness >= least;
         op = operator_at(cursor)) {
        cursor.take();
        if (is_shift(op->mark)) cursor.take();
        value = op->apply(value, expression(cursor, op->tightness + 1, depth + 1));
    }
    return value;
}

}  // namespace

bool begins_constant(const Token& token) {
    return token.kind == Token::Kind::integer || token.kind == Token::Kind::real ||
           token.is('-') || token.is('+') || token.is('~') || token.is('(');
}

std::int64_t read_integer(Cursor& cursor) {
    return static_cast<std::int64_t>(expression(cursor, 1, 0));
}

Constant read_constant(Cursor& cursor) {
    const bool negative = cursor.peek().is('-');
    const Token& number = cursor.peek(negative ? 1 : 0);
    if (number.kind != Token::Kind::real)
        return {false, false, static_cast<std::uint64_t>(read_integer(cursor))};
    if (negative) cursor.take();
    cursor.take();
    const std::uint64_t sign = std::uint64_t{negative} << (number.single ? 31 : 63);
    return {true, number.single, number.bits ^ sign};
}

}  // namespace emu::ptx
