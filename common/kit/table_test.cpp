#include "kit/table.h"

#include <doctest/doctest.h>

#include <stdexcept>

static kit::Table example() {
    kit::Table table("Copies",
                     {kit::text_column("variant"), kit::number_column("time", "ms", 2),
                      kit::count_column("sectors")});
    table.row({"one \"float\"", 0.5, 1048576});
    table.row({"four, at once", std::optional<double>(), -1234});
    return table;
}

TEST_CASE("plain text lines columns up: words left, numbers right, nothing as a dash") {
    CHECK(example().text(false) ==
          "## Copies\n\n"
          "variant        time [ms]    sectors\n"
          "one \"float\"         0.50  1,048,576\n"
          "four, at once          –     -1,234\n");
}

TEST_CASE("a box has the same cells") {
    const std::string text = example().text(true);
    CHECK(text.find("│ four, at once │         – │    -1,234 │") != std::string::npos);
    CHECK(text.find("┌───────────────┬───────────┬───────────┐") != std::string::npos);
}

TEST_CASE("JSON keeps raw numbers, units and null, and escapes") {
    CHECK(example().json() ==
          "    {\"title\":\"Copies\",\n"
          "     \"columns\":[{\"name\":\"variant\",\"unit\":\"\",\"digits\":0},"
          "{\"name\":\"time\",\"unit\":\"ms\",\"digits\":2},"
          "{\"name\":\"sectors\",\"unit\":\"\",\"digits\":0}],\n"
          "     \"rows\":[\n"
          "      [\"one \\\"float\\\"\",0.5,1048576],\n"
          "      [\"four, at once\",null,-1234]]}");
    CHECK(kit::json_string("a\\b\n\x01") == "\"a\\\\b\\n\\u0001\"");
}

TEST_CASE("CSV quotes what needs it") {
    CHECK(example().csv() ==
          "# Copies\n"
          "variant,time [ms],sectors\n"
          "\"one \"\"float\"\"\",0.5,1048576\n"
          "\"four, at once\",,-1234\n");
}

TEST_CASE("a row with too few cells is refused, with the table's name") {
    kit::Table table("Copies",
                     {kit::text_column("variant"), kit::count_column("sectors")});
    CHECK_THROWS_WITH_AS(table.row({"alone"}),
                         "table 'Copies' has 2 columns, a row has 1",
                         std::invalid_argument);
}
