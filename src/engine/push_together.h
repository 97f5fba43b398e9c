// A push by several devices that compute in the memory of one GPU: all send to the inbox of the first, which then
// delivers.
#pragma once

#include <optional>

#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/device_team.h"

namespace millrace {

class PushTogether {
 public:
  // With the program as each device has it.
  PushTogether(DeviceTeam& team, const std::vector<BoundProgram>& programs);

  // The first device's plan is given where there is one already. Returns the next frontier, as the first device has it.
  Frontier run(const std::optional<SuperstepPlan>& of_first, const Frontier& frontier, Superstep& step);

 private:
  CudaExecutor& first() { return *all_[0]; }
  const CudaEdgeOperations& how() const { return *programs_[0].table->cuda; }
  const ProgramFacts& facts() const { return programs_[0].facts(); }
  // Opens the inbox of the first device, to which all devices send.
  cuda::PushRoom open_inbox(Frontier& next);
  Frontier deliver_by_bits(const cuda::PushRoom& inbox, Frontier next);
  Frontier send_rows(const Frontier& frontier, Superstep& step);
  Frontier send_pages(const std::vector<SuperstepPlan>& plans, const Frontier& frontier, Superstep& step);

  DeviceTeam& team_;
  const std::vector<BoundProgram>& programs_;
  std::vector<CudaExecutor*> all_;
};

}  // namespace millrace
