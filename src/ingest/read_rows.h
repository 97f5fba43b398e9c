// The rows of a text, parsed by all threads and kept in the order of the file.
#pragma once

#include <string>
#include <vector>

#include "millrace/core/memory.h"
#include "millrace/core/types.h"
#include "millrace/ingest/compact_ids.h"
#include "millrace/ingest/parse_line.h"
#include "millrace/ingest/text_source.h"
#include "millrace/ingest/weight_choice.h"

namespace millrace {

// Columns in pieces, one piece per window of text.
struct ParsedRows {
  std::vector<Array<OriginalId>> ids;  // ids_per_row() entries for each row
  std::vector<Array<double>> weights;  // one entry for each row of a weighted edge, else nothing
  WeightChoice weight_choice;
};

// The vertices that edges may name, and the file that lists them.
struct KnownVertices {
  IdIndex index;
  std::string file;
};

// Reads all rows; each thread parses about `block_bytes` at a time. With `known`, the ids come back as their numbers in
// that index. A malformed line or an unknown id is a BadInputError that names the first line with one.
ParsedRows read_rows(TextSource& source, RowKind kind, std::size_t block_bytes, const KnownVertices* known = nullptr);

}  // namespace millrace
