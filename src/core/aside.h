// What is being made lies beside its place, under a name that proves who made it: FILE.partial-, eight random digits,
// and eight more that are a checksum of those and of the name FILE. So what a killed process left can be told from the
// files of others, whatever is in it.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "millrace/core/descriptor.h"

namespace millrace {

// A new name of that kind beside `place`.
std::filesystem::path aside_name(const std::filesystem::path& place);
// Whether `name` is of that kind, for a place called `file`.
bool is_aside_name(std::string_view name, std::string_view file);
// Everything beside `place` that has such a name for it.
std::vector<std::filesystem::path> find_asides(const std::filesystem::path& place);

// Whether `file` is what one finds at `path`, links not followed.
bool bears_name(const Descriptor& file, const std::filesystem::path& path);
// As rename(), but never over something that is there: false then, or where it fails, with errno.
bool rename_exclusively(const std::filesystem::path& from, const std::filesystem::path& to);

// A new file under such a name, locked for as long as this lives, so that no other process takes it for a leftover.
class AsideFile {
 public:
  // Throws IoError.
  explicit AsideFile(const std::filesystem::path& place);
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  // Removes the file unless it was moved to its place.
  ~AsideFile();

  const Descriptor& file() const { return file_; }
  // Both return false where it fails, with errno.
  bool replace(const std::filesystem::path& place);
  bool move_exclusively(const std::filesystem::path& place);
  // The file itself, still locked.
  Descriptor release() { return std::move(file_); }

 private:
  std::filesystem::path path_;  // empty once it was moved
  Descriptor file_;
};

// Removes the files beside `place` that have such a name and are nobody's any more.
void remove_leftover_files(const std::filesystem::path& place) noexcept;

}  // namespace millrace
