#include "millrace/engine/device_team.h"

#include "millrace/core/error.h"

namespace millrace {

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
    } catch (const Error&) {
    }
}

void DeviceTeam::gather_bits(Frontier& frontier) {
  std::vector<std::byte*> bits(size());
  for (std::size_t i = 0; i < size(); ++i)
    bits[i] = reinterpret_cast<std::byte*>(frontier.on(i).storage_->bitmap.data());
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
    const Frontier::Storage& from = *frontier.on(leader(i)).storage_;
    executors_[i]->device().select();
    executors_[i]->device().copy_on_device(frontier.on(i).storage_->bitmap.data(), from.bitmap.data(),
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
  for (std::size_t i = 0; i < size(); ++i) executors_[i]->count(frontier.on(i), counts[leader(i)]);
}

}  // namespace millrace
