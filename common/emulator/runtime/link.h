#pragma once
// Joins the PTX texts of relocatable device code (-rdc=true) into one.
#include <string>
#include <vector>

namespace emu {

// One header, every body; file numbers of `.loc` made distinct. A name that one text
// declares extern and another defines is left to the parser, which knows both.
std::string link_texts(const std::vector<std::string>& texts);

}  // namespace emu
