#include "millrace/ingest/graph_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "millrace/core/cache_folder.h"
#include "millrace/core/descriptor.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/output_file.h"
#include "millrace/core/progress.h"
#include "millrace/store/json_file.h"
#include "millrace/store/own_files.h"
#include "millrace/store/store.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* about_suffix = ".json";
constexpr const char* lock_suffix = ".making";
constexpr const char* store_suffix = ".store";

// What changes if a file is written again. The number of the file is part of it: a file that was replaced by another of
// the same size and time is another one.
Json state_of(const fs::path& file) {
  struct stat state {};
  if (stat(file.c_str(), &state) != 0) return nullptr;
  return {{"file", file.string()},
          {"bytes", static_cast<std::uint64_t>(state.st_size)},
          {"seconds", static_cast<std::int64_t>(state.st_mtim.tv_sec)},
          {"nanoseconds", static_cast<std::int64_t>(state.st_mtim.tv_nsec)},
          {"inode", static_cast<std::uint64_t>(state.st_ino)}};
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = mix(hash ^ static_cast<unsigned char>(c)) + 0x9e3779b97f4a7c15u;
  return mix(hash);
}

// Names of stores have plain characters alone, so that they can be typed.
std::string plain_stem(const fs::path& file) {
  std::string stem = file.filename().string().substr(0, 40);
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') c = '_';
  while (stem.starts_with('.')) stem.erase(0, 1);
  return stem.empty() ? "graph" : stem;
}

// Held while a store is made or removed. The file stays: whoever removes it would let two others hold it.
class CacheLock {
 public:
  enum class If { free, waits };
  CacheLock(const fs::path& store, If when) {
    const fs::path path = with_suffix(store, lock_suffix);
    file_ = Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file_) throw_system_error("open", path);
    while (!(held_ = flock(file_.number(), LOCK_EX | LOCK_NB) == 0) && when == If::waits) {
      if (errno != EWOULDBLOCK && errno != EINTR) throw_system_error("lock", path);
      throw_if_interrupted();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  bool held() const { return held_; }

 private:
  Descriptor file_;
  bool held_ = false;
};

void write_text(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.close();
}

// What a store was made from.
struct About {
  Json files;  // state_of() each; the graph file first
  std::string options;
};

// Empty if there is no store, or nothing readable about it.
std::optional<About> about(const fs::path& store) {
  std::error_code none;
  if (!fs::is_directory(store, none) || !fs::is_regular_file(with_suffix(store, about_suffix), none)) return {};
  try {
    const Json json = read_json_file(File::open(with_suffix(store, about_suffix)));
    About kept{.files = member_of(json, "files"), .options = text_of(json, "options")};
    if (!kept.files.is_array() || kept.files.empty()) return {};
    for (const Json& file : kept.files) text_of(file, "file");
    return kept;
  } catch (const Error&) {
    return {};
  }
}

std::uint64_t bytes_below(const fs::path& store) {
  std::uint64_t bytes = 0;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(store, none))
    if (entry.is_regular_file(none)) bytes += entry.file_size(none);
  return bytes;
}

bool same_files(const About& kept) {
  return std::ranges::all_of(kept.files, [](const Json& file) { return state_of(text_of(file, "file")) == file; });
}

}  // namespace

GraphCache::GraphCache() : folder_(cache_folder().empty() ? fs::path() : cache_folder() / "graphs") {
  if (folder_.empty())
    throw UsageError("there is no folder for a cache: set HOME or XDG_CACHE_HOME, or give @store@ a path");
}

GraphCache::Found GraphCache::find(const fs::path& file, const std::string& options, const std::vector<fs::path>& more,
                                   const std::function<void(const fs::path&)>& make) {
  if (!fs::is_regular_file(file))
    throw UsageError("{} is not a regular file, so it cannot be found again: give @store@ a path to import it to",
                     file.string());
  Json files = Json::array({state_of(fs::canonical(file))});
  for (const fs::path& one : more)
    if (fs::is_regular_file(one)) files.push_back(state_of(fs::canonical(one)));
  // A changed file gets the same name, so that its old store is replaced.
  const std::string key = fs::canonical(file).string() + "\n" + options;
  const fs::path store = folder_ / fmt::format("{}-{:016x}{}", plain_stem(file), hash_of(key), store_suffix);
  fs::create_directories(folder_);
  const CacheLock lock(store, CacheLock::If::waits);
  Found found{.store = store};
  const std::optional<About> kept = about(store);
  if (kept && kept->files == files && kept->options == options) {
    fs::last_write_time(with_suffix(store, about_suffix), fs::file_time_type::clock::now());
    return found;
  }
  std::error_code none;
  fs::remove(with_suffix(store, about_suffix), none);  // first: without it the old store is no entry any more
  make(store);
  found.made = true;
  write_text(with_suffix(store, about_suffix), Json{{"files", files}, {"options", options}}.dump(2) + "\n");
  trim(store);
  found.too_large = bytes_below(store) > limit();
  return found;
}

std::vector<GraphCache::Entry> GraphCache::entries() const {
  std::vector<Entry> all;
  std::error_code none;
  for (const fs::directory_entry& one : fs::directory_iterator(folder_, none)) {
    if (one.path().extension() != store_suffix) continue;
    const std::optional<About> kept = about(one.path());
    if (!kept) continue;
    all.push_back({.name = one.path().filename().string(),
                   .store = one.path(),
                   .source = text_of(kept->files[0], "file"),
                   .options = kept->options,
                   .bytes = bytes_below(one.path()),
                   .used = fs::last_write_time(with_suffix(one.path(), about_suffix), none),
                   .stale = !same_files(*kept)});
  }
  std::ranges::sort(all, std::greater<>(), &Entry::used);
  return all;
}

bool GraphCache::forget(const fs::path& store) {
  const CacheLock lock(store, CacheLock::If::free);
  if (!lock.held()) return false;
  std::error_code none;
  fs::remove(with_suffix(store, about_suffix), none);
  remove_own_files(store, Folder::store);
  return true;
}

std::uint64_t GraphCache::limit() const {
  std::error_code none;
  if (!fs::is_regular_file(folder_ / "limit", none)) return default_limit;
  const Json kept = read_json_file(File::open(folder_ / "limit"));
  return kept.value("bytes", default_limit);
}

std::size_t GraphCache::set_limit(std::uint64_t bytes) {
  fs::create_directories(folder_);
  write_text(folder_ / "limit", Json{{"bytes", bytes}}.dump() + "\n");
  return trim({});
}

std::size_t GraphCache::trim(const fs::path& keep) {
  const std::uint64_t most = limit();
  std::uint64_t sum = 0;
  std::size_t removed = 0;
  for (const Entry& entry : entries()) sum += entry.bytes;
  std::vector<Entry> oldest_first = entries();
  std::ranges::reverse(oldest_first);
  for (const Entry& entry : oldest_first) {
    if (sum <= most) break;
    if (entry.store == keep || !forget(entry.store)) continue;
    sum -= entry.bytes;
    ++removed;
  }
  return removed;
}

}  // namespace millrace
