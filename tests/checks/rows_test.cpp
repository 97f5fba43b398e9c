// The plain reader of the verifiers sees every edge of every shape.
#include "millrace/checks/rows.h"

#include <gtest/gtest.h>

#include <mutex>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class EveryEdge : public ShapeTest {};

TEST_P(EveryEdge, IsReadOnceFromEitherOrientation) {
  using Pairs = std::vector<std::pair<VertexId, VertexId>>;
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    Pairs expected;
    for (VertexId v = 0; v < stored.graph().num_vertices(); ++v)
      for (const VertexId w : stored.graph().out[v]) expected.emplace_back(v, w);
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      Pairs found;
      std::mutex mutex;
      for_each_edge(stored.pages(o), o, [&](VertexId source, VertexId target) {
        const std::lock_guard lock(mutex);
        found.emplace_back(source, target);
      });
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << orientation_name(o);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, EveryEdge, testing::ValuesIn(shape_names()), name_of);

}  // namespace
}  // namespace millrace
