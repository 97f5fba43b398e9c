// Communities by label propagation, by the rules of LDBC Graphalytics (CDLP).
#pragma once

#include <cstdint>
#include <span>

#include "millrace/algorithms/cdlp_programs.h"  // Label
#include "millrace/engine/needs.h"

namespace millrace {

struct CdlpOptions {
  std::uint32_t iterations = 10;  // none once no label changes any more: the result would be the same
};

struct CdlpResult {
  Array<Label> label;
  std::uint32_t iterations = 0;
  std::uint64_t changed = 0;  // labels in the last iteration
  double seconds = 0;         // of the iterations alone, on the device
};

// Has no directions: the rows of both orientations are read.
GraphNeeds cdlp_needs();

// The label that stands for each vertex's own id; none where it is the number of the vertex.
Array<Label> own_labels(const Store& store, Budget& budget);
// What they take, for good and on the way.
inline TakenBefore own_labels_memory(const Store& store) {
  return {.kept = store.order_memory(),
          .most = store.order_memory() + std::max(store.id_memory(), store.order_memory())};
}

// `own` as above: what vertices start with.
CdlpResult cdlp(Engine& engine, const CdlpOptions& options, std::span<const Label> own = {});

// Each label becomes the vertex whose own it was.
void become_vertices(Array<Label>& label, std::span<const Label> own, Budget& budget);

// How many different labels there are.
std::uint64_t count_communities(std::span<const Label> label);

}  // namespace millrace
