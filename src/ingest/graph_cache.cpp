#include "millrace/ingest/graph_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "millrace/core/aside.h"
#include "millrace/core/cache_folder.h"
#include "millrace/core/descriptor.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/output_file.h"
#include "millrace/core/progress.h"
#include "millrace/ingest/source_state.h"
#include "millrace/store/json_file.h"
#include "millrace/store/own_files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* about_suffix = ".json";
constexpr const char* lock_suffix = ".making";
constexpr const char* store_suffix = ".store";

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

// Held while a store is made, opened or removed. The file stays: whoever removes it would let two others hold it.
class CacheLock {
 public:
  explicit CacheLock(const fs::path& store) : path_(name_beside(store, lock_suffix)) {
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW;
    file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CREAT | flags, 0600));
    if (!file_) file_ = Descriptor(open(path_.c_str(), O_RDONLY | flags));  // a folder that may only be read
    if (!file_) throw_system_error("open", path_);
  }
  bool try_lock() {
    if (flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) throw_system_error("lock", path_);
    return false;
  }
  void lock(const std::function<void()>& waiting) {
    for (int tries = 0; !try_lock(); ++tries) {
      throw_if_interrupted();
      if (tries == 10 && waiting) waiting();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

 private:
  fs::path path_;
  Descriptor file_;
};

void write_text(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.close();
}

// What a store was made from.
struct About {
  std::vector<fs::path> files;  // that were read; the graph file first
  std::string state;            // of these files
  std::string options;
};

// Empty if there is no store, or nothing readable about it.
std::optional<About> about(const fs::path& store) {
  std::error_code none;
  if (!fs::is_directory(store, none) || !fs::is_regular_file(name_beside(store, about_suffix), none)) return {};
  try {
    const Json json = read_json_file(File::open(name_beside(store, about_suffix)));
    About kept{.files = {}, .state = text_of(json, "state"), .options = unescape_bytes(text_of(json, "options"))};
    for (const std::string& file : texts_of(json, "files")) kept.files.emplace_back(unescape_bytes(file));
    return kept.files.empty() ? std::nullopt : std::optional(std::move(kept));
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

// To be called with the lock. Returns whether nothing is left of the store.
bool remove_store(const fs::path& store) {
  std::error_code none;
  fs::remove(name_beside(store, about_suffix), none);
  if (fs::is_directory(store, none)) remove_own_files(store, Folder::store);
  return !fs::exists(store, none);
}

}  // namespace

GraphCache::GraphCache() : folder_(cache_folder().empty() ? fs::path() : cache_folder() / "graphs") {
  if (folder_.empty()) throw UsageError("there is no folder for a cache: set HOME or XDG_CACHE_HOME");
}

Store GraphCache::make_store(const Wanted& wanted, const fs::path& store) const {
  const std::string before = state_of_files(wanted.files);
  remove_store(store);  // an import that fails leaves nothing
  wanted.make(store);
  Store made = Store::open(store);
  if (state_of_files(wanted.files) != before) {
    remove_store(store);
    throw BadInputError("{} changed while it was imported; run it again", wanted.file.string());
  }
  Json files = Json::array();
  for (const fs::path& file : wanted.files) files.push_back(escape_bytes(file.string()));
  const Json json{{"files", files}, {"state", before}, {"options", escape_bytes(wanted.options)}};
  write_text(name_beside(store, about_suffix), json.dump(2) + "\n");
  return made;
}

GraphCache::Found GraphCache::find(const Wanted& wanted) {
  std::error_code unknown;
  if (!fs::is_regular_file(wanted.file, unknown))
    throw UsageError("{} is not a regular file, so it cannot be found again: give @store@ a path to import it to",
                     wanted.file.string());
  // A changed file gets the same name, so that its old store is replaced.
  const fs::path file = fs::canonical(wanted.file);
  const std::uint64_t hash = hash_of(file.string() + "\n" + wanted.options);
  const fs::path store = folder_ / fmt::format("{}-{:016x}{}", plain_stem(file), hash, store_suffix);
  fs::create_directories(folder_);
  CacheLock lock(store);
  lock.lock(wanted.waiting);
  const std::optional<About> kept = about(store);
  if (kept && kept->state == state_of_files(wanted.files) && kept->options == wanted.options) try {
      Found found{.store = Store::open(store)};
      fs::last_write_time(name_beside(store, about_suffix), fs::file_time_type::clock::now(), unknown);
      return found;
    } catch (const BadInputError&) {  // damaged, or of another version: made again
    }
  Found found{.store = make_store(wanted, store)};
  if (bytes_below(store) > limit()) {
    found.kept = false;
    remove_store(store);
  } else {
    trim(store);
  }
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
                   .source = kept->files[0],
                   .options = kept->options,
                   .bytes = bytes_below(one.path()),
                   .used = fs::last_write_time(name_beside(one.path(), about_suffix), none),
                   .stale = state_of_files(kept->files) != kept->state});
  }
  std::ranges::sort(all, std::greater<>(), &Entry::used);
  return all;
}

GraphCache::Removed GraphCache::remove(const std::vector<Entry>& entries) {
  Removed removed;
  for (const Entry& entry : entries) {
    CacheLock lock(entry.store);
    if (!lock.try_lock() || !remove_store(entry.store)) {
      removed.left.push_back(entry.name);
      continue;
    }
    ++removed.stores;
    removed.bytes += entry.bytes;
  }
  return removed;
}

GraphCache::Removed GraphCache::clear() {
  Removed removed = remove(entries());
  std::error_code none;
  std::vector<fs::path> left;  // of killed imports: a store without a file about it, or an unfinished one
  for (const fs::directory_entry& one : fs::directory_iterator(folder_, none))
    if (one.path().extension() == lock_suffix) left.push_back(one.path());
  for (const fs::path& making : left) {
    fs::path store = making;
    store.replace_extension();
    CacheLock lock(store);
    if (!lock.try_lock() || about(store)) continue;
    remove_store(store);
    if (fs::is_directory(name_beside(store, ".partial"), none))
      remove_own_files(name_beside(store, ".partial"), Folder::partial);
    fs::remove(name_beside(store, ".lock"), none);
  }
  return removed;
}

std::uint64_t GraphCache::limit() const {
  std::error_code none;
  if (!fs::is_regular_file(folder_ / "limit", none)) return default_limit;
  try {
    return number_of(read_json_file(File::open(folder_ / "limit")), "bytes");
  } catch (const Error&) {  // damaged
    return default_limit;
  }
}

GraphCache::Removed GraphCache::set_limit(std::uint64_t bytes) {
  fs::create_directories(folder_);
  write_text(folder_ / "limit", Json{{"bytes", bytes}}.dump() + "\n");
  return trim({});
}

GraphCache::Removed GraphCache::trim(const fs::path& keep) {
  std::vector<Entry> all = entries();
  std::uint64_t sum = 0;
  for (const Entry& entry : all) sum += entry.bytes;
  std::vector<Entry> chosen;  // the longest unused first
  const std::uint64_t most = limit();
  for (; sum > most && !all.empty(); all.pop_back()) {
    if (all.back().store == keep) continue;
    sum -= all.back().bytes;
    chosen.push_back(std::move(all.back()));
  }
  return remove(chosen);
}

}  // namespace millrace
