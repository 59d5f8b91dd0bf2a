#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace warplings {

// As every command prints it. Pages and programs may hold bytes that are no UTF-8.
inline std::string json_text(const nlohmann::json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace warplings
