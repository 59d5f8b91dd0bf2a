#pragma once
// Text that is wider than the terminal, broken between words instead of within.
#include <string>
#include <string_view>

namespace warplings {

// Columns of the terminal behind stdout; 0 where there is none: a pipe gets whole lines.
int terminal_columns();

// Each line on its own; what goes on keeps the line's indentation. 0 columns: unchanged.
std::string wrapped(std::string_view text, int columns);

// A page of Markdown: the lines of a paragraph are joined, then broken anew. Headings,
// tables and what stands between ``` keep their lines.
std::string wrapped_page(std::string_view page, int columns);

}  // namespace warplings
