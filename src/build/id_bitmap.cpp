#include "millrace/build/id_bitmap.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

constexpr std::uint64_t chunk_words = 4096;  // how many words a thread counts at a time

void set_bit(std::uint64_t& word, std::uint64_t bit) {
  const std::atomic_ref shared(word);
  // Reading first avoids writing the bits of frequent vertices again and again, for which threads would compete.
  if (!(shared.load(std::memory_order_relaxed) & bit)) shared.fetch_or(bit, std::memory_order_relaxed);
}

}  // namespace

IdBitmap::IdBitmap(OriginalId largest, Budget& budget)
    : budget_(&budget),
      words_(largest / 64 + 1, budget, "the bitmap of vertex ids"),
      ranks_(words_.size(), budget, "the ranks of vertex ids") {}

void IdBitmap::insert(std::span<const OriginalId> ids) {
  parallel_for(ids.size(), [&](std::uint64_t i) { set_bit(words_[ids[i] / 64], std::uint64_t{1} << (ids[i] % 64)); });
}

void IdBitmap::finish() {
  const std::uint64_t chunks = (words_.size() + chunk_words - 1) / chunk_words;
  std::vector<std::uint64_t> before(chunks + 1);
  const auto count = [&](std::uint64_t c) {
    const std::uint64_t end = std::min(words_.size(), (c + 1) * chunk_words);
    for (std::uint64_t w = c * chunk_words; w < end; ++w)
      before[c] += static_cast<std::uint64_t>(std::popcount(words_[w]));
  };
  parallel_for(chunks, count, chunk_words);
  std::exclusive_scan(before.begin(), before.end(), before.begin(), std::uint64_t{0});
  size_ = before[chunks];
  if (size_ > max_vertices)
    throw DoesNotFitError("{} distinct vertex ids, but a store holds at most {}", size_, max_vertices);
  const auto rank_words = [&](std::uint64_t c) {
    const std::uint64_t end = std::min(words_.size(), (c + 1) * chunk_words);
    std::uint64_t rank = before[c];
    for (std::uint64_t w = c * chunk_words; w < end; ++w) {
      ranks_[w] = static_cast<VertexId>(rank);
      rank += static_cast<std::uint64_t>(std::popcount(words_[w]));
    }
  };
  parallel_for(chunks, rank_words, chunk_words);
}

void IdBitmap::find(std::span<const OriginalId> ids, VertexId* numbers) const {
  constexpr std::size_t ahead = 16;  // lookups in flight, to hide the latency of memory
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + ahead < ids.size()) {
      const std::uint64_t later = std::min(ids[i + ahead] / 64, words_.size() - 1);
      __builtin_prefetch(&words_[later]);
      __builtin_prefetch(&ranks_[later]);
    }
    const std::uint64_t w = ids[i] / 64;
    const std::uint64_t bit = std::uint64_t{1} << (ids[i] % 64);
    const std::uint64_t word = w < words_.size() ? words_[w] : 0;
    numbers[i] = word & bit ? ranks_[w] + static_cast<VertexId>(std::popcount(word & (bit - 1))) : no_vertex;
  }
}

Array<OriginalId> IdBitmap::take_ids() const {
  Array<OriginalId> ids(size_, *budget_, "the id map");
  parallel_for(words_.size(), [&](std::uint64_t w) {
    std::uint64_t rank = ranks_[w];
    for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
      ids[rank++] = w * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
  });
  return ids;
}

}  // namespace millrace
