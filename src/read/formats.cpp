#include "millrace/read/formats.h"

#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"
#include "millrace/read/fields.h"
#include "millrace/read/read_csv.h"
#include "millrace/read/read_dimacs.h"
#include "millrace/read/read_edge_list.h"
#include "millrace/read/read_gap.h"
#include "millrace/read/read_graph500.h"
#include "millrace/read/read_ldbc.h"
#include "millrace/read/read_matrix_market.h"
#include "millrace/read/read_metis.h"

namespace millrace {
namespace {

bool is_table(Format format) { return format == Format::edges || format == Format::wel || format == Format::csv; }

void check_options(Format format, const ReadOptions& options) {
  const std::string_view name = format_name(format);
  if (!options.columns.empty() && !is_table(format))
    throw UsageError("@columns@ goes with the formats edges, wel and csv; this is {}", name);
  if (options.ids == IdKind::string && !is_table(format))
    throw UsageError("@ids@ string goes with the formats edges, wel and csv; in {} vertices are numbers", name);
  if (!options.vertices.empty() && !is_table(format) && format != Format::graph500)
    throw UsageError("@vertices@ goes with the formats edges, wel, csv and graph500; {} has its vertices in itself",
                     name);
  if (options.weighted.value_or(false) && (format == Format::sg || format == Format::graph500))
    throw UsageError("@weighted@: the format {} has no weights", name);
}

// The usual columns of numbers have a parser of their own, which is the fastest.
std::unique_ptr<EdgeReader> open_edges(std::unique_ptr<TextSource> source, const ReadOptions& options, bool weighted) {
  const bool third = options.columns == "1,2,3";
  const bool usual = options.columns.empty() || third || (options.columns == "1,2" && !weighted);
  if (third && !options.weighted) weighted = true;
  if (options.ids == IdKind::integer && usual)
    return open_edge_list(std::move(source), {weighted, options.vertices, options.blocks});
  return open_table(std::move(source), {.columns = options.columns,
                                        .weighted = weighted ? std::optional(true) : options.weighted,
                                        .named = options.ids == IdKind::string,
                                        .vertices = options.vertices,
                                        .blocks = options.blocks});
}

// Whether a list of edges has a third column of numbers.
bool has_third_number(TextSource& source) {
  const std::string line = first_row(without_byte_order_mark(source.peek(std::size_t{64} << 10)));
  const std::vector<std::string> fields = split_line({}, line.substr(0, line.find_first_of("\r\n")));
  ReadWeight weight;
  return fields.size() > 2 && parsing::read_weight(fields[2], weight);
}

// The edges of a file, with remarks on how it is read. A file without edges is refused, unless it says otherwise which
// vertices there are: it is more likely that something went wrong when it was made.
class EdgesOfFile final : public EdgeReader {
 public:
  EdgesOfFile(std::unique_ptr<EdgeReader> reader, std::string name, std::vector<std::string> remarks)
      : reader_(std::move(reader)), name_(std::move(name)), remarks_(std::move(remarks)) {}

  GraphShape shape() const override {
    GraphShape shape = reader_->shape();
    shape.remarks.insert(shape.remarks.end(), remarks_.begin(), remarks_.end());
    return shape;
  }
  void ask_weights(WeightType type) override { reader_->ask_weights(type); }
  void keep_names_within(NameRoom room) override { reader_->keep_names_within(std::move(room)); }
  Names take_names() override { return reader_->take_names(); }
  void write_names(StoreWriter& writer) override { reader_->write_names(writer); }

  std::optional<EdgeBatch> next() override {
    std::optional<EdgeBatch> batch = reader_->next();
    if (batch) any_ |= batch->num_edges() > 0;
    if (!batch && !any_ && !reader_->shape().vertices)
      throw BadInputError(
          "{}: there are no edges in it, and so no vertices; @vertices@ FILE lists the vertices of a graph without "
          "edges",
          name_);
    return batch;
  }

 private:
  std::unique_ptr<EdgeReader> reader_;
  std::string name_;
  std::vector<std::string> remarks_;
  bool any_ = false;
};

std::unique_ptr<EdgeReader> open_as(Format format, std::unique_ptr<TextSource> source, const ReadOptions& options) {
  check_options(format, options);
  switch (format) {
    case Format::edges:
      return open_edges(std::move(source), options, options.weighted.value_or(false));
    case Format::wel:
      return open_edges(std::move(source), options, options.weighted.value_or(true));
    case Format::csv:
      return open_csv(std::move(source), {.columns = options.columns,
                                          .weighted = options.weighted,
                                          .named = options.ids == IdKind::string,
                                          .vertices = options.vertices,
                                          .blocks = options.blocks});
    case Format::mtx:
      return open_matrix_market(std::move(source), options.weighted, options.blocks);
    case Format::metis:
      return open_metis(std::move(source), options.weighted, options.blocks);
    case Format::sg:
      return open_gap(std::move(source), false, false);
    case Format::wsg:
      return open_gap(std::move(source), true, options.weighted.value_or(true));
    case Format::gr:
      return open_dimacs(std::move(source), options.weighted.value_or(true), options.blocks);
    case Format::graph500:
      return open_graph500(std::move(source), options.vertices.empty()
                                                  ? KnownVertices{}
                                                  : read_vertices(options.vertices, options.blocks));
    case Format::ldbc:
      throw UsageError("the format ldbc is several files; it cannot be read from {}", source->name());
    case Format::automatic:
      break;
  }
  throw InternalError("no format was chosen for {}", source->name());
}

std::unique_ptr<EdgeReader> with_weights(std::unique_ptr<EdgeReader> reader, WeightType type) {
  if (type == WeightType::none) return reader;
  if (!reader->shape().weighted)
    throw UsageError("@weights@ {}: the graph is read without weights; @weighted@ reads them where the file has some",
                     weight_type_name(type));
  reader->ask_weights(type);
  return reader;
}

// The properties file beside a file, unless the options name vertices or columns: then it is not used.
std::filesystem::path find_ldbc(const std::filesystem::path& file, const ReadOptions& options) {
  const std::filesystem::path properties = ldbc_properties_of(file);
  if (options.format == Format::ldbc) {
    if (!properties.empty()) return properties;
    throw UsageError("@format@ ldbc: {} is not called NAME.properties, NAME.e or NAME.v", file.string());
  }
  if (options.format != Format::automatic || properties.empty()) return {};
  if (file == properties) return properties;
  const bool said = !options.vertices.empty() || !options.columns.empty() || options.ids == IdKind::string;
  return !said && path_exists(properties) ? properties : std::filesystem::path{};
}

}  // namespace

std::string_view format_name(Format format) {
  constexpr std::string_view names[] = {"auto", "edges", "wel", "csv",      "mtx", "metis",
                                        "sg",   "wsg",   "gr",  "graph500", "ldbc"};
  return names[static_cast<std::size_t>(format)];
}

std::unique_ptr<EdgeReader> open_graph(const std::filesystem::path& file, const ReadOptions& options) {
  const std::filesystem::path properties = find_ldbc(file, options);
  if (properties.empty()) return open_graph(std::make_unique<TextSource>(file, Pipes::taken), options);
  check_options(Format::ldbc, options);
  return with_weights(open_ldbc(properties, options.weighted, options.blocks), options.weight_type);
}

std::unique_ptr<EdgeReader> open_graph(std::unique_ptr<TextSource> source, const ReadOptions& options) {
  if (is_table(options.format)) refuse_binary(*source);
  const Format format = options.format == Format::automatic ? detect_format(*source, options) : options.format;
  const bool has_header = !is_table(format) && format != Format::graph500;  // its reader says what is missing in it
  if (!has_header && options.vertices.empty() && source->peek(1).empty())
    throw BadInputError("{}: the file is empty", source->name());
  std::vector<std::string> remarks;
  if (format == Format::edges && !options.weighted && options.columns.empty() && has_third_number(*source))
    remarks.push_back(marked_text("the third column is not read (@weighted@ takes it as the weight)"));
  const std::string name = source->name();
  auto reader = std::make_unique<EdgesOfFile>(open_as(format, std::move(source), options), name, std::move(remarks));
  return with_weights(std::move(reader), options.weight_type);
}

}  // namespace millrace
