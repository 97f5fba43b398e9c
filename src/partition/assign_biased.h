// Biased random parts, as in multi-GPU Gunrock (Pan et al., IPDPS 2017): a vertex prefers parts that have its
// neighbours.
#pragma once

#include "millrace/partition/assign.h"

namespace millrace {

// A part takes at most this many times the mean of the edges so far, unless no other part has room. If the limit were
// relative to all edges of the graph, parts would fill up one after another where hubs come first.
inline constexpr double biased_balance = 1.05;

// Vertices choose in the order of the store, which is the order of its pages: one pass reads all pages, one at a time.
// With probability options.bias a vertex joins the part of a random neighbour among those that have a part; else any
// part.
void assign_biased(const Store& store, const AssignOptions& options, Array<PartId>& part, Budget& budget);

}  // namespace millrace
