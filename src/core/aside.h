// Names for files and folders that are not finished: they are created beside their final place, as FILE.partial-, eight
// random digits, and eight digits of a checksum over those and the name FILE. So what a killed process of this program
// left can be told from the files of others, whatever its content.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/core/descriptor.h"

namespace millrace {

// The path of a folder without separators and "/." at its end, which the completion of shells adds: its last name is
// then that of the folder. "/" and "." stay.
std::filesystem::path without_end_separators(const std::filesystem::path& folder);

// The path with a suffix. Where the name would be longer than the file system allows, its end is replaced by '~' and
// eight digits of a checksum over the whole name.
std::filesystem::path with_suffix(const std::filesystem::path& place, const std::string& suffix);

// A new name of this kind beside `place`.
std::filesystem::path aside_name(const std::filesystem::path& place);
// Whether `name` is such a name for a place called `file`.
bool is_aside_name(std::string_view name, std::string_view file);
// All files and folders beside `place` that have such a name for it.
std::vector<std::filesystem::path> find_asides(const std::filesystem::path& place);

// Whether the open `file` is the one at `path`; links are not followed.
bool bears_name(const Descriptor& file, const std::filesystem::path& path);
// Like rename(), but never replaces anything: returns false if `to` exists or the rename fails, with errno.
bool rename_exclusively(const std::filesystem::path& from, const std::filesystem::path& to);

// A new file under such a name. It is locked while this object lives, so that no other process takes it for a leftover.
class AsideFile {
 public:
  // Throws IoError.
  explicit AsideFile(const std::filesystem::path& place, mode_t mode = 0666);
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  // Removes the file unless it was moved to its place.
  ~AsideFile();

  const Descriptor& file() const { return file_; }
  // Both return false if the rename fails, with errno.
  bool replace(const std::filesystem::path& place);
  bool move_exclusively(const std::filesystem::path& place);
  // The file itself, still locked.
  Descriptor release() { return std::move(file_); }

 private:
  std::filesystem::path path_;  // empty once the file was moved
  Descriptor file_;
};

// Removes the files beside `place` that have such a name and that no process has locked.
void remove_leftover_files(const std::filesystem::path& place) noexcept;

}  // namespace millrace
