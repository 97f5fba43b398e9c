// Which compiler reads a file. Functions that differ between compilers, without a program of the file among their
// arguments, take this as one: so the linker does not take one for the other.
#pragma once

namespace millrace {

#ifdef __CUDACC__
using CompiledBy = struct ForGpus;
#else
using CompiledBy = struct ForCpus;
#endif

}  // namespace millrace
