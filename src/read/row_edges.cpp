#include "millrace/read/row_edges.h"

#include "millrace/core/error.h"

namespace millrace {

std::optional<EdgeBatch> RowEdges::next() {
  std::optional<ParsedRows> rows = rows_.next();
  if (!rows) {
    if (expected_ && num_edges_ < *expected_)
      throw BadInputError("{}:{}: the file ends after {} edges; line {} announces {}", source_->name(), rows_.lines(),
                          num_edges_, expected_by_, *expected_);
    return {};
  }
  const std::uint64_t more = rows->ids.size() / 2;
  if (expected_ && more > *expected_ - num_edges_)
    throw BadInputError("{}:{}: more edges than the {} that line {} announces", source_->name(),
                        rows_.line_of_row(*expected_ - num_edges_), *expected_, expected_by_);
  num_edges_ += more;
  return EdgeBatch{std::move(rows->ids), std::move(rows->weights), rows->weight_choice};
}

}  // namespace millrace
