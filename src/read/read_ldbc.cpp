#include "millrace/read/read_ldbc.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/read/formats.h"
#include "millrace/read/ldbc_properties.h"
#include "millrace/read/read_csv.h"
#include "millrace/read/read_edge_list.h"

namespace millrace {
namespace {

// An edge list with what the properties tell about it.
class LdbcEdges : public EdgeReader {
 public:
  LdbcEdges(std::unique_ptr<EdgeReader> edges, bool undirected) : edges_(std::move(edges)), undirected_(undirected) {}

  GraphShape shape() const override {
    GraphShape shape = edges_->shape();
    shape.undirected = undirected_;
    shape.format = "ldbc";
    return shape;
  }
  void ask_weights(WeightType type) override { edges_->ask_weights(type); }
  std::optional<EdgeBatch> next() override { return edges_->next(); }

 private:
  std::unique_ptr<EdgeReader> edges_;
  bool undirected_;
};

}  // namespace

std::filesystem::path ldbc_properties_of(const std::filesystem::path& file) {
  std::filesystem::path plain = without_compression_suffix(file);
  const std::string extension = plain.extension().string();
  if (extension != ".properties" && extension != ".e" && extension != ".v") return {};
  return plain.replace_extension(".properties");
}

std::unique_ptr<EdgeReader> open_ldbc(const std::filesystem::path& file, std::optional<bool> weighted,
                                      ReadBlocks blocks) {
  const LdbcProperties properties(file);
  const std::size_t weight = properties.weight_column();
  if (weighted.value_or(false) && weight == 0)
    throw UsageError("@weighted@: {} says that edges have no properties", file.string());
  const bool use_weights = weighted.value_or(weight > 0);
  const std::filesystem::path edges = properties.file("edge-file"), vertices = properties.file("vertex-file");
  std::unique_ptr<EdgeReader> reader;
  if (!use_weights || weight == 3)
    reader = open_edge_list(edges, {.weighted = use_weights, .vertices = vertices, .blocks = blocks});
  else
    reader = open_table(
        std::make_unique<TextSource>(edges),
        {.columns = fmt::format("1,2,{}", weight), .weighted = true, .vertices = vertices, .blocks = blocks});
  return std::make_unique<LdbcEdges>(std::move(reader), !properties.directed());
}

}  // namespace millrace
