#include "emulator/ptx/constants.h"

namespace emu::ptx {
namespace {

constexpr int deepest = 64;           // nested parentheses and signs: protects the stack

// How tightly a binary operator binds, C's order; 0: not an operator that is read here.
int binding(const Cursor& cursor) {
    const Token& token = cursor.peek();
    if (token.kind != Token::Kind::mark) return 0;
    switch (token.mark) {
        case '*': case '/': case '%': return 6;
        case '+': case '-': return 5;
        case '<': case '>': return cursor.peek(1).is(token.mark) ? 4 : 0;
        case '&': return 3;
        case '^': return 2;
        case '|': return 1;
        default: return 0;
    }
}

std::uint64_t apply(char op, std::uint64_t a, std::uint64_t b) {
    const auto left = static_cast<std::int64_t>(a);
    const auto right = static_cast<std::int64_t>(b);
    const bool overflows = left == INT64_MIN && right == -1;
    switch (op) {
        case '*': return a * b;
        case '/': return b == 0 ? 0 : overflows ? a : static_cast<std::uint64_t>(left / right);
        case '%': return b == 0 || overflows ? 0 : static_cast<std::uint64_t>(left % right);
        case '+': return a + b;
        case '-': return a - b;
        case '<': return b < 64 ? a << b : 0;
        case '>': return static_cast<std::uint64_t>(left >> (b < 64 ? b : 63));
        case '&': return a & b;
        case '^': return a ^ b;
        default: return a | b;
    }
}

std::uint64_t expression(Cursor& cursor, int least, int depth);

std::uint64_t primary(Cursor& cursor, int depth) {
    if (depth > deepest) throw Unreadable{"a shallower expression"};
    if (cursor.take_mark('-')) return 0 - primary(cursor, depth + 1);
    if (cursor.take_mark('+')) return primary(cursor, depth + 1);
    if (cursor.take_mark('~')) return ~primary(cursor, depth + 1);
    if (!cursor.take_mark('(')) return cursor.need_integer();
    const std::uint64_t value = expression(cursor, 1, depth + 1);
    cursor.need_mark(')');
    return value;
}

std::uint64_t expression(Cursor& cursor, int least, int depth) {
    std::uint64_t value = primary(cursor, depth);
    for (int tight = binding(cursor); tight >= least && tight > 0; tight = binding(cursor)) {
        const char op = cursor.take().mark;
        if (op == '<' || op == '>') cursor.take();
        value = apply(op, value, expression(cursor, tight + 1, depth + 1));
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
