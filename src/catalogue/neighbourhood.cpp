#include "millrace/algorithms/neighbourhood.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/catalogue/part.h"
#include "millrace/checks/check_neighbourhood.h"

namespace millrace {
namespace {

const std::map<std::string, Hops> hops_names{{"out", Hops::out}, {"in", Hops::in}, {"both", Hops::both}};

// Ids may be given as a list separated by commas; in a name a comma is an ordinary character.
std::vector<std::string> split_sources(const Store& store, const std::vector<std::string>& given) {
  if (store.has_names()) return given;
  std::vector<std::string> sources;
  for (const std::string& list : given)
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      sources.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  return sources;
}

// The search; subclasses decide what is done with its levels.
class SearchNear : public Algorithm {
 public:
  std::vector<Option> options() override {
    return {{.name = "source",
             .field = &given_,
             .value = "ID[,ID...]",
             .help = "The sources: ids, or names where ids are names",
             .required = true,
             .typed = "; ids may be separated by commas, and the option given several times"},
            {.name = "hops",
             .field = &near_.hops,
             .value = "K",
             .help = "The most hops from the nearest source (default 1)",
             .range = std::pair(0.0, double{unreached - 1})},
            choice("along", near_.along, hops_names,
                   "The edges to go along: out (default) from source to target, in from target to source, or both")};
  }
  void prepare(const Store& store, const Wanted&) override {
    sources_.clear();
    for (const std::string& text : split_sources(store, given_)) sources_.push_back(find_vertex(store, "source", text));
  }
  std::vector<Finding> asked(const Store& store) const override {
    std::string sources;
    for (const std::string& text : split_sources(store, given_))
      sources += (sources.empty() ? "" : ", ") + vertex_json(store, text);
    std::vector<Finding> asked{{"source", "[" + sources + "]"}, {"hops", fmt::format("{}", near_.hops)}};
    for (const auto& [name, along] : hops_names)
      if (along == near_.along) asked.push_back({"along", "\"" + name + "\""});
    return asked;
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return neighbourhood_needs(hops_in(store, near_.along), direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(Level); }

  Outcome compute(Engine& engine, const Store& store) override {
    const NeighbourhoodOptions near{.hops = near_.hops, .along = hops_in(store, near_.along)};
    const auto result = std::make_shared<NeighbourhoodResult>(neighbourhood(engine, sources_, near));
    Outcome outcome{.seconds = result->seconds, .edges = result->edges, .result = result};
    outcome.findings = {{"reached", fmt::format("{}", result->reached)},
                        {"found", fmt::format("[{}]", fmt::join(result->found, ", "))}};
    outcome.check = [result, near, sources = sources_](const PageSet& pages, Orientation orientation) {
      return check_neighbourhood(pages, orientation, sources, near.hops, near.along != Hops::in,
                                 near.along != Hops::out, result->level);
    };
    return outcome;
  }

 protected:
  static const Array<Level>& level_of(const Outcome& outcome) {
    return std::static_pointer_cast<NeighbourhoodResult>(outcome.result)->level;
  }

 private:
  std::vector<std::string> given_;
  std::vector<VertexId> sources_;
  NeighbourhoodOptions near_;
};

class Neighbourhood final : public SearchNear {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "neighbourhood",
        .help = "The vertices within some hops of one or several sources: how many, and which at each hop",
        .finds = "levels up to some hops",
        .supersteps = "hops, twice as many along both directions",
        .columns = {{.name = "level", .shown = Shown::distribution}},
        .examples = {"g.store @source@ 0 @hops@ 2 -o levels.txt"}};
    return info;
  }
  Outcome compute(Engine& engine, const Store& store) override {
    Outcome outcome = SearchNear::compute(engine, store);
    outcome.columns = {{"level", ValueColumn::Kind::levels, std::span<const Level>(level_of(outcome))}};
    return outcome;
  }
};

class Egonet final : public SearchNear {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "egonet",
        .help = "The subgraph induced by a neighbourhood: its vertices, and every edge between two of them",
        .finds = "the subgraph of a neighbourhood",
        .supersteps = "as neighbourhood, and one pass on the host",
        .uses_weights = true,
        .examples = {"g.store @source@ 0 @hops@ 2 @along@ both -o ego.txt", "g.store @source@ 0 -o ego.store"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options = part_.options();
    for (Option& option : SearchNear::options()) options.push_back(std::move(option));
    return options;
  }
  void prepare(const Store& store, const Wanted& wanted) override {
    destination_ = part_.destination(store);
    SearchNear::prepare(store, wanted);
  }
  std::uint64_t finish_memory(const Store& store) const override { return part_memory(store, destination_); }
  void finish(const Store& store, Outcome& outcome, Budget& budget, const Finished& finished) override {
    const Array<Level>& level = level_of(outcome);
    const VertexSet reached = VertexSet::where(level.size(), budget, [&](VertexId v) { return level[v] != unreached; });
    write_part(store, reached, destination_, budget, outcome.findings, finished);
  }

 private:
  PartOptions part_;
  SubgraphOutput destination_;
};

}  // namespace

std::unique_ptr<Described> make_neighbourhood() { return std::make_unique<Neighbourhood>(); }
std::unique_ptr<Described> make_egonet() { return std::make_unique<Egonet>(); }

}  // namespace millrace
