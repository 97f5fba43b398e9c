#include "millrace/store/elsewhere.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/store/files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "elsewhere";

std::string unique_suffix() {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("-{:08x}", mix(static_cast<std::uint64_t>(now) + static_cast<std::uint64_t>(getpid())) >> 32);
}

// Appends only, so that earlier entries survive if the process is killed.
void append_to_list(const fs::path& store, const fs::path& directory) {
  const std::string line = fmt::format("{}\n", directory.string());
  const File list = File::create_or_append(store / list_name);
  list.write(bytes_of(line), list.size());
  list.sync();
  sync_directory(store);
}

std::string name_of(const fs::path& owner) { return fs::absolute(owner).lexically_normal().string(); }

// The text of the marker in a directory that belongs to the store at `owner`.
std::string text_of(const fs::path& owner) { return name_of(owner) + "\n"; }

// If a writer was killed before it wrote the marker, the directory is empty or has an empty marker: it is ours too.
bool belongs_to(const fs::path& directory, const fs::path& owner) {
  if (!is_real_directory(directory)) return false;
  const fs::path marker = directory / part_marker;
  if (has_text(marker, text_of(owner))) return true;
  const auto entries = std::distance(fs::directory_iterator(directory), {});
  return entries == 0 || (entries == 1 && has_text(marker, ""));
}

std::vector<fs::path> parts_of(const fs::path& store, const fs::path& owner) {
  std::vector<fs::path> parts;
  if (!fs::is_regular_file(fs::symlink_status(store / list_name))) return parts;
  std::ifstream list(store / list_name);
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && belongs_to(line, owner)) parts.emplace_back(line);
  return parts;
}

}  // namespace

fs::path make_elsewhere(const fs::path& aside, const fs::path& owner, const fs::path& parent) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  const fs::path place = failed ? fs::path() : fs::canonical(parent, failed);
  const fs::path directory = with_suffix(place / owner.filename(), unique_suffix());
  if ((directory.string() + name_of(owner)).find('\n') != std::string::npos)
    throw UsageError("{}: paths of stripes and temporary files may not contain line breaks", directory.string());
  if (!failed) {
    append_to_list(aside, directory);
    if (!fs::create_directory(directory, failed) && !failed) failed = std::make_error_code(std::errc::file_exists);
  }
  if (failed) throw IoError("cannot create a directory in {}: {}", parent.string(), failed.message());
  write_file(directory / part_marker, bytes_of(text_of(owner)));
  sync_directory(place);
  return directory;
}

void forget_elsewhere(const fs::path& aside) noexcept {
  std::error_code ignored;
  fs::remove(aside / list_name, ignored);
}

std::vector<fs::path> foreign_files_of(const fs::path& store, Folder kind, const fs::path& owner) try {
  std::vector<fs::path> foreign = foreign_files(store, kind);
  for (const fs::path& part : parts_of(store, owner))
    std::ranges::copy(foreign_files(part, Folder::part), std::back_inserter(foreign));
  return foreign;
} catch (const fs::filesystem_error& error) {
  throw IoError("cannot look into {}: {}", error.path1().string(), error.code().message());
}

bool remove_store(const fs::path& store, Folder kind, const fs::path& owner) noexcept try {
  bool gone = true;
  for (const fs::path& part : parts_of(store, owner)) gone &= remove_own_files(part, Folder::part);
  return gone && remove_own_files(store, kind);  // the list is removed last
} catch (const std::exception&) {
  return false;
}

}  // namespace millrace
