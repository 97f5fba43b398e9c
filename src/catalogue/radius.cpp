#include "millrace/algorithms/radius.h"

#include <fmt/format.h>

#include <bit>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/notes.h"
#include "millrace/checks/check_radius.h"
#include "millrace/core/error.h"
#include "millrace/core/hyperloglog.h"
#include "millrace/core/output_file.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

void write_neighbourhood(const std::filesystem::path& path, std::span<const double> neighbourhood) {
  OutputFile file(path);
  std::string text = "hops,pairs\n";
  for (std::size_t h = 0; h < neighbourhood.size(); ++h) text += fmt::format("{},{:.1f}\n", h, neighbourhood[h]);
  file.write(text.data(), text.size());
  file.close();
}

std::string json_list(std::span<const double> values) {
  std::string list;
  for (const double value : values) list += fmt::format("{}{:.1f}", list.empty() ? "" : ", ", value);
  return "[" + list + "]";
}

// How many pairs are that many hops apart or fewer; of many hops the first ones.
Answer::Chart neighbourhood_chart(std::span<const double> neighbourhood) {
  std::vector<Answer::Row> bars;
  for (std::size_t h = 0; h < std::min<std::size_t>(neighbourhood.size(), 30); ++h)
    bars.push_back(
        {fmt::format("{}", h), format_count(static_cast<std::uint64_t>(neighbourhood[h])), neighbourhood[h]});
  return chart_of("hops", "pairs", std::move(bars));
}

class Radius final : public Algorithm {
 public:
  const AlgorithmInfo& info() const override {
    static const AlgorithmInfo info{
        .name = "radius",
        .help = mark_settings(
            "Estimates distances by HyperLogLog sketches: the neighbourhood function (the number of pairs at most h "
            "hops apart along out-edges), the effective diameter (the hops within which nine tenths of the pairs are), "
            "and to @output@ the radius of every vertex: the last hop at which it reaches a new vertex"),
        .finds = "neighbourhood function, effective diameter",
        .supersteps = "hops, for every 8 registers",
        .columns = {{.name = "radius", .shown = Shown::distribution}},
        .bench =
            BenchInfo{.unit = "run",
                      .explanation =
                          "64 registers, median of repeats; GTEPS count the edges looked at, 8 registers at a time"},
        .examples = {"g.store", "g.store @registers@ 256 @undirected@ @neighbourhood@ pairs.csv -o radius.txt"}};
    return info;
  }
  std::vector<Option> options() override {
    return {
        {.name = "registers",
         .field = &registers_,
         .value = "N",
         .help = "Registers of a sketch, each a byte for every vertex: a power of two from 16 to 1024 (default 64); "
                 "how many a vertex reaches is estimated with a standard error of 1.04/sqrt(registers)"},
        {.name = "seed",
         .field = &given_.seed,
         .value = "N",
         .help = "Seed of the hash function of the sketches (default 1)"},
        {.name = "hops",
         .field = &given_.hops,
         .value = "N",
         .help = "The most hops (default: until no vertex reaches a new one)",
         .range = std::pair(0.0, double{~0u - 1})},
        {.name = "undirected", .field = &given_.undirected, .value = {}, .help = "Follow edges in both directions"},
        {.name = "neighbourhood",
         .field = &neighbourhood_,
         .value = "FILE",
         .help = "Write the neighbourhood function as CSV, hops and pairs",
         .use = PathUse::output,
         .uses = file_of_table,
         .typed = "; - is stdout"}};
  }

  void prepare(const Store&, const Wanted&) override {
    if (!std::has_single_bit(registers_) || registers_ < 1u << min_log2_registers ||
        registers_ > 1u << max_log2_registers)
      throw UsageError("@registers@ {} is not a power of two from 16 to 1024", registers_);
  }
  std::vector<Finding> asked(const Store&) const override {
    return {{"registers", fmt::format("{}", registers_)},
            {"seed", fmt::format("{}", given_.seed)},
            {"undirected", given_.undirected ? "true" : "false"}};
  }
  std::string note(const Store& store, Direction direction) const override {
    return how(store).undirected ? "" : note_on(store, direction, false, Orientation::in);
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    return radius_needs(how(store), direction, available_in(store));
  }
  std::uint64_t kept_bytes_per_vertex() const override { return sizeof(std::uint32_t); }

  Outcome compute(Engine& engine, const Store& store) override {
    const RadiusOptions options = how(store);
    const auto result = std::make_shared<RadiusResult>(radius(engine, options));
    Outcome outcome{.seconds = result->seconds, .edges = result->edges, .result = result};
    outcome.findings = {{"effective_diameter", fmt::format("{:.3f}", result->effective_diameter)},
                        {"hops", fmt::format("{}", result->hops())},
                        {"complete", result->complete ? "true" : "false"},
                        {"pairs", fmt::format("{:.1f}", result->neighbourhood.back())},
                        {"standard_error", fmt::format("{:.4f}", hyperloglog_error(options.log2_registers))},
                        {"neighbourhood", json_list(result->neighbourhood), true}};
    outcome.columns = {{"radius", ValueColumn::Kind::numbers, std::span<const std::uint32_t>(result->radius)}};
    outcome.charts = {neighbourhood_chart(result->neighbourhood)};
    outcome.check = [result, options](const PageSet& pages, Orientation orientation) {
      return check_radius(pages, orientation, result->radius, result->neighbourhood,
                          {.log2_registers = options.log2_registers,
                           .seed = options.seed,
                           .undirected = options.undirected,
                           .hops = options.hops});
    };
    return outcome;
  }

  void finish(const Store&, Outcome& outcome, Budget&, const Finished& finished) override {
    if (neighbourhood_.empty()) return;
    write_neighbourhood(neighbourhood_, std::static_pointer_cast<RadiusResult>(outcome.result)->neighbourhood);
    finished(neighbourhood_);
  }

 private:
  // In an undirected graph both directions are the same.
  RadiusOptions how(const Store& store) const {
    RadiusOptions how = given_;
    how.log2_registers = static_cast<std::uint32_t>(std::countr_zero(registers_));
    if (!store.manifest().directed) how.undirected = false;
    return how;
  }

  std::uint32_t registers_ = 64;
  RadiusOptions given_;
  std::filesystem::path neighbourhood_;
};

}  // namespace

std::unique_ptr<Described> make_radius() { return std::make_unique<Radius>(); }

}  // namespace millrace
