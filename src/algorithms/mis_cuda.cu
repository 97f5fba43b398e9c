// Independent sets on GPUs.
#include "millrace/algorithms/mis_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_BODY(mis_programs::Begin);
MILLRACE_GPU_PROGRAM(mis_programs::Hear);
MILLRACE_GPU_PREDICATE(mis_programs::Choose);
MILLRACE_GPU_PROGRAM(mis_programs::Exclude);
MILLRACE_GPU_PREDICATE(mis_programs::IsUndecided);

}  // namespace millrace
