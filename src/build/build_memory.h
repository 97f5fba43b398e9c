// How much memory building a store takes from its budget. The same figures plan the work and, if the budget is too
// small, tell the user how much would be enough.
#pragma once

#include <cstdint>
#include <vector>

namespace millrace {

// The planned pages of an orientation, measured in edges as read.
struct PagesToSort {
  std::uint64_t entries = 0;
  // Of the largest page, of the two largest, ...: as many as there are threads. And the rows of the page with most of
  // them, of the two with most, ...
  std::vector<std::uint64_t> largest = {}, rows = {};

  // In which so many threads, at least 1, sort and encode a page each, beside the items.
  std::uint64_t memory(std::size_t threads, std::uint64_t item_bytes) const;
  // How many threads that is enough for; 0: none.
  int threads_within(std::uint64_t memory, std::uint64_t item_bytes) const;
};
struct PagePlan;
PagesToSort pages_to_sort(const PagePlan& plan);

struct BuildFacts {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t windows = 1;  // how many windows the edges are replayed in
  std::uint64_t item_bytes = 8;
  bool undirected = false;
  bool one_of_two = false;       // a directed graph, stored in one orientation
  bool by_degree = false;        // in degree order, which stays in memory
  bool listed = false;           // the edges are in memory
  bool without_files = false;    // and are to be sorted there
  std::uint64_t kept = 0;        // during the whole build: an index of ids, a list of edges
  std::uint64_t before = 0;      // at most, before `kept` is complete
  std::uint64_t replaying = 0;   // while edges are replayed
  std::uint64_t ordering = 0;    // to choose an order
  std::uint64_t ids = 0;         // to make the id column
  std::uint64_t page_files = 1;  // how many files an orientation is written to
  std::vector<PagesToSort> pages = {};
};

// The smallest limit of a budget that is enough for the whole build.
std::uint64_t least_build_memory(const BuildFacts& facts);

// How the edges of an orientation are sorted through files within the memory that is left: partitioned a window at a
// time, then sorted a bucket at a time.
struct SortingPlan {
  std::uint64_t window_edges = 0;
  int threads = 1;  // threads that sort pages: fewer if memory is short
  std::uint64_t most_in_bucket = 0;
  std::uint64_t beside = 0;  // memory in addition to the items of buckets
  std::uint64_t needed = 0;  // more than what is left: it does not fit
};
SortingPlan plan_sorting(const BuildFacts& facts, const PagesToSort& pages, std::uint64_t left);

// The memory of a list of the edges, without ids.
std::uint64_t list_memory(const BuildFacts& facts);
// Whether the build fits in `available` bytes without temporary files. Of `facts` only the sizes, the order and `ids`
// (of the list) are used.
bool fits_in_memory(BuildFacts facts, std::uint64_t available);

}  // namespace millrace
