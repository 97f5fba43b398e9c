// Stores of graph files that were used directly: made once, found again until the file changes. A folder holds for each
// of them the store, a small file about it, whose time says when the store was last used, and a lock file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "millrace/store/store.h"

namespace millrace {

class GraphCache {
 public:
  struct Entry {
    std::string name;  // of the store in the folder
    std::filesystem::path store;
    std::filesystem::path source;  // the graph file
    std::string options;           // of the import
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type used = {};
    bool stale = false;  // the graph file has changed or is gone
  };
  // What to find, and how to make it.
  struct Wanted {
    std::filesystem::path file;
    std::string options;                                     // of the import, as text
    std::vector<std::filesystem::path> files;                // that an import reads, `file` first: files_of_graph()
    std::function<void(const std::filesystem::path&)> make;  // makes the store at this path
    std::function<void()> waiting = {};                      // called once if another process is making it
  };
  struct Found {
    Store store;
    std::filesystem::path place;
    bool kept = true;  // false: it alone exceeds the limit, and was removed again; it can be read all the same
  };
  struct Removed {
    std::size_t stores = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> left;  // names of those that are being made, or that could not be removed
  };

  static constexpr std::uint64_t default_limit = std::uint64_t{64} << 30;

  // The folder is created when it is needed. The default is that of the user; throws UsageError if there is none.
  GraphCache();
  explicit GraphCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  // The store of a file, opened: the one that is there, or a new one. Waits while another process makes the same one.
  // Afterwards the stores that were not used for the longest time are removed until the rest is within the limit.
  // Throws UsageError if the file is not a regular one, BadInputError if it changed while it was imported, and what
  // make() throws; then nothing is kept.
  Found find(const Wanted& wanted);
  // All entries, the last used first.
  std::vector<Entry> entries() const;
  // Removes these stores. A run that has opened one keeps it.
  Removed remove(const std::vector<Entry>& entries);
  // Removes all of them, what killed imports left, and links, pipes and empty folders in place of files of the cache.
  Removed clear();
  std::uint64_t limit() const;
  // Keeps the limit for later, and removes what exceeds it.
  Removed set_limit(std::uint64_t bytes);

 private:
  Store make_store(const Wanted& wanted, const std::filesystem::path& store) const;
  Removed trim(const std::filesystem::path& keep);
  std::vector<std::filesystem::path> in_the_way() const;
  std::filesystem::path folder_;
};

}  // namespace millrace
