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

  // The rest is for executors and backends.

  // Memory that goes back to the executor's pool.
  struct Storage {
    DeviceArray<std::uint64_t> bitmap;  // a bit for each vertex
    VertexQueue queue;
  };
  using Lease = std::shared_ptr<Storage>;

  Frontier() = default;
  Frontier(Form form, Along along, Lease storage) : form_(form), along_(along), storage_(std::move(storage)) {}
  // Storage is shared with a pool; one that only the pool holds is free.
  static Lease lease(std::vector<Lease>& pool);
  // Of what each device has, the first before the others.
  static Frontier of_devices(std::vector<Frontier> made);

  Along along() const { return along_; }  // the edges counted
  Storage& storage() const { return *storage_; }
  // Whether nobody else has the same vertices in the same memory.
  bool owns_storage() const { return storage_.use_count() <= 2; }  // it and the pool
  void set_form(Form form) { form_ = form; }
  void count(std::uint64_t size, std::uint64_t edges);
  void count_along(Along along, std::uint64_t edges);

  // As the i-th of several devices has it: the same vertices, in its memory.
  const Frontier& on(std::size_t i) const { return i == 0 || others_.empty() ? *this : others_[i - 1]; }
  Frontier& on(std::size_t i) { return i == 0 || others_.empty() ? *this : others_[i - 1]; }

 private:
  Form form_ = Form::queue;
  Along along_ = Along::out;
  std::uint64_t size_ = 0;
  std::uint64_t num_edges_ = 0;
  Lease storage_;
  std::vector<Frontier> others_;  // of the devices after the first; none where it is all vertices
};

}  // namespace millrace
