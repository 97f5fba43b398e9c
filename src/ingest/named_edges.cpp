#include "millrace/ingest/named_edges.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/ingest/name_table.h"

namespace millrace {
namespace {

constexpr std::uint64_t chunk_ids = 4096;  // looked up by one thread at a time

// Calls use(name) with what the field says.
template <class Use>
auto with_name(const Field& field, Use&& use) {
  if (!field.quoted) return use(field.text());
  return use(std::string_view(unquoted(field)));
}

class NamedEdges : public EdgeReader {
 public:
  NamedEdges(std::unique_ptr<TextSource> source, const NamedEdgeOptions& options)
      : options_(options),
        source_(std::move(source)),
        parser_(parse_named_columns(options.rules, options.columns)),
        rows_(*source_, *parser_, options.block_bytes) {
    shape_ = {.weighted = parser_->weighted(), .named = true, .format = options.format};
    if (!options.vertices.empty()) read_vertices();
  }

  GraphShape shape() const override { return shape_; }

  std::optional<EdgeBatch> next() override {
    std::optional<Rows> rows = rows_.next();
    if (!rows) return {};
    const std::optional<std::uint64_t> unknown = number(rows->ids, options_.rules.fields, !shape_.vertices);
    if (unknown)
      throw BadInputError("{}:{}: vertex \"{}\" is not in {}; list it there or import without a vertex file",
                          source_->name(), rows_.line_of_row(*unknown / 2),
                          printable(unquoted(field_at(options_.rules.fields, rows->ids[*unknown]))),
                          options_.vertices.string());
    return EdgeBatch{std::move(rows->ids), std::move(rows->weights), rows->weight_choice};
  }

  Names take_names() override { return table_.take_names(); }

 private:
  void read_vertices() {
    TextSource source(options_.vertices);
    const LineRules lines{};  // as in an edge list, whatever the edges are in
    const auto parser = parse_named_vertices(lines);
    RowReader reader(source, *parser, options_.block_bytes);
    while (auto rows = reader.next()) number(rows->ids, lines.fields, true);
    shape_.vertices = std::make_shared<IdIndex>(table_.size());
  }

  // Turns addresses of names into their numbers. Most names were seen before, and all threads look them up; those that
  // are left get the next numbers, one by one in the order of the file. Unless names may be added, the first that is
  // unknown comes back.
  std::optional<std::uint64_t> number(std::span<OriginalId> ids, const FieldRules& rules, bool may_add) {
    std::vector<std::vector<std::uint64_t>> unseen((ids.size() + chunk_ids - 1) / chunk_ids);
#pragma omp parallel for schedule(dynamic)
    for (std::uint64_t chunk = 0; chunk < unseen.size(); ++chunk)
      for (std::uint64_t i = chunk * chunk_ids; i < std::min((chunk + 1) * chunk_ids, ids.size()); ++i) {
        const VertexId found =
            with_name(field_at(rules, ids[i]), [this](std::string_view name) { return table_.find(name); });
        if (found == no_vertex)
          unseen[chunk].push_back(i);
        else
          ids[i] = found;
      }
    for (const auto& chunk : unseen)
      for (const std::uint64_t i : chunk) {
        if (!may_add) return i;
        ids[i] = with_name(field_at(rules, ids[i]), [this](std::string_view name) { return table_.add(name); });
      }
    return {};
  }

  NamedEdgeOptions options_;
  std::unique_ptr<TextSource> source_;
  std::unique_ptr<RowParser> parser_;
  RowReader rows_;
  GraphShape shape_;
  NameTable table_;
};

}  // namespace

std::unique_ptr<EdgeReader> open_named_edges(std::unique_ptr<TextSource> source, const NamedEdgeOptions& options) {
  return std::make_unique<NamedEdges>(std::move(source), options);
}

}  // namespace millrace
