#include "millrace/engine/learned_sizes.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "millrace/core/error.h"
#include "millrace/core/output_file.h"

namespace millrace {

using Json = nlohmann::json;

LearnedSizes::LearnedSizes(std::filesystem::path store) : file_(std::move(store) / "learned.json") {
  std::ifstream text(file_);
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  for (const auto& [run, bytes] : json.items())
    if (bytes.is_number_unsigned()) bytes_[run] = bytes.get<std::uint64_t>();
}

std::optional<std::uint64_t> LearnedSizes::find(const std::string& run) const {
  const auto found = bytes_.find(run);
  return found == bytes_.end() ? std::nullopt : std::optional(found->second);
}

void LearnedSizes::note(const std::string& run, std::uint64_t bytes) {
  std::uint64_t& known = bytes_[run];
  if (known >= bytes) return;
  known = bytes;
  std::error_code failed;
  if (std::filesystem::is_symlink(file_, failed)) return;  // somebody else's, and it would be followed
  try {
    const std::string text = Json(bytes_).dump(2) + "\n";
    OutputFile file(file_);
    file.write(text.data(), text.size());
    file.close();
  } catch (const Error&) {
  }
}

}  // namespace millrace
