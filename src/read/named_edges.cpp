#include "millrace/read/named_edges.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "millrace/build/name_table.h"
#include "millrace/core/error.h"
#include "millrace/core/hyperloglog.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

constexpr std::uint64_t chunk_ids = 1024;  // how many ids a thread looks up at a time

// The names at some addresses. Names with doubled quotes have to be rewritten; the rewritten ones are stored here.
class NamesAt {
 public:
  NamesAt(const FieldRules& rules, std::size_t room) : rules_(rules) { names_.reserve(room); }

  void add(OriginalId address) {
    const Field field = field_at(rules_, address);
    const bool as_it_is = !field.quoted || field.text().find('"') == std::string_view::npos;
    names_.push_back(as_it_is ? field.text() : rewritten_.emplace_back(unquoted(field)));
  }
  void clear() {
    names_.clear();
    rewritten_.clear();
  }
  std::span<const std::string_view> names() const { return names_; }

 private:
  FieldRules rules_;
  std::vector<std::string_view> names_;
  std::deque<std::string> rewritten_;  // a deque does not move its elements
};

// Estimates how many different names there are, in little memory.
class NameCount {
 public:
  void add(std::string_view name) {
    const HyperLogLogPlace place = hyperloglog_place(NameTable::hash_of(name), 0, log2_registers);
    std::uint8_t& rank = ranks_[place.index];
    rank = std::max(rank, static_cast<std::uint8_t>(place.rank));
  }
  // Five standard errors more than the estimate.
  std::uint64_t most() const {
    HyperLogLogSum sum;
    for (std::size_t i = 0; i < ranks_.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, &ranks_[i], 8);
      sum.add(word);
    }
    return static_cast<std::uint64_t>(sum.estimate(log2_registers) * (1 + 5 * hyperloglog_error(log2_registers))) + 8;
  }

 private:
  static constexpr std::uint32_t log2_registers = 16;
  std::vector<std::uint8_t> ranks_ = std::vector<std::uint8_t>(std::size_t{1} << log2_registers);
};

class NamedEdges : public EdgeReader {
 public:
  NamedEdges(std::unique_ptr<TextSource> source, const NamedEdgeOptions& options)
      : options_(options),
        source_(std::move(source)),
        parser_(parse_named_columns(options.rules, options.columns)),
        rows_(*source_, *parser_, options.blocks) {
    shape_ = {.weighted = parser_->weighted(),
              .reader_bytes = rows_.memory(),
              .named = true,
              .format = options.format,
              .remarks = options.remarks};
    if (!options.vertices.empty()) read_vertices();
  }

  GraphShape shape() const override { return shape_; }
  void ask_weights(WeightType type) override {
    shape_.weight_type = type;
    rows_.ask_weights(type);
  }

  std::optional<EdgeBatch> next() override {
    std::optional<ParsedRows> rows = rows_.next();
    if (!rows) return {};
    const std::optional<std::uint64_t> unknown = number(rows->ids, options_.rules.fields, !shape_.vertices);
    if (unknown)
      throw BadInputError("{}:{}: vertex \"{}\" is not in {}; list it there or import without a vertex file",
                          source_->name(), rows_.line_of_row(*unknown / 2),
                          printable(unquoted(field_at(options_.rules.fields, rows->ids[*unknown]))),
                          options_.vertices.string());
    if (over_) refuse(rows->ids.size() / 2);
    return EdgeBatch{std::move(rows->ids), std::move(rows->weights), rows->weight_choice};
  }

  void keep_names_within(NameRoom room) override { table_.keep_within(std::move(room)); }
  Names take_names() override { return table_.take_names(); }
  void write_names(StoreWriter& writer) override { table_.write_names(writer); }

 private:
  // The table has no room for all names: counts them, and the edges that nobody gets.
  [[noreturn]] void refuse(std::uint64_t edges) {
    while (std::optional<ParsedRows> rows = rows_.next()) {
      number(rows->ids, options_.rules.fields, true);
      edges += rows->ids.size() / 2;
    }
    throw NamesOverBudget(*over_, table_.size() + not_in_table_.most(), edges);
  }

  void read_vertices() {
    TextSource source(options_.vertices);
    // The rules of edge lists; but if tabs separate the names of edges, names in this file may contain blanks too.
    const LineRules lines = options_.rules.fields.separator == '\t' ? options_.rules : LineRules{};
    const auto parser = parse_named_vertices(lines);
    RowReader reader(source, *parser, options_.blocks);
    while (auto rows = reader.next()) number(rows->ids, lines.fields, true);
    shape_.vertices = std::make_shared<IdIndex>(table_.size());
  }

  // Replaces addresses of names by their numbers. Most names were seen before: all threads look them up. The others get
  // the next numbers, one by one in the order of the file. If names may not be added, returns the index of the first
  // unknown one.
  std::optional<std::uint64_t> number(std::span<OriginalId> ids, const FieldRules& rules, bool may_add) {
    std::vector<std::vector<std::uint64_t>> unseen((ids.size() + chunk_ids - 1) / chunk_ids);
    Draw draw;
    on_threads(loop_threads(ids.size()), [&](const ThreadOf&) {
      NamesAt at(rules, chunk_ids);
      VertexId numbers[chunk_ids];
      draw.for_each(unseen.size(), [&](std::uint64_t chunk) {
        const std::uint64_t first = chunk * chunk_ids, count = std::min(chunk_ids, ids.size() - first);
        at.clear();
        for (std::uint64_t i = 0; i < count; ++i) at.add(ids[first + i]);
        table_.find(at.names(), numbers);
        for (std::uint64_t i = 0; i < count; ++i)
          if (numbers[i] == no_vertex)
            unseen[chunk].push_back(first + i);
          else
            ids[first + i] = numbers[i];
      });
    });
    NamesAt at(rules, chunk_ids);
    VertexId numbers[chunk_ids];
    for (const auto& chunk : unseen) {
      if (chunk.empty()) continue;
      if (!may_add) return chunk.front();
      at.clear();
      for (const std::uint64_t i : chunk) at.add(ids[i]);
      try {
        if (!over_) table_.add(at.names(), numbers);
      } catch (const OverBudgetError& found) {
        over_.emplace(found);
      }
      if (over_)
        for (const std::string_view name : at.names()) not_in_table_.add(name);
      else
        for (std::size_t i = 0; i < chunk.size(); ++i) ids[chunk[i]] = numbers[i];
    }
    return {};
  }

  NamedEdgeOptions options_;
  std::unique_ptr<TextSource> source_;
  std::unique_ptr<RowParser> parser_;
  RowReader rows_;
  GraphShape shape_;
  NameTable table_;
  std::optional<OverBudgetError> over_;  // why no name is added any more
  NameCount not_in_table_;
};

}  // namespace

std::unique_ptr<EdgeReader> open_named_edges(std::unique_ptr<TextSource> source, const NamedEdgeOptions& options) {
  return std::make_unique<NamedEdges>(std::move(source), options);
}

}  // namespace millrace
