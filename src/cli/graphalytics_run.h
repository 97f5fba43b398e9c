// The algorithms of LDBC Graphalytics: each is a line in a table and a function that runs it by the benchmark's
// parameters and writes what the benchmark expects.
#pragma once

#include <span>

#include "millrace/cli/run_harness.h"
#include "millrace/ingest/ldbc_properties.h"
#include "millrace/report/validate.h"

namespace millrace {

// One graph on one device.
class GraphalyticsRun {
 public:
  GraphalyticsRun(const Store& store, const LdbcProperties& properties, Device& device)
      : store_(store), properties_(properties), device_(device) {}

  const Store& store() const { return store_; }
  Available available() const { return available_in(store_); }
  Budget& host_memory() const { return device_.host_memory(); }
  // Parameters. They throw BadInputError where there is none, or it is not of its kind.
  VertexId vertex(const std::string& key) const;
  std::uint32_t count(const std::string& key) const;
  double real(const std::string& key) const;

  // Loads what is needed and returns what algorithm(engine) does; results take `result_bytes` a vertex.
  template <class Algorithm>
  auto compute(GraphNeeds needs, std::uint64_t result_bytes, Algorithm algorithm) {
    constexpr std::uint64_t rounding = 4 * 4096;
    needs.output_bytes = store_.num_vertices() * result_bytes + rounding + store_.id_memory() + store_.order_memory();
    const Stopwatch watch;
    const Graph graph(store_, needs, device_);
    load_seconds = watch.seconds();
    Engine engine(device_, graph);
    auto result = algorithm(engine);
    seconds = result.seconds;
    return result;
  }

  // Calls write(writer).
  template <class Write>
  void write(Write write) const {
    const IdMap ids = store_.load_ids(host_memory());
    const Array<VertexId> order = ids.ascending(host_memory());
    write(ResultWriter(ids, order));
  }

  // Of the algorithm that ran last.
  double load_seconds = 0;
  double seconds = 0;
  std::uint64_t edges_traversed = 0;

 private:
  const Store& store_;
  const LdbcProperties& properties_;
  Device& device_;
};

struct GraphalyticsAlgorithm {
  std::string_view name;    // in properties, and on the command line
  std::string_view suffix;  // of files with results
  Match match;
  void (*run)(GraphalyticsRun& run, const std::filesystem::path& output);
};

std::span<const GraphalyticsAlgorithm> graphalytics_algorithms();

}  // namespace millrace
