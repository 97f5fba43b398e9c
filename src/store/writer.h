// Writes a store: beside its place, synced, then renamed. Until commit() there is no store at the path. A writer
// without commit() removes its files, and the next writer removes the leftovers of a killed one. Files of others that
// are in the way are never touched.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "millrace/pages/page_builder.h"
#include "millrace/pages/page_table.h"
#include "millrace/store/append_file.h"
#include "millrace/store/manifest.h"
#include "millrace/store/names.h"
#include "millrace/store/write_lock.h"

namespace millrace {

struct NameColumns;

struct WriterOptions {
  bool replace = false;
  // Directories on the disks over which pages are spread in turn; empty: pages lie in the store itself.
  std::vector<std::filesystem::path> stripes = {};
};

class StoreWriter {
 public:
  // Throws UsageError if `path` exists, unless it may be replaced and is a store with nothing else in it; and if files
  // of others have the names of its lock file or of STORE.partial.
  StoreWriter(std::filesystem::path path, WriterOptions options, Budget& budget = unlimited_budget());
  StoreWriter(std::filesystem::path path, bool replace) : StoreWriter(std::move(path), {.replace = replace}) {}
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter();

  // Opens the files of an orientation now instead of at its first page: so their memory is taken now.
  void begin_pages(Orientation orientation) { pages_of(orientation); }
  // How many files the pages of an orientation are spread over.
  std::uint64_t num_page_files() const { return stripes_.empty() ? 1 : stripes_.size(); }
  // Appends a page of `orientation`; pages must come in order of segments and vertices, one orientation after the
  // other.
  void append_page(Orientation orientation, EncodedPage page);
  // Drops the pages of an orientation, which can be written anew.
  void discard_pages(Orientation orientation);
  void write_degrees(Orientation orientation, std::span<const std::uint32_t> degrees);
  // Ids in vertex order, stored in 4 bytes each if they fit; an empty span means that every vertex is its own id.
  void write_ids(std::span<const OriginalId> ids);
  void write_ids(std::span<const std::uint32_t> ids);
  // The string of each original id; empty names are not written.
  void write_names(const Names& names);
  void write_names(const NameColumns& names);
  // Finishes the store from the caller's description of the graph; pages, degrees and ids are filled in here. The
  // caller names the orientations: those without a page get empty files.
  void commit(Manifest manifest, const std::vector<Orientation>& orientations);
  // With both orientations, or the one of an undirected graph.
  void commit(Manifest manifest);

  // A new directory for temporary files, below `where` or, if that is empty, beside the pages. The writer removes it at
  // its end; the next writer removes that of a killed one.
  std::filesystem::path make_scratch(const std::filesystem::path& where);
  // Bytes of pages so far.
  std::uint64_t page_bytes() const;

 private:
  struct Pages {
    std::vector<std::unique_ptr<AppendFile>> files;  // one for each stripe
    std::vector<PageEntry> entries = {};
    std::vector<std::string> names = {};
    std::uint64_t bytes() const;
  };

  Pages& pages_of(Orientation orientation);
  Column write_column(const std::string& name, std::span<const std::byte> bytes);
  void remove_scratch();

  std::filesystem::path path_;
  std::filesystem::path aside_;
  WriterOptions options_;
  Budget& budget_;
  std::optional<WriteLock> lock_;
  bool committed_ = false;
  std::vector<std::filesystem::path> stripes_;  // directories that this writer made
  std::vector<std::filesystem::path> scratch_;
  std::array<std::optional<Pages>, 2> pages_;
  std::array<std::optional<Column>, 2> degrees_;
  IdColumn ids_ = IdColumn::identity;
  std::optional<Column> id_column_;
  std::optional<Column> names_;
};

}  // namespace millrace
