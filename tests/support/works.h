// Every algorithm that sends messages along edges, in one shape: what it needs, and what it finds as numbers. For tests
// that compare plans.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "millrace/algorithms/bc.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/eigenvector.h"
#include "millrace/algorithms/hits.h"
#include "millrace/algorithms/katz.h"
#include "millrace/algorithms/kcore.h"
#include "millrace/algorithms/neighbourhood.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/ppr.h"
#include "millrace/algorithms/radius.h"
#include "millrace/algorithms/scc.h"
#include "millrace/algorithms/spmv.h"
#include "millrace/algorithms/sssp.h"
#include "millrace/algorithms/wcc.h"
#include "support/graphs.h"

namespace millrace::test {

struct Work {
  std::string name;
  bool exact;  // the same numbers whatever the plan; others add up in any order
  std::function<GraphNeeds(Direction)> needs;
  std::function<std::vector<double>(Engine&)> run;
};

template <class T>
void append(std::vector<double>& to, std::span<const T> values) {
  for (const T value : values) to.push_back(static_cast<double>(value));
}
template <class... T>
std::vector<double> numbers(const Array<T>&... values) {
  std::vector<double> all;
  (append(all, std::span<const T>(values.data(), values.size())), ...);
  return all;
}

// Those that can run on the graph; searches start at `source`.
inline std::vector<Work> works_on(const Store& store, VertexId source) {
  const bool simple = !store.manifest().keeps_parallel_edges && store.manifest().self_loops == 0;
  const VertexId other = static_cast<VertexId>(store.num_vertices() / 2);
  std::vector<Work> works{
      {"bfs", true, [](Direction d) { return bfs_needs(d); },
       [=](Engine& engine) {
         const BfsResult found = bfs(engine, source);
         return numbers(found.level, found.parent);
       }},
      {"sssp", true, [](Direction d) { return sssp_needs<double>({.parents = true}, d); },
       [=](Engine& engine) {
         const auto found = sssp<double>(engine, source, {.parents = true});
         return numbers(found.distance, found.parent);
       }},
      {"wcc", true, [](Direction d) { return wcc_needs(d); },
       [](Engine& engine) { return numbers(wcc(engine).component); }},
      {"scc", true, [](Direction d) { return scc_needs(d); },
       [](Engine& engine) { return numbers(scc(engine).component); }},
      {"bc", false, [](Direction d) { return bc_needs(d); },
       [=](Engine& engine) {
         return numbers(bc(engine, {.sources = {source, other}, .endpoints = true}).centrality);
       }},
      {"pagerank", false, [](Direction d) { return pagerank_needs<double>(d); },
       [](Engine& engine) { return numbers(pagerank<double>(engine, {.iterations = 5}).rank); }},
      {"ppr", false, [](Direction d) { return ppr_needs<double>(d); },
       [=](Engine& engine) {
         const VertexId seeds[] = {source, other};
         return numbers(ppr<double>(engine, seeds, {.iterations = 5}).rank);
       }},
      {"hits", false, [](Direction d) { return hits_needs<double>(d); },
       [](Engine& engine) {
         const auto found = hits<double>(engine, {.iterations = 4, .tolerance = 0});
         return numbers(found.authority, found.hub);
       }},
      {"katz", false, [](Direction d) { return katz_needs<double>(d); },
       [](Engine& engine) {
         return numbers(katz<double>(engine, {.alpha = 0.01, .iterations = 4, .tolerance = 0}).centrality);
       }},
      {"eigenvector", false, [](Direction d) { return eigenvector_needs<double>(d); },
       [](Engine& engine) {
         return numbers(eigenvector<double>(engine, {.iterations = 4, .tolerance = 0}).centrality);
       }},
      {"radius", true, [](Direction d) { return radius_needs({.log2_registers = 4}, d); },
       [](Engine& engine) { return numbers(radius(engine, {.log2_registers = 4}).radius); }},
      {"neighbourhood", true, [](Direction d) { return neighbourhood_needs(Hops::both, d); },
       [=](Engine& engine) {
         return numbers(neighbourhood(engine, {source, other}, {.hops = 3, .along = Hops::both}).level);
       }},
      {"spmv", false, [](Direction d) { return spmv_needs<double>({}, d); },
       [](Engine& engine) {
         std::vector<double> x(engine.num_vertices());
         for (std::size_t v = 0; v < x.size(); ++v) x[v] = 1.0 / static_cast<double>(v + 1);
         return numbers(spmv<double>(engine, x, {}).y);
       }},
  };
  if (simple)
    works.push_back({"kcore", true, [](Direction d) { return kcore_needs(d); },
                     [](Engine& engine) { return numbers(kcore(engine).core); }});
  return works;
}

inline void expect_same(const Work& work, const std::vector<double>& found, const std::vector<double>& expected) {
  if (work.exact) {
    EXPECT_EQ(found, expected);
    return;
  }
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-10 * std::abs(expected[i]) + 1e-300) << "number " << i;
}

}  // namespace millrace::test
