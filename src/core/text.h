// Sizes, counts and words as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

// "16G" -> 17179869184. Accepts K, M, G, T (powers of 1024), an optional iB or B, and fractions ("1.5G").
std::uint64_t parse_size(std::string_view text);

// 17179869184 -> "16.0 GiB".
std::string format_size(std::uint64_t bytes);

// The same, rounded up: for a needed size, which must still be enough after parse_size reads it. And rounded down: for
// the limit that such a size exceeds.
std::string format_size_at_least(std::uint64_t bytes);
std::string format_size_at_most(std::uint64_t bytes);

// How many a second, in three digits: 1610000000 -> "1.61 G/s", 35200 -> "35.2 k/s".
std::string format_rate(double per_second);

// 1234567 -> "1,234,567".
std::string format_count(std::uint64_t count);

// (1, "edge") -> "1 edge", (1234, "edge") -> "1,234 edges"; also of a vertex and an entry.
std::string format_counted(std::uint64_t count, std::string_view noun);

// Text that a terminal shows and does not act on: control characters become \u001b and the like, as in JSON, and bytes
// that are no UTF-8 '?'. Of several lines, line breaks and tabs stay.
enum class Lines { one, several };
std::string printable_text(std::string_view text, Lines lines = Lines::one);

// Whether two texts are the same but for capital letters.
bool equal_letters(std::string_view a, std::string_view b);

// How many plus signs there are before a number, 0 or 1: std::from_chars reads none.
inline std::size_t plus_signs(std::string_view text) { return text.size() > 1 && text[0] == '+' && text[1] != '-'; }

// 0.00123 -> "1.23 ms".
std::string format_seconds(double seconds);

}  // namespace millrace
