// Sources drawn at random, for algorithms that can sample the vertices.
#pragma once

#include "millrace/catalogue/algorithm.h"

namespace millrace {

// Draws `count` vertices; all sets are equally likely. It draws positions in the order of ids, so that the vertices do
// not depend on how the store numbers them.
std::vector<VertexId> draw_vertices(const Store& store, std::uint64_t count, std::uint64_t seed);

// The options `samples` and `seed`, and the vertices that they give.
class Samples {
 public:
  // `what` is the beginning of the help: what is computed from the samples.
  std::vector<Option> options(const std::string& what);
  // Empty if all vertices are sources; remark() says so if more samples were requested than there are vertices.
  std::vector<VertexId> draw(const Store& store);
  const std::string& remark() const { return remark_; }
  std::vector<Finding> asked() const;

 private:
  std::uint64_t count_ = 0;  // 0: all vertices
  std::uint64_t seed_ = 1;
  std::string remark_;
};

}  // namespace millrace
