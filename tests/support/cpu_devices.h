// Several devices of the cpu, and the results of one.
#pragma once

#include <memory>
#include <vector>

#include "millrace/engine/engine.h"
#include "millrace/engine/exchange.h"
#include "millrace/engine/graph_parts.h"
#include "support/works.h"

namespace millrace::test {

struct CpuDevices {
  // The first `sharing` of them compute in the same memory.
  explicit CpuDevices(std::size_t count, std::uint64_t memory = Budget::unlimited, std::size_t sharing = 0) {
    for (std::size_t i = 0; i < count; ++i)
      owned.push_back(std::make_unique<CpuDevice>(
          CpuOptions{.threads = 1 + static_cast<int>(i % 2), .memory = memory, .shares_memory = i < sharing}));
    for (const auto& device : owned) all.push_back(device.get());
  }
  std::vector<std::unique_ptr<CpuDevice>> owned;
  std::vector<Device*> all;
};

inline std::vector<double> on_one_device(const Store& store, const Work& work,
                                         Direction direction = Direction::automatic) {
  CpuDevice device({.threads = 2});
  const Graph graph(store, work.needs(direction), device);
  Engine engine(device, graph, direction);
  return work.run(engine);
}

// The least memory of a device with far attributes: many chunks, and pages that are streamed.
inline std::uint64_t least_with_far(const Store& store, const GraphNeeds& needs, std::size_t devices) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < devices; ++i) most = std::max(most, slice_of(store.num_vertices(), i, devices).size());
  return plan_memory(store, needs, DeviceKind::cpu, Where::far).least_with_chunk(most, true, false);
}

}  // namespace millrace::test
