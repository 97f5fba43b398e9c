// Exports a graph in the format of the GAP benchmark suite, as its converter writes it: .sg, or .wsg with weights.
#pragma once

#include "millrace/export/sink.h"
#include "millrace/store/store.h"

namespace millrace {

// Vertices are numbered in ascending order of original ids. Throws DoesNotFitError if 31 bits are too few for them, and
// BadInputError if a weight is not a whole number of 32 bits.
void write_gap(const Store& store, bool weighted, Sink& sink, Budget& budget);

}  // namespace millrace
