#include "millrace/read/read_csv.h"

#include <utility>

#include "millrace/core/error.h"
#include "millrace/read/column_rows.h"
#include "millrace/read/named_edges.h"
#include "millrace/read/read_edge_list.h"
#include "millrace/read/row_edges.h"

namespace millrace {
namespace {

std::unique_ptr<EdgeReader> open_lines(std::unique_ptr<TextSource> source, const LineRules& rules,
                                       const Columns& columns, const TableOptions& options, const std::string& format,
                                       const std::vector<std::string>& remarks = {}) {
  if (options.named)
    return open_named_edges(std::move(source), {.rules = rules,
                                                .columns = columns,
                                                .vertices = options.vertices,
                                                .blocks = options.blocks,
                                                .format = format,
                                                .remarks = remarks});
  auto reader = std::make_unique<RowEdges>(
      std::move(source), parse_columns(rules, columns), options.blocks,
      GraphShape{.weighted = columns.weight.has_value(), .format = format, .remarks = remarks});
  if (!options.vertices.empty()) reader->allow_only(read_vertices(options.vertices, options.blocks));
  return reader;
}

bool is_number(const std::string& field) {
  return !field.empty() && field.find_first_not_of("0123456789") == std::string::npos;
}

// Whether the endpoints in the first line are numbers: then it is an edge, not a header.
bool is_edge(const std::vector<std::string>& fields, const TableOptions& options) {
  if (options.named || names_columns(options.columns)) return false;
  const Columns columns = choose_columns(options.columns, {}, options.weighted);
  return columns.source < fields.size() && columns.target < fields.size() && is_number(fields[columns.source]) &&
         is_number(fields[columns.target]);
}

}  // namespace

std::unique_ptr<EdgeReader> open_csv(std::unique_ptr<TextSource> source, const TableOptions& options) {
  std::string line;
  bool found = false;
  while (!found && source->read_line(line))
    found = line.find_first_not_of(" \t") != std::string::npos && line[0] != '#';
  if (!found)
    throw BadInputError("{}: there is no header; a CSV file begins with the names of its columns", source->name());

  const LineRules rules{.fields = {.separator = guess_separator(line)}, .comments = false};
  std::vector<std::string> header = split_line(rules.fields, line);
  if (header.size() < 2)
    throw BadInputError(
        "{}:{}: \"{}\": a single column; expected the names of columns, separated by comma, semicolon or tab",
        source->name(), source->lines_read(), printable(line));
  if (is_edge(header, options)) {
    source->unread_line();
    header.clear();
  }
  const Columns columns = choose_columns(options.columns, header, options.weighted);
  std::vector<std::string> remarks;
  if (!header.empty()) remarks.push_back(describe_columns(columns, header, options.weighted));
  return open_lines(std::move(source), rules, columns, options, "csv", remarks);
}

std::unique_ptr<EdgeReader> open_table(std::unique_ptr<TextSource> source, const TableOptions& options) {
  return open_lines(std::move(source), {}, choose_columns(options.columns, {}, options.weighted), options, "edges");
}

}  // namespace millrace
