// Parts by METIS (Karypis and Kumar): few edges between them.
#pragma once

#include "millrace/partition/assign.h"

namespace millrace {

// What METIS may need. Throws DoesNotFitError where it could not count this graph with its numbers.
std::uint64_t metis_memory(const Manifest& manifest);

// Multilevel k-way partitioning of the graph without directions, weights, parallel edges and self-loops. Balances the
// edges of rows. Throws UsageError in a build or on a machine without METIS.
void assign_metis(const Store& store, const AssignOptions& options, Array<PartId>& part, Budget& budget);

}  // namespace millrace
