// Parts by METIS (Karypis and Kumar), with few edges between them.
#pragma once

#include "millrace/partition/assign.h"

namespace millrace {

// The memory that METIS may need. Throws DoesNotFitError if the graph is too large for METIS's integer type.
std::uint64_t metis_memory(const Manifest& manifest);

// Multilevel k-way partitioning of the graph without directions, weights, parallel edges and self-loops. Balances the
// edges of rows. Throws UsageError in a build or on a machine without METIS.
void assign_metis(const Store& store, const AssignOptions& options, Array<PartId>& part, Budget& budget);

}  // namespace millrace
