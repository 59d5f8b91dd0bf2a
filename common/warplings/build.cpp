#include "warplings/build.h"

#include <fmt/format.h>

#include <cctype>
#include <regex>

#include "warplings/process.h"

namespace warplings {

namespace {
constexpr std::size_t longest_line = 2000;
constexpr double longest_build = 900;      // seconds; the first one builds the course's parts
}  // namespace

fs::path BuildTree::emulator_library() const {
    for (const auto& entry : fs::directory_iterator(binary / "lib" / "emulator"))
        if (std::regex_match(entry.path().filename().string(),
                             std::regex("libcudart\\.so\\.[0-9]+")))
            return entry.path();
    throw Failure{3, fmt::format("the emulator is not built: nothing in {}. Remedy: "
                                 "configure with -DWARPLINGS_EMULATOR=ON and build.",
                                 (binary / "lib" / "emulator").string())};
}

fs::path BuildTree::executable(const std::string& target) const {
    return binary / "bin" / target;
}

const BuildTree& build_tree() {
    static const BuildTree tree{WARPLINGS_SOURCE_DIR, WARPLINGS_BINARY_DIR, WARPLINGS_BACKEND};
    return tree;
}

BuildResult build(const std::vector<std::string>& targets) {
    const ScratchFolder usable;  // compilers need one, and do not say so clearly
    Command command;
    // Ninja does not lock its folder; the launcher's lock keeps two builds apart.
    const fs::path& folder = build_tree().binary;
    command.argv = {"flock", (folder / "launcher.lock").string(), "cmake", "--build",
                    folder.string(), "--target"};
    command.argv.insert(command.argv.end(), targets.begin(), targets.end());
    command.environment["NINJA_STATUS"] = "[%f/%t] ";
    command.seconds = longest_build;
    const Outcome outcome = run(command);
    if (outcome.end == Outcome::End::not_started)
        throw Failure{3, "cmake cannot be started: " + outcome.output +
                             ". Remedy: install CMake 3.25 or newer."};
    BuildResult result{outcome.succeeded(), outcome.seconds, outcome.output, {}};
    if (!result.succeeded) result.error = first_error(outcome.output);
    if (outcome.end == Outcome::End::timed_out)
        result.error = CompileError{
            "", 0, fmt::format("the compiler was not done after {:.0f} s", longest_build)};
    return result;
}

std::optional<CompileError> first_error(std::string_view log) {
    static const std::regex forms[] = {
        std::regex(R"(^(.+)\((\d{1,9})\): (?:catastrophic )?error(?: #[-\w]+)?: (.*)$)"),  // nvcc
        std::regex(R"(^(.+?):(\d{1,9})(?::\d+)?: (?:fatal )?error: (.*)$)"),               // g++
        std::regex(R"(^(.+?):(\d{1,9}): (undefined reference to .*)$)"),                   // ld
    };
    std::size_t at = 0;
    std::optional<CompileError> unresolved;
    while (at < log.size()) {
        const std::size_t end = std::min(log.find('\n', at), log.size());
        // Matching goes deeper with each character, and compilers quote lines of any length.
        const std::string line(log.substr(at, std::min(end - at, longest_line)));
        std::smatch match;
        for (const std::regex& form : forms)
            if (std::regex_match(line, match, form))
                return CompileError{match[1], std::stoi(match[2]), match[3]};
        if (const auto where = line.find("undefined reference to"); where != line.npos && !unresolved)
            unresolved = CompileError{"", 0, line.substr(where)};
        at = end + 1;
    }
    return unresolved;
}

std::string what_the_compiler_said(std::string_view log) {
    const std::size_t failed = log.starts_with("FAILED: ") ? 0 : log.find("\nFAILED: ");
    if (failed == log.npos) return std::string(log);
    std::string said;
    std::size_t at = failed + (failed > 0);
    for (int line = 0; at < log.size(); ++line) {
        const std::size_t end = std::min(log.find('\n', at), log.size());
        const std::string_view text = log.substr(at, end - at);
        at = end + 1;
        if (line < 2) continue;  // the target, and the command that was to make it
        const bool status = text.size() > 1 && text[0] == '[' && std::isdigit(
                                static_cast<unsigned char>(text[1]));
        if (status || text.starts_with("ninja: ")) break;
        said += std::string(text) + "\n";
    }
    return said;
}

std::string usual_meaning(const CompileError& error) {
    static const struct {
        std::regex message;
        const char* meaning;
    } known[] = {
        {std::regex(R"x(no operator .*matches these operands|.*"(const )?uint3".*)x"),
         "threadIdx, blockIdx, blockDim and gridDim are structures: an index needs a "
         "component, such as threadIdx.x."},
        {std::regex(R"x(identifier "(threadIdx|blockIdx|blockDim|gridDim)" is undefined)x"),
         "These exist in device code only: in a function marked __global__ or __device__."},
        {std::regex(R"x(no instance of overloaded function "cudaMalloc.*)x"),
         "cudaMalloc stores an address in your pointer, so it wants the pointer's own address: "
         "cudaMalloc(&pointer, bytes)."},
        {std::regex(R"x(argument of type "const .*" is incompatible with parameter of type "void \*")x"),
         "This argument would be written to, and it is constant. cudaMemcpy takes the "
         "destination first, then the source."},
        {std::regex(R"x(calling a __host__ function.* from a __(global|device)__ function.*)x"),
         "A kernel can call device functions only. Mark the function __device__ or "
         "__host__ __device__."},
        {std::regex(R"x(a __global__ function call must be configured)x"),
         "A kernel is launched with kernel<<<blocks, threads>>>(arguments)."},
        {std::regex(R"x(a __global__ function must have a void return type.*)x"),
         "A kernel returns nothing: it writes its result through a pointer."},
        {std::regex(R"x(.*cannot be directly (read|written|modified) in a host function.*)x"),
         "On the host the name of a __device__ variable is a shadow. Use cudaMemcpyFromSymbol "
         "or cudaMemcpyToSymbol."},
        {std::regex(R"x(undefined reference to .*exercise::.*)x"),
         "The check calls a function that your file does not define with exactly the "
         "declaration in its header. Compare name, parameters and namespace."},
        {std::regex(R"x(expected a ";".*|expected ';'.*)x"),
         "A semicolon is missing, often at the end of the line before."},
        {std::regex(R"x(identifier ".*" is undefined)x"),
         "The name is not declared at this place: a typing mistake, or a missing include."},
    };
    for (const auto& entry : known)
        if (std::regex_match(error.message, entry.message)) return entry.meaning;
    return "";
}

}  // namespace warplings
