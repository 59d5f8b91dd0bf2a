#include "emulator/runtime/place.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#ifdef EMULATOR_HAS_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#endif

namespace emu {
namespace {

bool of_this_library(void* address) {
    static const void* own = [] {
        Dl_info info{};
        dladdr(reinterpret_cast<void*>(&callers_here), &info);
        return static_cast<const void*>(info.dli_fbase);
    }();
    Dl_info info{};
    return dladdr(address, &info) && info.dli_fbase == own;
}

#ifdef EMULATOR_HAS_LIBDW
// Helpers that stand between the program's own line and the runtime.
bool is_passed_over(std::string_view file) {
    return file.ends_with("/cuda_runtime.h") || file.ends_with("/cuda_runtime_api.h") ||
           file.ends_with(".stub.c") || file.find("/common/kit/") != file.npos ||
           file.find("/include/c++/") != file.npos;
}

Dwfl* program_lines() {
    static Dwfl* dwfl = [] {
        static char* no_debug_path = nullptr;
        static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf,
                                                 dwfl_standard_find_debuginfo, nullptr,
                                                 &no_debug_path};
        Dwfl* made = dwfl_begin(&callbacks);
        if (!made) return made;
        dwfl_report_begin(made);
        dwfl_linux_proc_report(made, getpid());
        dwfl_report_end(made, nullptr, nullptr);
        return made;
    }();
    return dwfl;
}

// Calls of functions that the compiler put into their callers, innermost first.
Place inlined_at(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Die* scopes = nullptr;
    int count = dwarf_getscopes(unit, address, &scopes);
    Dwarf_Files* files = nullptr;
    size_t file_count = 0;
    Place found;
    if (count > 0 && dwarf_getsrcfiles(unit, &files, &file_count) == 0)
        for (int i = 0; i < count && found.file.empty(); ++i) {
            if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
            Dwarf_Attribute attribute;
            Dwarf_Word file = 0, line = 0;
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file);
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line);
            const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
            if (name && !is_passed_over(name)) found = {name, int(line)};
        }
    free(scopes);
    return found;
}

// The C library's start code, where it comes with debug information.
bool is_of_system(Dwfl_Module* module) {
    const char* name = dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr,
                                        nullptr, nullptr);
    std::string_view file = name ? name : "";
    return file.find("/libc.so") != file.npos || file.find("/libstdc++") != file.npos;
}

Place place_of_address(Dwfl* dwfl, Dwarf_Addr address) {
    Dwfl_Module* module = dwfl_addrmodule(dwfl, address);
    if (module && is_of_system(module)) return {};
    Dwfl_Line* line = module ? dwfl_module_getsrc(module, address) : nullptr;
    if (!line) return {};
    int number = 0;
    const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
    if (!file) return {};
    if (!is_passed_over(file)) return {file, number};
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
    return unit ? inlined_at(unit, address - bias) : Place();
}
#endif

}  // namespace

std::string Place::text() const {
    if (file.empty()) return {};
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(line);
}

Callers callers_here() {
    void* frames[Callers::most * 2];
    int taken = backtrace(frames, Callers::most * 2);
    Callers callers;
    int i = 0;
    while (i < taken && of_this_library(frames[i])) ++i;
    for (; i < taken && callers.count < Callers::most; ++i)
        callers.address[callers.count++] = frames[i];
    return callers;
}

Callers caller_at(void* return_address) {
    Callers callers;
    callers.address[0] = return_address;
    callers.count = 1;
    return callers;
}

Place place_of(const Callers& callers) {
#ifdef EMULATOR_HAS_LIBDW
    static std::mutex mutex;          // libdw is not made for several threads
    std::lock_guard lock(mutex);
    Dwfl* dwfl = program_lines();
    for (int i = 0; dwfl && i < callers.count; ++i) {
        // A return address is the one after the call; the call is what is looked for.
        auto address = reinterpret_cast<Dwarf_Addr>(callers.address[i]) - 1;
        if (Place place = place_of_address(dwfl, address); !place.file.empty()) return place;
    }
#else
    (void)callers;
#endif
    return {};
}

}  // namespace emu
