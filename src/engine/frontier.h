// The set of active vertices: everything, a bitmap or a queue. The engine makes and converts them.
#pragma once

#include <memory>
#include <vector>

#include "millrace/devices/device_array.h"
#include "millrace/engine/direction.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {

class Frontier {
 public:
  enum class Form { all, bitmap, queue };

  std::uint64_t size() const { return size_; }
  // What a push from its vertices would look at, along the edges that they joined by.
  std::uint64_t num_edges() const { return num_edges_; }
  bool empty() const { return size_ == 0; }
  Form form() const { return form_; }

 private:
  friend class Engine;
  friend class Executor;
  friend class CpuExecutor;
  friend class CudaExecutor;
  friend class DeviceTeam;
  friend class SeveralDevices;
  friend class FarAttributes;
  friend class Layers;
  template <class Program>
  friend class PushTogether;

  // Memory that goes back to the executor's pool.
  struct Storage {
    DeviceArray<std::uint64_t> bitmap;  // a bit for each vertex
    VertexQueue queue;
  };
  using Lease = std::shared_ptr<Storage>;

  // Storage is shared with a pool; one that only the pool holds is free.
  static Lease lease(std::vector<Lease>& pool);

  // As the i-th of several devices has it: the same vertices, in its memory.
  const Frontier& on(std::size_t i) const { return i == 0 || others_.empty() ? *this : others_[i - 1]; }
  Frontier& on(std::size_t i) { return i == 0 || others_.empty() ? *this : others_[i - 1]; }
  // Of what each device has, the first before the others.
  static Frontier of_devices(std::vector<Frontier> made);

  void count(std::uint64_t size, std::uint64_t edges) {
    size_ = size;
    num_edges_ = edges;
    for (Frontier& other : others_) other.count(size, edges);
  }
  void count_along(Along along, std::uint64_t edges) {
    along_ = along;
    num_edges_ = edges;
    for (Frontier& other : others_) other.count_along(along, edges);
  }

  Form form_ = Form::queue;
  Along along_ = Along::out;  // the edges counted
  std::uint64_t size_ = 0;
  std::uint64_t num_edges_ = 0;
  Lease storage_;
  std::vector<Frontier> others_;  // of the devices after the first; none where it is all vertices
};

inline Frontier::Lease Frontier::lease(std::vector<Lease>& pool) {
  for (const Lease& storage : pool)
    if (storage.use_count() == 1) return storage;
  pool.push_back(std::make_shared<Storage>());
  return pool.back();
}

inline Frontier Frontier::of_devices(std::vector<Frontier> made) {
  Frontier first = std::move(made[0]);
  for (std::size_t i = 1; i < made.size(); ++i) first.others_.push_back(std::move(made[i]));
  return first;
}

}  // namespace millrace
