#include "emulator/exec/program.h"

namespace emu {

const ProgramFunction* Program::function(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &functions[found->second];
}

int Program::function_at(std::uint64_t address) const {
    const std::uint64_t offset = address - function_window;
    if (address < function_window || offset % function_spacing != 0) return -1;
    const std::uint64_t index = offset / function_spacing;
    return index < functions.size() ? static_cast<int>(index) : -1;
}

std::string SourcePlace::text() const {
    const std::string name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
    if (line > 0) return (name.empty() ? "line " : name + ":") + std::to_string(line);
    return "PTX line " + std::to_string(ptx_line);
}

SourcePlace place_of(const Program& program, const ProgramFunction& function,
                     std::uint32_t source) {
    if (source >= function.text->body.size()) return {};
    const ptx::Instruction& instruction = function.text->body[source];
    ptx::Location at = instruction.location;
    for (int k = instruction.inlined; k >= 0; k = program.module.inlines[k].outer)
        at = program.module.inlines[k].at;
    SourcePlace place;
    place.ptx_line = instruction.ptx_line;
    place.line = at.line;
    const auto file = program.module.files.find(at.file);
    if (at.line > 0 && file != program.module.files.end()) place.file = file->second;
    return place;
}

const ProgramFunction* owner_of(const Program& program, const Inst* inst) {
    for (const ProgramFunction& function : program.functions) {
        const Inst* first = function.insts.data();
        if (inst >= first && inst < first + function.insts.size()) return &function;
    }
    return nullptr;
}

std::string text_of(const Program& program, const ptx::Instruction& instruction) {
    const std::string& text = program.module.text;
    std::size_t at = 0;
    for (int line = 1; line < instruction.ptx_line; ++line) {
        at = text.find('\n', at);
        if (at == std::string::npos) return instruction.opcode;
        ++at;
    }
    at = text.find_first_not_of(" \t", at);
    if (at == std::string::npos) return instruction.opcode;
    std::string line = text.substr(at, text.find_first_of("\r\n", at) - at);
    for (char& c : line)
        if (c == '\t') c = ' ';
    return line;
}

}  // namespace emu
