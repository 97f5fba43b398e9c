#include "gpu/listen_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(test::OrOfBool);
MILLRACE_GPU_PROGRAM(test::OrOfU64);
MILLRACE_GPU_PROGRAM(test::FirstF64);

}  // namespace millrace
