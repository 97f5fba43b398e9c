#include "millrace/engine/device_team.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/engine/exchange.h"

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

}  // namespace

DeviceTeam make_sharing_team(const std::vector<DevicePart>& parts) {
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

DeviceTeam::DeviceTeam(std::vector<std::unique_ptr<Executor>> executors, std::vector<std::size_t> leaders)
    : executors_(std::move(executors)), leaders_(std::move(leaders)) {
  if (executors_.size() > 1) threads_ = std::make_unique<Team>(executors_.size());
}

std::uint64_t DeviceTeam::growths() const {
  std::uint64_t all = 0;
  for (const auto& executor : executors_) all += executor->growths();
  return all;
}

void DeviceTeam::wait_after_error() noexcept {
  for (const auto& executor : executors_) try {
      executor->device().select();
      executor->device().synchronize();
    } catch (const std::exception&) {
    }
}

void DeviceTeam::reset() noexcept {
  wait_after_error();
  for (const auto& executor : executors_) try {
      executor->device().select();
      executor->reset();
    } catch (const std::exception&) {  // the device is lost; whoever uses it next is told so
    }
}

void DeviceTeam::gather_bits(Frontier& frontier) {
  std::vector<std::byte*> bits(size());
  for (std::size_t i = 0; i < size(); ++i)
    bits[i] = reinterpret_cast<std::byte*>(frontier.on(i).storage().bitmap.data());
  each(executors_[0]->graph().num_vertices(), [&](Executor& on, std::size_t i) {
    for (std::size_t j = 0; j < size(); ++j) {
      const VertexRange own = executors_[j]->own();
      if (j == i || leader(j) != leader(i) || own.size() == 0) continue;
      const std::uint64_t first = own.first / 8, last = (own.last + 63) / 64 * 8;
      on.device().copy_on_device(bits[i] + first, bits[j] + first, last - first);
    }
    on.device().synchronize();
  });
  add_up(frontier);
}

void DeviceTeam::unite_bits(Frontier& frontier) {
  for (std::size_t i = 0; i < size(); ++i) {
    if (leads(i)) continue;
    executors_[leader(i)]->device().select();
    executors_[leader(i)]->add_to(frontier.on(leader(i)), frontier.on(i));
  }
  for (std::size_t i = 0; i < size(); ++i)
    if (leads(i)) executors_[i]->device().synchronize();
  for (std::size_t i = 0; i < size(); ++i) {
    if (leads(i)) continue;
    const Frontier::Storage& from = frontier.on(leader(i)).storage();
    executors_[i]->device().select();
    executors_[i]->device().copy_on_device(frontier.on(i).storage().bitmap.data(), from.bitmap.data(),
                                           from.bitmap.bytes());
    executors_[i]->device().synchronize();
  }
  add_up(frontier);
}

void DeviceTeam::add_up(Frontier& frontier) const {
  std::vector<PassCounts> counts(size());  // by leader
  for (std::size_t i = 0; i < size(); ++i) {
    counts[leader(i)].joined += frontier.on(i).size();
    counts[leader(i)].joined_edges += frontier.on(i).num_edges();
  }
  for (std::size_t i = 0; i < size(); ++i)
    frontier.on(i).count(counts[leader(i)].joined, counts[leader(i)].joined_edges);
}

}  // namespace millrace
