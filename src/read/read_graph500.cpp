#include "millrace/read/read_graph500.h"

#include <algorithm>
#include <utility>

#include "millrace/core/parallel.h"
#include "millrace/read/binary_input.h"

namespace millrace {
namespace {

constexpr std::uint64_t batch_edges = std::uint64_t{1} << 20;
constexpr std::uint64_t chunk_ids = 4096;  // checked at a time

class Graph500Edges : public EdgeReader {
 public:
  Graph500Edges(std::unique_ptr<TextSource> source, KnownVertices known)
      : input_(std::move(source)), known_(std::move(known)) {}

  GraphShape shape() const override { return {.vertices = known_.index, .format = "graph500"}; }

  std::optional<EdgeBatch> next() override {
    const std::uint64_t begin = input_.at();
    Array<OriginalId> ids(2 * batch_edges, unlimited_budget(), "edges as they were read");
    const std::size_t bytes = input_.read_some(std::span<OriginalId>(ids));
    if (bytes % 16 != 0)
      throw BadInputError("{}: ends at byte {}, in the middle of an edge; expected a multiple of 16 bytes",
                          input_.name(), input_.at());
    if (bytes == 0) return {};
    if (bytes < 8 * ids.size()) {
      Array<OriginalId> fewer(bytes / 8, unlimited_budget(), "edges as they were read");
      std::copy_n(ids.data(), fewer.size(), fewer.data());
      ids = std::move(fewer);
    }
    parallel_for_each((ids.size() + chunk_ids - 1) / chunk_ids, [&](std::uint64_t chunk) {
      const std::uint64_t first = chunk * chunk_ids;
      check({ids.data() + first, std::min(chunk_ids, ids.size() - first)}, begin + 8 * first);
    });
    return EdgeBatch{.endpoints = std::move(ids), .weights = {}, .weight_choice = {}};
  }

 private:
  void check(std::span<const OriginalId> ids, std::uint64_t byte) const {
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (static_cast<std::int64_t>(ids[i]) < 0)
        throw BadInputError("{}: the vertex id at byte {} is {}; expected 0 or more", input_.name(), byte + 8 * i,
                            static_cast<std::int64_t>(ids[i]));
    if (!known_.index) return;
    VertexId numbers[chunk_ids];
    known_.index->find(ids, numbers);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (numbers[i] == no_vertex)
        throw BadInputError("{}: vertex {} at byte {} is not in {}; list it there or import without a vertex file",
                            input_.name(), ids[i], byte + 8 * i, known_.file);
  }

  BinaryInput input_;
  KnownVertices known_;
};

}  // namespace

std::unique_ptr<EdgeReader> open_graph500(std::unique_ptr<TextSource> source, KnownVertices known) {
  return std::make_unique<Graph500Edges>(std::move(source), std::move(known));
}

}  // namespace millrace
