// Reads the rows of a text, parsed by all threads and kept in the order of the file. A RowParser defines what a row is;
// this part handles windows, threads, line numbers and faults.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "millrace/build/compact_ids.h"
#include "millrace/build/weight_choice.h"
#include "millrace/core/memory.h"
#include "millrace/core/progress.h"
#include "millrace/core/types.h"
#include "millrace/read/line_windows.h"
#include "millrace/read/read_blocks.h"
#include "millrace/read/text_source.h"

namespace millrace {

// A part of a window, cut at newlines, and the results of parsing it.
struct TextBlock {
  std::string_view text;
  std::uint64_t first_row = 0;  // where its rows begin in the scratch memory
  std::uint64_t rows = 0;
  std::uint64_t lines = 0;              // lines parsed before the end or the fault
  const char* malformed = nullptr;      // the line that stopped the parsing
  const OriginalId* unknown = nullptr;  // the first id that is not a known vertex

  WeightChoice weight_choice;
  WeightType asked = WeightType::none;  // requested weight type; none: the smallest type that holds all weights
  const char* refused = nullptr;        // the first line with a weight that does not fit that type

  // Counts a weight of the line at `line`.
  void look_at(const ReadWeight& weight, const char* line) {
    weight_choice.look_at(weight);
    if (!refused && !accepts(asked, weight)) refused = line;
  }
};

class RowParser {
 public:
  virtual ~RowParser() = default;
  virtual std::size_t ids_per_row() const { return 2; }
  virtual bool weighted() const = 0;
  // The least bytes of text that a row takes.
  virtual std::size_t least_row_bytes() const = 0;
  // Called before the blocks of a window are parsed.
  virtual void begin_window(std::span<TextBlock>) {}
  // Parses a block, up to its first malformed line; called by many threads. Sets rows, lines, malformed and the members
  // that look_at() sets. There is room for as many rows as least_row_bytes() allows.
  virtual void parse(TextBlock& block, OriginalId* ids, double* weights) = 0;
  // What is wrong with a line at which parse() stopped, and what was expected; settings are marked.
  virtual std::string explain(std::string_view line) const = 0;
};

// The vertices that edges may have as endpoints, and the file that lists them.
struct KnownVertices {
  std::shared_ptr<IdIndex> index;
  std::string file;
};

// The consecutive rows of one window.
struct ParsedRows {
  Array<OriginalId> ids;  // ids_per_row() for each row
  Array<double> weights;  // one for each row if the parser is weighted, else none
  WeightChoice weight_choice;
};

class RowReader {
 public:
  // Source and parser must outlive the reader.
  RowReader(TextSource& source, RowParser& parser, ReadBlocks blocks);

  // The most that it takes at a time, with the rows that next() returned last. A line that is longer than a window
  // takes more.
  std::uint64_t memory() const;

  // From now on, ids that are not among these vertices are faults.
  void allow_only(KnownVertices known) { known_ = std::move(known); }
  // Weights that do not fit this type are faults; without a type, weights that no type holds exactly.
  void ask_weights(WeightType type) { asked_ = type; }

  // The rows of the next window that has any; empty at the end. A malformed line, an unknown id or a refused weight is
  // a BadInputError that names the first such line.
  std::optional<ParsedRows> next();

  // The line of the file that has row number `row` of the rows that next() returned last. For parsers that take at most
  // one row from a line.
  std::uint64_t line_of_row(std::uint64_t row) const;
  // The number of lines up to the end of those rows.
  std::uint64_t lines() const { return lines_; }

 private:
  void parse(std::size_t window_bytes);
  void check();
  ParsedRows keep();
  std::span<OriginalId> ids_of(const TextBlock& block);

  TextSource& source_;
  RowParser& parser_;
  std::size_t block_bytes_;  // that each thread parses at a time
  KnownVertices known_;
  WeightType asked_ = WeightType::none;
  Array<OriginalId> scratch_ids_;  // blocks write their rows here before their number is known
  Array<double> scratch_weights_;
  std::vector<TextBlock> blocks_;
  std::uint64_t lines_before_;  // lines before the window
  std::uint64_t lines_;
  LineWindows windows_;
  Progress progress_;
  std::uint64_t shown_bytes_ = 0;
};

// The line at p, without its end.
std::string_view line_at(const char* p, std::string_view text);

}  // namespace millrace
