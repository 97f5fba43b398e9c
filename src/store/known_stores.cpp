#include "millrace/store/known_stores.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "millrace/core/cache_folder.h"
#include "millrace/core/descriptor.h"
#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/store_files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// To be raised when the check of stores becomes stricter: what was checked before is then checked again.
constexpr int check_version = 1;
constexpr std::size_t most_known = 1024;
constexpr const char* suffix = ".known";

struct stat status_of(const File& file) {
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) throw_system_error("look at", file.path());
  return status;
}

// Named by the manifest file, so that what is known of a removed store is replaced if its inode is used again.
fs::path record_of(const StoreFiles& files) {
  const fs::path folder = known_stores_folder();
  const struct stat status = status_of(files.manifest);
  return folder.empty() ? fs::path() : folder / fmt::format("{}-{}{}", status.st_dev, status.st_ino, suffix);
}

// The last bytes of a page table are the checksum of all others.
std::uint32_t checksum_of_table(const File& table) {
  std::uint32_t crc = 0;
  table.read(std::as_writable_bytes(std::span(&crc, 1)), table.size() - sizeof(crc));
  return crc;
}

void forget_some(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> known;
  std::error_code failed;
  for (const fs::directory_entry& one : fs::directory_iterator(folder, failed))
    if (one.path().extension() == suffix) known.emplace_back(fs::file_time_type(), one.path());
  if (known.size() <= most_known) return;
  for (auto& [used, path] : known) used = fs::last_write_time(path, failed);
  const auto some = known.begin() + most_known / 4;
  std::nth_element(known.begin(), some, known.end());
  for (auto one = known.begin(); one != some; ++one) fs::remove(one->second, failed);
}

}  // namespace

std::string identity_of(const StoreFiles& files) {
  std::string text = fmt::format("store, check {}\n", check_version);
  const auto add = [&](const File& file) {
    if (file.descriptor() < 0) return;
    const struct stat status = status_of(file);
    text += fmt::format("{} {} {} {}.{:09} {}.{:09}\n", status.st_dev, status.st_ino, status.st_size,
                        status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  };
  add(files.manifest);
  text += fmt::format("{:08x}\n", crc32c(read_file(files.manifest)));
  for (std::size_t o = 0; o < 2; ++o) {
    for (const File& file : files.pages[o]) add(file);
    add(files.tables[o]);
    if (files.tables[o].descriptor() >= 0) text += fmt::format("{:08x}\n", checksum_of_table(files.tables[o]));
    add(files.degrees[o]);
  }
  add(files.ids);
  add(files.names);
  return text;
}

fs::path known_stores_folder() { return cache_folder().empty() ? fs::path() : cache_folder() / "stores"; }

// A file that another user wrote, or could write, says nothing.
bool is_known(const StoreFiles& files) {
  const fs::path path = record_of(files);
  if (path.empty()) return false;
  const Descriptor record(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!record || fstat(record.number(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return false;
  const std::string identity = identity_of(files);
  std::string found(identity.size() + 1, '\0');
  const ssize_t size = read(record.number(), found.data(), found.size());
  if (size != static_cast<ssize_t>(identity.size()) || !found.starts_with(identity)) return false;
  futimens(record.number(), nullptr);  // it was used now
  return true;
}

bool remember(const StoreFiles& files, const std::string& identity) noexcept try {
  const fs::path path = record_of(files);
  if (path.empty() || identity_of(files) != identity) return false;
  std::error_code failed;
  if (!is_file_or_nothing(path)) fs::remove(path, failed);  // no record of ours
  write_cache_file(path, identity);
  forget_some(path.parent_path());
  return true;
} catch (...) {
  return false;
}

}  // namespace millrace
