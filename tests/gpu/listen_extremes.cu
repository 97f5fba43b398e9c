#include "gpu/listen_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(test::MinOfU32);
MILLRACE_GPU_PROGRAM(test::MinOfF64);
MILLRACE_GPU_PROGRAM(test::MaxOfI32);
MILLRACE_GPU_PROGRAM(test::MaxOfI64);

}  // namespace millrace
