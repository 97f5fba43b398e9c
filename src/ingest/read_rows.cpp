#include "millrace/ingest/read_rows.h"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/ingest/line_windows.h"

namespace millrace {
namespace {

constexpr std::size_t blocks_per_thread = 4;  // in a window, so that threads finish it at about the same time

// A part of a window, cut at newlines, and what came of it.
struct Block {
  std::string_view text;
  std::uint64_t first_row = 0;  // its place in the scratch memory
  std::uint64_t rows = 0;
  std::uint64_t lines = 0;              // parsed before the end or the fault
  const char* malformed = nullptr;      // the line that stopped the parsing
  const OriginalId* unknown = nullptr;  // the first id that is not a known vertex
  WeightChoice weight_choice;
};

// Where blocks put their rows before it is known how many there are.
struct Scratch {
  Array<OriginalId> ids;
  Array<double> weights;
};

// A row takes at least a digit and a separator or newline for each column.
std::size_t least_row_bytes(RowKind kind) { return 2 * (ids_per_row(kind) + (kind == RowKind::weighted_edge)); }

std::vector<Block> cut(std::string_view window, std::size_t block_bytes, std::size_t row_bytes) {
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < window.size();) {
    const std::size_t newline = window.find('\n', std::min(begin + block_bytes, window.size()) - 1);
    Block& block = blocks.emplace_back();
    block.text = window.substr(begin, newline + 1 - begin);
    block.first_row = (begin + row_bytes - 1) / row_bytes;
    begin = newline + 1;
  }
  return blocks;
}

template <RowKind kind>
void parse_block(Block& block, OriginalId* ids, double* weights) {
  const char* p = block.text.data();
  const char* const end = p + block.text.size();
  for (; p < end; ++block.lines) {
    OriginalId row[ids_per_row(kind)];
    double weight;
    const LineResult result = parse_line<kind>(p, row, &weight);
    if (result == LineResult::malformed) {
      block.malformed = p;
      return;
    }
    if (result == LineResult::nothing) continue;
    std::copy_n(row, ids_per_row(kind), ids + block.rows * ids_per_row(kind));
    if constexpr (kind == RowKind::weighted_edge) {
      weights[block.rows] = weight;
      block.weight_choice.look_at(weight);
    }
    ++block.rows;
  }
}

void parse_block(RowKind kind, Block& block, Scratch& scratch) {
  OriginalId* const ids = scratch.ids.data() + block.first_row * ids_per_row(kind);
  double* const weights = kind == RowKind::weighted_edge ? scratch.weights.data() + block.first_row : nullptr;
  if (kind == RowKind::vertex) return parse_block<RowKind::vertex>(block, ids, weights);
  if (kind == RowKind::edge) return parse_block<RowKind::edge>(block, ids, weights);
  return parse_block<RowKind::weighted_edge>(block, ids, weights);
}

// Replaces ids by their numbers, up to the first id that has none.
void number_block(Block& block, std::span<OriginalId> ids, const IdIndex& index) {
  constexpr std::size_t batch = 4096;
  VertexId numbers[batch];
  for (std::size_t done = 0; done < ids.size(); done += batch) {
    const auto part = ids.subspan(done, std::min(batch, ids.size() - done));
    index.find(part, numbers);
    const auto unknown = static_cast<std::size_t>(std::find(numbers, numbers + part.size(), no_vertex) - numbers);
    std::copy_n(numbers, unknown, part.begin());
    if (unknown == part.size()) continue;
    block.unknown = &part[unknown];
    return;
  }
}

// The line, from 0, in which row number `row` of a block stands.
std::uint64_t line_of_row(RowKind kind, std::string_view text, std::uint64_t row) {
  const char* p = text.data();
  for (std::uint64_t line = 0;; ++line) {
    OriginalId ids[2];
    const LineResult result = kind == RowKind::vertex ? parse_line<RowKind::vertex>(p, ids, nullptr)
                                                      : parse_line<RowKind::edge>(p, ids, nullptr);
    if (result == LineResult::row && row-- == 0) return line;
  }
}

std::string_view line_at(const char* p, std::string_view text) {
  const auto rest = text.substr(static_cast<std::size_t>(p - text.data()));
  const auto line = rest.substr(0, rest.find('\n'));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

class RowReader {
 public:
  RowReader(TextSource& source, RowKind kind, std::size_t block_bytes, const KnownVertices* known)
      : source_(source),
        kind_(kind),
        block_bytes_(std::clamp<std::size_t>(block_bytes, 1, max_line_bytes)),
        known_(known) {}

  ParsedRows read() {
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    LineWindows windows(source_, block_bytes_ * blocks_per_thread * threads);
    Progress progress("read", source_.total_bytes(), Progress::Unit::bytes);
    std::uint64_t shown = 0;
    for (auto window = windows.next(); !window.empty(); window = windows.next()) {
      if (windows.line_too_long())
        throw BadInputError("{}:{}: a line of more than {} bytes: \"{}\"; this is not a text of lines", source_.name(),
                            lines_ + 1, max_line_bytes, printable(window));
      std::vector<Block> blocks = cut(window, block_bytes_, least_row_bytes(kind_));
      parse(blocks, window.size());
      check(blocks);
      keep(blocks);
      const std::uint64_t bytes = source_.bytes_read();
      progress.add(bytes - std::exchange(shown, bytes));
    }
    return std::move(rows_);
  }

 private:
  void parse(std::vector<Block>& blocks, std::size_t window_bytes) {
    const std::size_t most_rows = window_bytes / least_row_bytes(kind_) + 1;
    if (scratch_.ids.size() < most_rows * ids_per_row(kind_)) {
      scratch_.ids = Array<OriginalId>(most_rows * ids_per_row(kind_), unlimited_budget(), "parsed ids");
      if (kind_ == RowKind::weighted_edge)
        scratch_.weights = Array<double>(most_rows, unlimited_budget(), "parsed weights");
    }
#pragma omp parallel for schedule(dynamic)
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      parse_block(kind_, blocks[b], scratch_);
      if (known_) number_block(blocks[b], ids_of(blocks[b]), known_->index);
    }
  }

  std::span<OriginalId> ids_of(const Block& block) {
    return {scratch_.ids.data() + block.first_row * ids_per_row(kind_), block.rows * ids_per_row(kind_)};
  }

  // Throws for the first fault of the window, now that the lines before each block are known.
  void check(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (block.unknown) {
        const auto row = static_cast<std::uint64_t>(block.unknown - ids_of(block).data()) / ids_per_row(kind_);
        throw BadInputError("{}:{}: vertex {} is not in {}; list it there or import without a vertex file",
                            source_.name(), lines_ + line_of_row(kind_, block.text, row) + 1, *block.unknown,
                            known_->file);
      }
      lines_ += block.lines;
      if (block.malformed) {
        const std::string_view line = line_at(block.malformed, block.text);
        throw BadInputError("{}:{}: \"{}\": {}", source_.name(), lines_ + 1, printable(line),
                            explain_malformed(kind_, line));
      }
    }
  }

  // Moves the rows of all blocks, in their order, into memory of just their size.
  void keep(std::vector<Block>& blocks) {
    std::uint64_t num_rows = 0;
    std::vector<std::uint64_t> place;
    for (const Block& block : blocks) {
      place.push_back(num_rows);
      num_rows += block.rows;
      rows_.weight_choice.merge(block.weight_choice);
    }
    if (num_rows == 0) return;
    const bool weighted = kind_ == RowKind::weighted_edge;
    Array<OriginalId> ids(num_rows * ids_per_row(kind_), unlimited_budget(), "ids as they were read");
    Array<double> weights(weighted ? num_rows : 0, unlimited_budget(), "weights as they were read");
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::ranges::copy(ids_of(blocks[b]), ids.data() + place[b] * ids_per_row(kind_));
      if (weighted)
        std::copy_n(scratch_.weights.data() + blocks[b].first_row, blocks[b].rows, weights.data() + place[b]);
    }
    rows_.ids.push_back(std::move(ids));
    if (weighted) rows_.weights.push_back(std::move(weights));
  }

  TextSource& source_;
  RowKind kind_;
  std::size_t block_bytes_;
  const KnownVertices* known_;
  Scratch scratch_;
  ParsedRows rows_;
  std::uint64_t lines_ = 0;  // in the windows before
};

}  // namespace

ParsedRows read_rows(TextSource& source, RowKind kind, std::size_t block_bytes, const KnownVertices* known) {
  return RowReader(source, kind, block_bytes, known).read();
}

}  // namespace millrace
