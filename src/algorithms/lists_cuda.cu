// Lists of neighbours, and the peeling of cores, on GPUs.
#include "millrace/algorithms/cdlp_programs.h"
#include "millrace/algorithms/kcore_programs.h"
#include "millrace/algorithms/lcc_programs.h"
#include "millrace/algorithms/triangle_lists_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_LISTS(cdlp_programs::LabelsOfNeighbours);
MILLRACE_GPU_BODY(cdlp_programs::TakeNumber);
MILLRACE_GPU_PROGRAM(cdlp_programs::Tell);
MILLRACE_GPU_PREDICATE(cdlp_programs::Change);

MILLRACE_GPU_BODY(kcore_programs::Begin);
MILLRACE_GPU_PREDICATE(kcore_programs::IsLeft);
MILLRACE_GPU_REDUCTION(std::uint32_t, kcore_programs::LeftOf, kcore_programs::Lower);
MILLRACE_GPU_PREDICATE(kcore_programs::TakeLow);
MILLRACE_GPU_PROGRAM(kcore_programs::Peel);

MILLRACE_GPU_LISTS(triangle_lists_programs::Earlier);
MILLRACE_GPU_AGREE(Sum, std::uint64_t);
MILLRACE_GPU_AGREE(Sum, std::uint32_t);

MILLRACE_GPU_REDUCTION(double, lcc_programs::Coefficient, lcc_programs::Add);

}  // namespace millrace
