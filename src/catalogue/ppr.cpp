#include "millrace/algorithms/ppr.h"

#include <algorithm>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/catalogue/iterative.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/core/error.h"
#include "millrace/read/text_source.h"

namespace millrace {
namespace {

// Ids or names between commas; a name that has a comma in it is in double quotes, and a quote in it is doubled.
std::vector<std::string> split_seeds(const std::string& text) {
  std::vector<std::string> seeds(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || (text[i - 1] == ',' && !quoted);
    if (text[i] == '"' && quoted && text.substr(i, 2) == "\"\"")
      seeds.back() += text[i++];
    else if (text[i] == '"' && (quoted || begins))
      quoted = !quoted;
    else if (text[i] == ',' && !quoted)
      seeds.emplace_back();
    else
      seeds.back() += text[i];
  }
  if (quoted) throw UsageError("@seeds@ {}: a double quote is not closed", text);
  return seeds;
}

// One seed per line; blanks around it and empty lines are ignored.
std::vector<std::string> read_seeds(const std::filesystem::path& path) {
  TextSource file(path);
  std::vector<std::string> seeds;
  for (std::string line; file.read_line(line);) {
    const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first != std::string::npos) seeds.push_back(line.substr(first, last + 1 - first));
  }
  if (seeds.empty()) throw UsageError("@seeds-file@ {} names no vertex", path.string());
  return seeds;
}

class Ppr final : public Iterative {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "ppr",
        .help =
            "Personalised PageRank (random walk with restart): how often a random walk is at each vertex if it "
            "restarts at a random seed, with probability 1 - damping and always at vertices without out-edges",
        .finds = "rank from some seeds",
        .supersteps = "iterations",
        .columns = {{"rank"}},
        .bench = per_iteration(),
        .examples = {"g.store @seeds@ 0,7 -o ranks.txt",
                     "g.store @seeds-file@ vertices.txt @damping@ 0.5 -o ranks.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    std::vector<Option> options = {{.name = "seeds",
                                    .field = &given_,
                                    .value = "ID[,ID...]",
                                    .help = "Where the walk starts: ids, or names where ids are names",
                                    .typed = "; a name with a comma is in double quotes"},
                                   {.name = "seeds-file",
                                    .field = &seeds_file_,
                                    .value = "FILE",
                                    .help = "The same from a file",
                                    .use = PathUse::input,
                                    .typed = ", one per line"}};
    for (Option& option : iteration_options("The most iterations (default 1000)",
                                            "Stop once ranks change by less, summed over vertices (default 1e-6)"))
      options.push_back(std::move(option));
    options.push_back({.name = "damping",
                       .field = &damping_,
                       .value = "D",
                       .help = "Probability to continue the walk (default 0.85)",
                       .range = std::pair(0.0, 1.0)});
    return options;
  }

  void prepare(const Store& store, const Wanted&) override {
    if (given_.empty() == seeds_file_.empty())
      throw UsageError("give the seeds either by @seeds@ ID[,ID...] or by @seeds-file@ FILE");
    seeds_ = seeds_file_.empty() ? find_vertices(store, "seeds", split_seeds(given_))
                                 : find_vertices(store, "seeds-file", read_seeds(seeds_file_));
  }
  // All edges are examined with any seed: vertex 0 is used, if there is one.
  void prepare_measurement(const Store& store, const Measured& by) override {
    Iterative::prepare_measurement(store, by);
    seeds_.assign(std::min<std::uint64_t>(store.num_vertices(), 1), 0);
  }
  std::vector<Finding> asked(const Store& store) const override {
    std::vector<Finding> asked = {asked_seeds(store), {"damping", fmt::format("{}", damping_)}};
    for (Finding& finding : asked_iterations()) asked.push_back(std::move(finding));
    return asked;
  }
  std::string note(const Store& store, Direction direction) const override { return note_on(store, direction, true); }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return (f64() ? ppr_needs<double> : ppr_needs<float>)(direction, available_in(store));
  }

 protected:
  std::uint32_t default_iterations() const override { return 1000; }
  double default_tolerance() const override { return 1e-6; }
  Outcome compute_f32(Engine& engine, const Store&) override { return compute_in<float>(engine); }
  Outcome compute_f64(Engine& engine, const Store&) override { return compute_in<double>(engine); }

 private:
  Finding asked_seeds(const Store& store) const {
    if (!seeds_file_.empty()) return {"seeds_file", json_string(seeds_file_.string())};
    std::string listed;
    for (const std::string& seed : split_seeds(given_))
      listed += (listed.empty() ? "" : ", ") + vertex_json(store, seed);
    return {"seeds", "[" + listed + "]"};
  }

  template <class Real>
  Outcome compute_in(Engine& engine) const {
    const PageRankOptions how{.damping = damping_, .iterations = iterations(), .tolerance = tolerance()};
    const auto result = std::make_shared<PageRankResult<Real>>(ppr<Real>(engine, seeds_, how));
    Outcome outcome = outcome_of(result, tolerance());
    outcome.columns = {{"rank", ValueColumn::Kind::numbers, std::span<const Real>(result->rank)}};
    outcome.check = [result, damping = damping_, seeds = seeds_](const PageSet& pages, Orientation orientation) {
      return check_pagerank<Real>(pages, orientation, result->rank,
                                  {.damping = damping,
                                   .iterations = result->iterations,
                                   .seeds = seeds,
                                   .relative_tolerance = check_tolerance<Real>(result->iterations)});
    };
    return outcome;
  }

  std::string given_;
  std::filesystem::path seeds_file_;
  double damping_ = 0.85;
  std::vector<VertexId> seeds_;
};

}  // namespace

std::unique_ptr<Described> make_ppr() { return std::make_unique<Ppr>(); }

}  // namespace millrace
