// Who compiles the GPU's half of the programs of a file: nvcc, together with the cpu's; nvcc in another file, as for
// the programs of this library (src/algorithms/*_cuda.cu); or nobody, and then they run on a cpu alone. Functions that
// differ between these, without a program of the file among their arguments, take this as one: so the linker does not
// take one for the other.
#pragma once

namespace millrace {

#if defined(__CUDACC__)
using CompiledBy = struct ForGpus;
#elif defined(MILLRACE_GPU_HALVES)
using CompiledBy = struct ForGpusElsewhere;
#else
using CompiledBy = struct ForCpus;
#endif

}  // namespace millrace
