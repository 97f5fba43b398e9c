// Writing a store: aside, synced, then renamed into place. Until commit() there is no store at the path; an abandoned
// writer takes its files away, and leftovers of a killed one are removed by the next. Files that others have put in the
// way are never touched.
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

struct WriterOptions {
  bool replace = false;
  // Directories on the disks that share the pages, page by page in turn; none: pages lie in the store itself.
  std::vector<std::filesystem::path> stripes = {};
};

class StoreWriter {
 public:
  // Throws UsageError where `path` exists already, unless it may be replaced and is a store with nothing else in it;
  // and where files of others have the names of its lock or of the directory that it is written in.
  StoreWriter(std::filesystem::path path, WriterOptions options, Budget& budget = unlimited_budget());
  StoreWriter(std::filesystem::path path, bool replace) : StoreWriter(std::move(path), {.replace = replace}) {}
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter();

  // Opens the files of an orientation now, and not at its first page: then their memory is taken.
  void begin_pages(Orientation orientation) { pages_of(orientation); }
  // Files that the pages of an orientation are spread over.
  std::uint64_t num_page_files() const { return stripes_.empty() ? 1 : stripes_.size(); }
  // Appends a page of `orientation`; pages come in order of vertices, one orientation after the other.
  void append_page(Orientation orientation, EncodedPage page);
  // Forgets the pages of an orientation, which can be written anew.
  void discard_pages(Orientation orientation);
  void write_degrees(Orientation orientation, std::span<const std::uint32_t> degrees);
  // Ids in vertex order, kept in 4 bytes each where they fit; an empty span means that every vertex is its own id.
  void write_ids(std::span<const OriginalId> ids);
  void write_ids(std::span<const std::uint32_t> ids);
  // The string of each original id; empty names are not written.
  void write_names(const Names& names);
  // Finishes the store from the caller's description of the graph; pages, degrees and ids are filled in here. Which
  // orientations there are is the caller's to say: those without a page get empty files.
  void commit(Manifest manifest, const std::vector<Orientation>& orientations);
  // Both, or the one of an undirected graph.
  void commit(Manifest manifest);

  // A new directory for temporary files, below `where` or, where that is empty, beside the pages. It goes with the
  // writer, and a killed one's is found by the next.
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
  void remove_scratch() noexcept;

  std::filesystem::path path_;
  std::filesystem::path aside_;
  WriterOptions options_;
  Budget& budget_;
  std::optional<WriteLock> lock_;
  bool committed_ = false;
  std::vector<std::filesystem::path> stripes_;  // directories of our own
  std::vector<std::filesystem::path> scratch_;
  std::array<std::optional<Pages>, 2> pages_;
  std::array<std::optional<Column>, 2> degrees_;
  IdColumn ids_ = IdColumn::identity;
  std::optional<Column> id_column_;
  std::optional<Column> names_;
};

}  // namespace millrace
