#include "millrace/core/error.h"

#include <cerrno>
#include <cstring>

namespace millrace {
namespace {

// They surround the name of a setting; they hardly ever occur in text.
constexpr char begins = '\x1e', ends = '\x1f';

bool in_marked_name(char c) { return static_cast<unsigned char>(c) >= ' '; }
bool in_written_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

// Returns the text with each name between `first` and `last` replaced by shown(name). A name has at least one
// character, and in_name is true for all of them.
template <class Shown>
std::string replace_names(std::string_view text, char first, char last, bool (*in_name)(char), Shown shown) {
  std::string replaced;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t end = at + 1;
    if (text[at] == first)
      while (end < text.size() && in_name(text[end])) ++end;
    if (end > at + 1 && end < text.size() && text[end] == last) {
      replaced += shown(text.substr(at + 1, end - at - 1));
      at = end;
    } else {
      replaced += text[at];
    }
  }
  return replaced;
}

}  // namespace

std::string setting(std::string_view name) { return begins + std::string(name) + ends; }

std::string mark_settings(std::string_view text) { return replace_names(text, '@', '@', in_written_name, setting); }

std::string with_settings(std::string_view marked, const std::function<std::string(std::string_view)>& shown) {
  return replace_names(marked, begins, ends, in_marked_name, shown);
}

std::string with_settings(std::string_view marked, std::string_view prefix) {
  return with_settings(marked, [&](std::string_view name) { return std::string(prefix) + std::string(name); });
}

std::string format_marked(fmt::string_view text, fmt::format_args args) {
  return fmt::vformat(mark_settings({text.data(), text.size()}), args);
}

void throw_system_error(const std::string& doing, const std::string& path) {
  const int reason = errno;
  throw IoError("cannot {} {}: {}", doing, path, std::strerror(reason));
}

}  // namespace millrace
