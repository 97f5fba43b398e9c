#include "millrace/catalogue/catalogue.h"

#include <mutex>

#include "millrace/core/error.h"

namespace millrace {
namespace {

constexpr MakeAlgorithm of_library[] = {
    make_pagerank,      make_ppr,    make_hits,     make_katz,        make_eigenvector, make_bc,
    make_closeness,     make_bfs,    make_sssp,     make_wcc,         make_scc,         make_kcore,
    make_mis,           make_cdlp,   make_lcc,      make_triangles,   make_radius,      make_degrees,
    make_neighbourhood, make_egonet, make_subgraph, make_cross_edges, make_spmv,
};

struct Makers {
  std::mutex mutex;
  std::vector<MakeAlgorithm> all{std::begin(of_library), std::end(of_library)};
};
Makers& makers() {
  static Makers makers;
  return makers;
}
std::vector<MakeAlgorithm> all_makers() {
  const std::lock_guard lock(makers().mutex);
  return makers().all;
}

}  // namespace

void add_to_catalogue(std::span<const MakeAlgorithm> added) {
  const std::lock_guard lock(makers().mutex);
  makers().all.insert(makers().all.end(), added.begin(), added.end());
}

std::vector<std::unique_ptr<Described>> all_algorithms() {
  std::vector<std::unique_ptr<Described>> algorithms;
  for (const MakeAlgorithm make : all_makers()) algorithms.push_back(make());
  return algorithms;
}

std::unique_ptr<Described> find_algorithm(const std::string& name) {
  for (const MakeAlgorithm make : all_makers())
    if (auto algorithm = make(); algorithm->info().name == name) return algorithm;
  return nullptr;
}

std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const OptionTexts& options) {
  std::unique_ptr<Described> described = find_algorithm(name);
  if (!described) throw UsageError("there is no algorithm {}", name);
  if (!dynamic_cast<Algorithm*>(described.get())) throw UsageError("{} reads a store, and runs on no engine", name);
  std::unique_ptr<Algorithm> algorithm(dynamic_cast<Algorithm*>(described.release()));
  for (const auto& [option, text] : options) set_option(*algorithm, option, text);
  return algorithm;
}

void set_option(Described& algorithm, const std::string& name, const std::string& text) {
  for (const Option& option : algorithm.options())
    if (option.name == name) return assign(option, text);
  throw UsageError("{} has no option {}", algorithm.info().name, name);
}

}  // namespace millrace
