// The set of active vertices: everything, a bitmap or a queue. The engine makes and converts them.
#pragma once

#include <memory>

#include "millrace/core/memory.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {

class Frontier {
 public:
  enum class Form { all, bitmap, queue };

  std::uint64_t size() const { return size_; }
  // The out-edges of its vertices: what a push would look at.
  std::uint64_t num_edges() const { return num_edges_; }
  bool empty() const { return size_ == 0; }
  Form form() const { return form_; }

 private:
  friend class Engine;

  // Memory that goes back to the engine's pool.
  struct Storage {
    Array<std::uint64_t> bitmap;
    VertexQueue queue;
  };
  using Lease = std::shared_ptr<Storage>;

  Form form_ = Form::queue;
  std::uint64_t size_ = 0;
  std::uint64_t num_edges_ = 0;
  Lease storage_;
};

}  // namespace millrace
