// Writing a store: aside, synced, then renamed into place. Until commit() there is no store at the path; an abandoned
// writer takes its files away, and leftovers of a killed one are removed by the next.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "millrace/pages/page_builder.h"
#include "millrace/pages/page_table.h"
#include "millrace/store/files.h"
#include "millrace/store/manifest.h"
#include "millrace/store/names.h"

namespace millrace {

// The right to write at a path: a lock file beside it, there for as long as this lives. It cannot lie in the directory
// that is being written, which is moved and removed while others look for the lock.
class WriteLock {
 public:
  // Throws UsageError where another writer has it.
  explicit WriteLock(const std::filesystem::path& store);
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock();

 private:
  std::filesystem::path path_;
  File file_;
};

class StoreWriter {
 public:
  // Throws UsageError where `path` exists already, unless `replace`.
  StoreWriter(std::filesystem::path path, bool replace);
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter();

  // Appends a page of `orientation`; pages come in order of vertices.
  void append_page(Orientation orientation, EncodedPage page);
  void write_degrees(Orientation orientation, std::span<const std::uint32_t> degrees);
  // Ids in vertex order, kept in 4 bytes each where they fit; an empty span means that every vertex is its own id.
  void write_ids(std::span<const OriginalId> ids);
  // The string of each original id; empty names are not written.
  void write_names(const Names& names);
  // Finishes the store from the caller's description of the graph; pages, degrees and ids are filled in here. Which
  // orientations there are is the caller's to say: those without a page get empty files.
  void commit(Manifest manifest, const std::vector<Orientation>& orientations);
  // Both, or the one of an undirected graph.
  void commit(Manifest manifest);

 private:
  struct Pages {
    File file;
    std::uint64_t bytes = 0;
    std::vector<PageEntry> entries = {};
  };

  Column write_column(const std::string& name, std::span<const std::byte> bytes);

  std::filesystem::path path_;
  std::filesystem::path aside_;
  std::optional<WriteLock> lock_;
  bool replace_;
  bool committed_ = false;
  std::array<std::optional<Pages>, 2> pages_;
  std::array<std::optional<Column>, 2> degrees_;
  IdColumn ids_ = IdColumn::identity;
  std::optional<Column> id_column_;
  std::optional<Column> names_;
};

}  // namespace millrace
