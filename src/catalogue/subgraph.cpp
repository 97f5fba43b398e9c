// Selects parts of a graph by lists of vertices. These algorithms have no program: they read the pages once, on the
// host, where tests of a bitmap in its caches are as fast as any disk.
#include <fmt/format.h>
#include <omp.h>

#include <nlohmann/json.hpp>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/part.h"
#include "millrace/core/output_file.h"
#include "millrace/core/text.h"
#include "millrace/export/read_vertex_set.h"
#include "millrace/report/table.h"
#include "millrace/store/counted_edges.h"
#include "millrace/version.h"

namespace millrace {
namespace {

struct PartReport {
  const std::string& algorithm;
  const Store& store;
  const SubgraphSummary& part;
  const Budget& memory;
  int threads;

  std::string json() const {
    nlohmann::ordered_json json{{"schema_version", 1},
                                {"millrace", MILLRACE_VERSION},
                                {"algorithm", algorithm},
                                {"graph",
                                 {{"store", store.path().string()},
                                  {"vertices", store.num_vertices()},
                                  {"edges", store.num_edges()},
                                  {"directed", store.manifest().directed}}},
                                {"plan", {{"device", "cpu"}, {"threads", threads}}},
                                {"seconds", part.seconds},
                                {"edges_traversed", part.edges_read},
                                {"bytes_moved", part.bytes_read},
                                {"peak_memory", memory.peak()},
                                {"results",
                                 {{"vertices", part.vertices},
                                  {"edges", part.edges},
                                  {"pages_read", part.pages},
                                  {"pages", part.all_pages},
                                  {"temporary_bytes", part.temporary_bytes}}}};
    if (!store.manifest().directed) json["graph"]["undirected_edges"] = edges_of(store).once();
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  std::string table() const {
    SummaryTable table(fmt::format("{} of {}", algorithm, store.path().string()));
    table.row("graph", "{}, {}", format_counted(store.num_vertices(), "vertex"), edges_of(store).text());
    table.row("part", "{}, {}", format_counted(part.vertices, "vertex"), edges_text(store, part.edges));
    table.row("plan", "cpu, {}", format_counted(static_cast<std::uint64_t>(threads), "thread"));
    table.row("pages read", "{} of {}, {} with {}", format_count(part.pages), format_count(part.all_pages),
              format_size(part.bytes_read),
              store.manifest().directed ? format_counted(part.edges_read, "edge")
                                        : format_counted(part.edges_read, "entry") + ", two for each edge");
    table.row("time", "{}", format_seconds(part.seconds));
    table.row("peak memory", "{}", format_size(memory.peak()));
    return table.text();
  }
};

class Selection : public HostAlgorithm {
 public:
  std::vector<Option> options() override {
    std::vector<Option> options = part_.options();
    for (Option& option : list_options()) options.push_back(std::move(option));
    return options;
  }
  Report run(const Store& store, bool, Budget& memory, const Finished& finished) override {
    const SubgraphOutput output = part_.destination(store);
    const std::uint64_t sets = to() == from() ? 1 : 2;
    const std::uint64_t set = VertexSet::memory(store.num_vertices());
    const std::uint64_t reading = vertex_set_memory(store), writing = subgraph_memory(store, output);
    memory.require(std::max((sets - 1) * set + reading, sets * set + writing),
                   reading + set > sets * set + writing ? "reading the vertices" : "the part of the graph");
    const VertexSet sources = read_vertex_set(store, from(), memory);
    std::optional<VertexSet> targets;
    if (sets == 2) targets = read_vertex_set(store, to(), memory);
    const SubgraphSummary part = write_subgraph(store, sources, targets ? *targets : sources, output, memory);
    const PartReport report{info().name, store, part, memory, omp_get_max_threads()};
    tell_of(output, finished);
    return {.table = report.table(), .json = report.json(), .on_stdout = is_stdout(output.edges)};
  }

 protected:
  virtual std::vector<Option> list_options() = 0;
  // Files that list vertices; the same file for a subgraph.
  virtual const std::filesystem::path& from() const = 0;
  virtual const std::filesystem::path& to() const = 0;

 private:
  PartOptions part_;
};

class Subgraph final : public Selection {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "subgraph",
        .help = "The subgraph induced by a list of vertices: every edge between two of them",
        .finds = "edges among some vertices",
        .supersteps = "one pass over their pages",
        .has_direction = false,
        .has_check = false,
        .uses_weights = true,
        .examples = {"g.store @vertices@ vertices.txt -o part.txt", "g.store @vertices@ vertices.txt -o part.store"}};
    return info;
  }

 protected:
  std::vector<Option> list_options() override {
    return {{.name = "vertices",
             .field = &vertices_,
             .value = "FILE",
             .help = "The vertices: ids, or names where ids are names",
             .required = true,
             .use = PathUse::input,
             .typed = ", one per line"}};
  }
  const std::filesystem::path& from() const override { return vertices_; }
  const std::filesystem::path& to() const override { return vertices_; }

 private:
  std::filesystem::path vertices_;
};

class CrossEdges final : public Selection {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "cross-edges",
        .help = "The edges from one list of vertices to another; in an undirected graph the edges between them",
        .finds = "edges from some vertices to others",
        .supersteps = "one pass over their pages",
        .has_direction = false,
        .has_check = false,
        .uses_weights = true,
        .examples = {"g.store @from@ vertices.txt @to@ others.txt -o between.txt"}};
    return info;
  }

 protected:
  std::vector<Option> list_options() override {
    return {{.name = "from",
             .field = &from_,
             .value = "FILE",
             .help = "The vertices where edges start: ids, or names where ids are names",
             .required = true,
             .use = PathUse::input,
             .typed = ", one per line"},
            {.name = "to",
             .field = &to_,
             .value = "FILE",
             .help = "The vertices where they end",
             .required = true,
             .use = PathUse::input,
             .typed = ", one per line"}};
  }
  const std::filesystem::path& from() const override { return from_; }
  const std::filesystem::path& to() const override { return to_; }

 private:
  std::filesystem::path from_, to_;
};

}  // namespace

std::unique_ptr<Described> make_subgraph() { return std::make_unique<Subgraph>(); }
std::unique_ptr<Described> make_cross_edges() { return std::make_unique<CrossEdges>(); }

}  // namespace millrace
