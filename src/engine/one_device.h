// An engine's backend for one device with its attributes at hand.
#pragma once

#include "millrace/engine/copies.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/device_supersteps.h"

namespace millrace {

class OneDevice {
 public:
  OneDevice(const DevicePart& part, RunLog& log);

  Executor& first() { return *executor_; }
  std::uint64_t growths() const { return executor_->growths(); }
  Copies allocate(std::uint64_t bytes, const std::string& what, Contents contents);
  // Calls task(executor, i) for each device and the copy of the attributes that it has.
  template <class Task>
  void each_copy(std::uint64_t, const Task& task) {
    task(*executor_, 0);
  }
  // The frontiers that task(executor, i) makes on each device.
  template <class Task>
  Frontier each_frontier(std::uint64_t, const Task& task) {
    return task(*executor_, 0);
  }

  template <class Program>
  Frontier edge_map(const Frontier& frontier, const Program& program, Along along, bool go_on) {
    const Carried<Program> carried{program, nullptr};
    const Direction direction = choose_direction_on(*executor_, log_.direction, frontier, carried, along);
    return edge_map_on(*executor_, frontier, carried, direction, go_on,
                       [&](const Superstep& step, std::size_t later) { log_.add(step, later); });
  }
  template <class Predicate>
  Frontier filter(const Predicate& predicate, Along along) {
    executor_->go_along(along);
    return filter_on(*executor_, predicate);
  }
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate, Along along) {
    executor_->go_along(along);
    return filter_in_on(*executor_, frontier, predicate);
  }
  template <class Body>
  void vertex_map(const Body& body) {
    vertex_map_on(*executor_, body);
  }
  template <class T, class Map, class CombineValues>
  T reduce(T identity, const Map& map, const CombineValues& combine_values) {
    return reduce_on(*executor_, identity, map, combine_values);
  }
  template <class Combine, class T, class By = CompiledBy>
  void agree(const Copies&) {}

 private:
  std::unique_ptr<Executor> executor_;
  RunLog& log_;
};

}  // namespace millrace
