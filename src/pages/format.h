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

// Zero bytes after the last word of a section, so that a decoder may load whole vectors.
inline constexpr std::uint32_t read_ahead_bytes = 128;

// Rows from this length on are cut over the 32 lanes of slices of their own. A writer's choice: longer rows in
// one lane pack better (1024: 2.4% fewer bytes on RMAT 22) but are slower to decode alone.
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
  std::uint32_t rows;          // of them with edges
  std::uint32_t edges;
  std::uint32_t slices;
  std::uint32_t hub_slices;  // the first slices: each belongs to one vertex, consecutive ones may share it
  std::uint32_t min_neighbour;
  std::uint32_t max_neighbour;
  std::uint32_t words;           // topology words, padding not counted
  std::uint32_t topology_bytes;  // from the page's start to the weight section, or to the end
  std::uint32_t weight_words;    // without the table of weight_word, 0 where not weighted
  std::uint32_t bytes;           // of the whole page, a multiple of section_alignment
  WeightType weight_type;
  std::uint8_t reserved[7];
};
static_assert(sizeof(PageHeader) == 64);

// One slice: 32 lanes side by side. From `word` on, in the topology words:
//   ceil(columns/4) words of width bytes, one per column;
//   a column of `slot_bits`: the lane's vertex, less first_vertex + first_slot;
//   a column of `length_bits`: columns less the lane's length;
//   the gap columns. Column 0 is relative to first_neighbour, others to the neighbour before, less 1.
struct SliceHeader {
  std::uint32_t word;
  std::uint32_t first_slot;
  std::uint32_t first_neighbour;
  std::uint16_t columns;
  std::uint8_t slot_bits;
  std::uint8_t length_bits;
};
static_assert(sizeof(SliceHeader) == 16);

// One page in the page table: enough to plan, read and check it without touching it.
struct PageEntry {
  std::uint64_t offset;  // in its page file
  std::uint32_t bytes;
  std::uint32_t topology_bytes;  // a run without weights reads only these
  std::uint32_t topology_crc;
  std::uint32_t weight_crc;  // of bytes - topology_bytes; 0 where there are none
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
  std::uint32_t segment;     // neighbour segment the page belongs to; 0 while stores are not blocked
  std::uint32_t hub_slices;  // as in the header: work is laid out before pages are read
};
static_assert(sizeof(PageEntry) == 64);

// Whether the neighbours on a page may be among these.
constexpr bool reaches(const PageEntry& entry, VertexRange vertices) {
  return vertices.size() > 0 && entry.min_neighbour < vertices.last && entry.max_neighbour >= vertices.first;
}

// What is read of a page: without weights its first section will do.
enum class With : std::uint8_t { topology, weights };
constexpr std::uint32_t bytes_with(With with, const PageEntry& entry) {
  return with == With::weights ? entry.bytes : entry.topology_bytes;
}

constexpr std::uint32_t align_section(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + section_alignment - 1) / section_alignment * section_alignment);
}

// What a page takes wherever it lies, on disk or in memory: the next one starts at a multiple of page_alignment too, so
// that pages which lie side by side are one read and one copy.
constexpr std::uint32_t align_page(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + page_alignment - 1) / page_alignment * page_alignment);
}

constexpr std::uint32_t width_words(std::uint32_t columns) { return (columns + 3) / 4; }

}  // namespace millrace
