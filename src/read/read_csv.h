// Tables with an edge per line: CSV, usually with a header, and edge lists whose columns are chosen.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_blocks.h"
#include "millrace/read/text_source.h"

namespace millrace {

struct TableOptions {
  std::string columns = {};             // --columns; empty: the defaults (column_choice.h)
  std::optional<bool> weighted = {};    // unset: if `columns` has a third column
  bool named = false;                   // ids are names
  std::filesystem::path vertices = {};  // file that lists every vertex; empty: none
  ReadBlocks blocks = {};
};

// CSV: fields separated by comma, semicolon, tab or blanks, with quotes as in RFC 4180, but without line breaks in a
// field. The first line is a header, unless ids are numbers and the endpoints in that line are numbers. Its shape says
// in a remark which columns were taken.
std::unique_ptr<EdgeReader> open_csv(std::unique_ptr<TextSource> source, const TableOptions& options);

// A text edge list with columns separated by blanks or commas, '#' and '%' for comments, and no header.
std::unique_ptr<EdgeReader> open_table(std::unique_ptr<TextSource> source, const TableOptions& options);

}  // namespace millrace
