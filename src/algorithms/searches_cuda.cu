// Searches by levels, on GPUs.
#include "millrace/algorithms/bfs_programs.h"
#include "millrace/algorithms/neighbourhood_programs.h"
#include "millrace/algorithms/radius_programs.h"
#include "millrace/algorithms/reach_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(bfs_programs::Visit);

MILLRACE_GPU_PROGRAM(neighbourhood_programs::Meet);
MILLRACE_GPU_PREDICATE(neighbourhood_programs::AtLevel);
MILLRACE_GPU_REDUCTION(std::uint64_t, neighbourhood_programs::EdgesBelow, neighbourhood_programs::Add);

MILLRACE_GPU_PROGRAM(radius_programs::Hear);
MILLRACE_GPU_BODY(radius_programs::Begin);
MILLRACE_GPU_BODY(radius_programs::Unite);
MILLRACE_GPU_PREDICATE(radius_programs::ChangedAt);
MILLRACE_GPU_REDUCTION(double, radius_programs::Estimate, radius_programs::Add);

MILLRACE_GPU_PROGRAM(reach_programs::Mark);

}  // namespace millrace
