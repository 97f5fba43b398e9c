#include "arrow_names.h"

#include <fmt/format.h>

#include <utility>

namespace millrace::python {
namespace {

// Formats that end with a colon go on with parameters.
constexpr std::pair<std::string_view, std::string_view> names[] = {
    {"n", "null"},
    {"b", "bool"},
    {"vz", "binary_view"},
    {"w:", "fixed_size_binary"},
    {"tdD", "date32"},
    {"tdm", "date64"},
    {"tts", "time32"},
    {"ttm", "time32"},
    {"ttu", "time64"},
    {"ttn", "time64"},
    {"tss:", "timestamp"},
    {"tsm:", "timestamp"},
    {"tsu:", "timestamp"},
    {"tsn:", "timestamp"},
    {"tDs", "duration"},
    {"tDm", "duration"},
    {"tDu", "duration"},
    {"tDn", "duration"},
    {"tiM", "month_interval"},
    {"tiD", "day_time_interval"},
    {"tin", "month_day_nano_interval"},
    {"+l", "list"},
    {"+L", "large_list"},
    {"+vl", "list_view"},
    {"+vL", "large_list_view"},
    {"+w:", "fixed_size_list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+ud:", "dense_union"},
    {"+us:", "sparse_union"},
    {"+r", "run_end_encoded"},
};

// "d:50,0,256": digits, places after the point and bits, of which 128 are left out.
std::string name_of_decimal(std::string_view format) {
  const std::size_t comma = format.rfind(',');
  const bool has_bits = comma != format.find(',');
  return fmt::format("decimal{}", has_bits ? format.substr(comma + 1) : "128");
}

}  // namespace

std::string arrow_type_name(std::string_view format) {
  if (format.starts_with("d:")) return name_of_decimal(format);
  for (const auto& [known, name] : names)
    if (known.ends_with(':') ? format.starts_with(known) : format == known) return std::string(name);
  return fmt::format("\"{}\"", format);
}

}  // namespace millrace::python
