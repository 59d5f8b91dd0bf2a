#include "emulator/ops/op.h"

namespace emu {

ptx::Type Form::type(int k) const {
    for (const std::string& modifier : text.modifiers) {
        const ptx::Type found = ptx::type_named(modifier);
        if (found != ptx::Type::none && k-- == 0) return found;
    }
    return ptx::Type::none;
}

}  // namespace emu
