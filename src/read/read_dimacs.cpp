#include "millrace/read/read_dimacs.h"

#include <string>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/read/header_numbers.h"
#include "millrace/read/parse_lines.h"
#include "millrace/read/row_edges.h"

namespace millrace {
namespace {

constexpr RowKind arc = RowKind::weighted_edge;

// Whether the text at p is this letter, followed by a blank or the end of the line.
bool starts_with(const char* p, char letter) {
  return *p == letter && (parsing::is_blank(p[1]) || p[1] == '\n' || p[1] == '\r');
}

class ArcRows : public RowParser {
 public:
  ArcRows(std::uint64_t num_vertices, bool weighted) : num_vertices_(num_vertices), weighted_(weighted) {}
  bool weighted() const override { return weighted_; }
  std::size_t least_row_bytes() const override { return 8; }  // "a 1 2 3\n"

  void parse(TextBlock& block, OriginalId* ids, double* weights) override {
    if (weighted_)
      parse_lines<2, true>(block, ids, weights, [this](auto&&... row) { return parse_arc(row...); });
    else
      parse_lines<2, false>(block, ids, weights, [this](auto&&... row) { return parse_arc(row...); });
  }

  std::string explain(std::string_view line) const override {
    const std::string ended = std::string(line) + '\n';
    const char* p = parsing::skip_blanks(ended.c_str());
    if (starts_with(p, 'p')) return "a second problem line";
    if (!starts_with(p, 'a')) return "expected a line \"a SOURCE TARGET WEIGHT\", or \"c\" and a comment";
    const char* numbers = p + 1;
    OriginalId ids[2];
    ReadWeight weight;
    if (parse_line<arc>(numbers, ids, &weight) == LineResult::row)
      return fmt::format("a vertex lies outside of the graph; expected 1 to {}", num_vertices_);
    return explain_malformed(arc, {p + 1, line.size() - static_cast<std::size_t>(p + 1 - ended.c_str())});
  }

 private:
  LineResult parse_arc(const char*& p, OriginalId* row, ReadWeight* weight) const {
    const char* q = parsing::skip_blanks(p);
    if (!starts_with(q, 'a')) {
      if (!starts_with(q, 'c') && !parsing::ends_line(q)) return LineResult::malformed;
      p = parsing::next_line(q);
      return LineResult::nothing;
    }
    ++q;
    if (parse_line<arc>(q, row, weight) != LineResult::row) return LineResult::malformed;
    if (row[0] - 1 >= num_vertices_ || row[1] - 1 >= num_vertices_) return LineResult::malformed;  // 0 is refused too
    p = q;
    return LineResult::row;
  }

  std::uint64_t num_vertices_;
  bool weighted_;
};

}  // namespace

std::unique_ptr<EdgeReader> open_dimacs(std::unique_ptr<TextSource> source, bool weighted, ReadBlocks blocks) {
  std::string line;
  if (!read_header_line(*source, 'c', line))
    throw BadInputError("{}: the file ends before a problem line \"p sp VERTICES EDGES\"", source->name());
  const std::vector<std::string> words = words_of(line);
  if (words.size() != 4 || words[0] != "p" || words[1] != "sp")
    throw BadInputError("{}:{}: \"{}\": expected the problem line of a shortest-path graph, \"p sp VERTICES EDGES\"",
                        source->name(), source->lines_read(), printable(line));
  const std::uint64_t num_vertices = header_number(*source, words[2], "the number of vertices");
  const std::uint64_t num_edges = header_number(*source, words[3], "the number of edges");
  check_num_vertices(*source, num_vertices);
  const std::uint64_t header_line = source->lines_read();
  const GraphShape shape{.weighted = weighted, .vertices = std::make_shared<IdIndex>(num_vertices, 1), .format = "gr"};
  auto reader =
      std::make_unique<RowEdges>(std::move(source), std::make_unique<ArcRows>(num_vertices, weighted), blocks, shape);
  reader->expect_edges(num_edges, header_line);
  return reader;
}

}  // namespace millrace
