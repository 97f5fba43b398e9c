// Shortest paths, on GPUs.
#include "millrace/algorithms/sssp_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(sssp_programs::Relax<std::uint32_t>);
MILLRACE_GPU_PROGRAM(sssp_programs::Relax<double>);
MILLRACE_GPU_PREDICATE(sssp_programs::Between<std::uint32_t>);
MILLRACE_GPU_PREDICATE(sssp_programs::Between<double>);
MILLRACE_GPU_REDUCTION(sssp_programs::Left<std::uint32_t>, sssp_programs::LookBack<std::uint32_t>,
                       sssp_programs::LookBack<std::uint32_t>);
MILLRACE_GPU_REDUCTION(sssp_programs::Left<double>, sssp_programs::LookBack<double>, sssp_programs::LookBack<double>);

MILLRACE_GPU_PROGRAM(sssp_programs::FindParent<std::uint32_t>);
MILLRACE_GPU_PROGRAM(sssp_programs::FindParent<double>);
MILLRACE_GPU_PREDICATE(sssp_programs::Finders<std::uint32_t>);
MILLRACE_GPU_PREDICATE(sssp_programs::Finders<double>);

MILLRACE_GPU_PROGRAM(sssp_programs::ReachBeyond);
MILLRACE_GPU_REDUCTION(std::uint64_t, sssp_programs::Unmark, sssp_programs::Unmark);

}  // namespace millrace
