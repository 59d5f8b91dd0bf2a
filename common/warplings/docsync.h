#pragma once
// Keeps pages in step with what they show. Between two comments of a page,
//
//     <!-- code: vector_add.cu#add -->        a region of a source file
//     <!-- output: expected.txt#a-title -->   a section of a lesson's tested output
//     <!-- results: vector_add#a-title -->    a table of docs/results/vector_add.json
//     <!-- table: exercises -->               what folders and programs know; also: devices
//     <!-- end -->
//
// everything is derived and written anew; so is figures/NAME.svg from figures/NAME.fig.
// A name that is not found, a region that no page uses and marks that do not balance are
// errors: a page that quietly shows nothing, or something old, is worse than none.
#include <map>
#include <string>
#include <vector>

#include "warplings/files.h"

namespace warplings {

// Regions by name, dedented: "// #region add" to "// #endregion". Throws Failure(1)
// naming file and line where they are nested, left open, closed twice or of one name.
std::map<std::string, std::string> regions_of(const std::string& text,
                                              const std::string& name);

// The part of a lesson's plain output under "## Title"; the key is the title in small
// letters with hyphens. Throws Failure(1) with the keys that there are.
std::string output_section(const std::string& output, const std::string& key,
                           const std::string& name);

// One table of a lesson's --json output as Markdown, with the device's name below it.
std::string results_table(const std::string& json, const std::string& key,
                          const std::string& name);

// `page` with every derived part written anew. `used` collects "FILE#REGION".
std::string synced_page(const std::string& page, const fs::path& path,
                        const fs::path& root, std::vector<std::string>& used);

// All pages, figures and local links under `root`. 0, or 1 where `check` found something
// out of date or any part is wrong; each is named on stdout.
int docsync(const fs::path& root, bool check);

}  // namespace warplings
