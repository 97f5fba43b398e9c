#include "millrace/core/aside.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view infix = ".partial-";

std::uint64_t hash_of(std::string_view file, std::uint64_t seed) {
  std::uint64_t hash = mix(seed + 0x6d69'6c6c'7261'6365u);  // "millrace"
  for (const unsigned char byte : file) hash = mix(hash ^ byte);
  return hash;
}

// The eight random digits and the eight digits of their checksum, which end a name.
std::string digits(std::string_view file, std::uint32_t random) {
  return fmt::format("{:08x}{:08x}", random, hash_of(file, random) >> 32);
}

// What replaces the end of a name that is too long.
std::string ending_of_cut(std::string_view file) { return fmt::format("~{:08x}", hash_of(file, file.size()) >> 32); }

// The beginning of the name, without a part of a character in UTF-8 at its end.
std::string_view beginning(std::string_view file, std::size_t bytes) {
  while (bytes > 0 && bytes < file.size() && (file[bytes] & 0xc0) == 0x80) --bytes;
  return file.substr(0, bytes);
}

std::size_t longest_name(const fs::path& directory) {
  const long most = pathconf(directory.empty() ? "." : directory.c_str(), _PC_NAME_MAX);
  return most > 0 ? static_cast<std::size_t>(most) : 255;
}

}  // namespace

fs::path without_end_separators(const fs::path& folder) {
  std::string_view text = folder.native();
  for (std::size_t size = 0; size != text.size();) {
    size = text.size();
    if (text.size() > 1 && text.ends_with("/.")) text.remove_suffix(1);
    while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
  }
  return text;
}

fs::path with_suffix(const fs::path& place, const std::string& suffix) {
  const std::string file = place.filename().string();
  const std::size_t most = longest_name(place.parent_path());
  if (file.size() + suffix.size() <= most || file.size() > most) return place.parent_path() / (file + suffix);
  const std::string ending = ending_of_cut(file) + suffix;
  return place.parent_path() / (std::string(beginning(file, most - std::min(most, ending.size()))) + ending);
}

fs::path aside_name(const fs::path& place) {
  return with_suffix(place, std::string(infix) + digits(place.filename().string(), std::random_device()()));
}

bool is_aside_name(std::string_view name, std::string_view file) {
  constexpr std::size_t end = infix.size() + 16;
  if (name.size() <= end || name.substr(name.size() - end, infix.size()) != infix) return false;
  const std::string found(name.substr(name.size() - 16));
  if (found.find_first_not_of("0123456789abcdef") != std::string::npos) return false;
  if (found != digits(file, static_cast<std::uint32_t>(std::stoul(found.substr(0, 8), nullptr, 16)))) return false;
  const std::string_view stem = name.substr(0, name.size() - end);
  const std::string cut = ending_of_cut(file);
  return stem == file || (stem.ends_with(cut) && file.starts_with(stem.substr(0, stem.size() - cut.size())));
}

std::vector<fs::path> find_asides(const fs::path& place) {
  std::vector<fs::path> found;
  std::error_code failed;
  const std::string file = place.filename().string();
  const fs::path directory = place.has_parent_path() ? place.parent_path() : fs::path(".");
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end; at.increment(failed))
    if (is_aside_name(at->path().filename().string(), file)) found.push_back(at->path());
  return found;
}

bool bears_name(const Descriptor& file, const fs::path& path) {
  struct stat held = {};
  struct stat named = {};
  return fstat(file.number(), &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

bool rename_exclusively(const fs::path& from, const fs::path& to) {
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0;
}

AsideFile::AsideFile(const fs::path& place, mode_t mode) {
  for (int tries = 0; tries < 10; ++tries) {
    path_ = aside_name(place);
    file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file_ && errno != EEXIST) throw_system_error("create", place);
    // On a file system without locks the file stays unlocked; nobody can remove leftovers there either. If another
    // process took the file for a leftover before it was locked, it has removed the file, and we create it again.
    if (file_) flock(file_.number(), LOCK_EX);
    if (file_ && bears_name(file_, path_)) return;
    if (file_) unlink(path_.c_str());
  }
  throw IoError("cannot create {}: new files beside it do not keep their names", place.string());
}

AsideFile::~AsideFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

bool AsideFile::replace(const fs::path& place) {
  if (std::rename(path_.c_str(), place.c_str()) != 0) return false;
  path_.clear();
  return true;
}

bool AsideFile::move_exclusively(const fs::path& place) {
  if (!rename_exclusively(path_, place)) return false;
  path_.clear();
  return true;
}

void remove_leftover_files(const fs::path& place) noexcept try {
  for (const fs::path& found : find_asides(place)) {
    if (!fs::is_regular_file(fs::symlink_status(found))) continue;
    const Descriptor file(open(found.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file && flock(file.number(), LOCK_EX | LOCK_NB) == 0 && bears_name(file, found)) unlink(found.c_str());
  }
} catch (const std::exception&) {  // the next call tries again
}

}  // namespace millrace
