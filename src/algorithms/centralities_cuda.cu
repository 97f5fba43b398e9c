// Centralities by shortest paths, on GPUs.
#include "millrace/algorithms/bc_programs.h"
#include "millrace/algorithms/closeness_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(bc_programs::CountPaths);
MILLRACE_GPU_PROGRAM(bc_programs::GatherDependencies);
MILLRACE_GPU_BODY(bc_programs::Forget);
MILLRACE_GPU_REDUCTION(double, bc_programs::PathsTo, bc_programs::Higher);

MILLRACE_GPU_PREDICATE(closeness_programs::Begin);
MILLRACE_GPU_PROGRAM(closeness_programs::Spread);
MILLRACE_GPU_BODY(closeness_programs::Finish);
MILLRACE_GPU_REDUCTION(std::uint64_t, closeness_programs::EdgesOf, closeness_programs::Add);

}  // namespace millrace
