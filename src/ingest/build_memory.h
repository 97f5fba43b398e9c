// What building a store takes of its budget. The same figures plan the work and, where there is too little for it, say
// how much would do.
#pragma once

#include <cstdint>
#include <vector>

namespace millrace {

// The planned pages of an orientation, in edges as read.
struct PagesToSort {
  std::uint64_t entries = 0;
  std::vector<std::uint64_t> largest =
      {};  // of the largest page, of the two largest, ...: as many as there are threads
};
struct PagePlan;
PagesToSort pages_to_sort(const PagePlan& plan);

struct BuildFacts {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t windows = 1;  // in which the edges are replayed
  std::uint64_t item_bytes = 8;
  bool undirected = false;
  bool one_of_two = false;       // orientations of a directed graph are stored
  bool by_degree = false;        // the order stays in memory
  bool listed = false;           // the edges are in memory
  std::uint64_t kept = 0;        // all the while: an index of ids, a list of edges
  std::uint64_t before = 0;      // at most, until that is there
  std::uint64_t replaying = 0;   // while edges are replayed
  std::uint64_t ordering = 0;    // to choose an order
  std::uint64_t ids = 0;         // to make the id column
  std::uint64_t page_files = 1;  // that an orientation is appended to
  std::vector<PagesToSort> pages = {};
};

// The least limit of a budget that is enough for all of it.
std::uint64_t least_build_memory(const BuildFacts& facts);

// How the edges of an orientation go through files in what is left of a budget: partitioned a window at a time, then
// sorted a bucket at a time.
struct SortingPlan {
  std::uint64_t window_edges = 0;
  int threads = 1;  // that sort pages: fewer where there is little memory
  std::uint64_t most_in_bucket = 0;
  std::uint64_t beside = 0;  // the items of buckets
  std::uint64_t needed = 0;  // where this is more than what is left, it does not fit
};
SortingPlan plan_sorting(const BuildFacts& facts, const PagesToSort& pages, std::uint64_t left);

// What a list of the edges takes, without ids.
std::uint64_t list_memory(const BuildFacts& facts);
// Whether all can be done in so much, with nothing in files: of `facts` the sizes and the order count, and `ids`, here
// those of the list.
bool fits_in_memory(BuildFacts facts, std::uint64_t available);

}  // namespace millrace
