#include "millrace/engine/several_devices.h"

#include <algorithm>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// The first device that computes in the same memory.
std::vector<std::size_t> leaders_of(const std::vector<DevicePart>& parts) {
  std::vector<std::size_t> leaders;
  for (const DevicePart& part : parts) {
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const DevicePart& one) {
      return one.device->memory_number() == part.device->memory_number();
    });
    leaders.push_back(static_cast<std::size_t>(same - parts.begin()));
  }
  return leaders;
}

DeviceTeam make_team(const std::vector<DevicePart>& parts) {
  if (parts.size() > max_devices) throw InternalError("{} devices, of at most {}", parts.size(), max_devices);
  const std::vector<std::size_t> leaders = leaders_of(parts);
  std::vector<std::unique_ptr<Executor>> executors;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto before = std::count(leaders.begin(), leaders.begin() + static_cast<std::ptrdiff_t>(i), leaders[i]);
    const auto sharing = std::count(leaders.begin(), leaders.end(), leaders[i]);
    const VertexRange own =
        slice_of(parts[i].graph->num_vertices(), static_cast<std::size_t>(before), static_cast<std::size_t>(sharing));
    executors.push_back(make_executor(*parts[i].device, *parts[i].graph, own, 0));
    executors.back()->set_edge_share(1 / static_cast<double>(parts.size()));
    if (parts[i].help.threads > 0) executors.back()->be_helped(parts[i].help);
  }
  return DeviceTeam(std::move(executors), leaders);
}

}  // namespace

SeveralDevices::SeveralDevices(const std::vector<DevicePart>& parts, RunLog& log) : log_(log), team_(make_team(parts)) {
  for (std::size_t i = 0; i < parts.size(); ++i) num_memories_ += team_.leads(i);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    std::vector<void*> copies;
    for (const DevicePart& part : parts) copies.push_back(const_cast<std::uint32_t*>(part.graph->degree(o).data));
    if (copies[0]) note_copies(std::move(copies));
  }
}

Copies SeveralDevices::allocate(std::uint64_t bytes, const std::string& what, Contents contents) {
  std::vector<std::shared_ptr<DeviceMemory>> made(team_.size());
  team_.each(bytes, [&](Executor& on, std::size_t i) {
    if (team_.leads(i)) made[i] = on.device().allocate_memory(bytes, what, contents, Where::near);
  });
  std::vector<void*> copies;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = made[team_.leader(i)];
    copies.push_back(made[i]->data());
  }
  if (bytes > 0) note_copies(std::move(copies));
  written();
  return Copies(std::move(made));
}

void SeveralDevices::written() {
  if (!share_memory()) return;
  for (std::size_t i = 0; i < team_.size(); ++i)
    if (team_.leads(i)) team_[i].device().synchronize();
}

void* SeveralDevices::copy_of(const void* of_first, std::size_t i) const {
  const auto found = copies_.find(of_first);
  if (found == copies_.end()) throw InternalError("a program looks at what is no attribute of its engine");
  return found->second[i];
}

void SeveralDevices::make_kept() {
  std::vector<DeviceArray<std::uint64_t>> made(team_.size());
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    made[i] = DeviceArray<std::uint64_t>(on.device(), num_vertices(), "messages to exchange", Contents::anything);
  });
  kept_ = std::move(made);
}

void SeveralDevices::copy_to_others(std::vector<Frontier>& made) {
  for (std::size_t i = 0; i < team_.size(); ++i) {
    if (team_.leads(i)) continue;
    team_[i].device().select();
    made[i] = team_[i].copy_of(made[team_.leader(i)]);
  }
}

}  // namespace millrace
