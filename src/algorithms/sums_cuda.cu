// Products with the adjacency matrix, and what iterates them, on GPUs.
#include "millrace/algorithms/pagerank_programs.h"
#include "millrace/algorithms/spmv_programs.h"
#include "millrace/algorithms/vectors_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_PROGRAM(spmv_programs::AddUp<float>);
MILLRACE_GPU_PROGRAM(spmv_programs::AddUp<double>);
MILLRACE_GPU_PROGRAM(spmv_programs::AddUpWeighted<float>);
MILLRACE_GPU_PROGRAM(spmv_programs::AddUpWeighted<double>);

template <class Real>
using StartAtAll = pagerank_programs::Start<Real, pagerank_programs::ToAll>;
template <class Real>
using StartAtSeeds = pagerank_programs::Start<Real, pagerank_programs::ToSeeds>;
template <class Real>
using UpdateToAll = pagerank_programs::Update<Real, pagerank_programs::ToAll>;
template <class Real>
using UpdateToSeeds = pagerank_programs::Update<Real, pagerank_programs::ToSeeds>;
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, StartAtAll<float>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, StartAtAll<double>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, StartAtSeeds<float>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, StartAtSeeds<double>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, UpdateToAll<float>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, UpdateToAll<double>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, UpdateToSeeds<float>, pagerank_programs::Add);
MILLRACE_GPU_REDUCTION(pagerank_programs::Totals, UpdateToSeeds<double>, pagerank_programs::Add);
MILLRACE_GPU_BODY(pagerank_programs::Finish<float>);
MILLRACE_GPU_BODY(pagerank_programs::Finish<double>);

MILLRACE_GPU_REDUCTION(double, vectors_programs::Value<float>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::Value<double>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::Square<float>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::Square<double>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::SquareOfSum<float>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::SquareOfSum<double>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::Combination<float>, vectors_programs::Add);
MILLRACE_GPU_REDUCTION(double, vectors_programs::Combination<double>, vectors_programs::Add);
MILLRACE_GPU_BODY(vectors_programs::Scale<float>);
MILLRACE_GPU_BODY(vectors_programs::Scale<double>);

}  // namespace millrace
