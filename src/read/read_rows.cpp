#include "millrace/read/read_rows.h"

#include <algorithm>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/read/parse_line.h"

namespace millrace {
namespace {

constexpr std::size_t blocks_per_thread = 4;  // in a window, so that threads finish it at about the same time
// With many threads, or little memory, blocks get smaller: the rows of a window must stay within some tens of
// megabytes.
constexpr std::size_t most_window_bytes = std::size_t{32} << 20;

std::size_t blocks_per_window() { return blocks_per_thread * static_cast<std::size_t>(omp_get_max_threads()); }

// Of a window of text: it and the next one, and its rows twice, as parsed and as kept.
std::uint64_t window_memory(std::uint64_t bytes, const RowParser& parser) {
  const std::uint64_t row = parser.ids_per_row() * sizeof(OriginalId) + (parser.weighted() ? sizeof(double) : 0);
  return 2 * (bytes + (bytes / parser.least_row_bytes() + 1) * row);
}

std::size_t fitting_block_bytes(const ReadBlocks& blocks, const RowParser& parser) {
  constexpr std::size_t sample = 1 << 10;
  const std::uint64_t most =
      std::min<std::uint64_t>(most_window_bytes, blocks.memory / window_memory(sample, parser) * sample);
  return std::clamp<std::size_t>(blocks.bytes, 1, std::max<std::size_t>(most / blocks_per_window(), 1));
}

std::vector<TextBlock> cut(std::string_view window, std::size_t block_bytes, std::size_t row_bytes) {
  std::vector<TextBlock> blocks;
  for (std::size_t begin = 0; begin < window.size();) {
    const std::size_t newline = window.find('\n', std::min(begin + block_bytes, window.size()) - 1);
    TextBlock& block = blocks.emplace_back();
    block.text = window.substr(begin, newline + 1 - begin);
    block.first_row = (begin + row_bytes - 1) / row_bytes;
    begin = newline + 1;
  }
  return blocks;
}

// The first id that is not in the index, or nullptr.
const OriginalId* find_unknown(std::span<const OriginalId> ids, const IdIndex& index) {
  constexpr std::size_t batch = 4096;
  VertexId numbers[batch];
  for (std::size_t done = 0; done < ids.size(); done += batch) {
    const auto part = ids.subspan(done, std::min(batch, ids.size() - done));
    index.find(part, numbers);
    const auto unknown = static_cast<std::size_t>(std::find(numbers, numbers + part.size(), no_vertex) - numbers);
    if (unknown < part.size()) return &part[unknown];
  }
  return nullptr;
}

// The line of a block, counted from 0, that has its row number `row`.
std::uint64_t line_in_block(RowParser& parser, std::string_view text, std::uint64_t row) {
  for (std::uint64_t line = 0;; ++line) {
    TextBlock one;
    one.text = text.substr(0, text.find('\n') + 1);
    OriginalId ids[2];
    double weight;
    parser.parse(one, ids, &weight);
    if (one.rows > row) return line;
    row -= one.rows;
    text.remove_prefix(one.text.size());
  }
}

}  // namespace

std::string_view line_at(const char* p, std::string_view text) {
  const auto rest = text.substr(static_cast<std::size_t>(p - text.data()));
  const auto line = rest.substr(0, rest.find('\n'));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

RowReader::RowReader(TextSource& source, RowParser& parser, ReadBlocks blocks)
    : source_(source),
      parser_(parser),
      block_bytes_(fitting_block_bytes(blocks, parser)),
      lines_before_(source.lines_read()),
      lines_(lines_before_),
      windows_(source, block_bytes_ * blocks_per_window()),
      progress_("read", source.total_bytes(), Progress::Unit::bytes) {}

std::uint64_t RowReader::memory() const { return window_memory(block_bytes_ * blocks_per_window(), parser_); }

std::optional<ParsedRows> RowReader::next() {
  for (auto window = windows_.next(); !window.empty(); window = windows_.next()) {
    lines_before_ = lines_;
    if (windows_.line_too_long())
      throw BadInputError("{}:{}: a line of more than {} bytes: \"{}\"; this is not a text of lines", source_.name(),
                          lines_ + 1, max_line_bytes, printable(window));
    blocks_ = cut(window, block_bytes_, parser_.least_row_bytes());
    parse(window.size());
    check();
    const std::uint64_t bytes = source_.bytes_read();
    progress_.add(bytes - std::exchange(shown_bytes_, bytes));
    ParsedRows rows = keep();
    if (!rows.ids.empty()) return rows;
  }
  // The reader may still exist while its edges are built into a store.
  scratch_ids_ = {};
  scratch_weights_ = {};
  blocks_ = {};
  return {};
}

void RowReader::parse(std::size_t window_bytes) {
  const std::size_t most_rows = window_bytes / parser_.least_row_bytes() + 1;
  if (scratch_ids_.size() < most_rows * parser_.ids_per_row()) {
    scratch_ids_ = Array<OriginalId>(most_rows * parser_.ids_per_row(), unlimited_budget(), "parsed ids");
    if (parser_.weighted()) scratch_weights_ = Array<double>(most_rows, unlimited_budget(), "parsed weights");
  }
  parser_.begin_window(blocks_);
  parallel_drawn(blocks_.size(), 1, [&](std::uint64_t b) {
    TextBlock& block = blocks_[b];
    block.asked = asked_;
    parser_.parse(block, ids_of(block).data(),
                  parser_.weighted() ? scratch_weights_.data() + block.first_row : nullptr);
    if (known_.index) block.unknown = find_unknown(ids_of(block), *known_.index);
  });
}

std::span<OriginalId> RowReader::ids_of(const TextBlock& block) {
  const std::size_t per_row = parser_.ids_per_row();
  return {scratch_ids_.data() + block.first_row * per_row, block.rows * per_row};
}

// Throws for the first fault of the window, now that the number of lines before each block is known.
void RowReader::check() {
  for (const TextBlock& block : blocks_) {
    if (block.unknown) {
      const auto row = static_cast<std::uint64_t>(block.unknown - ids_of(block).data()) / parser_.ids_per_row();
      throw BadInputError("{}:{}: vertex {} is not in {}; list it there or import without a vertex file",
                          source_.name(), lines_ + line_in_block(parser_, block.text, row) + 1, *block.unknown,
                          known_.file);
    }
    if (block.refused) {
      const std::string_view before = block.text.substr(0, static_cast<std::size_t>(block.refused - block.text.data()));
      throw BadInputError("{}:{}: \"{}\": {}", source_.name(),
                          lines_ + static_cast<std::uint64_t>(std::ranges::count(before, '\n')) + 1,
                          printable(line_at(block.refused, block.text)), explain_refused_weight(asked_));
    }
    lines_ += block.lines;
    if (block.malformed) {
      const std::string_view line = line_at(block.malformed, block.text);
      throw BadInputError("{}:{}: \"{}\": {}", source_.name(), lines_ + 1, printable(line), parser_.explain(line));
    }
  }
}

// Moves the rows of all blocks, in their order, into memory of exactly their size.
ParsedRows RowReader::keep() {
  ParsedRows rows;
  std::uint64_t num_rows = 0;
  std::vector<std::uint64_t> place;
  for (const TextBlock& block : blocks_) {
    place.push_back(num_rows);
    num_rows += block.rows;
    rows.weight_choice.merge(block.weight_choice);
  }
  const std::size_t per_row = parser_.ids_per_row();
  rows.ids = Array<OriginalId>(num_rows * per_row, unlimited_budget(), "ids as they were read");
  if (parser_.weighted()) rows.weights = Array<double>(num_rows, unlimited_budget(), "weights as they were read");
  const auto move_block = [&](std::uint64_t b) {
    std::ranges::copy(ids_of(blocks_[b]), rows.ids.data() + place[b] * per_row);
    if (parser_.weighted())
      std::copy_n(scratch_weights_.data() + blocks_[b].first_row, blocks_[b].rows, rows.weights.data() + place[b]);
  };
  parallel_for(blocks_.size(), move_block, num_rows / std::max<std::uint64_t>(blocks_.size(), 1));
  return rows;
}

std::uint64_t RowReader::line_of_row(std::uint64_t row) const {
  std::uint64_t line = lines_before_;
  for (const TextBlock& block : blocks_) {
    if (row < block.rows) return line + line_in_block(parser_, block.text, row) + 1;
    row -= block.rows;
    line += block.lines;
  }
  throw InternalError("row {} past the end of the window that ends at line {}", row, line);
}

}  // namespace millrace
