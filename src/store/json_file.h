// JSON that is read: files within limits of size, depth and number, and members of the type that they should have.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "millrace/store/files.h"

namespace millrace {

// The largest manifest has 65,535 parts (1.2 MB as it is written) and hundreds of stripes with paths of up to 4 KiB:
// more could not be open at a time. JSON takes up to 30 times its bytes of memory where values are small, and time by
// the square of the members of an object. So values and members are counted too.
inline constexpr std::uint64_t most_json_bytes = 16u << 20;
inline constexpr std::uint64_t most_json_values = 1u << 18;
inline constexpr std::uint64_t most_json_members = 10'000;
inline constexpr int most_json_depth = 32;

// Throws BadInputError where the file is larger, which is not read then, or nested deeper, or no JSON.
nlohmann::ordered_json read_json_file(const File& file);

// Members of an object, whose absence or other type throws BadInputError naming the member.
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
