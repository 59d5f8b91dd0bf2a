#include "emulator/ptx/scopes.h"

#include <charconv>

#include "emulator/ptx/cursor.h"

namespace emu::ptx {
namespace {

constexpr std::string_view elements[] = {".x", ".y", ".z", ".w"};

void rename_in(Operand& operand,
               const std::unordered_map<std::string, std::string>& names) {
    if (operand.kind == Operand::Kind::symbol) {
        const auto found = names.find(operand.name);
        if (found != names.end()) operand.name = found->second;
    }
    for (Operand& item : operand.items) rename_in(item, names);
}

}  // namespace

Scopes::Scopes(Function& function) : function_(function) { open(); }

void Scopes::open() {
    Scope& scope = scopes_.emplace_back();
    scope.first_instruction = function_.body.size();
    scope.first_targets = function_.targets.size();
}

void Scopes::close() {
    const Scope& scope = scopes_.back();
    for (const auto& [name, binding] : scope.names) {
        if (binding.index < 0) continue;
        if (binding.kind == Binding::Kind::reg)
            free_registers_[{name, binding.type}].push_back(binding.index);
        else if (binding.kind == Binding::Kind::local &&
                 function_.locals[binding.index].space == Space::param)
            free_params_[name].push_back(binding.index);
    }
    rename_labels(scope);
    scopes_.pop_back();
}

void Scopes::declare_register(std::string_view name, Type type, int vector) {
    if (vector == 1) {
        scopes_.back().names[name] = {Binding::Kind::reg, type, -1, 1};
        return;
    }
    scopes_.back().names[name] = {Binding::Kind::vector, type, -1, vector};
    for (int i = 0; i < vector; ++i)
        declare_register(made_names_.emplace_back(std::string(name) += elements[i]),
                         type);
}

void Scopes::declare_range(std::string_view prefix, std::uint64_t count, Type type) {
    scopes_.back().ranges.push_back({prefix, count, type});
}

void Scopes::declare_local(Variable variable, std::string_view name) {
    int index = reusable(variable, name);
    if (index < 0) {
        index = static_cast<int>(function_.locals.size());
        variable.name = taken_[name]++ == 0 ? std::string(name) : unique(name);
        function_.locals.push_back(std::move(variable));
    }
    scopes_.back().names[name] = {Binding::Kind::local, Type::none, index, 1};
}

int Scopes::reusable(const Variable& variable, std::string_view name) {
    if (variable.space != Space::param) return -1;
    std::vector<int>& free = free_params_[name];
    for (std::size_t i = 0; i < free.size(); ++i) {
        const Variable& old = function_.locals[free[i]];
        if (old.type != variable.type || old.bytes != variable.bytes ||
            old.align != variable.align)
            continue;
        const int index = free[i];
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(i));
        return index;
    }
    return -1;
}

// Labels of inner scopes are always renamed, when their scope closes: the outer scope may
// still declare the same name, and branches may come before the label.
void Scopes::declare_label(std::string_view name) {
    Scope& scope = scopes_.back();
    const int here = static_cast<int>(function_.body.size());
    if (!scope.names.try_emplace(name, Binding{Binding::Kind::label, Type::none, -1, 1})
             .second)
        throw Unreadable{"a label that is not declared yet"};
    const std::string used = depth() == 1
                                 ? std::string(name)
                                 : scope.renamed[std::string(name)] = unique(name);
    function_.labels[used] = here;
}

std::string Scopes::declare_table(std::string_view name) {
    if (depth() == 1) return std::string(name);
    return scopes_.back().renamed[std::string(name)] = unique(name);
}

Operand Scopes::operand(std::string_view name) {
    Operand operand;
    Binding* binding = find(name);
    if (binding && binding->kind == Binding::Kind::reg) {
        operand.kind = Operand::Kind::reg;
        operand.index = register_of(name, *binding);
    } else if (binding && binding->kind == Binding::Kind::vector) {
        operand.kind = Operand::Kind::vector;
        const int width = binding->width;
        for (int i = 0; i < width; ++i)
            operand.items.push_back(this->operand(std::string(name) += elements[i]));
    } else if (name[0] == '%') {
        operand.kind = Operand::Kind::special;
        operand.name = name;
    } else {
        operand.kind = Operand::Kind::symbol;
        operand.name = symbol(name);
    }
    return operand;
}

std::string Scopes::symbol(std::string_view name) {
    const Binding* binding = find(name);
    if (binding && binding->kind == Binding::Kind::local)
        return function_.locals[binding->index].name;
    return std::string(name);
}

Scopes::Binding* Scopes::find(std::string_view name) {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
        const auto found = scopes_[i].names.find(name);
        if (found != scopes_[i].names.end()) return &found->second;
        if (Binding* binding = in_range(scopes_[i], name)) return binding;
    }
    return nullptr;
}

// `%r<5>` declares %r0 to %r4. PTX ISA, 5.4.6 (parameterized variable names).
Scopes::Binding* Scopes::in_range(Scope& scope, std::string_view name) {
    if (scope.ranges.empty() || name.back() < '0' || name.back() > '9') return nullptr;
    for (const Range& range : scope.ranges) {
        if (name.size() <= range.prefix.size() || !name.starts_with(range.prefix))
            continue;
        const std::string_view digits = name.substr(range.prefix.size());
        std::uint64_t number = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc{} || end != digits.data() + digits.size()) continue;
        if (number >= range.count || (digits[0] == '0' && digits.size() > 1)) continue;
        return &(scope.names[name] = {Binding::Kind::reg, range.type, -1, 1});
    }
    return nullptr;
}

int Scopes::register_of(std::string_view name, Binding& binding) {
    if (binding.index >= 0) return binding.index;
    const auto free = free_registers_.find({name, binding.type});
    if (free != free_registers_.end() && !free->second.empty()) {
        binding.index = free->second.back();
        free->second.pop_back();
        return binding.index;
    }
    binding.index = static_cast<int>(function_.registers.size());
    function_.registers.push_back({std::string(name), binding.type});
    return binding.index;
}

std::string Scopes::unique(std::string_view name) {
    return std::string(name) + '.' + std::to_string(++renames_);
}

void Scopes::rename_labels(const Scope& scope) {
    if (scope.renamed.empty()) return;
    for (std::size_t i = scope.first_instruction; i < function_.body.size(); ++i)
        for (Operand& operand : function_.body[i].operands)
            rename_in(operand, scope.renamed);
    for (std::size_t i = scope.first_targets; i < function_.targets.size(); ++i)
        for (std::string& entry : function_.targets[i].entries)
            if (const auto found = scope.renamed.find(entry);
                found != scope.renamed.end())
                entry = found->second;
}

}  // namespace emu::ptx
