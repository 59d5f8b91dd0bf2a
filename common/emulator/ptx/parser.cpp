// From text to Module: the statements outside functions, and functions as a whole.
// Statements of a body are read by body.cpp, operands by operands.cpp.
//
// Source: PTX ISA, 11.1 (module directives), 11.2 to 11.4 (functions), 11.6 (linking).
#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>

#include "emulator/ptx/body.h"

namespace emu::ptx {
namespace {

// The newest .version that this parser was written for: that of CUDA 13.0.
constexpr int newest_major = 9, newest_minor = 0;

class ModuleReader {
public:
    explicit ModuleReader(Module& module)
        : module_(module),
          tokens_(tokens_of(module.text)),
          cursor_(tokens_, module.text),
          debug_(module) {}

    void read() {
        while (!cursor_.done()) {
            const std::size_t from = cursor_.position();
            try {
                statement();
            } catch (const Unreadable& why) {
                recover(from, why);
            }
        }
        debug_.name_inlined_functions();
        for (const auto& [alias, target] : aliases_) make_alias(alias, target);
    }

private:
    using Read = void (ModuleReader::*)();
    struct Row {
        std::string_view directive;
        Read read;
    };

    static const Row* row_of(const Token& token) {
        static constexpr Row rows[] = {
            {"version", &ModuleReader::version},
            {"target", &ModuleReader::target},
            {"address_size", &ModuleReader::address_size},
            {"entry", &ModuleReader::entry},
            {"func", &ModuleReader::device_function},
            {"file", &ModuleReader::file},
            {"section", &ModuleReader::section},
            {"loc", &ModuleReader::loc},
            {"pragma", &ModuleReader::pragma},
            {"alias", &ModuleReader::alias},
        };
        if (token.kind != Token::Kind::dot) return nullptr;
        const auto found = std::ranges::find(rows, token.text, &Row::directive);
        return found == std::end(rows) ? nullptr : found;
    }

    void statement() {
        if (cursor_.take_mark(';')) return;
        linkage_ = read_linkage(cursor_);
        const Row* row = row_of(cursor_.peek());
        const Space space = cursor_.peek().kind == Token::Kind::dot && !row
                                ? declared_space(cursor_.peek().text)
                                : Space::generic;
        if (!row && space == Space::generic) throw Unreadable{"a directive"};
        cursor_.take();
        if (row) return (this->*row->read)();
        for (Declared& declared : read_variables(cursor_, space, linkage_))
            add_variable(std::move(declared.variable));
    }

    void version() {
        // 9.0 is written like a real number.
        const Token& number = cursor_.peek();
        const std::string_view text = number.text;
        const std::size_t dot = text.find('.');
        if (dot == text.npos || number.kind != Token::Kind::real)
            throw Unreadable{"a version"};
        std::from_chars(text.data(), text.data() + dot, module_.version_major);
        std::from_chars(text.data() + dot + 1, text.data() + text.size(),
                        module_.version_minor);
        cursor_.take();
        if (std::pair(module_.version_major, module_.version_minor) <=
            std::pair(newest_major, newest_minor))
            return;
        add_problem(module_, number.line,
                    "PTX .version " + std::string(text) + " is newer than " +
                        std::to_string(newest_major) + '.' +
                        std::to_string(newest_minor) +
                        ", the newest that is known here; reading on");
    }

    void target() {
        do {
            const std::string_view word = cursor_.need_word("a target");
            if (!word.starts_with("sm_")) continue;  // debug, texmode_independent
            module_.target = word;
            const char* end = word.data() + word.size();
            const auto [rest, error] =
                std::from_chars(word.data() + 3, end, module_.target_number);
            module_.target_specific = error == std::errc{} && rest != end;
        } while (cursor_.take_mark(','));
    }

    void address_size() {
        module_.address_size = static_cast<int>(cursor_.need_integer());
    }
    void file() { debug_.read_file(cursor_); }
    void section() { debug_.read_section(cursor_); }
    void loc() { debug_.read_loc(cursor_); }
    void pragma() {
        while (!cursor_.done() && !cursor_.take_mark(';')) cursor_.take();
    }
    void alias() {
        const std::string_view name = cursor_.need_word("a function");
        cursor_.need_mark(',');
        aliases_.emplace_back(name, cursor_.need_word("a function"));
        cursor_.need_mark(';');
    }
    void entry() { function(true); }
    void device_function() { function(false); }

    void function(bool is_entry) {
        Function function;
        function.is_entry = is_entry;
        function.is_visible = linkage_.is_visible;
        function.is_weak = linkage_.is_weak;
        function.ptx_line = cursor_.peek().line;
        std::vector<Declared> returns;
        if (!is_entry) returns = read_parameters(cursor_);
        function.name = cursor_.need_word("a function's name");
        const std::vector<Declared> params = read_parameters(cursor_);
        for (const Declared& declared : returns)
            function.returns.push_back(declared.variable);
        for (const Declared& declared : params)
            function.params.push_back(declared.variable);
        attributes(function);
        if (cursor_.take_mark('{')) {
            debug_.begin_function();
            BodyReader(cursor_, module_, debug_, function).read(returns, params);
        } else {
            cursor_.need_mark(';');
            function.is_extern = true;
        }
        add_function(std::move(function));
    }

    // Directives between the parameters and the body. Those that say nothing about what
    // the function computes (.pragma, .abi_preserve, ...) are read over.
    void attributes(Function& function) {
        while (cursor_.peek().kind == Token::Kind::dot) {
            const std::string_view name = cursor_.take().text;
            if (name == "pragma") {
                pragma();
                continue;
            }
            const std::vector<int> numbers = read_numbers();
            const auto number = [&](std::size_t i, int otherwise) {
                return i < numbers.size() ? numbers[i] : otherwise;
            };
            if (name == "noreturn") function.no_return = true;
            if (name == "minnctapersm") function.min_blocks = number(0, 0);
            if (name == "maxnreg") function.max_registers = number(0, 0);
            if (name == "maxntid") {
                function.max_threads = number(0, 0) * number(1, 1) * number(2, 1);
            }
            for (int i = 0; i < 3; ++i) {
                if (name == "reqntid") function.required_threads[i] = number(i, 1);
                if (name == "reqnctapercluster") function.cluster[i] = number(i, 1);
            }
        }
    }

    // Launch limits are small; damaged text may say anything.
    std::vector<int> read_numbers() {
        constexpr std::uint64_t most = 1024;
        std::vector<int> numbers;
        while (cursor_.peek().kind == Token::Kind::integer) {
            numbers.push_back(static_cast<int>(std::min(cursor_.take().bits, most)));
            if (!cursor_.take_mark(',')) break;
        }
        return numbers;
    }

    // A definition takes the place of the declarations before it.
    void add_function(Function function) {
        const auto [entry, is_new] =
            function_at_.try_emplace(function.name, module_.functions.size());
        if (is_new) return module_.functions.push_back(std::move(function));
        Function& known = module_.functions[entry->second];
        const bool no_return = known.no_return || function.no_return;
        if (known.is_extern) {
            function.is_visible |= known.is_visible;
            function.is_weak |= known.is_weak;
            known = std::move(function);
        } else if (!function.is_extern) {
            add_problem(
                module_, function.ptx_line,
                "function " + function.name + " is defined twice; the first counts");
        }
        known.no_return = no_return;
    }

    void add_variable(Variable variable) {
        const auto [entry, is_new] =
            variable_at_.try_emplace(variable.name, module_.variables.size());
        if (is_new) return module_.variables.push_back(std::move(variable));
        Variable& known = module_.variables[entry->second];
        if (known.is_extern) known = std::move(variable);
    }

    void make_alias(std::string_view alias, std::string_view target) {
        const Function* known = module_.function(target);
        if (!known) return;
        Function function = *known;
        function.name = alias;
        add_function(std::move(function));
    }

    // On to the next statement: past a ';' or a whole body, or up to a known directive
    // that begins a line.
    void recover(std::size_t from, const Unreadable& why) {
        const std::string found =
            cursor_.text(cursor_.position(), cursor_.position() + 1);
        cursor_.go_to(from);
        const Token& first = cursor_.take();
        int depth = 0;
        for (int line = first.line; !cursor_.done();) {
            const Token& token = cursor_.peek();
            if (depth == 0 && token.line != line && begins_statement(token)) break;
            line = token.line;
            depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
            cursor_.take();
            if (depth <= 0 && (token.is(';') || token.is('}'))) break;
        }
        add_problem(module_, first.line,
                    "cannot read \"" + cursor_.text(from, cursor_.position()) +
                        "\": expected " + why.expected + " at \"" + found + '"');
    }

    static bool begins_statement(const Token& token) {
        static constexpr std::string_view others[] = {
            "visible", "extern", "weak", "common", "global", "const", "shared"};
        return row_of(token) ||
               (token.kind == Token::Kind::dot &&
                std::ranges::find(others, token.text) != std::end(others));
    }

    Module& module_;
    std::vector<Token> tokens_;
    Cursor cursor_;
    DebugReader debug_;
    Linkage linkage_;
    std::vector<std::pair<std::string_view, std::string_view>> aliases_;
    std::unordered_map<std::string, std::size_t> function_at_, variable_at_;
};

}  // namespace

Module parse(std::string text) {
    Module module;
    module.text = std::move(text);
    ModuleReader(module).read();
    return module;
}

}  // namespace emu::ptx
