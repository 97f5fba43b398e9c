// Sources drawn at random, for algorithms that can do with some of all vertices.
#pragma once

#include "millrace/run/algorithm.h"

namespace millrace {

// Any `count` vertices, each set as likely as another: by their place in the order of ids, so that the same are drawn
// however the store numbers them.
std::vector<VertexId> draw_vertices(const Store& store, std::uint64_t count, std::uint64_t seed);

// The options `samples` and `seed`, and what follows from them.
class Samples {
 public:
  // `what` the samples are for begins the help.
  std::vector<Option> options(const std::string& what);
  // None where all vertices are taken; remark() says so where more were asked for than there are.
  std::vector<VertexId> draw(const Store& store);
  const std::string& remark() const { return remark_; }
  std::vector<Finding> asked() const;

 private:
  std::uint64_t count_ = 0;  // 0: all vertices
  std::uint64_t seed_ = 1;
  std::string remark_;
};

}  // namespace millrace
