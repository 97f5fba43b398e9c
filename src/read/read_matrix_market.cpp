#include "millrace/read/read_matrix_market.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/read/header_numbers.h"
#include "millrace/read/parse_lines.h"
#include "millrace/read/row_edges.h"

namespace millrace {
namespace {

enum class Symmetry { general, symmetric, skew };

struct MatrixHeader {
  bool has_values = false;
  Symmetry symmetry = Symmetry::general;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
};

// "%%MatrixMarket matrix coordinate real general", in upper or lower case.
MatrixHeader read_banner(TextSource& source) {
  std::string line;
  source.read_line(line);
  const auto refuse = [&](const std::string& why) {
    throw BadInputError("{}:1: \"{}\": {}", source.name(), printable(line), why);
  };
  std::string lower = line;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::vector<std::string> words = words_of(lower);
  if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
    refuse("expected %%MatrixMarket matrix coordinate FIELD SYMMETRY");
  if (words[2] == "array") refuse("a dense matrix (array) is not a graph; expected coordinate");
  if (words[2] != "coordinate") refuse("expected coordinate as the third word");
  MatrixHeader header;
  if (words[3] == "complex") refuse("complex values cannot be weights; expected pattern, integer or real");
  if (words[3] != "pattern" && words[3] != "integer" && words[3] != "real" && words[3] != "double")
    refuse("expected pattern, integer or real as the fourth word");
  header.has_values = words[3] != "pattern";
  if (words[4] == "hermitian") refuse("hermitian matrices are complex; expected general, symmetric or skew-symmetric");
  if (words[4] != "general" && words[4] != "symmetric" && words[4] != "skew-symmetric")
    refuse("expected general, symmetric or skew-symmetric as the fifth word");
  if (words[4] == "skew-symmetric" && !header.has_values) refuse("a skew-symmetric matrix needs values");
  header.symmetry = words[4] == "general"     ? Symmetry::general
                    : words[4] == "symmetric" ? Symmetry::symmetric
                                              : Symmetry::skew;
  return header;
}

MatrixHeader read_header(TextSource& source) {
  MatrixHeader header = read_banner(source);
  std::string line;
  if (!read_header_line(source, '%', line))
    throw BadInputError("{}:{}: the file ends before the line of sizes", source.name(), source.lines_read());
  const std::vector<std::string> words = words_of(line);
  if (words.size() != 3)
    throw BadInputError("{}:{}: \"{}\": expected the numbers of rows, columns and entries", source.name(),
                        source.lines_read(), printable(line));
  header.size = header_number(source, words[0], "the number of rows");
  const std::uint64_t columns = header_number(source, words[1], "the number of columns");
  header.entries = header_number(source, words[2], "the number of entries");
  if (header.size != columns)
    throw BadInputError("{}:{}: a matrix of {} by {} is not a graph; expected as many rows as columns", source.name(),
                        source.lines_read(), header.size, columns);
  check_num_vertices(source, header.size);
  return header;
}

template <bool has_weight>
class MatrixRows : public RowParser {
 public:
  explicit MatrixRows(const MatrixHeader& header) : header_(header) {}
  bool weighted() const override { return has_weight; }
  std::size_t least_row_bytes() const override { return has_weight ? 6 : 4; }

  void parse(TextBlock& block, OriginalId* ids, double* weights) override {
    parse_lines<2, has_weight>(block, ids, weights, [this](const char*& p, OriginalId* row, ReadWeight* weight) {
      constexpr RowKind kind = has_weight ? RowKind::weighted_edge : RowKind::edge;
      const char* const line = p;
      const LineResult result = parse_line<kind>(p, row, weight);
      // For an index below 1 the unsigned difference is huge.
      if (result != LineResult::row) return result;
      const bool sound = row[0] - 1 < header_.size && row[1] - 1 < header_.size &&
                         (header_.symmetry != Symmetry::skew || row[0] != row[1]);
      if (sound) return result;
      p = line;
      return LineResult::malformed;
    });
  }

  std::string explain(std::string_view line) const override {
    const std::string ended = std::string(line) + '\n';
    const char* p = ended.c_str();
    OriginalId ids[2];
    if (parse_line<RowKind::edge>(p, ids, nullptr) == LineResult::row) {
      if (std::min(ids[0], ids[1]) < 1 || std::max(ids[0], ids[1]) > header_.size)
        return fmt::format("an index lies outside of the matrix; expected 1 to {}", header_.size);
      if (header_.symmetry == Symmetry::skew && ids[0] == ids[1])
        return "the diagonal of a skew-symmetric matrix is zero and must not be listed";
    }
    return explain_malformed(has_weight ? RowKind::weighted_edge : RowKind::edge, line);
  }

 private:
  MatrixHeader header_;
};

// A skew-symmetric matrix lists one triangle; the entries of the other have the opposite sign.
class SkewEdges : public RowEdges {
 public:
  using RowEdges::RowEdges;

  std::optional<EdgeBatch> next() override {
    const std::optional<EdgeBatch> half = RowEdges::next();
    if (!half) return {};
    EdgeBatch batch{.endpoints = Array<OriginalId>(2 * half->endpoints.size(), unlimited_budget(), "mirrored edges"),
                    .weights = Array<double>(2 * half->weights.size(), unlimited_budget(), "mirrored weights"),
                    .weight_choice = half->weight_choice};
    for (std::uint64_t i = 0; i < half->num_edges(); ++i) {
      const OriginalId source = half->endpoints[2 * i], target = half->endpoints[2 * i + 1];
      const OriginalId both[] = {source, target, target, source};
      std::ranges::copy(both, batch.endpoints.data() + 4 * i);
    }
    const WeightType asked = shape().weight_type;
    for (std::uint64_t i = 0; i < half->weights.size(); ++i) {
      const double weight = half->weights[i];
      batch.weights[2 * i] = weight;
      batch.weights[2 * i + 1] = weight == 0 ? weight : -weight;
      if (!accepts(asked, {.value = batch.weights[2 * i + 1]}))
        throw BadInputError("{}:{}: the mirrored entry has the weight {}: {}", source().name(), rows().line_of_row(i),
                            batch.weights[2 * i + 1], explain_refused_weight(asked));
      batch.weight_choice.look_at(batch.weights[2 * i + 1]);
    }
    return batch;
  }
};

}  // namespace

std::unique_ptr<EdgeReader> open_matrix_market(std::unique_ptr<TextSource> source, std::optional<bool> weighted,
                                               ReadBlocks blocks) {
  const MatrixHeader header = read_header(*source);
  if (weighted.value_or(false) && !header.has_values)
    throw UsageError("@weighted@: {} is a pattern matrix, which has no values to be weights", source->name());
  const std::uint64_t header_line = source->lines_read();
  const GraphShape shape{.weighted = weighted.value_or(header.has_values),
                         .undirected = header.symmetry == Symmetry::symmetric,
                         .vertices = std::make_shared<IdIndex>(header.size, 1),
                         .format = "mtx"};
  std::unique_ptr<RowParser> parser;
  if (shape.weighted)
    parser = std::make_unique<MatrixRows<true>>(header);
  else
    parser = std::make_unique<MatrixRows<false>>(header);
  std::unique_ptr<RowEdges> reader;
  if (header.symmetry == Symmetry::skew)
    reader = std::make_unique<SkewEdges>(std::move(source), std::move(parser), blocks, shape);
  else
    reader = std::make_unique<RowEdges>(std::move(source), std::move(parser), blocks, shape);
  reader->expect_edges(header.entries, header_line);
  return reader;
}

}  // namespace millrace
