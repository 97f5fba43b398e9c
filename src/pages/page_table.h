// The page table: one entry per page of an orientation, in order of vertices, kept in memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "millrace/pages/format.h"

namespace millrace {

class PageTable {
 public:
  PageTable() = default;
  explicit PageTable(std::vector<PageEntry> entries) : entries_(std::move(entries)) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  const PageEntry& operator[](std::uint32_t page) const { return entries_[page]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  // The first page that has the row of `vertex`, or size() if no page covers it.
  std::uint32_t find(VertexId vertex) const;

  std::uint64_t num_edges() const;
  std::uint64_t page_bytes() const;      // the pages alone
  std::uint64_t topology_bytes() const;  // the pages without their weights
  // The same sizes in memory, where each page starts at a multiple of page_alignment.
  std::uint64_t page_memory() const;
  std::uint64_t topology_memory() const;

  // The bytes of a table file: magic, version, count, entries, CRC32C of all before it.
  std::vector<std::byte> serialise() const;
  // Reads a table file and checks all of it: checksum, order of vertices, and pages one after another inside of
  // `file_bytes` (one size per page file). Throws BadInputError naming `name`.
  static PageTable parse(std::span<const std::byte> bytes, const std::string& name, std::uint64_t num_vertices,
                         std::span<const std::uint64_t> file_bytes);

 private:
  std::vector<PageEntry> entries_;
};

}  // namespace millrace
