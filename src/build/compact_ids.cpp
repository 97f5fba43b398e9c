#include "millrace/build/compact_ids.h"

#include <algorithm>
#include <utility>

#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

OriginalId largest_id(std::span<const Array<OriginalId>> pieces) {
  OriginalId largest = 0;
  for (const Array<OriginalId>& piece : pieces)
    largest = std::max(largest, parallel_max(piece.size(), [&](std::uint64_t i) { return piece[i]; }));
  return largest;
}

std::uint64_t count_ids(std::span<const Array<OriginalId>> pieces) {
  std::uint64_t count = 0;
  for (const Array<OriginalId>& piece : pieces) count += piece.size();
  return count;
}

}  // namespace

IdIndex::IdIndex(const Pieces& pieces, std::uint64_t count, OriginalId largest, Budget& budget) {
  if (count == 0) return;
  const auto fill = [&](auto& way) {
    pieces([&way](std::span<const OriginalId> ids) {
      throw_if_interrupted();
      way.insert(ids);
    });
    way.finish();
    size_ = way.size();
  };
  if (IdBitmap::suits(largest, count))
    fill(ways_.emplace<IdBitmap>(largest, budget));
  else
    fill(ways_.emplace<IdTable>(budget));
  if (size_ - 1 == largest) ways_ = std::monostate{};
}

IdIndex::IdIndex(std::span<const Array<OriginalId>> pieces, Budget& budget)
    : IdIndex(
          [pieces](const auto& piece) {
            for (const Array<OriginalId>& ids : pieces) piece(ids);
          },
          count_ids(pieces), largest_id(pieces), budget) {}

std::uint64_t IdIndex::most_memory(std::uint64_t size) {
  return std::max(IdBitmap::most_memory(size), IdTable::most_memory(size));
}

void IdIndex::find(std::span<const OriginalId> ids, VertexId* numbers) const {
  if (const auto* bitmap = std::get_if<IdBitmap>(&ways_)) return bitmap->find(ids, numbers);
  if (const auto* table = std::get_if<IdTable>(&ways_)) return table->find(ids, numbers);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::uint64_t number = ids[i] - first_;
    numbers[i] = number < size_ ? static_cast<VertexId>(number) : no_vertex;
  }
}

Array<OriginalId> IdIndex::take_ids(Budget& budget) {
  if (auto* bitmap = std::get_if<IdBitmap>(&ways_)) return bitmap->take_ids();
  if (auto* table = std::get_if<IdTable>(&ways_)) return table->take_ids();
  if (first_ == 0) return {};
  Array<OriginalId> ids(size_, budget, "the id map");
  for (std::uint64_t v = 0; v < size_; ++v) ids[v] = first_ + v;
  return ids;
}

Array<Edge> number_edges(std::vector<Array<OriginalId>> endpoints, const IdIndex& index, Budget& budget) {
  const std::uint64_t total = count_ids(endpoints);
  Array<Edge> edges(total / 2, budget, "the edges");
  Progress progress("number vertices", total);
  std::uint64_t first = 0;  // edge of the piece
  for (Array<OriginalId>& piece : endpoints) {
    const std::uint64_t piece_edges = piece.size() / 2;
    constexpr std::uint64_t batch_edges = 2048;
    const auto number_batch = [&](std::uint64_t b) {
      const std::uint64_t batch = b * batch_edges, size = std::min(batch_edges, piece_edges - batch);
      VertexId numbers[2 * batch_edges];
      index.find({piece.data() + 2 * batch, 2 * size}, numbers);
      for (std::uint64_t i = 0; i < size; ++i) edges[first + batch + i] = {numbers[2 * i], numbers[2 * i + 1]};
    };
    parallel_for((piece_edges + batch_edges - 1) / batch_edges, number_batch, batch_edges);
    first += piece_edges;
    progress.add(piece.size());
    piece = {};
  }
  return edges;
}

}  // namespace millrace
