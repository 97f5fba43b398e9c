#include "millrace/run/named_paths.h"

#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "millrace/core/aside.h"
#include "millrace/core/cache_folder.h"
#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/store/manifest.h"
#include "millrace/store/manifest_version.h"
#include "millrace/store/own_files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// The same for all ways to write a path.
fs::path place_of(const fs::path& path) {
  std::error_code failed;
  fs::path place = fs::weakly_canonical(fs::absolute(path, failed), failed);
  if (failed) place = fs::absolute(path, failed).lexically_normal();
  return place.has_filename() ? place : place.parent_path();
}

// The same for all names of a file.
struct Identity {
  dev_t device;
  ino_t file;
  bool operator==(const Identity&) const = default;
};

// A named path, and where that is.
struct Place {
  const NamedPath& named;
  fs::path at;
  std::optional<struct stat> status = {};  // of what is there; links are followed

  explicit Place(const NamedPath& path) : named(path), at(place_of(path.used.path)) {
    struct stat found {};
    if (stat(path.used.path.c_str(), &found) == 0) status = found;
  }
  std::string shown() const { return named.option + " " + named.used.path.string(); }
  PathUse use() const { return named.used.use; }
  bool is_written() const { return use() != PathUse::input; }
  std::optional<Identity> identity() const {
    return status ? std::optional(Identity{status->st_dev, status->st_ino}) : std::nullopt;
  }
  bool is_device() const { return status && S_ISCHR(status->st_mode); }
};

bool lies_in(const fs::path& at, const fs::path& folder) {
  const fs::path inside = at.lexically_relative(folder);
  return !inside.empty() && *inside.begin() != "..";
}

bool is_same(const Place& a, const Place& b) {
  if (a.at == b.at) return true;
  const auto file = a.identity();
  return file && file == b.identity();
}

// The folder of a store, finished or not, or of a part of one, in which a new file at this place would lie.
fs::path store_around(const Place& place) {
  const auto has = [](const fs::path& folder, const char* marker) {
    std::error_code failed;
    return fs::is_regular_file(fs::symlink_status(folder / marker, failed));
  };
  fs::path folder = place.use() == PathUse::below ? place.at : place.at.parent_path();
  for (;; folder = folder.parent_path()) {
    if (manifest_version(folder / "manifest.json") || has(folder, part_marker) || has(folder, partial_marker))
      return folder;
    if (folder == folder.parent_path()) return {};
  }
}

// The files of a store, wherever they are.
std::vector<Identity> files_of_store(const fs::path& store) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(store, failed), end; !failed && at != end; at.increment(failed))
    files.push_back(at->path());
  try {
    if (manifest_version(store / "manifest.json"))
      for (const std::string& name : Manifest::load(store / "manifest.json").file_names())
        files.push_back(store / name);  // of a stripe, the absolute path
  } catch (const Error&) {              // damaged: those in the folder are known
  }
  std::vector<Identity> found;
  for (const fs::path& file : files)
    if (struct stat status{}; lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode))
      found.push_back({status.st_dev, status.st_ino});
  return found;
}

void demand_outside_of_stores(const Place& output) {
  if (const fs::path store = store_around(output); !store.empty())
    throw UsageError("{} is inside of the store {}; choose a path outside of it", output.shown(), store.string());
  if (const fs::path cache = cache_folder(); !cache.empty() && lies_in(output.at, place_of(cache)))
    throw UsageError("{} is inside of the cache of Millrace, {}; choose a path outside of it", output.shown(),
                     cache.string());
}

// Another name of a file of the store would be all right by itself: an output gets its place by a rename. But who names
// it hardly knows what it is.
void demand_other_file(const Place& output, const Place& input) {
  const bool folder = input.status && S_ISDIR(input.status->st_mode);
  const bool allowed = folder && (output.use() == PathUse::below || output.use() == PathUse::store);
  if (is_same(output, input)) {
    // A store may be replaced by what is made of it, where the command has an option for that: it is read until then.
    if (allowed || output.is_device()) return;
    throw UsageError("{} would replace {}, which is read", output.shown(), input.shown());
  }
  if (output.use() == PathUse::store && lies_in(input.at, output.at))
    throw UsageError("{} would replace the store that {} is in, which is read", output.shown(), input.shown());
  if (!folder || !output.status || output.status->st_nlink < 2 || !S_ISREG(output.status->st_mode)) return;
  for (const Identity& file : files_of_store(input.at))
    if (file == output.identity())
      throw UsageError("{} is another name of a file in {}, which is read", output.shown(), input.shown());
}

// An exchange with a store of another name would leave the link behind.
void demand_no_link(const Place& store) {
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(store.named.used.path, failed)))
    throw UsageError("{} is a link to {}; links are not replaced: name the store itself", store.shown(),
                     fs::read_symlink(store.named.used.path, failed).string());
}

void demand_other_output(const Place& one, const Place& two) {
  if (one.use() == PathUse::below && two.use() == PathUse::below) return;
  const std::string &first = one.named.option, second = two.named.option;
  if (is_same(one, two) && !one.is_device()) throw UsageError("{} and {} name the same file", first, second);
  for (const auto& [store, other] : {std::pair(&one, &two), std::pair(&two, &one)})
    if (store->use() == PathUse::store && lies_in(other->at, store->at))
      throw UsageError("{} is inside of {}; choose a path outside of it", other->shown(), store->shown());
}

bool wants_stdout(const NamedPath& path) {
  return path.used.use == PathUse::prints || (path.used.use == PathUse::output && is_stdout(path.used.path));
}

void demand_one_on_stdout(const std::vector<NamedPath>& paths) {
  const NamedPath* first = nullptr;
  for (const NamedPath& path : paths) {
    if (!wants_stdout(path)) continue;
    if (first) throw UsageError("{} and {} both want stdout: write one of them to a file", first->option, path.option);
    first = &path;
  }
}

}  // namespace

std::vector<NamedPath> paths_of(const Option& option, const std::string& shown, const fs::path& value) {
  std::vector<NamedPath> paths;
  if (option.uses)
    for (UsedPath& used : option.uses(value)) {
      const bool found = used.use == PathUse::input && used.path != value;  // by that name, as a file in a folder is
      paths.push_back({found ? "the file" : shown, std::move(used)});
    }
  else
    paths.push_back({shown, {value, option.use}});
  for (std::size_t i = 0, count = paths.size(); i < count; ++i) {
    if (paths[i].used.use != PathUse::store) continue;
    // What is beside a store has a name that is made of its own; and "link/" would not be seen to be a link.
    const fs::path store = paths[i].used.path = without_end_separators(paths[i].used.path);
    for (const char* const suffix : {".lock", ".partial"})
      paths.push_back({shown, {with_suffix(store, suffix), PathUse::meanwhile}});
  }
  return paths;
}

void demand_apart(const std::vector<NamedPath>& paths) {
  demand_one_on_stdout(paths);
  std::vector<Place> inputs, outputs;
  for (const NamedPath& path : paths)
    if (!wants_stdout(path)) (path.used.use == PathUse::input ? inputs : outputs).emplace_back(path);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].use() != PathUse::meanwhile && !is_stream(outputs[i].named.used.path))
      demand_outside_of_stores(outputs[i]);
    for (const Place& input : inputs) demand_other_file(outputs[i], input);
    for (std::size_t j = 0; j < i; ++j) demand_other_output(outputs[j], outputs[i]);
  }
  for (const Place& output : outputs) {
    if (output.use() == PathUse::store) demand_no_link(output);
    const auto is_folder_of_it = [&](const Place& other) {
      return other.use() == PathUse::below && other.at == output.at.parent_path() && !other.status;
    };
    if (output.use() == PathUse::output && std::ranges::none_of(outputs, is_folder_of_it))
      demand_output(output.named.used.path);
  }
}

}  // namespace millrace
