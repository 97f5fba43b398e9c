#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "millrace/catalogue/catalogue.h"
#include "millrace/checks/check_degrees.h"
#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/report/answer.h"
#include "millrace/report/degree_distribution.h"
#include "millrace/report/results.h"
#include "millrace/report/table.h"
#include "millrace/store/counted_edges.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

struct Kind {
  const char* name;
  DegreeDistribution distribution;
};
using Kinds = std::array<Kind, 3>;  // out, in, total

constexpr std::pair<const char*, double> quantiles[] = {{"median", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};

// A line for each degree that occurs.
void write_counts(const std::filesystem::path& path, const Kinds& kinds) {
  std::map<std::uint64_t, std::array<std::uint64_t, 3>> lines;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    for (const DegreeCount& count : kinds[k].distribution.counts) lines[count.degree][k] = count.vertices;
  std::string text = "degree,out,in,total\n";
  for (const auto& [degree, vertices] : lines)
    text += fmt::format("{},{},{},{}\n", degree, vertices[0], vertices[1], vertices[2]);
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.close();
}

std::string to_json(const Store& store, const Kinds& kinds, double seconds, bool checked) {
  Json results = Json::object();
  for (const auto& [name, distribution] : kinds) {
    Json& result = results[name];
    result["mean"] = distribution.mean();
    for (const auto& [quantile, share] : quantiles) result[quantile] = distribution.quantile(share);
    result["max"] = distribution.max();
    result["zero"] = distribution.between(0, 0);
    result["counts"] = Json::array();
    for (const DegreeCount& count : distribution.counts) result["counts"].push_back({count.degree, count.vertices});
  }
  Json json{{"schema_version", 1},
            {"millrace", MILLRACE_VERSION},
            {"algorithm", "degrees"},
            {"graph",
             {{"store", store.path().string()},
              {"vertices", store.num_vertices()},
              {"edges", store.num_edges()},
              {"directed", store.manifest().directed}}},
            {"seconds", seconds},
            {"results", results}};
  if (!store.manifest().directed) json["graph"]["undirected_edges"] = edges_of(store).once();
  if (checked) json["check"] = "passed";
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A table of figures, and of the number of vertices by powers of two of their degree.
std::string to_table(const Store& store, const Kinds& kinds, double seconds, bool checked) {
  SummaryTable table(fmt::format("degrees of {}", store.path().string()));
  const auto row = [&](const std::string& name, auto value) {
    table.row(name, "{:>14} {:>14} {:>14}", value(kinds[0].distribution), value(kinds[1].distribution),
              value(kinds[2].distribution));
  };
  std::vector<std::uint64_t> by_bits(65);
  for (const DegreeCount& count : kinds[2].distribution.counts)
    by_bits[static_cast<std::size_t>(std::bit_width(count.degree))] += count.vertices;
  if (store.num_vertices() > 0)
    table.lead(
        answer_text({.charts = {chart_of("degree", "vertices", rows_by_powers_of_two(by_bits))}}, prints_utf8()));
  table.row("", "{:>14} {:>14} {:>14}", kinds[0].name, kinds[1].name, kinds[2].name);
  row("mean", [](const DegreeDistribution& d) { return fmt::format("{:.2f}", d.mean()); });
  for (const auto& [name, share] : quantiles)
    row(name, [share = share](const DegreeDistribution& d) { return format_count(d.quantile(share)); });
  row("max", [](const DegreeDistribution& d) { return format_count(d.max()); });
  std::uint64_t most = 0;
  for (const Kind& kind : kinds) most = std::max(most, kind.distribution.max());
  for (std::uint64_t first = 0; first <= most; first = first == 0 ? 1 : 2 * first) {
    const std::uint64_t last = first == 0 ? 0 : 2 * first - 1;
    row(first == last ? fmt::format("of {}", first) : fmt::format("of {} to {}", first, last),
        [&](const DegreeDistribution& d) { return format_count(d.between(first, last)); });
  }
  table.row("time", "{}", format_seconds(seconds));
  if (checked) table.row("check", "passed");
  return table.text();
}

// In an undirected graph both degrees are the same, and are loaded once.
struct LoadedDegrees {
  bool directed;
  Array<std::uint32_t> out, in_of_directed;

  LoadedDegrees(const Store& store, Budget& memory)
      : directed(store.manifest().directed), out(store.load_degrees(Orientation::out, memory)) {
    if (directed) in_of_directed = store.load_degrees(Orientation::in, memory);
  }
  std::span<const std::uint32_t> in() const { return directed ? in_of_directed : out; }
  std::uint64_t total(VertexId v) const { return out[v] + (directed ? std::uint64_t{in_of_directed[v]} : 0); }
};

void write_vertices(const std::filesystem::path& path, const Store& store, const LoadedDegrees& degrees,
                    Budget& memory) {
  const IdMap ids = store.load_ids(memory);
  const Array<VertexId> order = ids.ascending(memory);
  const CountedNames names = store.load_names(memory);
  const ResultColumn columns[] = {{"out", [&](VertexId v) { return degrees.out[v]; }},
                                  {"in", [&](VertexId v) { return degrees.in()[v]; }},
                                  {"total", [&](VertexId v) { return degrees.total(v); }}};
  ResultWriter(ids, order, &names).write_columns(path, columns);
}

class Degrees final : public HostAlgorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "degrees",
        .help =
            "Degree distribution: how many vertices have each out-degree, in-degree and sum of both. In an undirected "
            "graph all three are the degree. Reads no edges",
        .finds = "degrees and their distribution",
        .supersteps = "none: it reads degrees alone",
        .has_direction = false,
        .bench = BenchInfo{.unit = "run",
                           .explanation =
                               "on the host, with files in the system's cache, median of repeats; no edge is read"},
        .examples = {"g.store", "g.store -o distribution.csv @vertices@ degrees.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return {{.name = "output",
             .field = &output_,
             .value = "FILE",
             .help = "Write the distribution as CSV: degree,out,in,total; the last three count vertices",
             .letter = 'o',
             .use = PathUse::output,
             .uses = file_of_table,
             .typed = "; - is stdout"},
            {.name = "vertices",
             .field = &vertices_,
             .value = "FILE",
             .help = "Write 'id out in total' lines in ascending order of ids (tabs between where ids are names), CSV "
                     "if it ends in .csv, or an array of three columns if it ends in .npy",
             .use = PathUse::output,
             .uses = files_of_results,
             .typed = "; - is stdout"}};
  }

  Report run(const Store& store, bool check, Budget& memory, const Finished& finished) override {
    require_memory(store, memory);
    const Stopwatch watch;
    const LoadedDegrees degrees(store, memory);
    const std::span<const std::uint32_t> out = degrees.out, in = degrees.in();
    const Kinds kinds{{{"out", count_degrees(out)},
                       {"in", count_degrees(in)},
                       {"total", degrees.directed ? count_degrees(out, in) : count_degrees(out)}}};
    const double seconds = watch.seconds();
    if (check) {
      const Orientation o = store.has(Orientation::in) ? Orientation::in : Orientation::out;
      const auto problem = check_degrees(store.load_pages(o, With::topology, unlimited_budget()), o, out, in);
      if (problem) throw InternalError("the check failed: {}", *problem);
    }
    Report report{.table = to_table(store, kinds, seconds, check),
                  .json = to_json(store, kinds, seconds, check),
                  .on_stdout = is_stdout(output_) || is_stdout(vertices_)};
    if (!output_.empty()) {
      write_counts(output_, kinds);
      finished(output_);
    }
    if (!vertices_.empty()) {
      write_vertices(vertices_, store, degrees, memory);
      finished(vertices_);
    }
    return report;
  }

  // Loads the degrees and counts their distribution; writes nothing.
  Outcome measure(const Store& store) override {
    const Stopwatch watch;
    const auto degrees = std::make_shared<LoadedDegrees>(store, unlimited_budget());
    count_degrees(degrees->out);
    if (degrees->directed) {
      count_degrees(degrees->in());
      count_degrees(degrees->out, degrees->in());
    }
    const std::uint64_t loaded = degrees->out.size() + degrees->in_of_directed.size();
    return {.seconds = watch.seconds(),
            .more_bytes = static_cast<double>(sizeof(std::uint32_t) * loaded),
            .check =
                [degrees](const PageSet& pages, Orientation orientation) {
                  return check_degrees(pages, orientation, degrees->out, degrees->in());
                },
            .result = degrees};
  }

 private:
  void require_memory(const Store& store, Budget& memory) const {
    const std::uint64_t columns = store.manifest().directed ? 2 : 1;
    const std::uint64_t ids = vertices_.empty() ? 0 : store.id_memory() + store.order_memory() + store.name_memory();
    memory.require(columns * buffer_memory(store.num_vertices() * sizeof(std::uint32_t)) + ids,
                   vertices_.empty() ? "reading the degrees" : "reading the degrees, and ids to write them by,");
  }

  std::filesystem::path output_, vertices_;
};

}  // namespace

std::unique_ptr<Described> make_degrees() { return std::make_unique<Degrees>(); }

}  // namespace millrace
