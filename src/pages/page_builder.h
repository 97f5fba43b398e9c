// A page under construction: slices are packed into it one by one until it is full.
#pragma once

#include <span>
#include <vector>

#include "millrace/pages/format.h"

namespace millrace {

// The rows of consecutive vertices: row i belongs to first_vertex + i and is neighbours[offsets[i] .. offsets[i+1]),
// ascending; strictly so unless parallel edges are kept.
struct Rows {
  VertexId first_vertex = 0;
  std::span<const std::uint64_t> offsets;  // one entry more than there are vertices
  const VertexId* neighbours = nullptr;
  const std::uint64_t* weights = nullptr;  // bits of the weight type, one for each neighbour; null if unweighted

  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  std::uint64_t length(std::uint32_t row) const { return offsets[row + 1] - offsets[row]; }
  std::uint64_t num_edges() const { return offsets.back() - offsets.front(); }
  Rows range(std::uint32_t first, std::uint32_t last) const {
    return {first_vertex + first, offsets.subspan(first, last - first + 1), neighbours, weights};
  }
};

struct PageOptions {
  std::uint32_t page_bytes = default_page_bytes;
  WeightType weight_type = WeightType::none;
  bool keep_parallel_edges = false;
};

struct EncodedPage {
  std::vector<std::byte> bytes;
  PageEntry entry;  // all fields but its place (offset, file)
};

// The table entry of a finished page, without its place (offset, file).
PageEntry describe_page(std::span<const std::byte> page);

class PageBuilder {
 public:
  // One lane of a slice: neighbours[first .. first + length) of the vertex first_vertex + `slot`.
  struct Lane {
    std::uint32_t slot = 0;
    std::uint64_t first = 0;
    std::uint32_t length = 0;
  };

  explicit PageBuilder(const PageOptions& options) : options_(options) {}

  void clear();
  // Adds a slice of up to 32 lanes, longest first. A lane may be empty only if all lanes belong to one vertex.
  void add_slice(const Rows& rows, std::span<const Lane> lane);
  // Undoes the last add_slice.
  void remove_last_slice();
  std::uint32_t num_slices() const { return static_cast<std::uint32_t>(slices_.size()); }
  // The size of the page if it were finished now.
  std::uint64_t bytes() const;
  EncodedPage finish(PageKind kind, const Rows& rows, std::uint32_t num_rows, std::uint32_t hub_slices) const;

 private:
  // What a slice adds beside its header; kept for each slice so that it can be removed.
  struct Extent {
    std::uint32_t weight_word;
    std::uint32_t edges;
    std::uint32_t min_neighbour;
    std::uint32_t max_neighbour;
  };

  void fill_gaps(const Rows& rows, std::span<const Lane> lane, std::uint32_t columns, std::uint32_t first_neighbour);
  void add_weights(const Rows& rows, std::span<const Lane> lane, std::uint32_t columns);
  std::uint64_t topology_bytes() const;

  PageOptions options_;
  std::vector<SliceHeader> slices_;
  std::vector<Extent> extents_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> weight_words_;
  std::vector<std::uint32_t> tile_;  // scratch: columns x 32 values
};

}  // namespace millrace
