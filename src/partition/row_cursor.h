// Reads the rows of one orientation, vertex after vertex, with one page of each segment in memory.
#pragma once

#include <vector>

#include "millrace/core/progress.h"
#include "millrace/export/page_edges.h"
#include "millrace/store/store.h"

namespace millrace {

class RowCursor {
 public:
  // The store and the progress bar must outlive the cursor.
  RowCursor(const Store& store, Orientation orientation, Progress& progress)
      : reader_(store.page_reader(orientation)), progress_(progress), at_(reader_.table().num_segments()) {
    for (std::uint32_t g = 0; g < at_.size(); ++g) at_[g].next = reader_.table().first_page(g);
  }

  // Calls visit(neighbour) for the row of a vertex. Calls must be in ascending order of vertices.
  template <class Visit>
  void for_each_neighbour(VertexId v, Visit visit) {
    for (std::uint32_t g = 0; g < at_.size(); ++g) visit_part(v, reader_.table().first_page(g + 1), at_[g], visit);
  }

 private:
  // Where a segment is being read.
  struct At {
    PageEdges page = {};
    std::size_t part = 0;
    std::uint32_t next = 0;
  };

  template <class Visit>
  void visit_part(VertexId v, std::uint32_t end, At& at, Visit visit) {
    while (true) {
      for (; at.part < at.page.num_parts() && at.page.row(at.part) <= v; ++at.part)
        if (at.page.row(at.part) == v)
          for (const VertexId neighbour : at.page.neighbours(at.part)) visit(neighbour);
      // The row of a hub may continue on the next pages.
      if (at.part < at.page.num_parts() || at.next == end || reader_.table()[at.next].first_vertex > v) return;
      load(at);
    }
  }

  void load(At& at) {
    const std::uint32_t page = at.next++;
    const PageEntry& entry = reader_.table()[page];
    std::vector<std::byte> bytes(entry.topology_bytes);
    reader_.read(page, bytes);
    at.page = PageEdges(PageView(bytes.data()), entry, false, [](VertexId) { return true; });
    at.part = 0;
    progress_.add(at.page.num_edges());
  }

  PageReader reader_;
  Progress& progress_;
  std::vector<At> at_;  // by segment
};

}  // namespace millrace
