// Biased random parts, as in multi-GPU Gunrock (Pan et al., IPDPS 2017): a vertex prefers parts that have its
// neighbours.
#pragma once

#include "millrace/partition/assign.h"

namespace millrace {

// No part takes more than this many times the mean of the edges so far, while another has room. Measured against all
// edges, parts would fill up one after another where hubs come first.
inline constexpr double biased_balance = 1.05;

// Vertices choose in the order of the store, which is that of its pages: one pass reads them all, a page at a time.
// With the probability options.bias a vertex goes where one of its neighbours that have chosen is, each as likely; else
// anywhere.
void assign_biased(const Store& store, const AssignOptions& options, Array<PartId>& part, Budget& budget);

}  // namespace millrace
