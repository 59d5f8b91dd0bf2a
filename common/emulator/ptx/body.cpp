#include "emulator/ptx/body.h"

#include <algorithm>
#include <utility>

#include "emulator/ptx/operands.h"

namespace emu::ptx {

void add_problem(Module& module, int ptx_line, std::string message) {
    constexpr std::size_t most = 100;
    if (module.problems.size() < most)
        module.problems.push_back({ptx_line, std::move(message)});
    else if (module.problems.size() == most)
        module.problems.push_back({ptx_line, "more cannot be read from here on"});
}

BodyReader::BodyReader(Cursor& cursor, Module& module, DebugReader& debug,
                       Function& function)
    : cursor_(cursor),
      module_(module),
      debug_(debug),
      function_(function),
      scopes_(function) {}

void BodyReader::read(const std::vector<Declared>& returns,
                      const std::vector<Declared>& params) {
    for (const auto* list : {&returns, &params})
        for (const Declared& declared : *list)
            if (declared.variable.space == Space::reg) declare_register(declared);
    while (!cursor_.done()) {
        const std::size_t from = cursor_.position();
        guard_ = {};
        try {
            if (cursor_.peek().is('}') && scopes_.depth() == 1) break;
            statement();
        } catch (const Unreadable& why) {
            recover(from, why);
        }
    }
    if (!cursor_.take_mark('}'))
        add_problem(module_, cursor_.peek().line,
                    "the text ends inside function " + function_.name);
    while (scopes_.depth() > 1) scopes_.close();
    check_targets();
}

void BodyReader::statement() {
    const Token& first = cursor_.peek();
    if (cursor_.take_mark(';')) return;
    if (cursor_.take_mark('{')) return scopes_.open();
    if (cursor_.take_mark('}')) return scopes_.close();
    if (first.kind == Token::Kind::dot) return directive();
    if (first.is_word() && cursor_.peek(1).is(':')) return labelled();
    if (first.is_word() || first.is('@')) return instruction();
    throw Unreadable{"a statement"};
}

void BodyReader::directive() {
    const std::string_view name = cursor_.peek().text;
    if (name == "loc") {
        cursor_.take();
        return debug_.read_loc(cursor_);
    }
    if (name == "pragma") return skip_statement(false);
    const std::size_t from = cursor_.position();
    const Linkage linkage = read_linkage(cursor_);
    const Space space = cursor_.peek().kind == Token::Kind::dot
                            ? declared_space(cursor_.peek().text)
                            : Space::generic;
    if (space == Space::generic) {
        cursor_.go_to(from);
        throw Unreadable{"a directive that belongs in a body"};
    }
    cursor_.take();
    for (Declared& declared : read_variables(cursor_, space, linkage)) {
        if (space == Space::reg)
            declare_register(declared);
        else
            scopes_.declare_local(std::move(declared.variable), declared.name);
    }
}

void BodyReader::declare_register(const Declared& declared) {
    const Type type = declared.variable.type;
    if (declared.has_range)
        scopes_.declare_range(declared.name, declared.range, type);
    else
        scopes_.declare_register(declared.name, type, declared.vector);
}

// A label marks an instruction, or names a table for an indirect branch or call.
void BodyReader::labelled() {
    const std::string_view name = cursor_.take().text;
    cursor_.take();
    if (cursor_.take_dot("branchtargets") || cursor_.take_dot("calltargets"))
        targets(name);
    else if (cursor_.take_dot("callprototype"))
        prototype(name);
    else
        scopes_.declare_label(name);
}

void BodyReader::targets(std::string_view name) {
    Targets targets{scopes_.declare_table(name), {}};
    do targets.entries.emplace_back(cursor_.need_word("a label"));
    while (cursor_.take_mark(','));
    cursor_.need_mark(';');
    function_.targets.push_back(std::move(targets));
}

// (.param .b32 _) _ (.param .b64 _, .param .b32 _) {.noreturn} {.abi_preserve n};
void BodyReader::prototype(std::string_view name) {
    Prototype prototype{scopes_.declare_table(name), {}, {}};
    for (Declared& declared : read_parameters(cursor_))
        prototype.returns.push_back(std::move(declared.variable));
    cursor_.need_word("'_'");
    for (Declared& declared : read_parameters(cursor_))
        prototype.params.push_back(std::move(declared.variable));
    while (!cursor_.peek().is(';') && !cursor_.done() && !cursor_.peek().is('}'))
        cursor_.take();
    cursor_.need_mark(';');
    function_.prototypes.push_back(std::move(prototype));
}

void BodyReader::instruction() {
    Instruction instruction;
    instruction.ptx_line = cursor_.peek().line;
    instruction.location = debug_.location();
    instruction.inlined = debug_.inlined();
    guard_ = read_guard(cursor_, scopes_);
    instruction.guard = guard_;
    instruction.opcode = cursor_.need_word("an opcode");
    while (cursor_.peek().kind == Token::Kind::dot)
        instruction.modifiers.emplace_back(cursor_.take().text);
    if (!cursor_.peek().is(';')) {
        do instruction.operands.push_back(read_operand(cursor_, scopes_));
        while (cursor_.take_mark(','));
    }
    cursor_.need_mark(';');
    function_.body.push_back(std::move(instruction));
}

void BodyReader::recover(std::size_t from, const Unreadable& why) {
    const std::string found = cursor_.text(cursor_.position(), cursor_.position() + 1);
    cursor_.go_to(from);
    const Token& first = cursor_.peek();
    const bool is_directive = first.kind == Token::Kind::dot;
    skip_statement(is_directive && declared_space(first.text) == Space::generic);
    const std::string text = cursor_.text(from, cursor_.position());
    add_problem(module_, first.line,
                "cannot read \"" + text + "\": expected " + why.expected + " at \"" +
                    found + '"');
    if (is_directive) return;  // declares something at most; its use will fault
    Instruction unknown;
    unknown.opcode = "?";
    unknown.guard = std::move(guard_);
    unknown.location = debug_.location();
    unknown.inlined = debug_.inlined();
    unknown.ptx_line = first.line;
    unknown.operands.emplace_back().kind = Operand::Kind::symbol;
    unknown.operands[0].name = text;
    function_.body.push_back(std::move(unknown));
}

// Past the ';', or up to what a missing ';' would lead into: the end of a scope, or the
// begin of one. A scope's brace begins a line; a vector's does not.
void BodyReader::skip_statement(bool to_line_end) {
    const int first_line = cursor_.peek().line;
    int line = first_line, vectors = 0;
    for (; !cursor_.done(); cursor_.take()) {
        const Token& token = cursor_.peek();
        if (to_line_end && token.line != first_line) return;
        if (token.is('}') && --vectors < 0) return;
        if (token.is('{') && token.line != line) return;
        if (token.is('{')) ++vectors;
        line = token.line;
        if (!token.is(';')) continue;
        cursor_.take();
        return;
    }
}

void BodyReader::check_targets() {
    const auto check = [&](const std::string& label, int line) {
        if (!function_.labels.contains(label))
            add_problem(
                module_, line,
                "no label \"" + label + "\" to branch to in function " + function_.name);
    };
    for (const Instruction& instruction : function_.body) {
        const int line = instruction.ptx_line;
        if (instruction.opcode == "bra") {
            for (const Operand& operand : instruction.operands) check(operand.name, line);
        } else if (instruction.opcode == "brx" && instruction.operands.size() == 2) {
            const auto table = std::ranges::find(
                function_.targets, instruction.operands[1].name, &Targets::name);
            if (table == function_.targets.end())
                check(instruction.operands[1].name, line);
            else
                for (const std::string& entry : table->entries) check(entry, line);
        }
    }
}

}  // namespace emu::ptx
