#pragma once
// Which memory an instruction names, and in what order it promises to act.
#include "emulator/ops/op.h"

namespace emu {

// The modifier may carry a sub-space: .shared::cta, .param::func.
inline ptx::Space space_in(const Form& form) {
    using enum ptx::Space;
    for (const std::string& modifier : form.text.modifiers) {
        const std::string_view name =
            std::string_view(modifier).substr(0, modifier.find(':'));
        if (name == "global") return global;
        if (name == "shared") return shared;
        if (name == "local") return local;
        if (name == "const") return constant;
        if (name == "param") return param;
    }
    return generic;
}

enum Order : int { weak = 0, is_volatile = 1, strong = 2 };

inline Order order_in(const Form& form) {
    if (form.has("volatile") || form.has("mmio")) return is_volatile;
    const bool ordered =
        form.has("relaxed") || form.has("acquire") || form.has("release");
    return ordered ? strong : weak;
}

// Elements of a vector; 1 where it is none.
inline int count_in(const Form& form) {
    return form.has("v8") ? 8 : form.has("v4") ? 4 : form.has("v2") ? 2 : 1;
}

}  // namespace emu
