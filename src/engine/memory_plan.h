// What a run will take of memory, known before it takes any.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "millrace/devices/device.h"
#include "millrace/engine/vertex_needs.h"
#include "millrace/store/store.h"

namespace millrace {

// The orientations that a store has pages of. An undirected one serves both with one set.
struct Available {
  bool in = true;
  bool out = true;
  bool directed = true;
};
inline Available available_in(const Store& store) {
  return {.in = store.has(Orientation::in), .out = store.has(Orientation::out), .directed = store.manifest().directed};
}

// What an algorithm needs of a graph. If the store lacks an orientation and the other one is enough, the other is
// taken.
struct GraphNeeds {
  bool in_pages = true;    // to pull
  bool out_pages = false;  // to push
  bool all_pages = false;  // a directed graph needs the pages of both orientations
  bool row_index = false;  // to push from few vertices
  bool both_ways = false;  // supersteps go along in-edges as well: pages to push along serve to pull, and vice versa
  bool out_degrees = true;
  bool in_degrees = false;
  bool weights = false;  // for programs that take them
  bool gathers = false;  // all supersteps send from all vertices to all, by programs that pulls_chunks()
  AttributeNeeds attributes = {};
  SuperstepNeeds supersteps = {};
  std::uint64_t list_bytes_per_edge = 0;      // room for lists of rows: for all at once, if there is so much
  std::uint64_t result_bytes_per_vertex = 0;  // that come back from a GPU
  std::uint64_t output_bytes = 0;             // afterwards, with the pages gone: results, ids and their order

  bool operator==(const GraphNeeds&) const = default;
};

// What is taken of the first device's host memory before a graph is loaded: what stays, and the most on the way.
struct TakenBefore {
  std::uint64_t kept = 0;
  std::uint64_t most = 0;
};

// The sets of pages that a run loads; an undirected graph has one for both orientations.
struct LoadedSets {
  std::vector<Orientation> orientations;
  std::array<int, 2> index{-1, -1};  // by orientation: which set serves it, or -1
};
// Throws UsageError where the store has nothing to offer.
LoadedSets choose_sets(const Store& store, const GraphNeeds& needs);

// What a device keeps beside pages during a run.
struct BesidePages {
  std::uint64_t degrees = 0;
  std::uint64_t rows = 0;  // row indices that a cpu makes of pages that are all there; a GPU has them with the pages
  std::uint64_t attributes = 0;  // and frontiers, messages, lists and scratch

  std::uint64_t all() const { return degrees + rows + attributes; }
  bool operator==(const BesidePages&) const = default;
};

struct MemoryPlan {
  DeviceKind kind = DeviceKind::cpu;
  // In the memory of the device:
  std::uint64_t attributes = 0;  // degrees and scratch
  std::uint64_t degrees = 0;     // of these
  std::uint64_t rows = 0;        // row indices, beside pages that are all there; GPUs can do without
  std::uint32_t row_indices = 0;
  bool needs_rows = false;      // where its pages are all there, the cpu cannot, unless they are blocked
  std::uint64_t described = 0;  // what tells kernels about pages: a bound
  std::uint64_t pages = 0;
  std::uint32_t largest_page = 0;
  With with = With::topology;  // what is loaded of them
  // Room for lists of rows: for all at once, and what they cannot do without, which is among the attributes.
  std::uint64_t lists = 0;
  std::uint64_t least_lists = 0;
  std::uint64_t lists_room = 0;  // that they were given
  // In host memory, beside pages that do not fit a GPU: degrees on their way to it, results on their way back.
  std::uint64_t host = 0;
  std::uint64_t help = 0;    // there, for the help of the cpu
  std::uint64_t output = 0;  // there, with the pages gone

  // Where attributes are far: what they take there, and the most that pages may take here.
  bool far = false;
  std::uint64_t far_attributes = 0;
  std::uint64_t most_cache = ~std::uint64_t{0};

  // Whether row indices find room in host memory, beside pages that are there: so much is left.
  bool has_far_rows(std::uint64_t left) const {
    constexpr std::uint64_t rounding = 2 * 4096;  // of two indices
    return rows > 0 && !far && left >= host + help + rows + rounding;
  }
  // On a cpu, with so many bytes left: whether all pages will be in memory, and whether rows can be looked up too.
  bool is_resident(std::uint64_t left) const { return !far && resident() <= left; }
  bool finds_rows(std::uint64_t left) const { return is_resident(left) && (needs_rows || resident() + rows <= left); }
  // On a cpu whose pages stream, with so many bytes left beside attributes: the size of the page buffer.
  std::uint64_t page_buffer(std::uint64_t left) const;
  // After room was given to lists and chunks.
  BesidePages beside_pages(std::uint64_t left) const {
    const std::uint64_t near = far ? 0 : degrees;
    return {.degrees = near,
            .rows = kind == DeviceKind::cpu && finds_rows(left) ? rows : 0,
            .attributes = attributes - near};
  }
  // All pages there.
  std::uint64_t resident() const { return attributes + described + pages + (needs_rows ? rows : 0); }
  // The least that can be done with: one page to compute on while another arrives.
  std::uint64_t least() const;
  // Gives lists their part of what `available` bytes leave beside the least that the run can do with.
  void give_lists_room(std::uint64_t available, std::uint64_t least);
  // For pulls of far attributes: chooses for how many sources messages are kept at a time, so that they fit into
  // `available` bytes beside pages and the messages of some targets, or of all. Adds their room to the attributes.
  void choose_sources(std::uint64_t available, std::uint64_t targets, bool pages_here, bool all);
  // With far attributes: returns how many of `targets` vertices can have messages at a time in `available` bytes,
  // beside pages that stream if there are any here: a multiple of 64, or all. Adds their room to the attributes.
  std::uint64_t give_chunk_room(std::uint64_t available, std::uint64_t targets, bool pages_here);
  // The least that it could do with; with messages for all targets at a time if it has to be `all`.
  std::uint64_t least_with_chunk(std::uint64_t targets, bool pages_here, bool all) const;
  // Enough to stream at the full speed of a link or a disk.
  std::uint64_t streaming() const;
  // A device, or a host beside one of `kind`, with room for a share of the pages, from 0 to 1, beside everything else.
  // At least what pages need to stream through; of a small graph on a GPU that is an eighth, so that not all of them
  // are cached.
  std::uint64_t device_with_share(double share) const;
  std::uint64_t host_with_share(double share, DeviceKind kind) const;
  // Bytes for each target of a chunk: its message; where it is pushed on the cpu, its places among those touched and
  // those that joined too. In a pull also for each source.
  std::uint64_t target_bytes = 0;
  // Whether they are pulled. For pulls: the number of vertices that may be sources, the size of a segment (0: none),
  // and the sources at a time.
  bool pulls = false;
  std::uint64_t all_sources = 0;
  std::uint64_t segment = 0;
  std::uint64_t sources = 0;
  std::uint64_t least_sources() const;
};
// With attributes far away, a device has messages for some targets at a time.
MemoryPlan plan_memory(const Store& store, const GraphNeeds& needs, DeviceKind kind, Where attributes = Where::near);

// The least memory that a run starts with, which is enough for it to finish.
struct LeastMemory {
  std::uint64_t bytes = 0;
  std::string what = {};  // takes it, for messages
};
// In the memory of a device; where that is the host's, the output of the run included. `where` goes into the message.
LeastMemory least_memory(const Store& store, const GraphNeeds& needs, DeviceKind kind, const std::string& where = "");

}  // namespace millrace
