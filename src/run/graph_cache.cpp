#include "millrace/run/graph_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "millrace/core/aside.h"
#include "millrace/core/cache_folder.h"
#include "millrace/core/descriptor.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/progress.h"
#include "millrace/read/source_state.h"
#include "millrace/store/json_file.h"
#include "millrace/store/known_stores.h"
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

// Takes away what has a name of the cache, which ends with a hash or is a fixed one, and is of no use. Folders go if
// they are empty; what links lead to stays.
void throw_away(const fs::path& path) {
  std::error_code none;
  fs::remove(path, none);
}

// Held while a store is made, opened or removed: a file that exists as long as this object. Whoever holds it removes it
// before it is unlocked, so others look whether what they have locked still has the name.
class CacheLock {
 public:
  explicit CacheLock(const fs::path& store) : path_(with_suffix(store, lock_suffix)) {}
  ~CacheLock() {
    if (locked_ && bears_name(file_, path_)) unlink(path_.c_str());
  }
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;
  bool try_lock() {
    for (int tries = 0; tries < 100; ++tries) {
      if (!is_file_or_nothing(path_)) throw_away(path_);
      file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
      if (!file_ && (errno == EROFS || errno == EACCES)) return true;  // nobody can make or remove a store here
      if (!file_) cannot("open");
      if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK || errno == EINTR) return false;
        cannot("lock");
      }
      if (bears_name(file_, path_)) return locked_ = true;
    }
    throw IoError("cannot lock {}: the file does not keep its name", path_.string());
  }
  void lock(const std::function<void()>& waiting) {
    for (int tries = 0; !try_lock(); ++tries) {
      throw_if_interrupted();
      if (tries == 10 && waiting) waiting();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

 private:
  [[noreturn]] void cannot(const char* doing) const {
    const char* const why = std::strerror(errno);
    throw IoError("cannot {} {}: {}{}", doing, path_.string(), why,
                  is_file_or_nothing(path_) ? "" : "; it is in the way of the cache: move it elsewhere");
  }
  fs::path path_;
  Descriptor file_;
  bool locked_ = false;
};

// Whether others leave it to us; not if something is in the way of the lock.
bool try_lock(CacheLock& lock) try { return lock.try_lock(); } catch (const IoError&) {
  return false;
}

void write_text(const fs::path& path, const std::string& text) { write_cache_file(path, text); }

// What a store was made from.
struct About {
  std::vector<fs::path> files;  // that were read; the graph file first
  std::string state;            // of these files
  std::string options;
};

void write_about(const fs::path& store, const About& about) {
  Json files = Json::array();
  for (const fs::path& file : about.files) files.push_back(escape_bytes(file.string()));
  const Json json{{"files", files}, {"state", about.state}, {"options", escape_bytes(about.options)}};
  write_text(with_suffix(store, about_suffix), json.dump(2) + "\n");
}

// Empty if there is no store, or nothing readable about it.
std::optional<About> about(const fs::path& store) {
  std::error_code none;
  if (!is_real_directory(store) || !fs::is_regular_file(fs::symlink_status(with_suffix(store, about_suffix), none)))
    return {};
  try {
    const Json json = read_json_file(File::open(with_suffix(store, about_suffix)));
    About kept{.files = {}, .state = text_of(json, "state"), .options = unescape_bytes(text_of(json, "options"))};
    for (const std::string& file : texts_of(json, "files")) kept.files.emplace_back(unescape_bytes(file));
    return kept.files.empty() ? std::nullopt : std::optional(std::move(kept));
  } catch (const std::exception&) {
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

// To be called with the lock: removes the store, what a killed import of it has left, and what is in their way. Returns
// what cannot be removed: folders with files of others.
std::vector<fs::path> remove_store(const fs::path& store) {
  const fs::path partial = with_suffix(store, ".partial");
  if (is_real_directory(store)) {
    std::error_code none;
    for (const fs::path& entry : fs::directory_iterator(store, none))
      if (is_real_directory(entry)) throw_away(entry);  // in place of a file
    remove_own_files(store, Folder::store);
  }
  if (is_real_directory(partial)) remove_own_files(partial, Folder::partial);
  for (const fs::path& aside : find_asides(store))
    if (is_real_directory(aside)) remove_own_files(aside, Folder::partial);
  for (const char* const suffix : {about_suffix, ".lock"}) remove_leftover_files(with_suffix(store, suffix));
  std::vector<fs::path> left;
  for (const fs::path& path : {with_suffix(store, about_suffix), store, partial, with_suffix(store, ".lock")}) {
    throw_away(path);
    std::error_code none;
    if (fs::exists(fs::symlink_status(path, none))) left.push_back(path);
  }
  return left;
}

}  // namespace

GraphCache::GraphCache() : folder_(cache_folder().empty() ? fs::path() : cache_folder() / "graphs") {
  if (folder_.empty()) throw UsageError("there is no folder for a cache: set HOME or XDG_CACHE_HOME");
}

Store GraphCache::make_store(const Wanted& wanted, const fs::path& store) const {
  const std::string before = state_of_files(wanted.files);
  if (const auto left = remove_store(store); !left.empty())  // an import that fails leaves nothing
    throw IoError(
        "the cache cannot keep a store of {}: {} is in the way, with files that are not of Millrace; move them "
        "elsewhere, then millrace cache clear removes the rest",
        wanted.file.string(), list_some(left));
  wanted.make(store);
  try {
    make_private(store);
    Store made = Store::open(store);
    remember(made.files(), identity_of(made.files()));  // new rights are a change of a file
    if (const auto now = same_files(before, wanted.files); !now || now->state != before)
      throw BadInputError("{} changed while it was imported; run it again", wanted.file.string());
    write_about(store, {.files = wanted.files, .state = before, .options = wanted.options});
    return made;
  } catch (...) {
    remove_store(store);
    throw;
  }
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
  make_private_folder(folder_);
  CacheLock lock(store);
  lock.lock(wanted.waiting);
  const std::optional<About> kept = about(store);
  const auto same = kept ? same_files(kept->state, wanted.files) : std::nullopt;
  if (same && same->rest.empty() && kept->options == wanted.options) try {
      Found found{.store = Store::open(store), .place = store};
      if (same->state != kept->state)  // the next time the content need not be read
        write_about(store, {.files = wanted.files, .state = same->state, .options = wanted.options});
      else
        fs::last_write_time(with_suffix(store, about_suffix), fs::file_time_type::clock::now(), unknown);
      return found;
    } catch (const BadInputError&) {  // damaged, or of another version: made again
    }
  Found found{.store = make_store(wanted, store), .place = store};
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
                   .used = fs::last_write_time(with_suffix(one.path(), about_suffix), none),
                   .stale = !same_files(kept->state, kept->files)});
  }
  std::ranges::sort(all, std::greater<>(), &Entry::used);
  return all;
}

GraphCache::Removed GraphCache::remove(const std::vector<Entry>& entries) {
  Removed removed;
  for (const Entry& entry : entries) {
    CacheLock lock(entry.store);
    if (!try_lock(lock) || !remove_store(entry.store).empty()) {
      removed.left.push_back(entry.name);
      continue;
    }
    ++removed.stores;
    removed.bytes += entry.bytes;
  }
  return removed;
}

// What is no file, where the cache has its files that are not of one store.
std::vector<fs::path> GraphCache::in_the_way() const {
  std::vector<fs::path> found{folder_ / "limit"};
  std::error_code none;
  if (folder_ == cache_folder() / "graphs")
    for (const fs::directory_entry& one : fs::directory_iterator(cache_folder(), none))
      if (one.path().extension() == ".json") found.push_back(one.path());
  std::erase_if(found, is_file_or_nothing);
  return found;
}

GraphCache::Removed GraphCache::clear() {
  Removed removed = remove(entries());
  std::error_code none;
  std::set<fs::path> left;  // of killed imports, or damaged: stores without a file about them, and what is beside such
  for (const fs::directory_entry& one : fs::directory_iterator(folder_, none)) {
    const std::string name = one.path().filename().string();
    const std::size_t end = name.rfind(store_suffix);
    if (end != std::string::npos && end > 0) left.insert(folder_ / (name.substr(0, end) + store_suffix));
  }
  for (const fs::path& path : in_the_way()) {
    throw_away(path);
    if (fs::exists(fs::symlink_status(path, none))) removed.left.push_back(path.filename().string());
  }
  for (const fs::path& store : left) {
    CacheLock lock(store);
    if (about(store)) continue;
    if (!try_lock(lock))
      removed.left.push_back(store.filename().string());
    else
      for (const fs::path& path : remove_store(store)) removed.left.push_back(path.filename().string());
  }
  return removed;
}

std::uint64_t GraphCache::limit() const {
  std::error_code none;
  if (!fs::is_regular_file(fs::symlink_status(folder_ / "limit", none))) return default_limit;
  try {
    return number_of(read_json_file(File::open(folder_ / "limit")), "bytes");
  } catch (const Error&) {  // damaged
    return default_limit;
  }
}

GraphCache::Removed GraphCache::set_limit(std::uint64_t bytes) {
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
