#include "millrace/read/read_metis.h"

#include <utility>

#include "millrace/core/error.h"
#include "millrace/read/header_numbers.h"
#include "millrace/read/metis_rows.h"
#include "millrace/read/parse_line.h"

namespace millrace {
namespace {

constexpr std::uint64_t most_vertex_weights = 1024;

MetisHeader read_header(TextSource& source) {
  std::string line;
  if (!read_header_line(source, '%', line))
    throw BadInputError("{}: the file ends before a header \"VERTICES EDGES [FORMAT [WEIGHTS]]\"", source.name());
  const std::vector<std::string> words = words_of(line);
  if (words.size() < 2 || words.size() > 4)
    throw BadInputError("{}:{}: \"{}\": expected \"VERTICES EDGES [FORMAT [WEIGHTS]]\"", source.name(),
                        source.lines_read(), printable(line));
  MetisHeader header;
  header.num_vertices = header_number(source, words[0], "the number of vertices");
  header.num_edges = header_number(source, words[1], "the number of edges");
  check_num_vertices(source, header.num_vertices);

  // Three digits, of which leading ones may be missing: vertices have sizes, vertices have weights, edges have weights.
  const std::string format = words.size() > 2 ? words[2] : "0";
  if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos)
    throw BadInputError("{}:{}: \"{}\": the format is three digits, each 0 or 1; found \"{}\"", source.name(),
                        source.lines_read(), printable(line), printable(format));
  const auto digit = [&](std::size_t from_right) {
    return from_right < format.size() && format[format.size() - 1 - from_right] == '1';
  };
  const std::uint64_t weights =
      words.size() > 3 ? header_number(source, words[3], "the number of vertex weights") : digit(1);
  if (weights > most_vertex_weights || (weights > 0 && !digit(1)))
    throw BadInputError("{}:{}: \"{}\": {} weights for each vertex do not agree with the format {}; at most {}",
                        source.name(), source.lines_read(), printable(line), weights, format,
                        digit(1) ? most_vertex_weights : 0);
  header.has_weights = digit(0);
  header.vertex_numbers = digit(2) + weights;
  return header;
}

class MetisEdges : public EdgeReader {
 public:
  MetisEdges(std::unique_ptr<TextSource> source, const MetisHeader& header, bool weighted, ReadBlocks blocks)
      : source_(std::move(source)),
        header_(header),
        header_line_(source_->lines_read()),
        parser_(header, weighted),
        rows_(*source_, parser_, blocks) {
    shape_ = {.weighted = weighted,
              .undirected = true,
              .vertices = std::make_shared<IdIndex>(header.num_vertices, 1),
              .reader_bytes = rows_.memory(),
              .format = "metis"};
  }

  GraphShape shape() const override { return shape_; }
  void ask_weights(WeightType type) override {
    shape_.weight_type = type;
    rows_.ask_weights(type);
  }

  std::optional<EdgeBatch> next() override {
    std::optional<ParsedRows> rows = rows_.next();
    if (rows) return EdgeBatch{std::move(rows->ids), std::move(rows->weights), rows->weight_choice};
    check_end();
    return {};
  }

 private:
  void check_end() const {
    // One list may be missing: the empty last line of a file that ends with a newline.
    if (parser_.num_lists() + 1 < header_.num_vertices)
      throw BadInputError("{}:{}: the file ends after the lists of {} vertices; line {} announces {}", source_->name(),
                          rows_.lines(), parser_.num_lists(), header_line_, header_.num_vertices);
    const MirrorSums sums = parser_.sums();
    if (!sums.mirrored())
      throw BadInputError(
          "{}: the lists do not agree: {} entries name a higher vertex and {} a lower one; expected every edge in "
          "the lists of both its ends, with the same weight",
          source_->name(), sums.up_edges, sums.down_edges);
    const std::uint64_t edges = sums.up_edges + sums.loops;
    if (edges != header_.num_edges)
      throw BadInputError(
          "{}:{}: announces {} edges, but the lists have {}; an edge in the lists of both ends counts once",
          source_->name(), header_line_, header_.num_edges, edges);
  }

  std::unique_ptr<TextSource> source_;
  MetisHeader header_;
  std::uint64_t header_line_;
  MetisRows parser_;
  RowReader rows_;
  GraphShape shape_;
};

}  // namespace

std::unique_ptr<EdgeReader> open_metis(std::unique_ptr<TextSource> source, std::optional<bool> weighted,
                                       ReadBlocks blocks) {
  const MetisHeader header = read_header(*source);
  if (weighted.value_or(false) && !header.has_weights)
    throw UsageError("@weighted@: {} has no edge weights, says line {}", source->name(), source->lines_read());
  return std::make_unique<MetisEdges>(std::move(source), header, weighted.value_or(header.has_weights), blocks);
}

}  // namespace millrace
