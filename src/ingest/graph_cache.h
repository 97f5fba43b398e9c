// Stores of graph files that were used directly: made once, found again until the file changes. A folder holds for each
// of them the store and a small file about it, whose time says when the store was last used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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
  struct Found {
    std::filesystem::path store;
    bool made = false;       // now, and not before
    bool too_large = false;  // it alone exceeds the limit: whoever asked for it should forget() it
  };

  static constexpr std::uint64_t default_limit = std::uint64_t{64} << 30;

  // The folder is created when it is needed. The default is that of the user; throws UsageError if there is none.
  GraphCache();
  explicit GraphCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  // The store of a file: the one that is there, or the one that make(path) makes. `options` describes how, and `more`
  // are other files that it depends on. Waits while another process makes the same one. Afterwards the stores that were
  // not used for the longest time are removed until the rest is within the limit. Throws UsageError if the file is not
  // a regular one, and what make() throws.
  Found find(const std::filesystem::path& file, const std::string& options,
             const std::vector<std::filesystem::path>& more,
             const std::function<void(const std::filesystem::path& store)>& make);
  // All entries, the last used first.
  std::vector<Entry> entries() const;
  // Removes a store. A run that has opened it keeps it. Returns false if another process is making it just now.
  bool forget(const std::filesystem::path& store);
  std::uint64_t limit() const;
  // Keeps the limit for later, and removes what exceeds it. Returns how many stores were removed.
  std::size_t set_limit(std::uint64_t bytes);

 private:
  std::size_t trim(const std::filesystem::path& keep);
  std::filesystem::path folder_;
};

}  // namespace millrace
