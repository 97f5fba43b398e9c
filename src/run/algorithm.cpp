#include "millrace/run/algorithm.h"

#include "millrace/core/error.h"

namespace millrace {

Outcome HostAlgorithm::measure(const Store&) { throw InternalError("{} is not measured", info().name); }

}  // namespace millrace
