// The page table: one entry per page of an orientation, in order of segments and vertices, kept in memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "millrace/pages/format.h"

namespace millrace {

class PageTable {
 public:
  PageTable() = default;
  explicit PageTable(std::vector<PageEntry> entries);

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  const PageEntry& operator[](std::uint32_t page) const { return entries_[page]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  // The pages of each segment that has any: the first page, and one past the last of all. A table without pages, or of
  // a store that is not blocked, has one segment.
  std::uint32_t num_segments() const { return static_cast<std::uint32_t>(first_page_.size() - 1); }
  std::uint32_t first_page(std::uint32_t segment) const { return first_page_[segment]; }
  // The first page that has the row of `vertex` in a segment (counted as above), or size() if no page covers it.
  std::uint32_t find(VertexId vertex, std::uint32_t segment = 0) const;
  // Whether the row of the page before goes on here.
  bool goes_on(std::uint32_t page) const {
    return page > 0 && entries_[page].first_vertex == entries_[page - 1].first_vertex &&
           entries_[page].segment == entries_[page - 1].segment;
  }

  std::uint64_t num_edges() const;
  // No row has more neighbours.
  std::uint64_t longest_row() const;
  std::uint64_t page_bytes() const;      // the pages alone
  std::uint64_t topology_bytes() const;  // the pages without their weights
  // The same sizes in memory, where each page starts at a multiple of page_alignment.
  std::uint64_t page_memory() const;
  std::uint64_t topology_memory() const;

  // The bytes of a table file: magic, version, count, entries, CRC32C of all before it.
  std::vector<std::byte> serialise() const;
  // Reads a table file and checks all of it: checksum, order, segments of so many vertices (0: none), and pages one
  // after another inside of `file_bytes` (one size per page file). Throws BadInputError naming `name`.
  static PageTable parse(std::span<const std::byte> bytes, const std::string& name, std::uint64_t num_vertices,
                         std::span<const std::uint64_t> file_bytes, std::uint64_t segment = 0);

 private:
  std::vector<PageEntry> entries_;
  std::vector<std::uint32_t> first_page_{0, 0};  // by segment that has pages, and one past the last
};

}  // namespace millrace
