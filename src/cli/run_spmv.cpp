#include <memory>

#include "millrace/algorithms/spmv.h"
#include "millrace/checks/check_spmv.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"
#include "millrace/core/npy.h"

namespace millrace {
namespace {

struct Options : RunOptions {
  std::filesystem::path x;
  std::string precision;
  bool transpose = false;
  bool unweighted = false;
};

// The values in order of vertices; the file has them in ascending order of ids.
template <class Real>
Array<Real> load_x(const Store& store, NpyReader& file, Budget& memory) {
  Array<Real> x(store.num_vertices(), memory, "x");
  const IdMap ids = store.load_ids(memory);
  const Array<VertexId> order = ids.ascending(memory);
  if (order.empty()) {
    file.read(std::span<Real>(x));
    return x;
  }
  std::vector<Real> some(std::min<std::uint64_t>(x.size(), 1u << 16));
  for (std::uint64_t first = 0; first < x.size(); first += some.size()) {
    some.resize(std::min<std::uint64_t>(some.size(), x.size() - first));
    file.read(std::span<Real>(some));
    for (std::size_t i = 0; i < some.size(); ++i) x[order[first + i]] = some[i];
  }
  return x;
}

template <class Real>
void run_spmv(const Options& options, NpyReader& file) {
  Run run(options, "spmv");
  RunReport& report = run.report();
  const bool has_weights = run.store().manifest().weight_type != WeightType::none;
  const SpmvOptions how{.transpose = options.transpose, .weighted = has_weights && !options.unweighted};
  report.options.emplace_back("x", json_string(options.x.string()));
  report.options.emplace_back("transpose", how.transpose ? "true" : "false");
  report.options.emplace_back("weighted", how.weighted ? "true" : "false");
  report.options.emplace_back("precision", sizeof(Real) == 4 ? "\"f32\"" : "\"f64\"");
  if (file.size() != report.vertices)
    throw UsageError("--x {} has {} values, but the graph has {} vertices", options.x.string(), file.size(),
                     report.vertices);
  const GraphNeeds needs = spmv_needs<Real>(how, run.direction(), available_in(run.store()));
  const std::uint64_t x_memory = buffer_memory(report.vertices * sizeof(Real));
  run.require(needs, sizeof(Real), !options.output.empty(),
              {.kept = x_memory, .most = x_memory + run.store().id_memory() + run.store().order_memory()});
  const Array<Real> x = load_x<Real>(run.store(), file, run.host_memory());

  report.note = note_on(run.store(), run.direction(), true, how.transpose ? Along::out : Along::in);
  run.load(needs, sizeof(Real), !options.output.empty());
  const auto result = run.compute(report.edges, [&](Engine& engine) { return spmv<Real>(engine, x, how); });
  report.edges_traversed = report.edges;

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_spmv<Real>(
        pages, orientation, x, result.y,
        {.transpose = how.transpose, .weighted = how.weighted, .tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-9});
  });
  run.finish(!options.output.empty(), options.output == "-",
             [&](const ResultWriter& writer) { writer.write(options.output, std::span<const Real>(result.y)); });
}

}  // namespace

void add_spmv(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand(
      "spmv",
      "The product of the adjacency matrix with a vector, y = A x: each vertex adds up the values of its "
      "out-neighbours, times the weights of the edges where the store has some");
  add_run_options(*command, *options);
  command
      ->add_option("--x", options->x,
                   "The vector, a NumPy array (.npy) of one value a vertex, in ascending order of ids; .npy output is "
                   "in the same order")
      ->required()
      ->type_name("FILE");
  command->add_flag("--transpose", options->transpose, "Multiply by the transpose: add up in-neighbours instead");
  command->add_flag("--unweighted", options->unweighted, "Let every edge count as 1, whatever it weighs");
  command->add_option("--precision", options->precision, "f32 or f64 (default: f32 where the file is, f64 otherwise)")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("f32|f64");
  command->callback([options] {
    NpyReader file(options->x);
    const bool f32 = options->precision.empty() ? file.dtype() == "<f4" : options->precision == "f32";
    f32 ? run_spmv<float>(*options, file) : run_spmv<double>(*options, file);
  });
}

}  // namespace millrace
