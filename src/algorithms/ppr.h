// Personalised PageRank, or random walk with restart: how close vertices are to some seeds.
#pragma once

#include <span>

#include "millrace/algorithms/pagerank.h"

namespace millrace {

template <class Real>
GraphNeeds ppr_needs(Direction direction, Available available = {});

// The seeds must be vertices, at least one of them; naming one twice makes no difference.
template <class Real>
PageRankResult<Real> ppr(Engine& engine, std::span<const VertexId> seeds, const PageRankOptions& options);

}  // namespace millrace
