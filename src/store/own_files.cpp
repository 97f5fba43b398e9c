#include "millrace/store/own_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const Names temporary_files = {"edges", "names", "out.items", "in.items"};
const Names page_files = {"out.pages", "in.pages"};
// Files of a store beside its pages; docs/format.md describes them.
const Names store_files = {"manifest.json", "out.table", "in.table",  "out.degrees", "in.degrees",
                           "ids",           "names",     "elsewhere", "learned.json"};

bool is_one_of(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

const char* marker_of(Folder kind) { return kind == Folder::part ? part_marker : partial_marker; }

bool is_own_file(const std::string& name, Folder kind) {
  switch (kind) {
    case Folder::partial:
      if (name == partial_marker) return true;
      [[fallthrough]];
    case Folder::store:
      return is_one_of(store_files, name) || is_one_of(page_files, name) || is_aside_name(name, "learned.json");
    case Folder::part:
      return name == part_marker || is_one_of(page_files, name) || is_one_of(temporary_files, name);
    case Folder::scratch:
      return is_one_of(temporary_files, name);
  }
  return false;
}

bool has_scratch(Folder kind) { return kind == Folder::partial || kind == Folder::part; }

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end; at.increment(failed))
    entries.push_back(at->path());
  if (failed) throw IoError("cannot look into {}: {}", directory.string(), failed.message());
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

bool is_real_directory(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(fs::symlink_status(path, failed));
}

bool has_text(const Descriptor& file, const std::string& text) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::string found(text.size() + 1, '\0');
  const ssize_t size = pread(file.number(), found.data(), found.size(), 0);
  return size == static_cast<ssize_t>(text.size()) && found.starts_with(text);
}

bool has_text(const fs::path& file, const std::string& text) {
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) return false;
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return opened && has_text(opened, text);
}

std::vector<fs::path> foreign_files(const fs::path& directory, Folder kind) {
  std::vector<fs::path> foreign;
  for (const fs::path& entry : entries_of(directory)) {
    if (has_scratch(kind) && entry.filename() == "scratch" && is_real_directory(entry))
      std::ranges::copy(foreign_files(entry, Folder::scratch), std::back_inserter(foreign));
    else if (const fs::file_status status = fs::symlink_status(entry);  // a file may be gone: a run has renamed it
             fs::exists(status) && (!fs::is_regular_file(status) || !is_own_file(entry.filename(), kind)))
      foreign.push_back(entry);
  }
  return foreign;
}

std::string list_some(const std::vector<fs::path>& paths) {
  constexpr std::size_t most = 3;
  Names some;
  for (std::size_t i = 0; i < std::min(paths.size(), most); ++i) some.push_back(paths[i].string());
  const std::string rest = paths.size() > most ? fmt::format(" and {} more", paths.size() - most) : "";
  return fmt::format("{}{}", fmt::join(some, ", "), rest);
}

bool remove_own_files(const fs::path& directory, Folder kind) noexcept try {
  const fs::path marker = directory / marker_of(kind);
  if (has_scratch(kind) && is_real_directory(directory / "scratch"))
    remove_own_files(directory / "scratch", Folder::scratch);
  remove_leftover_files(directory / "learned.json");  // not those that a run is writing
  for (const fs::path& entry : entries_of(directory)) {
    const std::string name = entry.filename().string();
    if (entry != marker && is_own_file(name, kind) && !is_aside_name(name, "learned.json")) unlink(entry.c_str());
  }
  std::vector<fs::path> left = entries_of(directory);
  if (left.size() == 1 && left.front() == marker && is_own_file(marker_of(kind), kind)) unlink(marker.c_str());
  return rmdir(directory.c_str()) == 0;
} catch (const std::exception&) {
  return false;
}

}  // namespace millrace
