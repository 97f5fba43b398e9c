#include "millrace/ingest/read_ldbc.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/ingest/fields.h"
#include "millrace/ingest/formats.h"
#include "millrace/ingest/read_csv.h"
#include "millrace/ingest/read_edge_list.h"

namespace millrace {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// Lines "graph.NAME.KEY = VALUE" by their KEY, which is found by its end since a NAME may have dots.
class Properties {
 public:
  explicit Properties(const std::filesystem::path& file) : source_(file) {
    std::string line;
    while (source_.read_line(line)) {
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos || line[line.find_first_not_of(" \t")] == '#') continue;
      values_[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
    }
  }

  // Empty where it is absent.
  std::string value(const std::string& key) const {
    for (const auto& [name, value] : values_)
      if (name.starts_with("graph.") && name.ends_with("." + key)) return value;
    return {};
  }

  bool directed() const {
    const std::string value = this->value("directed");
    if (value != "true" && value != "false")
      throw BadInputError("{}: graph.NAME.directed is \"{}\"; expected true or false", source_.name(),
                          printable(value));
    return value == "true";
  }

  // A file named here, which lies beside this one, perhaps compressed.
  std::filesystem::path file(const std::string& key) const {
    const std::string name = value(key);
    if (name.empty()) throw BadInputError("{}: there is no line graph.NAME.{} = FILE", source_.name(), key);
    const std::filesystem::path path = std::filesystem::path(source_.name()).parent_path() / name;
    for (const char* const suffix : {"", ".gz", ".zst"})
      if (const std::filesystem::path found = path.string() + suffix; std::filesystem::exists(found)) return found;
    throw BadInputError("{}: {} names {}, which is not there, nor with .gz or .zst", source_.name(), key,
                        path.string());
  }

  // The column of the weight, from 1; 0 where edges have none.
  std::size_t weight_column() const {
    const std::string names = value("edge-properties.names");
    if (names.empty()) return 0;
    const std::vector<std::string> properties = split_line({.separator = ','}, names);
    const auto found = std::ranges::find(properties, value("sssp.weight-property"));
    return 3 + (found == properties.end() ? 0 : static_cast<std::size_t>(found - properties.begin()));
  }

 private:
  TextSource source_;
  std::map<std::string, std::string> values_;
};

// An edge list of which the properties know more.
class LdbcEdges : public EdgeReader {
 public:
  LdbcEdges(std::unique_ptr<EdgeReader> edges, bool undirected) : edges_(std::move(edges)), undirected_(undirected) {}

  GraphShape shape() const override {
    GraphShape shape = edges_->shape();
    shape.undirected = undirected_;
    shape.format = "ldbc";
    return shape;
  }
  std::optional<EdgeBatch> next() override { return edges_->next(); }

 private:
  std::unique_ptr<EdgeReader> edges_;
  bool undirected_;
};

}  // namespace

std::filesystem::path ldbc_properties_of(const std::filesystem::path& file) {
  std::filesystem::path plain = without_compression_suffix(file);
  const std::string extension = plain.extension().string();
  if (extension != ".properties" && extension != ".e" && extension != ".v") return {};
  return plain.replace_extension(".properties");
}

std::unique_ptr<EdgeReader> open_ldbc(const std::filesystem::path& file, std::optional<bool> weighted,
                                      std::size_t block_bytes) {
  const Properties properties(file);
  const std::size_t weight = properties.weight_column();
  if (weighted.value_or(false) && weight == 0)
    throw UsageError("--weighted: {} says that edges have no properties", file.string());
  const bool use_weights = weighted.value_or(weight > 0);
  const std::filesystem::path edges = properties.file("edge-file"), vertices = properties.file("vertex-file");
  std::unique_ptr<EdgeReader> reader;
  if (!use_weights || weight == 3)
    reader = open_edge_list(edges, {.weighted = use_weights, .vertices = vertices, .block_bytes = block_bytes});
  else
    reader = open_table(
        std::make_unique<TextSource>(edges),
        {.columns = fmt::format("1,2,{}", weight), .weighted = true, .vertices = vertices, .block_bytes = block_bytes});
  return std::make_unique<LdbcEdges>(std::move(reader), !properties.directed());
}

}  // namespace millrace
