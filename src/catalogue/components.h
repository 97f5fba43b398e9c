// Common to weakly and strongly connected components: everything except the algorithm and its check.
#pragma once

#include <fmt/format.h>

#include "millrace/algorithms/components.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/catalogue/algorithm.h"
#include "millrace/catalogue/all_edges.h"
#include "millrace/catalogue/notes.h"
#include "millrace/report/results.h"

namespace millrace {

class Components final : public Algorithm {
 public:
  struct Parts {
    GraphNeeds (*needs)(Direction direction, Available available);
    ComponentsResult (*compute)(Engine& engine);
    std::optional<std::string> (*check)(const PageSet& pages, Orientation orientation,
                                        std::span<const VertexId> component);
  };
  // The columns and what `bench` measures are added to `info`.
  Components(AlgorithmInfo info, const Parts& parts) : info_(std::move(info)), parts_(parts) {
    info_.columns = {{.name = "component", .shown = Shown::groups}};
    info_.bench = per_run();
  }

  const AlgorithmInfo& info() const override { return info_; }
  void prepare(const Store&, const Wanted&) override {}
  std::string note(const Store& store, Direction direction) const override {
    return note_on_both_ways(store, direction);
  }
  GraphNeeds needs(const Store& store, Direction direction) const override {
    // In an undirected graph strong components are weak ones.
    return (store.manifest().directed ? parts_.needs : wcc_needs)(direction, available_in(store));
  }
  // The component, and the memory for naming it by the lowest id.
  std::uint64_t kept_bytes_per_vertex() const override { return 2 * sizeof(VertexId); }

  Outcome compute(Engine& engine, const Store& store) override {
    const auto result = std::make_shared<ComponentsResult>(parts_.compute(engine));
    Outcome outcome{.seconds = result->seconds, .edges = store.num_edges(), .result = result};
    outcome.findings = {{"components", fmt::format("{}", result->components)},
                        {"largest", fmt::format("{}", result->largest)}};
    outcome.columns = {{"component", ValueColumn::Kind::vertices, std::span<const VertexId>(result->component),
                        [result](std::span<const VertexId> order, Budget& budget) {
                          name_by_lowest_id(result->component, order, budget);
                        }}};
    outcome.check = [result, check = parts_.check](const PageSet& pages, Orientation orientation) {
      return check(pages, orientation, result->component);
    };
    return outcome;
  }

 private:
  AlgorithmInfo info_;
  Parts parts_;
};

}  // namespace millrace
