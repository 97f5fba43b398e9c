// A graph that is demanding to build a store from, in many small batches; and a comparison of whole stores.
#pragma once

#include <map>
#include <random>

#include "millrace/build/edge_reader.h"
#include "millrace/store/files.h"

namespace millrace::test {

// A skewed multigraph with self-loops and isolated vertices; ids may be any 64-bit numbers.
struct Multigraph {
  bool weighted = false;
  bool sparse_ids = false;
  double unit = 1;  // unit of weights, which are up to 6.5 units
  std::shared_ptr<IdIndex> vertices = nullptr;
};

class MultigraphReader final : public EdgeReader {
 public:
  explicit MultigraphReader(const Multigraph& graph) : graph_(graph) {}
  GraphShape shape() const override {
    return {.weighted = graph_.weighted, .undirected = false, .vertices = graph_.vertices};
  }
  std::optional<EdgeBatch> next() override {
    constexpr std::uint64_t batches = 28, size = 4000;
    if (batch_++ == batches) return std::nullopt;
    EdgeBatch batch;
    batch.endpoints = Array<OriginalId>(2 * size, unlimited_budget(), "test");
    if (graph_.weighted) batch.weights = Array<double>(size, unlimited_budget(), "test");
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto id = [&] {
        const OriginalId v = random_() % 3000 * (random_() % 3000) / 3000;
        return graph_.sparse_ids ? v * 0x9e37'79b9'7f4a'7c15u : v;
      };
      batch.endpoints[2 * i] = id();
      batch.endpoints[2 * i + 1] = i % 100 == 0 ? batch.endpoints[2 * i] : id();
      if (!graph_.weighted) continue;
      // Batches of whole numbers, and batches with fractions.
      batch.weights[i] = (static_cast<double>(random_() % 7) + (batch_ % 2 == 0 ? 0.5 : 0)) * graph_.unit;
      batch.weight_choice.look_at(batch.weights[i]);
    }
    return batch;
  }

 private:
  Multigraph graph_;
  std::mt19937_64 random_{7};
  std::uint64_t batch_ = 0;
};

// Every file of a store, by name.
inline std::map<std::string, std::vector<std::byte>> contents(const std::filesystem::path& store) {
  std::map<std::string, std::vector<std::byte>> files;
  for (const auto& entry : std::filesystem::directory_iterator(store))
    files[entry.path().filename()] = read_file(entry.path());
  return files;
}

}  // namespace millrace::test
