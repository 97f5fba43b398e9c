// The bytes of a page and of its entry in the page table. docs/format.md describes them for other readers.
//
//   page = PageHeader, SliceHeader[slices], topology words, read-ahead padding,
//          and where weighted: u32 weight_word[slices], weight words, read-ahead padding
//
// Everything is little-endian. A column is 32 values of `b` bits each, lane l at bit l*b: exactly b words.
#pragma once

#include <bit>
#include <cstdint>

#include "millrace/core/types.h"
#include "millrace/pages/weight.h"

namespace millrace {

static_assert(std::endian::native == std::endian::little, "pages are little-endian and used in place");

enum class Orientation : std::uint8_t { out = 0, in = 1 };  // rows list targets / sources

constexpr Orientation opposite(Orientation orientation) {
  return orientation == Orientation::out ? Orientation::in : Orientation::out;
}

constexpr const char* orientation_name(Orientation orientation) {
  return orientation == Orientation::out ? "out" : "in";
}

inline constexpr std::uint32_t lanes = 32;
inline constexpr std::uint32_t page_alignment = 4096;          // of a page's start in its file
inline constexpr std::uint32_t default_page_bytes = 1u << 20;  // the most a page may take
inline constexpr std::uint32_t min_page_bytes = 4096;
inline constexpr std::uint32_t max_page_bytes = 64u << 20;
inline constexpr std::uint32_t section_alignment = 64;
inline constexpr std::uint64_t min_segment = 64;  // vertices

// Zero bytes after the last word of a section, so that a decoder may load whole vectors.
inline constexpr std::uint32_t read_ahead_bytes = 128;

// Rows of this length or more are hubs: cut over the 32 lanes of slices of their own. The format leaves this to the
// writer: longer rows in one lane pack better (1024: 2.4% fewer bytes on RMAT 22) but are slower to decode alone.
inline constexpr std::uint32_t hub_row_length = 512;
inline constexpr std::uint32_t max_slice_columns = 1024;

enum class PageKind : std::uint8_t { small = 0, large = 1 };

inline constexpr std::uint8_t page_flag_parallel = 1;  // parallel edges kept: gaps are plain differences

inline constexpr std::uint32_t page_magic = 0x47504d4d;  // "MMPG"
inline constexpr std::uint16_t page_version = 1;

struct PageHeader {
  std::uint32_t magic;
  std::uint16_t version;
  PageKind kind;
  std::uint8_t flags;
  std::uint32_t first_vertex;
  std::uint32_t vertex_count;  // the vertices [first_vertex, first_vertex + vertex_count); large: 1
  std::uint32_t rows;          // how many of them have edges
  std::uint32_t edges;
  std::uint32_t slices;
  std::uint32_t hub_slices;  // the first slices: each belongs to one vertex, and several may belong to the same
  std::uint32_t min_neighbour;
  std::uint32_t max_neighbour;
  std::uint32_t words;           // topology words without padding
  std::uint32_t topology_bytes;  // from the start of the page to its weight section, or to its end
  std::uint32_t weight_words;    // without the table of weight_word; 0 if there are no weights
  std::uint32_t bytes;           // size of the whole page, a multiple of section_alignment
  WeightType weight_type;
  std::uint8_t reserved[7];
};
static_assert(sizeof(PageHeader) == 64);

// One slice: 32 lanes side by side. From `word` on, the topology words hold:
//   ceil(columns/4) words of width bytes, one per column;
//   a column of `slot_bits`: the lane's vertex, minus first_vertex + first_slot;
//   a column of `length_bits`: columns minus the lane's length;
//   the gap columns. Column 0 is relative to first_neighbour, others to the previous neighbour, minus 1.
struct SliceHeader {
  std::uint32_t word;
  std::uint32_t first_slot;
  std::uint32_t first_neighbour;
  std::uint16_t columns;
  std::uint8_t slot_bits;
  std::uint8_t length_bits;
};
static_assert(sizeof(SliceHeader) == 16);

// One page in the page table: enough to plan with the page, read it and check it, before any of it is read.
struct PageEntry {
  std::uint64_t offset;  // in its page file
  std::uint32_t bytes;
  std::uint32_t topology_bytes;  // a run without weights reads only these
  std::uint32_t topology_crc;
  std::uint32_t weight_crc;  // of the last bytes - topology_bytes bytes; 0 if there are none
  std::uint32_t first_vertex;
  std::uint32_t vertex_count;
  std::uint32_t rows;
  std::uint32_t edges;
  std::uint32_t slices;
  std::uint32_t min_neighbour;
  std::uint32_t max_neighbour;
  std::uint16_t file;  // stripe
  PageKind kind;
  std::uint8_t flags;
  std::uint32_t segment;     // of blocked stores: the segment that all neighbours on the page lie in; else 0
  std::uint32_t hub_slices;  // as in the page header: work is planned before pages are read
};
static_assert(sizeof(PageEntry) == 64);

// Whether a neighbour on the page may be in this range.
constexpr bool reaches(const PageEntry& entry, VertexRange vertices) {
  return vertices.size() > 0 && entry.min_neighbour < vertices.last && entry.max_neighbour >= vertices.first;
}

// Whether a row of the page may be of a vertex in this range.
constexpr bool has_rows_in(const PageEntry& entry, VertexRange vertices) {
  return entry.first_vertex < vertices.last &&
         std::uint64_t{entry.first_vertex} + entry.vertex_count > vertices.first && vertices.size() > 0;
}

// Which part of a page is read: without weights, only its first section.
enum class With : std::uint8_t { topology, weights };
constexpr std::uint32_t bytes_with(With with, const PageEntry& entry) {
  return with == With::weights ? entry.bytes : entry.topology_bytes;
}

constexpr std::uint32_t align_section(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + section_alignment - 1) / section_alignment * section_alignment);
}

// The space of a page, on disk and in memory: the next page starts at a multiple of page_alignment too, so that
// consecutive pages are one read and one copy.
constexpr std::uint32_t align_page(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + page_alignment - 1) / page_alignment * page_alignment);
}

constexpr std::uint32_t width_words(std::uint32_t columns) { return (columns + 3) / 4; }

}  // namespace millrace
