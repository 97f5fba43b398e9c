// Reads JSON files, with limits on size, depth and number of values, and members that must have the right type.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/store/files.h"

namespace millrace {

// The largest manifest has 65,535 parts (1.2 MB as it is written) and hundreds of stripes with paths of up to 4 KiB:
// more files could not be open at once. JSON takes up to 30 times its size in memory if values are small, and time
// grows with the square of the members of an object. So values and members are limited too.
inline constexpr std::uint64_t most_json_bytes = 16u << 20;
inline constexpr std::uint64_t most_json_values = 1u << 18;
inline constexpr std::uint64_t most_json_members = 10'000;
inline constexpr int most_json_depth = 32;

// What is wrong, in words of ours: without the "[json.exception.parse_error.101]" of the library.
std::string json_problem(const nlohmann::ordered_json::exception& problem);

// Throws BadInputError if the file is no JSON, is nested too deep, or is too large; then it is not read. Leaves out the
// member `without` of the outermost object, whose values are not counted.
nlohmann::ordered_json read_json_file(const File& file, std::string_view without = {});

// Members of an object. A missing member or another type throws BadInputError naming the member.
const nlohmann::ordered_json& member_of(const nlohmann::ordered_json& object, const char* name);
const nlohmann::ordered_json& object_of(const nlohmann::ordered_json& object, const char* name);
std::string text_of(const nlohmann::ordered_json& object, const char* name);
std::vector<std::string> texts_of(const nlohmann::ordered_json& object, const char* name);
bool flag_of(const nlohmann::ordered_json& object, const char* name);
// Whole numbers from 0 to `most`.
std::uint64_t number_of(const nlohmann::ordered_json& object, const char* name,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
std::vector<std::uint32_t> numbers_of(const nlohmann::ordered_json& object, const char* name, std::uint32_t most);

}  // namespace millrace
