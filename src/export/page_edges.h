// The edges of a page in order of rows: pages have the longest rows first, but files should be in order.
#pragma once

#include <algorithm>
#include <vector>

#include "millrace/export/page_rows.h"

namespace millrace {

class PageEdges {
 public:
  PageEdges() = default;
  // Reads the rows for which wants(vertex) is true.
  template <class Wants>
  PageEdges(const PageView& page, const PageEntry& entry, bool weighted, Wants wants) {
    parts_.reserve(most_parts(entry));
    neighbours_.reserve(entry.edges);
    if (weighted) weights_.reserve(entry.edges);
    PageRows(weighted).for_each(page, wants, [&](const RowPart& part) {
      parts_.push_back({part.vertex, neighbours_.size(), part.neighbours.size()});
      neighbours_.insert(neighbours_.end(), part.neighbours.begin(), part.neighbours.end());
      for (std::size_t j = 0; weighted && j < part.neighbours.size(); ++j) weights_.push_back(part.weight(j));
    });
    std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.row < b.row; });
  }

  // The most memory that it takes, and its making.
  static std::uint64_t memory(const PageEntry& entry, bool weighted) {
    const std::uint64_t parts = most_parts(entry) * sizeof(Part), sorting = parts / 2;
    return parts + sorting + entry.edges * (sizeof(VertexId) + (weighted ? sizeof(std::uint64_t) : 0)) +
           PageRows::memory;
  }

  std::size_t num_edges() const { return neighbours_.size(); }
  // Rows, or parts of a hub's row, by ascending vertex.
  std::size_t num_parts() const { return parts_.size(); }
  VertexId row(std::size_t part) const { return parts_[part].row; }
  std::span<const VertexId> neighbours(std::size_t part) const {
    return std::span(neighbours_).subspan(parts_[part].first, parts_[part].size);
  }

  // Calls visit(row, neighbour, weight bits).
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Part& part : parts_)
      for (std::size_t i = part.first; i < part.first + part.size; ++i)
        visit(part.row, neighbours_[i], weights_.empty() ? 0 : weights_[i]);
  }

 private:
  struct Part {
    VertexId row;
    std::size_t first, size;
  };
  static std::uint64_t most_parts(const PageEntry& entry) {
    return entry.rows + std::uint64_t{entry.hub_slices} * lanes;
  }

  std::vector<Part> parts_;
  std::vector<VertexId> neighbours_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace millrace
