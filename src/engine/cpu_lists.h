// Gathers lists of rows on the cpu, from pages in memory or as they come from disk.
#pragma once

#include <algorithm>
#include <numeric>

#include "millrace/core/progress.h"
#include "millrace/engine/list_operators.h"
#include "millrace/engine/superstep.h"
#include "millrace/operators/lists_cpu.h"
#include "millrace/operators/streamed_cpu.h"
#include "millrace/operators/triangles_cpu.h"

namespace millrace {

class CpuLists final : public ListOperators {
 public:
  // `where`: the place of the attributes; lengths that have to be counted are put there too.
  CpuLists(CpuDevice& device, const Graph& graph, Where where) : device_(device), graph_(graph), where_(where) {}

  template <class Program>
  ListPlan plan(ListsOf of, const Program& program, VertexRange all, std::uint64_t room_bytes) {
    ListPlan plan{.sides = list_sides(graph_, of), .ranges = {}};
    for (ListSide& side : plan.sides) {
      const PageTable& table = this->table(side);
      std::vector<std::uint64_t> parts(table.size());
      for (std::uint32_t p = 0; p < table.size(); ++p) parts[p] = table[p].edges;
      side.lengths = graph_.degree(side.in ? Orientation::in : Orientation::out).data;
      if (keeps_some<Program> || !side.lengths) count(program, side, parts);
      side.part_start = starts_of_parts(table, parts);
    }
    const auto length = [&](std::uint64_t v) {
      std::uint32_t sum = 0;
      for (const ListSide& side : plan.sides) sum += side.lengths[v];
      return sum;
    };
    std::vector<std::uint64_t> sums((all.size() + list_block - 1) / list_block);
    for_shares(0, sums.size(), threads_for(all.size(), least_vertices, device_.threads()), [&](std::uint64_t b) {
      const std::uint64_t first = all.first + b * list_block;
      for (std::uint64_t v = first; v < std::min(all.last, first + list_block); ++v) sums[b] += length(v);
    });
    plan.ranges = cut_lists(all, sums, room_bytes, [&](std::uint64_t first, std::uint64_t last) {
      std::vector<std::uint32_t> lengths(last - first);
      for (std::uint64_t v = first; v < last; ++v) lengths[v - first] = length(v);
      return lengths;
    });
    return plan;
  }

  template <class Program>
  Lists<typename Program::Value> gather(const ListPlan& plan, std::size_t number, const Program& program,
                                        ListRoom& room, const std::uint64_t* wanted, Superstep& step) {
    using Value = typename Program::Value;
    const ListRange& range = plan.ranges[number];
    auto* const offset = reinterpret_cast<std::uint64_t*>(room.data());
    auto* const values = reinterpret_cast<Value*>(room.data() + range.offset_bytes());
    make_offsets(
        range,
        [&](VertexId v) {
          std::uint64_t sum = 0;
          if (!wanted || test_bit(wanted, v))
            for (const ListSide& side : plan.sides) sum += side.lengths[v];
          return sum;
        },
        offset, device_.threads());
    const std::uint32_t* before = nullptr;
    for (const ListSide& side : plan.sides) {
      const std::vector<std::uint32_t> pages = pages_for(side, range, wanted);
      const std::uint32_t segments = table(side).num_segments();
      for (std::uint32_t g = 0; g < segments; ++g) {
        const ListsToFill<Value> to{range, offset, g > 0 ? filled_.data() : before, values, wanted};
        const auto fill = [&](ListGatherer<Program>& gatherer, const PageView& page, const WorkPiece& piece) {
          gatherer.fill(page, piece, piece.large ? side.part_start[piece.page] : 0, to);
        };
        const std::vector<std::uint32_t> here = in_segment(side, pages, g);
        pass(side, here, program, fill, step);
        if (g + 1 == segments) break;
        // The next segment goes on where this one ends.
        if (g == 0) start_filling(before);
        add_lengths(program, side, here, filled_.data());
      }
      before = side.lengths;
    }
    return {range.first, range.last, offset, values, range.values};
  }

  ListRoom room(std::uint64_t bytes) override;
  ListRoom room_to_unite(std::uint64_t) override { return {}; }
  void most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) override;
  void unite(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted, View<std::uint32_t> length,
             ListRoom& scratch) override;
  std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                              Progress* progress) override;
  void add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) override;

 private:
  const PageTable& table(const ListSide& side) const {
    if (const CpuPages* const streamed = graph_.streamed()) return streamed->table(side.set);
    return graph_.pages(side.in ? Orientation::in : Orientation::out).pages.table();
  }

  // Counts what the program keeps of each row; `parts` becomes what it keeps of large pages.
  template <class Program>
  void count(const Program& program, ListSide& side, std::vector<std::uint64_t>& parts) {
    side.kept = DeviceArray<std::uint32_t>(device_, graph_.num_vertices(), "lengths of lists", Contents::zeros, where_);
    side.lengths = side.kept.data();
    for (std::uint32_t g = 0; g < table(side).num_segments(); ++g) {
      const std::vector<std::uint32_t> pages = in_segment(side, all_pages(table(side)), g);
      const std::vector<std::uint64_t> counted = add_lengths(program, side, pages, side.kept.data());
      for (const std::uint32_t p : pages) parts[p] = counted[p];
    }
  }

  // Adds what the program keeps of the rows on some pages of a segment to their lengths. Returns what it keeps of large
  // pages.
  template <class Program>
  std::vector<std::uint64_t> add_lengths(const Program& program, const ListSide& side,
                                         const std::vector<std::uint32_t>& pages, std::uint32_t* lengths) {
    std::vector<std::uint64_t> parts(table(side).size());
    Superstep step;
    const auto count_page = [&](ListGatherer<Program>& gatherer, const PageView& page, const WorkPiece& piece) {
      const std::uint64_t part = gatherer.count(page, piece, lengths);
      if (piece.large) parts[piece.page] = part;
    };
    pass(side, pages, program, count_page, step);
    for (const std::uint32_t p : pages)
      if (table(side)[p].kind == PageKind::large)
        lengths[table(side)[p].first_vertex] += static_cast<std::uint32_t>(parts[p]);
    return parts;
  }

  // Lists of rows that lie in several segments are filled segment by segment, after what the other side has.
  void start_filling(const std::uint32_t* before) {
    const std::uint64_t n = graph_.num_vertices();
    if (filled_.empty()) filled_ = DeviceArray<std::uint32_t>(device_, n, "lengths of lists", Contents::anything);
    for_shares(0, n, threads_for(n, least_vertices, device_.threads()),
               [&](std::uint64_t v) { filled_.data()[v] = before ? before[v] : 0; });
  }

  std::vector<std::uint32_t> in_segment(const ListSide& side, const std::vector<std::uint32_t>& pages,
                                        std::uint32_t segment) const {
    return {std::ranges::lower_bound(pages, table(side).first_page(segment)),
            std::ranges::lower_bound(pages, table(side).first_page(segment + 1))};
  }

  static std::vector<std::uint64_t> starts_of_parts(const PageTable& table, const std::vector<std::uint64_t>& parts) {
    if (!pull_detail::has_large_pages(table)) return {};
    std::vector<std::uint64_t> starts(table.size());
    for (std::uint32_t p = 1; p < table.size(); ++p)
      if (table.goes_on(p)) starts[p] = starts[p - 1] + parts[p - 1];
    return starts;
  }

  // The pages with vertices of a range that are wanted.
  std::vector<std::uint32_t> pages_for(const ListSide& side, const ListRange& range, const std::uint64_t* wanted) {
    std::vector<std::uint32_t> pages = pages_of(table(side), range.first, range.last);
    if (!wanted) return pages;
    const std::vector<std::uint32_t> with = pages_with(table(side), BitmapActive{wanted}, device_.threads());
    std::erase_if(pages, [&](std::uint32_t p) { return !std::ranges::binary_search(with, p); });
    return pages;
  }
  static std::vector<std::uint32_t> all_pages(const PageTable& table) {
    std::vector<std::uint32_t> pages(table.size());
    std::iota(pages.begin(), pages.end(), 0);
    return pages;
  }

  // Every thread calls body(its gatherer, page, piece) for some of the pages, until all are done.
  template <class Program, class Body>
  void pass(const ListSide& side, const std::vector<std::uint32_t>& pages, const Program& program, const Body& body,
            Superstep& step) {
    const PageTable& all = table(side);
    for (const std::uint32_t p : pages) {
      step.edges += all[p].edges;
      step.bytes += all[p].topology_bytes;
    }
    if (CpuPages* const streamed = graph_.streamed()) {
      PageTraffic traffic;
      streamed->run(side.set, pages, {}, traffic, [&](PageFeed& feed) {
        on_threads(threads_for(feed.num_pages(), 1, device_.threads()), [&](const ThreadOf&) {
          ListGatherer<Program> gatherer(program, side.in);
          feed.for_each([&](const PageFeed::Page& fed) {
            const std::uint32_t p = fed.number - streamed->first_page(side.set);
            body(gatherer, PageView(fed.data), {p, 0, all[p].slices, all[p].kind == PageKind::large});
          });
        });
        feed.finish();
      });
      step.disk_bytes += traffic.load_bytes;
      step.cached_bytes += traffic.hit_bytes;
      return;
    }
    const OrientedPages& oriented = graph_.pages(side.in ? Orientation::in : Orientation::out);
    std::vector<WorkPiece> work;
    for (const WorkPiece& piece : oriented.work)
      if (std::binary_search(pages.begin(), pages.end(), piece.page)) work.push_back(piece);
    Draw draw;
    on_threads(threads_for(work.size(), 1, device_.threads()), [&](const ThreadOf&) {
      ListGatherer<Program> gatherer(program, side.in);
      draw.for_each(work.size(), [&](std::uint64_t i) {
        throw_if_interrupted();
        body(gatherer, oriented.pages.page(work[i].page), work[i]);
      });
    });
  }

  CpuDevice& device_;
  const Graph& graph_;
  Where where_;
  DeviceArray<std::uint32_t> filled_;     // by vertex: how much of its list is filled
  std::unique_ptr<TriangleMarks> marks_;  // made when triangles are first counted
};

}  // namespace millrace
