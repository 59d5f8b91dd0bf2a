#include "emulator/ptx/initializer.h"

#include <algorithm>
#include <bit>

namespace emu::ptx {
namespace {

constexpr int deepest = 16;  // nested braces: protects the stack

class Reader {
public:
    Reader(Cursor& cursor, const std::vector<std::uint64_t>& dimensions,
           Variable& variable)
        : cursor_(cursor), variable_(variable), width_(size_of(variable.type)) {
        // Bytes of one element of each dimension, outermost first.
        std::uint64_t bytes = width_;
        for (std::size_t i = dimensions.size(); i-- > 0; bytes *= dimensions[i])
            strides_.insert(strides_.begin(), bytes);
    }

    std::uint64_t read() {
        if (cursor_.peek().is('{'))
            list(0);
        else
            element();
        return furthest_;
    }

private:
    void list(std::size_t depth) {
        if (depth > deepest) throw Unreadable{"fewer braces"};
        cursor_.need_mark('{');
        while (!cursor_.take_mark('}')) {
            if (cursor_.peek().is('{')) {
                // An inner list may be short: the next begins one stride further on.
                const std::uint64_t start = at_;
                list(depth + 1);
                if (depth < strides_.size()) at_ = start + strides_[depth];
            } else {
                element();
            }
            if (!cursor_.take_mark(',') && !cursor_.peek().is('}'))
                throw Unreadable{"','"};
        }
    }

    void element() {
        if (cursor_.peek().is_word())
            symbol(0);
        else if (cursor_.peek(1).is('(') && cursor_.peek().kind == Token::Kind::integer)
            byte();
        else
            number();
        at_ += width_;
        furthest_ = std::max(furthest_, at_);
    }

    // 0xFF00(symbol) stores the byte of the address that the mask selects: PTX
    // ISA, 5.4.4.
    void byte() {
        const std::uint64_t mask = cursor_.take().bits;
        cursor_.need_mark('(');
        symbol(mask == 0 ? 0 : std::countr_zero(mask));
        cursor_.need_mark(')');
    }

    // A symbol, generic(symbol), either with an offset.
    void symbol(int shift) {
        Initial initial;
        initial.at = at_;
        initial.width = width_;
        initial.shift = shift;
        std::string_view name = cursor_.need_word("a symbol");
        if ((name == "generic" || name == "mask") && cursor_.take_mark('(')) {
            name = cursor_.need_word("a symbol");
            if (begins_offset()) initial.offset = read_integer(cursor_);
            cursor_.need_mark(')');
        }
        initial.symbol = name;
        if (begins_offset()) initial.offset += read_integer(cursor_);
        variable_.initial.push_back(std::move(initial));
    }

    bool begins_offset() const {
        return cursor_.peek().is('+') || cursor_.peek().is('-');
    }

    void number() {
        std::uint64_t bits = encoded(read_constant(cursor_));
        if (variable_.initial.empty() || !variable_.initial.back().symbol.empty() ||
            end_of(variable_.initial.back()) != at_)
            variable_.initial.emplace_back().at = at_;
        std::vector<std::uint8_t>& bytes = variable_.initial.back().bytes;
        for (int i = 0; i < width_; ++i, bits = i < 8 ? bits >> 8 : 0)
            bytes.push_back(static_cast<std::uint8_t>(bits));
    }

    static std::uint64_t end_of(const Initial& initial) {
        return initial.at + initial.bytes.size();
    }

    // A real takes the form of the variable's type; 0f and 0d may stand for each other.
    std::uint64_t encoded(const Constant& constant) const {
        if (!constant.real) {
            const auto integer = static_cast<std::int64_t>(constant.bits);
            if (variable_.type == Type::f64)
                return std::bit_cast<std::uint64_t>(static_cast<double>(integer));
            if (variable_.type == Type::f32)
                return std::bit_cast<std::uint32_t>(static_cast<float>(integer));
            return constant.bits;
        }
        const bool narrow = width_ <= 4;
        if (narrow == constant.single) return constant.bits;
        if (constant.single)
            return std::bit_cast<std::uint64_t>(static_cast<double>(
                std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))));
        return std::bit_cast<std::uint32_t>(
            static_cast<float>(std::bit_cast<double>(constant.bits)));
    }

    Cursor& cursor_;
    Variable& variable_;
    int width_;
    std::vector<std::uint64_t> strides_;
    std::uint64_t at_ = 0, furthest_ = 0;
};

// .texref and .samplerref lists hold settings (`filter_mode = linear`) that the binding
// call of the runtime overrides anyway.
void skip_settings(Cursor& cursor) {
    while (!cursor.done() && !cursor.peek().is(';')) cursor.take();
}

bool is_handle(Type type) {
    return type == Type::texref || type == Type::samplerref || type == Type::surfref;
}

}  // namespace

std::uint64_t read_initializer(Cursor& cursor,
                               const std::vector<std::uint64_t>& dimensions,
                               Variable& variable) {
    if (!is_handle(variable.type)) return Reader(cursor, dimensions, variable).read();
    skip_settings(cursor);
    return variable.bytes;
}

}  // namespace emu::ptx
