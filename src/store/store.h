// A store opened for reading: the manifest, the page tables, and loading of pages, degrees and ids.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "millrace/core/memory.h"
#include "millrace/pages/page_table.h"
#include "millrace/pages/page_view.h"
#include "millrace/store/files.h"
#include "millrace/store/manifest.h"
#include "millrace/store/names.h"

namespace millrace {

struct StoreFiles;

// The pages of one orientation in host memory, checksums verified.
class PageSet {
 public:
  PageSet() = default;
  PageSet(PageTable table, Buffer buffer, std::vector<std::uint64_t> places)
      : table_(std::move(table)), buffer_(std::move(buffer)), places_(std::move(places)) {}

  const PageTable& table() const { return table_; }
  PageView page(std::uint32_t index) const { return PageView(page_data(index)); }
  // Pages lie in order, each at the next multiple of page_alignment.
  const std::byte* page_data(std::uint32_t index) const { return buffer_.data() + places_[index]; }
  std::byte* data() { return buffer_.data(); }
  std::uint64_t bytes() const { return buffer_.size(); }

 private:
  PageTable table_;
  Buffer buffer_;
  std::vector<std::uint64_t> places_;
};

// Reads single pages of one orientation. Thread-safe.
class PageReader {
 public:
  // The memory to read into: any; or aligned, with room for a multiple of page_alignment, so that what is not in the
  // system's cache can be read past it, at the speed of the disk.
  enum class Into { anything, aligned };
  // The files and the table must outlive the reader.
  PageReader(std::span<const File> files, const PageTable& table, Into into);

  const PageTable& table() const { return table_; }
  // Reads as much of a page as `into` has room for, its topology or all of it, and verifies the checksums.
  void read(std::uint32_t page, std::span<std::byte> into) const;
  // Reads what is in the file from the start of a page on, unchecked, until `into` is full or the file ends; returns
  // how many bytes that is. For aligned reads `into` is a multiple of page_alignment.
  std::uint64_t read_unchecked(std::uint32_t page, std::span<std::byte> into) const;

 private:
  const File& file_of(std::uint32_t page) const;
  std::span<const File> files_;
  std::vector<std::optional<File>> direct_;  // files opened again to be read past the cache; empty for the others
  const PageTable& table_;
};

// Original ids of the vertices of a store.
class IdMap {
 public:
  explicit IdMap(std::uint64_t num_vertices) : num_vertices_(num_vertices) {}  // every vertex is its own id
  explicit IdMap(Array<std::uint32_t> ids) : num_vertices_(ids.size()), narrow_(std::move(ids)) {}
  explicit IdMap(Array<OriginalId> ids) : num_vertices_(ids.size()), wide_(std::move(ids)) {}

  std::uint64_t size() const { return num_vertices_; }
  bool identity() const { return narrow_.empty() && wide_.empty(); }
  OriginalId original(VertexId vertex) const {
    return !narrow_.empty() ? narrow_[vertex] : !wide_.empty() ? wide_[vertex] : vertex;
  }
  // The vertex with an original id; a scan, meant for a handful of look-ups.
  std::optional<VertexId> find(OriginalId id) const;
  // All vertices in ascending order of their original ids; empty if that is the vertex order itself.
  Array<VertexId> ascending(Budget& budget) const;

 private:
  std::uint64_t num_vertices_;
  Array<std::uint32_t> narrow_;
  Array<OriginalId> wide_;
};

// What has to hold of original ids: no two vertices have the same, and each has a name if there are names.
struct IdFacts {
  OriginalId highest = 0;            // 0 if there are no vertices
  std::optional<OriginalId> shared;  // one that several vertices have
};

// Names whose memory is charged to a budget.
struct CountedNames : Names {
  Charge charge;
};

class Store {
 public:
  // Reads the manifest and the page tables, and opens every file, so that the store stays readable if it is renamed or
  // replaced later. Throws BadInputError if there is no complete store, and IoError.
  static Store open(const std::filesystem::path& path);

  // The same store under another name: messages and reports then name the graph file that it was made from.
  Store called(const std::filesystem::path& name) const {
    Store named = *this;
    named.path_ = name;
    return named;
  }
  // The same store with only those pages for which keep(orientation, page number) is true.
  Store with_pages(const std::function<bool(Orientation, std::uint32_t)>& keep) const;

  // The same store with every edge turned around: its out pages are the in pages of this one.
  Store reversed() const;

  const std::filesystem::path& path() const { return path_; }
  const Manifest& manifest() const { return manifest_; }
  std::uint64_t num_vertices() const { return manifest_.num_vertices; }
  std::uint64_t num_edges() const { return manifest_.num_edges; }
  bool has(Orientation orientation) const { return manifest_.pages(orientation) != nullptr; }

  // The page table of an orientation that the store has.
  const PageTable& table(Orientation orientation) const;

  // The page files of an orientation that the store has.
  const std::vector<File>& page_files(Orientation orientation) const;
  const File& manifest_file() const;
  const StoreFiles& files() const { return *files_; }
  // The size of all its files.
  std::uint64_t disk_bytes() const;

  using With = millrace::With;
  // The host memory that load_pages would take.
  std::uint64_t page_memory(Orientation orientation, With with) const;
  // Reads all pages of an orientation, in parallel, and verifies their checksums.
  PageSet load_pages(Orientation orientation, With with, Budget& budget) const;
  // The store must outlive the reader.
  PageReader page_reader(Orientation orientation, PageReader::Into into = PageReader::Into::anything) const;
  Array<std::uint32_t> load_degrees(Orientation orientation, Budget& budget) const;
  // Calls take(first vertex, degrees) for parts of the degrees, from several threads, and verifies their checksum.
  void scan_degrees(Orientation orientation,
                    const std::function<void(std::uint64_t, std::span<const std::uint32_t>)>& take) const;
  IdMap load_ids(Budget& budget) const;
  IdFacts id_facts(Budget& budget) const;
  // The most memory that load_ids and the order of the ids would take.
  std::uint64_t id_memory() const;
  std::uint64_t order_memory() const;
  bool has_names() const { return manifest_.names.has_value(); }
  // The memory that load_names would take; 0 if there are no names.
  std::uint64_t name_memory() const;
  // The string of each original id, checked completely; empty if the store has none.
  CountedNames load_names(Budget& budget) const;
  // One whole page as it is on disk, unchecked: for verify.
  std::vector<std::byte> read_page(Orientation orientation, std::uint32_t page) const;

 private:
  std::size_t slot(Orientation orientation) const;
  std::size_t file_slot(std::size_t slot) const { return turned_ ? 1 - slot : slot; }
  Store(const std::filesystem::path& path, const File& directory);
  void read_table(std::size_t slot);
  // The column of degrees: its number, and what the manifest says of it.
  std::pair<std::size_t, const Column&> degree_column(Orientation orientation) const;
  template <class T>
  Array<T> load_column(const File& file, const Column& column, Budget& budget) const;

  std::filesystem::path path_;
  Manifest manifest_;
  bool turned_ = false;  // the files have the edges the other way round
  std::shared_ptr<const StoreFiles> files_;
  std::array<PageTable, 2> tables_;
};

}  // namespace millrace
