#include "millrace/catalogue/catalogue.h"

namespace millrace {
namespace {

constexpr std::unique_ptr<Described> (*makers[])() = {
    make_pagerank, make_ppr,     make_hits,          make_katz,   make_eigenvector, make_bc,          make_bfs,
    make_sssp,     make_wcc,     make_scc,           make_kcore,  make_cdlp,        make_lcc,         make_triangles,
    make_radius,   make_degrees, make_neighbourhood, make_egonet, make_subgraph,    make_cross_edges, make_spmv,
};

}  // namespace

std::vector<std::unique_ptr<Described>> all_algorithms() {
  std::vector<std::unique_ptr<Described>> algorithms;
  for (const auto make : makers) algorithms.push_back(make());
  return algorithms;
}

std::unique_ptr<Described> find_algorithm(const std::string& name) {
  for (const auto make : makers)
    if (auto algorithm = make(); algorithm->info().name == name) return algorithm;
  return nullptr;
}

}  // namespace millrace
