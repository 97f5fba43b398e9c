// Reads the rows of one orientation, vertex after vertex, with one page at a time in memory.
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
      : reader_(store.page_reader(orientation)), progress_(progress) {}

  // Calls visit(neighbour) for the row of a vertex. Calls must be in ascending order of vertices.
  template <class Visit>
  void for_each_neighbour(VertexId v, Visit visit) {
    const PageTable& table = reader_.table();
    while (true) {
      for (; at_ < page_.num_parts() && page_.row(at_) <= v; ++at_)
        if (page_.row(at_) == v)
          for (const VertexId neighbour : page_.neighbours(at_)) visit(neighbour);
      // The row of a hub may continue on the next pages.
      if (at_ < page_.num_parts() || next_ == table.size() || table[next_].first_vertex > v) return;
      load(next_++);
    }
  }

 private:
  void load(std::uint32_t page) {
    std::vector<std::byte> bytes(reader_.table()[page].topology_bytes);
    reader_.read(page, bytes);
    page_ = PageEdges(PageView(bytes.data()), false, [](VertexId) { return true; });
    at_ = 0;
    progress_.add(page_.num_edges());
  }

  PageReader reader_;
  Progress& progress_;
  PageEdges page_;
  std::size_t at_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace millrace
