#include "gpu/listen_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(test::SumOfU32);
MILLRACE_GPU_PROGRAM(test::SumOfU64);
MILLRACE_GPU_PROGRAM(test::SumOfF32);
MILLRACE_GPU_PROGRAM(test::Select);

}  // namespace millrace
