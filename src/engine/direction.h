// Push or pull: the choice of each superstep, made from what either would look at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "millrace/devices/cuda_rates.h"
#include "millrace/pages/format.h"

namespace millrace {

// The edges that messages go along, from their source: out-edges, or in-edges as in the transposed graph.
using Along = Orientation;

enum class Direction { automatic, push, pull };

constexpr std::string_view direction_name(Direction direction) {
  return direction == Direction::push ? "push" : direction == Direction::pull ? "pull" : "auto";
}

struct DirectionInputs {
  std::uint64_t num_rows = 0;  // vertices that a pull would visit
  std::uint64_t num_edges = 0;
  std::uint64_t frontier_edges = 0;
  bool stops_early = false;  // a pull ends a row at its first active source
  bool along_edges = false;  // messages depend on both ends of an edge, and most say nothing
};

// An edge looked at by pull costs less than one pushed: it reads a bit or a value, with no atomics and in order.
inline constexpr double pull_edge_cost = 0.25;
// For programs whose messages depend on both ends of an edge, push and pull both read a value at random for each edge.
inline constexpr double pull_edge_cost_along_edges = 1;

inline Direction choose_direction(const DirectionInputs& in) {
  const double frontier_edges = static_cast<double>(in.frontier_edges);
  double pulled = static_cast<double>(in.num_edges);
  if (in.stops_early && in.frontier_edges > 0) {
    // With a share f of all edges leading out of the frontier, a row meets one after about 1/f looks.
    const double looks = pulled / frontier_edges;
    pulled = static_cast<double>(in.num_rows) + std::min(pulled, static_cast<double>(in.num_rows) * looks);
  }
  const double edge_cost = in.along_edges ? pull_edge_cost_along_edges : pull_edge_cost;
  return pulled * edge_cost < frontier_edges ? Direction::pull : Direction::push;
}

// Which rows a pull on a GPU reads: the slices of all, or those rows alone that want a message.
struct FewRowsInputs {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t open_rows = 0;   // that want a message
  std::uint64_t open_edges = 0;  // of these
  std::uint64_t longest_row = 0;
  std::uint64_t parts = 0;     // of all rows, in the segments that are left
  std::uint32_t segments = 1;  // that are left
};

// Whether a search should read the open rows alone; `looks`: tests for each open row.
inline bool searches_alone(const FewRowsInputs& in, double looks, const CudaRates& rates = {}) {
  if (in.parts <= in.num_vertices) return in.open_rows < in.num_vertices / 16;
  const double open = static_cast<double>(in.open_rows);
  const double alone = 2 * static_cast<double>(in.num_vertices) / rates.asked_vertices +
                       open * (1 / rates.lone_rows + looks / rates.lone_looks);
  return alone < static_cast<double>(in.parts) / rates.scanned_parts;
}

// The same for other pulls: nearly every slice has an open row, and all of its columns are read.
inline bool gathers_alone(const FewRowsInputs& in, const CudaRates& rates = {}) {
  const double alone = 2 * static_cast<double>(in.num_vertices) / rates.asked_vertices +
                       in.segments * static_cast<double>(in.open_rows) / rates.lone_rows +
                       static_cast<double>(in.open_edges) / rates.lone_looks +
                       static_cast<double>(in.longest_row) / rates.edges_of_a_warp;
  return alone < static_cast<double>(in.num_edges) / rates.decoded_edges;
}

// Seconds to read so many rows alone where they lie in host memory, and so many of their edges.
inline double far_rows_seconds(std::uint64_t rows, std::uint64_t edges, const CudaRates& rates = {}) {
  return rates.far_start +
         (static_cast<double>(rows) * rates.far_row + static_cast<double>(edges) * rates.far_edge) / rates.link;
}

// Seconds to load so many bytes of some pages (ascending), and to compute on all of them, run by run.
inline double pages_seconds(std::uint64_t load_bytes, std::span<const std::uint32_t> pages,
                            const CudaRates& rates = {}) {
  std::uint64_t runs = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) runs += i == 0 || pages[i] != pages[i - 1] + 1;
  return static_cast<double>(load_bytes) / rates.link + static_cast<double>(runs) * rates.run_of_pages;
}

// Whether the cpu should help in a superstep.
struct HelpInputs {
  std::uint64_t load_bytes = 0;  // of pages
  std::uint64_t num_vertices = 0;
  std::uint64_t brought_bytes = 0;  // of messages or attributes, before the cpu can begin; beside bits of all vertices
  double helped_rate = 0;           // bytes of pages that the cpu does in a second
};
inline bool help_pays(const HelpInputs& in, const CudaRates& rates = {}) {
  // The reads of the CPU and the copies to it take bandwidth of host memory from a fast link. Help has to be sooner by
  // so much, as it may be later: by a share, and by seconds, since a thread that loses its core or is woken late costs
  // about that (BFS on RMAT 20 and 22, passes of 0.5 to 2 ms, took up to twice as long with help).
  constexpr double fast_link = 50e9, slowed = 0.06, slowed_by_bringing = 0.2, sooner = 0.97, least_gain = 1.5e-3;
  const auto loaded = static_cast<double>(in.load_bytes);
  const double bringing = static_cast<double>(in.brought_bytes) / rates.link;
  const double before = rates.help_start + static_cast<double>(in.num_vertices) / rates.helped_vertices + bringing;
  const double link = rates.link * (1 - slowed * std::min(1.0, rates.link / fast_link));
  const double together =
      rates.help_start + slowed_by_bringing * bringing + (loaded + in.helped_rate * before) / (link + in.helped_rate);
  const double alone = loaded / rates.link;
  return together < std::min(sooner * alone, alone - least_gain);
}

// The same for a GPU, in seconds: there the two directions differ more, and pages may have to come over the link.
struct CudaDirectionInputs {
  std::uint64_t frontier_size = 0;
  std::uint64_t frontier_edges = 0;
  std::uint64_t num_rows = 0;  // with parts in several segments counted apart
  std::uint64_t num_vertices = 0;
  std::uint64_t open_rows = 0;  // that may still want a message, as far as the last pull showed
  std::uint64_t looks = 0;      // at edges, by a pull
  bool few_open = false;        // a pull would walk the open rows alone
  bool stops_early = false;     // a pull ends a row at its first active source
  std::uint32_t segments = 1;   // in which a row has a part each
  double near = 1;              // the share of random accesses to values that the cache serves
  // Pages that would have to be loaded.
  std::uint64_t push_bytes = 0;
  std::uint64_t pull_bytes = 0;
  // Of these, pages that are not in host memory either.
  std::uint64_t push_disk_bytes = 0;
  std::uint64_t pull_disk_bytes = 0;
};

struct DirectionSeconds {
  double push = 0, pull = 0;
  Direction less() const { return pull < push ? Direction::pull : Direction::push; }
};
inline DirectionSeconds cuda_direction_seconds(const CudaDirectionInputs& in, const CudaRates& rates = {}) {
  const auto mixed = [&in](double near, double far) { return 1 / (in.near / near + (1 - in.near) / far); };
  const double pushed_edges = mixed(rates.pushed_near, rates.pushed_far);
  const double reads = in.segments > 1 ? rates.pulled_blocked : mixed(rates.pulled_near, rates.pulled_far);
  const double pulled_edges =
      in.stops_early ? rates.looks : std::min(in.few_open ? rates.lone_looks : rates.looks, reads);
  const double frontier_edges = static_cast<double>(in.frontier_edges);
  DirectionSeconds seconds;
  seconds.push = frontier_edges / pushed_edges + static_cast<double>(in.frontier_size) / rates.lone_rows +
                 static_cast<double>(in.push_bytes) / rates.link + static_cast<double>(in.push_disk_bytes) / rates.disk;
  const double opened = in.few_open ? 2 * static_cast<double>(in.num_vertices) / rates.asked_vertices +
                                          in.segments * static_cast<double>(in.open_rows) / rates.lone_rows
                                    : static_cast<double>(in.num_rows) / rates.scanned_rows;
  seconds.pull = opened + static_cast<double>(in.looks) / pulled_edges +
                 static_cast<double>(in.pull_bytes) / rates.link + static_cast<double>(in.pull_disk_bytes) / rates.disk;
  return seconds;
}

}  // namespace millrace
