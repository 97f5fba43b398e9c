// Connected components, weak and strong, on GPUs.
#include "millrace/algorithms/components_programs.h"
#include "millrace/algorithms/scc_programs.h"
#include "millrace/algorithms/trim_programs.h"
#include "millrace/algorithms/wcc_programs.h"
#include "millrace/engine/on_gpus.cuh"

namespace millrace {

MILLRACE_GPU_BODY(wcc_programs::Root);
MILLRACE_GPU_REDUCTION(wcc_programs::Busiest, wcc_programs::DegreeOf, wcc_programs::Busier);
MILLRACE_GPU_PROGRAM(wcc_programs::Link);
MILLRACE_GPU_AGREE(Min, VertexId);
MILLRACE_GPU_BODY(wcc_programs::Jump);
MILLRACE_GPU_REDUCTION(wcc_programs::Votes, wcc_programs::VoteOf, wcc_programs::AddVotes);
MILLRACE_GPU_PREDICATE(wcc_programs::InTree);
MILLRACE_GPU_PROGRAM(wcc_programs::Find);
MILLRACE_GPU_BODY(wcc_programs::Begin);
MILLRACE_GPU_PREDICATE(wcc_programs::Sends);
MILLRACE_GPU_PROGRAM(wcc_programs::Hook);
MILLRACE_GPU_REDUCTION(VertexId, wcc_programs::Found, wcc_programs::Lower);
MILLRACE_GPU_BODY(wcc_programs::Finish);

MILLRACE_GPU_REDUCTION(scc_programs::Busiest, scc_programs::Busy, scc_programs::Busier);
MILLRACE_GPU_BODY(scc_programs::Copy);
MILLRACE_GPU_BODY(scc_programs::CloseGiant);
MILLRACE_GPU_BODY(scc_programs::OwnColour);
MILLRACE_GPU_PROGRAM(scc_programs::Spread);
MILLRACE_GPU_PREDICATE(scc_programs::TakeRoots);
MILLRACE_GPU_PROGRAM(scc_programs::Collect);

MILLRACE_GPU_PREDICATE(trim_programs::IsOpen);
MILLRACE_GPU_BODY(trim_programs::SetLeft);
MILLRACE_GPU_PROGRAM(trim_programs::Neighbours);
MILLRACE_GPU_PREDICATE(trim_programs::TakeLone);

MILLRACE_GPU_BODY(components_programs::CountMembers);
MILLRACE_GPU_REDUCTION(components_programs::Counts, components_programs::CountOf, components_programs::AddCounts);

}  // namespace millrace
