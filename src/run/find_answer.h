// Finds the answer to show in the columns of a result.
#pragma once

#include "millrace/catalogue/algorithm.h"
#include "millrace/report/answer.h"

namespace millrace {

// The `top` highest vertices or largest groups of each column, and distributions, as info.columns say. Takes memory of
// the budget: the original ids, and for groups a count for each vertex; what does not fit is left out, and said so.
// Finishes columns (ValueColumn::finish).
Answer find_answer(const AlgorithmInfo& info, Outcome& outcome, const Store& store, std::uint32_t top, Budget& budget);

}  // namespace millrace
