// What the templates of the engine do on a GPU. nvcc compiles it; another compiler has no kernels to launch, and the
// engine throws instead.
#pragma once

#ifdef __CUDACC__
#define MILLRACE_ON_GPU(...) __VA_ARGS__
#else
#define MILLRACE_ON_GPU(...) throw_not_for_gpu()
#endif
