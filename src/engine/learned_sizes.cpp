#include "millrace/engine/learned_sizes.h"

#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/store/json_file.h"

namespace millrace {

LearnedSizes::LearnedSizes(std::filesystem::path store) : file_(std::move(store) / "learned.json") {
  try {
    const nlohmann::ordered_json json = read_json_file(File::open(file_));
    if (!json.is_object()) return;
    for (const auto& [run, bytes] : json.items())
      if (bytes.is_number_unsigned()) bytes_[run] = bytes.get<std::uint64_t>();
  } catch (const Error&) {  // not there, or not as note() writes it
  }
}

std::optional<std::uint64_t> LearnedSizes::find(const std::string& run) const {
  const auto found = bytes_.find(run);
  return found == bytes_.end() ? std::nullopt : std::optional(found->second);
}

void LearnedSizes::note(const std::string& run, std::uint64_t bytes) {
  std::uint64_t& known = bytes_[run];
  if (known >= bytes) return;
  known = bytes;
  std::error_code ignored;
  const auto there = std::filesystem::symlink_status(file_, ignored);
  // A link is somebody else's and would be followed; writing to a pipe would wait for its reader.
  if (exists(there) && !is_regular_file(there)) return;
  try {
    const std::string text = nlohmann::json(bytes_).dump(2) + "\n";
    OutputFile file(file_);
    file.write(text.data(), text.size());
    file.close();
  } catch (const Error&) {
  }
}

}  // namespace millrace
