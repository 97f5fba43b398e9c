// Lists of rows gathered on a GPU are those of the graph, in order, wherever pages are and with any memory for lists.
#include "gpu/gpu_test.h"
#include "millrace/engine/engine_programs.h"
#include "support/lists.h"

namespace millrace {
namespace {

using namespace test;

template <class T>
std::vector<T> copy(CudaDevice& device, const T* from, std::uint64_t count) {
  std::vector<T> values(count);
  if (count > 0) device.copy_to_host(values.data(), from, count * sizeof(T));
  return values;
}

template <class Program>
void expect_lists(CudaDevice& device, Engine& engine, const StoredGraph& stored, const Program& program) {
  for (const ListsOf of : every_orientation) {
    SCOPED_TRACE(static_cast<int>(of));
    const auto expected = expected_lists(stored.graph(), engine.graph().undirected(), of, program);
    for (const std::uint64_t room : {small_room(expected), std::uint64_t{1} << 40}) {
      VertexId next = 0;
      for_lists(engine, of, program, room, [&](const Lists<typename Program::Value>& lists) {
        ASSERT_EQ(lists.first, next);
        next = lists.last;
        const auto offset = copy(device, lists.offset, lists.last - lists.first + 1);
        const auto values = copy(device, lists.values, offset.back());
        for (VertexId v = lists.first; v < lists.last; ++v) {
          const std::vector list(values.begin() + static_cast<std::ptrdiff_t>(offset[v - lists.first]),
                                 values.begin() + static_cast<std::ptrdiff_t>(offset[v - lists.first + 1]));
          ASSERT_EQ(list, expected[v]) << "vertex " << v;
        }
      });
      EXPECT_EQ(next, engine.num_vertices());
    }
  }
}

class GpuLists : public ShapeInPlace {};
TEST_P(GpuLists, AreTheRowsOfTheGraph) {
  const StoredGraph stored = stored_graph(shape());
  GraphNeeds needs = list_needs();
  // The test needs more memory than a small budget has: for all lists at once.
  const std::uint64_t n = std::max<std::uint64_t>(1, stored.graph().num_vertices());
  needs.attributes.bytes += 16 + 8 * (stored.graph().num_edges() / n + 1);
  GpuRun gpu(stored.store(), needs, place());
  Engine engine(gpu.device, gpu.graph);
  expect_lists(gpu.device, engine, stored, EveryNeighbour{});
  expect_lists(gpu.device, engine, stored, LowerNeighbours{});
  expect_lists(gpu.device, engine, stored, SomeNeighbours{});
}
MILLRACE_IN_EVERY_PLACE(GpuLists);
MILLRACE_BLOCKED_IN_EVERY_PLACE(GpuLists);

}  // namespace
}  // namespace millrace
