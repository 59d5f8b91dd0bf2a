#pragma once
// For tests of op families: one instruction on one warp, without parser or decoder.
//
// Operand k of the signature gets 1024 bytes of frame, enough for every kind of slot. The
// text is opcode and modifiers; a trailing '|' asks for the second destination too.
#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/ops/op.h"

namespace emu {

class OneOp {
public:
    struct Shape {
        std::uint32_t wide = 0;   // operands whose register is wider than their type
        int vector = 0;           // elements of the vector operand
        int vector_at = 0;        // and which operand that is
        std::uint64_t table = 0;  // lop3's constant
        int sources = 0;          // chooses between rows of different length; 0: any
    };
    explicit OneOp(const std::string& text) : OneOp(text, Shape{}) {}
    OneOp(const std::string& text, Shape shape) : frame_(1024 * 20 + 64) {
        warp_.frame =
            frame_.data() + 64 - reinterpret_cast<std::uintptr_t>(frame_.data()) % 64;
        read(text);
        for (const Op* op : ops_named(text_.opcode)) {
            lay_out(*op, shape);
            if (shape.sources > 0 && operands() - destinations_ != shape.sources)
                continue;
            Form form{text_};
            for (int k = 0; k < int(wide_.size()); ++k)
                form.wide_operands |= wide_[k] << k;
            const Bound bound = op->bind(form);
            if (!bound.run) continue;
            inst_.run = bound.run;
            inst_.imm = bound.imm;
            break;
        }
    }
    bool bound() const { return inst_.run != nullptr; }
    int operands() const { return int(wide_.size()); }

    void set(int operand, int lane, std::uint64_t bits) {
        std::byte* slot = warp_.frame + 1024 * operand;
        if (predicate_[operand]) {
            LaneMask& p = predicate(warp_, 1024 * operand);
            p = (p & ~lane_bit(lane)) | LaneMask(bits & 1) << lane;
        } else if (wide_[operand]) {
            std::memcpy(slot + 8 * lane, &bits, 8);
        } else {
            std::memcpy(slot + 4 * lane, &bits, 4);
        }
    }
    std::uint64_t get(int operand, int lane) const {
        const std::byte* slot = warp_.frame + 1024 * operand;
        std::uint64_t bits = 0;
        if (predicate_[operand]) return has_lane(predicate(warp_, 1024 * operand), lane);
        std::memcpy(&bits, slot + (wide_[operand] ? 8 : 4) * lane,
                    wide_[operand] ? 8 : 4);
        return bits;
    }
    void run(LaneMask mask) { inst_.run(warp_, inst_, mask); }
    Warp& warp() { return warp_; }
    Inst& inst() { return inst_; }

private:
    void read(std::string text) {
        if (text.back() == '|') pair_ = true, text.pop_back();
        std::istringstream parts(text);
        std::getline(parts, text_.opcode, '.');
        for (std::string part; std::getline(parts, part, '.');)
            text_.modifiers.push_back(part);
    }
    void lay_out(const Op& op, Shape shape) {
        wide_.clear(), predicate_.clear(), text_.operands.clear();
        inst_ = {};
        destinations_ = op.signature.find('|') < op.signature.find(',') ? 2 : 1;
        vector_ = {};
        std::istringstream parts{std::string(op.signature)};
        for (std::string part; std::getline(parts, part, ',');) add(part, shape);
        inst_.extra = &vector_;
    }
    void add(const std::string& part, const Shape& shape) {
        const std::size_t colon = part.find(':');
        std::string type = part.substr(colon + 1);
        if (type.back() == ']') type.pop_back();
        const bool pair = part.find('|') != std::string::npos;
        for (int k = 0; k < (pair ? 2 : 1); ++k) {
            const int operand = int(wide_.size());
            inst_.slot[operand] = pair && k == 1 && !pair_ ? -1 : 1024 * operand;
            const int bytes = size_of(type, operand);
            predicate_.push_back(type == "pred" || (bytes == 0 && type != "V"));
            wide_.push_back((bytes == 8 || (shape.wide >> operand & 1)) && type != "V");
        }
        ptx::Operand written;
        using OperandKind = ptx::Operand::Kind;
        written.kind = pair && pair_ ? OperandKind::pair : OperandKind::reg;
        if (part.find("table") != std::string::npos)
            written.kind = OperandKind::integer, written.bits = shape.table;
        if (shape.vector > 0 && int(text_.operands.size()) == shape.vector_at) {
            written.kind = OperandKind::vector;
            written.items.resize(std::size_t(shape.vector));
            for (auto& item : written.items) item.kind = OperandKind::reg;
            spread(shape);
        }
        text_.operands.push_back(written);
    }
    // Elements of a vector live at "operands" 8, 9, ...
    void spread(const Shape& shape) {
        vector_.count = shape.vector;
        const int bytes = ptx::size_of(Form{text_}.type()) / shape.vector;
        for (int k = 0; k < shape.vector; ++k) {
            vector_.slot[k] = 1024 * (8 + k);
            vector_.wide[k] = bytes == 8;
        }
    }
    int size_of(const std::string& type, int operand) const {
        const Form form{text_};
        if (type == "T") return ptx::size_of(form.type());
        if (type == "S") return ptx::size_of(form.type(1));
        if (type == "W") return 2 * ptx::size_of(form.type());
        if (type == "R") {
            const ptx::Type own = form.type(operand == 0 ? 0 : 1);
            return ptx::size_of(own == ptx::Type::none ? form.type() : own);
        }
        return ptx::size_of(ptx::type_named(type));
    }

    ptx::Instruction text_;
    bool pair_ = false;
    int destinations_ = 1;
    Warp warp_;
    std::vector<std::byte> frame_;
    std::vector<bool> wide_, predicate_;
    VectorSlots vector_;
    Inst inst_;
};

// One row of a family's test: operands of one lane, sources only, and what must come out.
struct Case {
    const char* text;
    std::vector<std::uint64_t> sources;
    std::uint64_t expected;
    OneOp::Shape shape = {};
};

// The value in lane 5, once with all lanes running and once with lanes 5 and 17 only; the
// other lanes hold other numbers, and keep their old result in the second run.
inline void check_case(const Case& c, int destination = 0) {
    const std::string text = c.text;
    CAPTURE(text);
    OneOp::Shape shape = c.shape;
    shape.sources = int(c.sources.size());
    OneOp op(text, shape);
    REQUIRE(op.bound());
    const int first = op.operands() - int(c.sources.size());
    REQUIRE(first >= 1);
    std::mt19937_64 random(7);
    for (int operand = first; operand < op.operands(); ++operand)
        for (int lane = 0; lane < warp_size; ++lane)
            op.set(operand, lane,
                   lane == 5 ? c.sources[std::size_t(operand - first)] : random());
    op.run(all_lanes);
    std::string note;
    for (std::uint64_t source : c.sources) note += std::to_string(source) + " ";
    CAPTURE(note);
    CHECK(op.get(destination, 5) == c.expected);
    for (int lane = 0; lane < warp_size; ++lane)
        op.set(destination, lane, lane * 77u + 1u);
    op.run(lane_bit(5) | lane_bit(17));
    CHECK(op.get(destination, 5) == c.expected);
    bool untouched = true;
    for (int lane = 0; lane < warp_size; ++lane) {
        if (lane == 5 || lane == 17) continue;
        OneOp& same = op;
        const std::uint64_t now = same.get(destination, lane);
        same.set(destination, lane, lane * 77u + 1u);
        untouched = untouched && now == same.get(destination, lane);
    }
    CHECK(untouched);
}
template <class Cases>
void check_all(const Cases& cases) {
    for (const Case& c : cases) check_case(c);
}

}  // namespace emu
