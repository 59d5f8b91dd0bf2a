// A module as a whole: where its shared variables lie, what its kernels reach.
#include <algorithm>

#include "emulator/exec/decode.h"

namespace emu {
namespace {

struct SharedLayout {
    std::uint64_t top = 0;
    std::vector<SharedArray> arrays;

    std::uint64_t place(const ptx::Variable& v) {
        const std::uint64_t align = std::max(1u, v.align);
        const std::uint64_t at = (top + align - 1) / align * align;
        top = at + v.bytes;
        arrays.push_back({v.name, static_cast<std::uint32_t>(at),
                          static_cast<std::uint32_t>(v.bytes)});
        return at;
    }
};

bool is_dynamic(const ptx::Variable& v) { return v.is_extern && v.bytes == 0; }

// Variables of the module and of device functions come first, at the same place for every
// kernel; a kernel that reaches none of them starts at 0.
class Linker {
public:
    explicit Linker(Program& program) : program_(program) {}

    void run() {
        const auto& texts = program_.module.functions;
        program_.functions.resize(texts.size());
        for (std::size_t f = 0; f < texts.size(); ++f) {
            program_.functions[f].name = texts[f].name;
            program_.functions[f].text = &texts[f];
            // A declaration may stand before the definition.
            auto [at, fresh] = program_.by_name.try_emplace(texts[f].name, int(f));
            if (!fresh && !texts[f].body.empty()) at->second = static_cast<int>(f);
        }
        Symbols common{program_, {}, {}};
        for (const ptx::Variable& v : program_.module.variables) add(v, common, common_);
        for (const ptx::Function& text : texts)
            if (!text.is_entry)
                for (const ptx::Variable& v : text.locals) add(v, common, common_);
        for (ProgramFunction& function : program_.functions) {
            Symbols symbols = common;
            SharedLayout layout;
            if (function.text->is_entry) {
                const bool common_used = reaches_common(*function.text);
                if (common_used) layout = common_;
                for (const ptx::Variable& v : function.text->locals)
                    add(v, symbols, layout);
                function.static_shared = static_cast<std::uint32_t>(layout.top);
                function.shared_arrays = std::move(layout.arrays);
            }
            decode_function(program_, function, symbols);
        }
        for (ProgramFunction& function : program_.functions)
            if (function.text->is_entry) close(function);
    }

private:
    static void add(const ptx::Variable& v, Symbols& symbols, SharedLayout& layout) {
        if (v.space != ptx::Space::shared) return;
        if (is_dynamic(v))
            symbols.dynamic_shared[v.name] = true;
        else
            symbols.shared[v.name] = layout.place(v);
    }

    // By name only, before anything is decoded: does the kernel, or a function that it
    // may call, mention a shared variable of the common part?
    bool reaches_common(const ptx::Function& kernel) {
        if (common_.arrays.empty()) return false;
        std::vector<const ptx::Function*> open{&kernel}, seen;
        while (!open.empty()) {
            const ptx::Function* f = open.back();
            open.pop_back();
            if (std::ranges::find(seen, f) != seen.end()) continue;
            seen.push_back(f);
            for (const ptx::Instruction& text : f->body)
                if (mentions_common(text.operands, open)) return true;
        }
        return false;
    }

    bool mentions_common(const std::vector<ptx::Operand>& operands,
                         std::vector<const ptx::Function*>& open) {
        for (const ptx::Operand& operand : operands) {
            if (operand.kind == ptx::Operand::Kind::symbol) {
                for (const SharedArray& array : common_.arrays)
                    if (array.name == operand.name) return true;
                const auto f = program_.by_name.find(operand.name);
                if (f != program_.by_name.end())
                    open.push_back(program_.functions[f->second].text);
            }
            if (mentions_common(operand.items, open)) return true;
        }
        return false;
    }

    void close(ProgramFunction& kernel) {
        std::vector<const ProgramFunction*> open{&kernel}, seen;
        while (!open.empty()) {
            const ProgramFunction* f = open.back();
            open.pop_back();
            if (std::ranges::find(seen, f) != seen.end()) continue;
            seen.push_back(f);
            kernel.reachable.push_back(static_cast<int>(f - program_.functions.data()));
            kernel.ordered |= f->order_matters;
            kernel.timed |= f->looks_at_clock;
            kernel.calls |= !f->callees.empty() || f->calls_by_address;
            for (int callee : f->callees) open.push_back(&program_.functions[callee]);
            if (f->calls_by_address)
                for (const ProgramFunction& any : program_.functions)
                    if (!any.text->is_entry) open.push_back(&any);
            dynamic_align(kernel, f->text->locals);
        }
        dynamic_align(kernel, program_.module.variables);
    }

    static void dynamic_align(ProgramFunction& kernel,
                              const std::vector<ptx::Variable>& variables) {
        for (const ptx::Variable& v : variables)
            if (v.space == ptx::Space::shared && is_dynamic(v))
                kernel.dynamic_align = std::max(kernel.dynamic_align, v.align);
    }

    Program& program_;
    SharedLayout common_;
};

}  // namespace

void decode(Program& program) { Linker(program).run(); }

}  // namespace emu
