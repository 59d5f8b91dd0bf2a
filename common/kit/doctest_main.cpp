// The main of every check: doctest's own, and a listener that also writes down what
// failed as JSON lines, in the file that WARPLINGS_VERDICT names, for the command-line
// program.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kit/table.h"

namespace {

using kit::json_string;

std::string text_of(const doctest::String& text) { return text.c_str(); }

class VerdictListener : public doctest::IReporter {
public:
    explicit VerdictListener(const doctest::ContextOptions&) {
        if (const char* path = std::getenv("WARPLINGS_VERDICT"); path && *path)
            file_.open(path, std::ios::app);
    }

    void test_case_start(const doctest::TestCaseData& test) override { case_ = &test; }
    void test_case_reenter(const doctest::TestCaseData&) override { subcases_.clear(); }
    void subcase_start(const doctest::SubcaseSignature& subcase) override {
        subcases_.push_back(text_of(subcase.m_name));
    }
    void subcase_end() override {
        if (!subcases_.empty()) subcases_.pop_back();
    }
    void test_case_end(const doctest::CurrentTestCaseStats&) override {
        case_ = nullptr;
        subcases_.clear();
    }

    void log_assert(const doctest::AssertData& a) override {
        if (!a.m_failed) return;
        std::string message = text_of(a.m_decomp);
        if (a.m_threw) message = "threw: " + text_of(a.m_exception);
        write(a.m_file, a.m_line, text_of(a.m_expr), message, "assertion");
    }
    void log_message(const doctest::MessageData& m) override {
        if (m.m_severity & doctest::assertType::is_warn) return;
        write(m.m_file, m.m_line, "", text_of(m.m_string), "assertion");
    }
    void test_case_exception(const doctest::TestCaseException& e) override {
        write(case_ ? case_->m_file.c_str() : "", case_ ? int(case_->m_line) : 0, "",
              text_of(e.error_string), e.is_crash ? "crash" : "exception");
    }

    void test_run_end(const doctest::TestRunStats& run) override {
        if (!file_.is_open()) return;
        file_ << "{\"summary\":true,\"cases\":" << run.numTestCasesPassingFilters
              << ",\"failed_cases\":" << run.numTestCasesFailed
              << ",\"assertions\":" << run.numAsserts
              << ",\"failed_assertions\":" << run.numAssertsFailed << "}" << std::endl;
    }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

private:
    // Flushed line by line: the learner's code may end the process at any moment.
    void write(const char* file, int line, const std::string& expression,
               const std::string& message, const char* kind) {
        if (!file_.is_open()) return;
        std::string info;
        for (int i = 0; i < get_num_active_contexts(); ++i) {
            std::ostringstream text;
            get_active_contexts()[i]->stringify(&text);
            info += (i ? "," : "") + json_string(text.str());
        }
        file_ << "{\"case\":" << json_string(case_ ? case_->m_name : "")
              << ",\"subcase\":" << json_string(subcase())
              << ",\"file\":" << json_string(file) << ",\"line\":" << line
              << ",\"expression\":" << json_string(expression)
              << ",\"message\":" << json_string(message) << ",\"info\":[" << info
              << "],\"kind\":\"" << kind << "\"}" << std::endl;
    }

    std::string subcase() const {
        std::string path;
        for (const std::string& name : subcases_)
            path += (path.empty() ? "" : " / ") + name;
        return path;
    }

    std::ofstream file_;
    const doctest::TestCaseData* case_ = nullptr;
    std::vector<std::string> subcases_;  // from the outer to the inner one
};

REGISTER_LISTENER("verdict", 1, VerdictListener);

}  // namespace
