// The pages that kernels make: a chunk of planned pages is encoded at a time, and each page is a task.
//
// A row here is a vertex with edges in a segment: row r of a batch is keys[row_first[r] .. row_first[r + 1]). Short
// rows are sorted by page and falling length, hubs are numbered by their slices; so slice i of a page is found without
// a list of slices.
#pragma once

#include <cstdint>

#include "millrace/build/keys.h"
#include "millrace/pages/format.h"

struct CUstream_st;

namespace millrace::cuda {

// The sorted keys of a batch, and where its rows begin.
struct KeyRows {
  const std::uint64_t* keys = nullptr;
  const std::uint32_t* row_first = nullptr;  // one entry more than there are rows
  std::uint32_t num_keys = 0;
  std::uint32_t num_rows = 0;
  KeyBits bits = {};

  MILLRACE_HD VertexId vertex(std::uint32_t key) const { return bits.row(keys[key]); }
  MILLRACE_HD VertexId neighbour(std::uint32_t key) const { return bits.neighbour(keys[key]); }
  MILLRACE_HD std::uint32_t length(std::uint32_t row) const { return row_first[row + 1] - row_first[row]; }
};

struct PageTask {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  // As planned: rows of one segment.
  std::uint32_t segment = 0;
  VertexId first_vertex = 0;
  std::uint32_t vertex_count = 0;
  std::uint32_t first_key = 0, num_keys = 0;
  std::uint32_t first_row = 0, num_rows = 0;
  std::uint32_t encoded_here = 0;  // 0: the page has no edges, or cannot fit
  // Where to cut the page in two if it does not fit: like PageEncoder, at the vertex that has the middle of the edges.
  VertexId cut_vertex = 0;
  std::uint32_t cut_key = 0, cut_row = 0;
  // Its slices: hubs in order of vertices, then short rows, longest first.
  std::uint32_t first_hub_slice = 0, hub_slices = 0;  // in the numbering of the chunk's hub slices
  std::uint32_t first_short = 0, num_short = 0;       // in the order of the chunk's short rows
  std::uint32_t first_slice = 0, num_slices = 0;      // in the chunk
  // The contents, measured.
  std::uint32_t min_neighbour = ~0u, max_neighbour = 0;
  std::uint64_t words = 0;
  std::uint64_t place = nowhere;  // where the finished page begins in the output

  MILLRACE_HD std::uint64_t bytes() const {
    const std::uint64_t used =
        sizeof(PageHeader) + std::uint64_t{num_slices} * sizeof(SliceHeader) + words * 4 + read_ahead_bytes;
    return (used + section_alignment - 1) / section_alignment * section_alignment;
  }
};

struct Chunk {
  KeyRows rows;
  PageTask* tasks = nullptr;
  std::uint32_t num_tasks = 0;
  std::uint32_t first_row = 0, num_rows = 0;  // over all tasks
  std::uint32_t hub_edges = 0;                // edges in a full hub slice
  std::uint32_t parallel = 0;                 // 1: parallel edges are kept
  std::uint32_t* order_key = nullptr;         // by row; sorted along with order_row
  std::uint32_t* order_row = nullptr;         // rows, counted from first_row
  std::uint32_t* hub_slices = nullptr;        // by row, and a 0 after the last
  std::uint32_t* hub_first = nullptr;         // their prefix sums: the first hub slice of a row
  std::uint32_t num_slices = 0;
  std::uint64_t* slice_words = nullptr;  // by slice, and a 0 after the last
  std::uint64_t* slice_first = nullptr;  // their prefix sums: the first word of a slice
  std::byte* output = nullptr;

  // An order key has the task, and by how much the row is shorter than the longest row that is no hub.
  static constexpr std::uint32_t length_bits = 9;
  static_assert(hub_row_length == 1u << length_bits);
};

// Where rows begin in a batch: key_at[i] and row_at[i] are the first key and row of all with row keys >= row_key[i].
void find_row_keys(const KeyRows& rows, const std::uint64_t* row_key, std::uint32_t count, std::uint32_t* key_at,
                   std::uint32_t* row_at, CUstream_st* stream);
// degree[v - first_vertex] = the length of its row, for the rows [first_row, last_row) of one segment; other entries
// stay unchanged.
void write_degrees(const KeyRows& rows, std::uint32_t first_row, std::uint32_t last_row, VertexId first_vertex,
                   std::uint32_t* degree, CUstream_st* stream);
// Counts the self-loops, and each edge in the degree of its neighbour if `degree` is given.
void count_neighbours(const KeyRows& rows, std::uint32_t* degree, unsigned long long* self_loops, CUstream_st* stream);

// Computes where to cut the tasks that have edges and more than one vertex.
void find_cuts(const KeyRows& rows, PageTask* tasks, std::uint32_t count, CUstream_st* stream);

// The steps of a chunk, in this order. Between them lie, also in order: sorting and summing up what label_rows wrote;
// numbering the slices of all tasks; summing up slice_words; placing the pages that turned out to fit.
void label_rows(const Chunk& chunk, CUstream_st* stream);      // writes order_key, order_row, hub_slices
void lay_out_pages(const Chunk& chunk, CUstream_st* stream);   // writes the slices of tasks
void measure_slices(const Chunk& chunk, CUstream_st* stream);  // writes slice_words, the neighbours of tasks
void measure_pages(const Chunk& chunk, CUstream_st* stream);   // writes the words of tasks
void pack_pages(const Chunk& chunk, CUstream_st* stream);      // writes the pages that have a place; zero before

}  // namespace millrace::cuda
