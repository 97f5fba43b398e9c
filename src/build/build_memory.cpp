#include "millrace/build/build_memory.h"

#include <omp.h>

#include <algorithm>

#include "millrace/build/items.h"
#include "millrace/build/page_plan.h"
#include "millrace/build/spill.h"

namespace millrace {
namespace {

constexpr std::uint64_t most_window_edges = 2u << 20;  // edges that are partitioned at a time
constexpr std::uint64_t slack = 64u << 10;             // for small buffers, which take whole pages of memory

// The most memory in use at a time, if the budget has this limit.
std::uint64_t peak(const BuildFacts& facts, std::uint64_t limit) {
  const std::uint64_t column = buffer_memory(4 * facts.vertices);
  const std::uint64_t rank = facts.by_degree ? column : 0;
  const std::uint64_t files = AppendFile::memory(limit, facts.page_files) * facts.page_files;
  const std::uint64_t degrees = facts.undirected ? column : 2 * column;
  std::uint64_t most = std::max(facts.before, facts.kept + degrees + facts.ordering + facts.replaying);
  for (std::size_t i = 0; i < facts.pages.size(); ++i) {
    const std::uint64_t others = i + 1 < facts.pages.size() ? column : 0;  // degrees of the next orientation
    const std::uint64_t held = facts.kept + rank + others + files;
    const std::uint64_t base = held + column + (facts.one_of_two ? column : 0);  // degrees to be written
    const std::uint64_t left = limit - std::min(limit, base);
    const PagesToSort& pages = facts.pages[i];
    const std::uint64_t in_memory = buffer_memory(pages.entries * facts.item_bytes) + pages.memory(1, facts.item_bytes);
    const bool fits = facts.without_files || (facts.listed && in_memory <= left);
    const std::uint64_t sorting = fits ? in_memory : plan_sorting(facts, pages, left).needed;
    most = std::max({most, held + column + rank, base + sorting});
  }
  return std::max(most, facts.kept + rank + facts.ids + files) + slack;
}

}  // namespace

// Of an entry there are its item a second time, the neighbour and the bits of the weight, what finds the order of short
// rows, and its bytes in the page: less than three times the item. Of a row there is where its entries begin.
std::uint64_t PagesToSort::memory(std::size_t threads, std::uint64_t item_bytes) const {
  const auto of = [&](const std::vector<std::uint64_t>& sums) {
    return sums.empty() ? 0 : sums[std::min(threads, sums.size()) - 1];
  };
  return 3 * item_bytes * of(largest) + sizeof(std::uint64_t) * of(rows) + threads * slack;
}

int PagesToSort::threads_within(std::uint64_t available, std::uint64_t item_bytes) const {
  int threads = static_cast<int>(std::max<std::size_t>(largest.size(), 1));
  while (threads > 0 && memory(static_cast<std::size_t>(threads), item_bytes) > available) --threads;
  return threads;
}

PagesToSort pages_to_sort(const PagePlan& plan) {
  const auto threads = static_cast<std::uint64_t>(omp_get_max_threads());
  return {.entries = plan.before.back(), .largest = plan.largest_pages(threads), .rows = plan.most_rows(threads)};
}

std::uint64_t least_build_memory(const BuildFacts& facts) {
  constexpr std::uint64_t step = 64u << 10;
  std::uint64_t enough = step;
  while (peak(facts, enough) > enough) enough *= 2;
  std::uint64_t too_little = enough / 2;
  while (enough - too_little > step) {
    const std::uint64_t middle = too_little + (enough - too_little) / 2;
    (peak(facts, middle) > middle ? too_little : enough) = middle;
  }
  return enough;
}

SortingPlan plan_sorting(const BuildFacts& facts, const PagesToSort& pages, std::uint64_t left) {
  const std::uint64_t item = facts.item_bytes, rows = facts.undirected ? 2 : 1;
  SortingPlan plan;
  // A window has its edges in two forms, and their items in two forms, for both directions.
  const std::uint64_t edge_bytes = sizeof(Edge) + 2 * sizeof(OriginalId) + 4 * item;
  plan.window_edges = std::clamp<std::uint64_t>(left / 8 / edge_bytes, 1024, most_window_edges);
  const std::uint64_t partition =
      facts.replaying + AppendFile::memory(left, 1) + 2 * buffer_memory(plan.window_edges * rows * item) + slack;
  // A bucket is read from disk in pieces, one for each window, which are not aligned; one bucket is sorted while the
  // next is read. Beside the items of a bucket there are: the bytes from disk of this bucket and the next, and the
  // memory in which threads sort, a page for each.
  const std::uint64_t pieces = facts.windows + facts.edges / plan.window_edges + 1;
  const std::uint64_t bytes_per_item = 3 * item;
  plan.threads = static_cast<int>(std::max<std::size_t>(pages.largest.size(), 1));
  const std::uint64_t largest = pages.largest.empty() ? 0 : pages.largest.front();
  for (;; --plan.threads) {
    plan.beside = pieces * 2 * piece_padding + pages.memory(static_cast<std::size_t>(plan.threads), item) + slack;
    plan.needed = std::max(partition, plan.beside + bytes_per_item * largest);
    plan.most_in_bucket = (left - std::min(left, plan.beside)) / bytes_per_item;
    if (plan.needed <= left || plan.threads == 1) return plan;
  }
}

std::uint64_t list_memory(const BuildFacts& facts) {
  return buffer_memory(facts.edges * sizeof(Edge)) +
         buffer_memory(facts.edges * (facts.item_bytes - sizeof(PlainItem)));
}

bool fits_in_memory(BuildFacts facts, std::uint64_t available) {
  if (available == Budget::unlimited) return true;
  const std::uint64_t column = buffer_memory(4 * facts.vertices);
  const std::uint64_t entries = facts.edges * (facts.undirected ? 2 : 1);
  facts.listed = true;
  facts.kept = list_memory(facts) + facts.ids;
  facts.ids = 2 * column;  // with the copy in the new order
  facts.ordering = facts.by_degree ? 2 * column : 0;
  facts.without_files = true;
  // No row has more than an eighth of the edges in most graphs. Where the rows without edges are is not known.
  constexpr std::uint64_t most_in_page = 2 * default_page_bytes;
  const std::uint64_t largest = std::max(entries / 8, std::min(entries, most_in_page));
  facts.pages.assign(facts.undirected || facts.one_of_two ? 1 : 2,
                     {.entries = entries, .largest = {largest}, .rows = {facts.vertices}});
  return peak(facts, available) <= available;
}

}  // namespace millrace
