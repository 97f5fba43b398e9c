// The executors of a run that has several devices, and work that they do at the same time.
#pragma once

#include <memory>
#include <vector>

#include "millrace/core/team.h"
#include "millrace/core/threads.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/executor.h"

namespace millrace {

class DeviceTeam {
 public:
  // leaders[i]: the first device that shares the vertex work with the i-th.
  DeviceTeam(std::vector<std::unique_ptr<Executor>> executors, std::vector<std::size_t> leaders);

  std::size_t size() const { return executors_.size(); }
  Executor& operator[](std::size_t i) const { return *executors_[i]; }
  std::size_t leader(std::size_t i) const { return leaders_[i]; }
  bool leads(std::size_t i) const { return leaders_[i] == i; }
  std::uint64_t growths() const;

  // Calls task(executor, i) for each device, at the same time. `work`: vertices or edges that it is about; of little
  // work CPUs do that of all devices on the calling thread, which waits for nobody then.
  template <class Task>
  void each(std::uint64_t work, const Task& task) {
    constexpr std::uint64_t little_work = 4 * least_vertices;
    if (!threads_ || (executors_[0]->device().kind() == DeviceKind::cpu && work < little_work)) {
      for (std::size_t i = 0; i < executors_.size(); ++i) task(*executors_[i], i);
      return;
    }
    try {
      threads_->run([&](std::size_t i) {
        executors_[i]->device().select();
        task(*executors_[i], i);
      });
    } catch (...) {
      wait_after_error();
      throw;
    }
  }
  // The same one after the other, on the calling thread: for work that is little, or that a GPU is only given.
  template <class Task>
  void in_turn(const Task& task) const {
    for (std::size_t i = 0; i < executors_.size(); ++i) {
      executors_[i]->device().select();
      task(*executors_[i], i);
    }
  }
  // The frontier that task(executor, i) makes on each device.
  template <class Task>
  Frontier each_frontier(std::uint64_t work, const Task& task) {
    std::vector<Frontier> made(size());
    each(work, [&](Executor& on, std::size_t i) { made[i] = task(on, i); });
    return Frontier::of_devices(std::move(made));
  }
  // Each device has the bits of a frontier for its own vertices: now those that share the vertex work have the bits of
  // all vertices.
  void gather_bits(Frontier& frontier);
  // Each device has the bits of other vertices of a frontier, which may lie anywhere: now those that share the vertex
  // work have the bits of all.
  void unite_bits(Frontier& frontier);

  // Waits for all devices, which may still use memory that is about to be freed. Later errors are ignored: the first is
  // reported.
  void wait_after_error() noexcept;
  // The same, and their scratch memory is as it is between supersteps.
  void reset() noexcept;

 private:
  // The frontiers of devices that share the vertex work become as large as all of them together.
  void add_up(Frontier& frontier) const;
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<std::size_t> leaders_;
  std::unique_ptr<Team> threads_;  // one for each of several devices
};

// Executors for devices that share the edges of a graph: those that compute in the same memory divide the vertices.
DeviceTeam make_sharing_team(const std::vector<DevicePart>& parts);

}  // namespace millrace
