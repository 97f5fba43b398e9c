// Every algorithm of the catalogue that sends messages along edges, in one form: what it needs, and its result as
// numbers. For tests that compare plans. A new algorithm is included automatically if it needs no options.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "millrace/algorithms/spmv.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/engine/engine.h"
#include "support/graphs.h"

namespace millrace::test {

struct Work {
  std::string name;
  bool exact;  // the same numbers with every plan; others add in any order
  std::function<GraphNeeds(Direction)> needs;
  std::function<std::vector<double>(Engine&)> run;
  bool by_rows = false;  // it takes whole rows, and has no direction
};

// What it needs where attributes are far: to push and, if all it does is gather, to pull.
inline std::vector<GraphNeeds> far_needs(const Work& work) {
  std::vector<GraphNeeds> all{work.needs(Direction::push)};
  if (work.by_rows) return all;
  const GraphNeeds automatic = work.needs(Direction::automatic);
  if (automatic.gathers && !automatic.supersteps.push) all.push_back(automatic);
  return all;
}

inline std::vector<double> numbers(const Outcome& outcome) {
  std::vector<double> all;
  for (const ValueColumn& column : outcome.columns)
    std::visit([&](const auto& values) { all.insert(all.end(), values.begin(), values.end()); }, column.values);
  return all;
}

// Whole numbers are exact, and so are sums that every plan adds in the same order.
inline bool is_exact(const AlgorithmInfo& info) {
  static const std::set<std::string> real{"bc", "pagerank", "ppr", "hits", "katz", "eigenvector"};
  return !real.contains(info.name);
}

// Few iterations in f64, and two sources where several are allowed.
inline OptionTexts options_of(const AlgorithmInfo& info, const std::string& source, const std::string& other) {
  static const std::map<std::string, OptionTexts> options{
      {"bc", {{"samples", "2"}, {"endpoints", "true"}}},
      {"pagerank", {{"precision", "f64"}, {"iterations", "5"}}},
      {"ppr", {{"precision", "f64"}, {"iterations", "5"}, {"tolerance", "0"}}},
      {"hits", {{"precision", "f64"}, {"iterations", "4"}, {"tolerance", "0"}}},
      {"katz", {{"precision", "f64"}, {"iterations", "4"}, {"tolerance", "0"}, {"alpha", "0.01"}}},
      {"eigenvector", {{"precision", "f64"}, {"iterations", "4"}, {"tolerance", "0"}}},
      {"radius", {{"registers", "16"}}},
      {"closeness", {{"samples", "70"}}},
      {"neighbourhood", {{"hops", "3"}, {"along", "both"}}},
  };
  const auto found = options.find(info.name);
  OptionTexts texts = found == options.end() ? OptionTexts{} : found->second;
  if (info.name == "bfs" || info.name == "sssp" || info.name == "neighbourhood") texts.emplace_back("source", source);
  if (info.name == "neighbourhood") texts.emplace_back("source", other);
  if (info.name == "ppr") texts.emplace_back("seeds", source + "," + other);
  return texts;
}

// spmv would read its vector from a file.
inline Work spmv_work() {
  return {"spmv", false, [](Direction d) { return spmv_needs<double>({}, d); },
          [](Engine& engine) {
            std::vector<double> x(engine.num_vertices());
            for (std::size_t v = 0; v < x.size(); ++v) x[v] = 1.0 / static_cast<double>(v + 1);
            const auto product = spmv<double>(engine, x, {});
            return std::vector<double>(product.y.begin(), product.y.end());
          }};
}

// The algorithms that can run on the graph; searches start at `source`.
inline std::vector<Work> works_on(const Store& store, VertexId source) {
  const bool simple = !store.manifest().keeps_parallel_edges && store.manifest().self_loops == 0;
  const IdMap ids = store.load_ids(unlimited_budget());
  const auto id_of = [&](VertexId v) { return std::to_string(ids.original(v)); };
  const std::string first = id_of(source), other = id_of(static_cast<VertexId>(store.num_vertices() / 2));
  std::vector<Work> works{spmv_work()};
  for (std::unique_ptr<Described>& described : all_algorithms()) {
    const AlgorithmInfo& info = described->info();
    if (!dynamic_cast<Algorithm*>(described.get()) || !info.has_direction || info.columns.empty()) continue;
    if (info.name == "spmv" || (info.name == "kcore" && !simple)) continue;
    const std::shared_ptr<Algorithm> algorithm = make_algorithm(info.name, options_of(info, first, other));
    Wanted wanted;
    for (const ColumnInfo& column : info.columns) wanted.columns.insert(column.name);
    algorithm->prepare(store, wanted);
    works.push_back({info.name, is_exact(info), [algorithm, &store](Direction d) { return algorithm->needs(store, d); },
                     [algorithm, &store](Engine& engine) { return numbers(algorithm->compute(engine, store)); }});
  }
  return works;
}

// The algorithms that take whole rows: they have no direction.
inline std::vector<Work> works_by_rows(const Store& store) {
  std::vector<Work> works;
  for (std::unique_ptr<Described>& described : all_algorithms()) {
    const AlgorithmInfo& info = described->info();
    if (!dynamic_cast<Algorithm*>(described.get()) || info.has_direction) continue;
    const std::shared_ptr<Algorithm> algorithm = make_algorithm(info.name);
    Wanted wanted;
    for (const ColumnInfo& column : info.columns) wanted.columns.insert(column.name);
    algorithm->prepare(store, wanted);
    works.push_back({info.name, is_exact(info), [algorithm, &store](Direction d) { return algorithm->needs(store, d); },
                     [algorithm, &store](Engine& engine) { return numbers(algorithm->compute(engine, store)); }, true});
  }
  return works;
}

inline std::vector<Work> all_works_on(const StoredGraph& stored) {
  std::vector<Work> works = works_on(stored.store(), stored.sources().front());
  for (Work& work : works_by_rows(stored.store())) works.push_back(std::move(work));
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
