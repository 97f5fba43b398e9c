// Triangles and local clustering coefficients on a GPU are those of the cpu, in every place, with lists in one block or
// many, short ones and lists that a hash table holds only in parts.
#include "gpu_test.h"
#include "millrace/algorithms/lcc.h"
#include "millrace/algorithms/triangles.h"
#include "millrace/engine/engine.h"
#include "millrace/operators/triangles_cuda.h"

namespace millrace {
namespace {

using namespace test;

class TrianglesOnGpu : public ShapeInPlace {};

TEST_P(TrianglesOnGpu, AreThoseOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), lcc_needs(), device);
  Engine engine(device, graph);
  const TrianglesResult expected = triangles(engine);
  const LccResult expected_lcc = lcc(engine);
  {
    GpuRun gpu(stored.store(), triangles_needs(), place());
    Engine gpu_engine(gpu.device, gpu.graph);
    EXPECT_EQ(triangles(gpu_engine, {.by_vertex = false}).triangles, expected.triangles);
    const TrianglesResult found = triangles(gpu_engine);
    EXPECT_EQ(found.triangles, expected.triangles);
    EXPECT_EQ(to_vector(found.count), to_vector(expected.count));
  }
  GpuRun gpu(stored.store(), lcc_needs(), place());
  Engine gpu_engine(gpu.device, gpu.graph);
  const LccResult found = lcc(gpu_engine);
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_NEAR(found.mean, expected_lcc.mean, 1e-12);
  ASSERT_EQ(found.coefficient.size(), expected_lcc.coefficient.size());
  for (VertexId v = 0; v < found.coefficient.size(); ++v)
    ASSERT_NEAR(found.coefficient[v], expected_lcc.coefficient[v], 1e-14) << "vertex " << v;
}
MILLRACE_IN_EVERY_PLACE(TrianglesOnGpu);
INSTANTIATE_TEST_SUITE_P(Small, TrianglesOnGpu,
                         testing::Combine(testing::ValuesIn(names_in(small_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);
MILLRACE_BLOCKED_IN_EVERY_PLACE(TrianglesOnGpu);

// With all memory, lists are gathered once.
using TriangleBlocksOnGpu = GpuTest;
TEST_F(TriangleBlocksOnGpu, AreOneWhereThereIsMemory) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  Budget host;
  CudaDevice device({}, host);
  const Graph graph(stored.store(), triangles_needs(), device);
  Engine engine(device, graph);
  triangles(engine);
  EXPECT_EQ(engine.supersteps().size(), 1u);
}

// Vertex u lists all lower vertices.
struct CompleteLists {
  CompleteLists(CudaDevice& device, VertexId n, bool weighted)
      : offset(device, n + 1, "offsets"), values(device, std::uint64_t{n} * (n - 1) / 2, "values") {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> all;
    for (VertexId u = 0; u < n; ++u) {
      // Edges between vertices of different parity have weight 2.
      for (VertexId v = 0; v < u; ++v) all.push_back(weighted ? 2 * v + (u + v) % 2 : v);
      offsets.push_back(all.size());
    }
    device.copy_to_device(offset.data(), offsets.data(), offset.bytes());
    device.copy_to_device(values.data(), all.data(), values.bytes());
  }
  NeighbourLists of(VertexId first, VertexId last) const {
    return {.lists = {first, last, offset.data() + first, values.data()}, .length = nullptr};
  }
  CudaArray<std::uint64_t> offset;
  CudaArray<std::uint32_t> values;
};

using TriangleKernels = GpuTest;
TEST_F(TriangleKernels, CountACompleteGraph) {
  Budget host;
  CudaDevice device({}, host);
  CudaArray<std::uint64_t> progress(device, cuda::triangle_progress, "progress");
  for (const VertexId n : {3u, 40u, 65u, 66u, 300u, 4500u})
    for (const bool weighted : {false, true})
      for (const bool ascending : {false, true}) {
        SCOPED_TRACE(fmt::format("{} vertices, {}, {}", n, weighted, ascending));
        const CompleteLists lists(device, n, weighted);
        CudaArray<std::uint64_t> count(device, n, "counts");
        count.zero();
        const TriangleCounts counts{count.data(), weighted, ascending};
        // In blocks of unequal size.
        const VertexId cuts[] = {0, n / 5, n / 2 + 1, n};
        std::uint64_t triangles = 0, only_total = 0;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const NeighbourLists of = lists.of(cuts[a], cuts[a + 1]), with = lists.of(cuts[b], cuts[b + 1]);
            triangles += cuda::add_triangles(of, with, counts, progress.data(), device);
            if (!weighted)
              only_total += cuda::add_triangles(of, with, {.ascending = ascending}, progress.data(), device);
          }
        const std::uint64_t expected = std::uint64_t{n} * (n - 1) * (n - 2) / 6;
        EXPECT_EQ(triangles, expected);
        if (!weighted) {
          EXPECT_EQ(only_total, expected);
        }
        std::vector<std::uint64_t> found(n);
        device.copy_to_host(found.data(), count.data(), count.bytes());
        for (VertexId v = 0; v < n; ++v) {
          // Vertices of the same and of the other parity; an edge between the two kinds counts twice.
          const std::uint64_t same = (n + 1 - v % 2) / 2 - 1, other = n - 1 - same;
          const std::uint64_t pairs = std::uint64_t{n - 1} * (n - 2) / 2;
          ASSERT_EQ(found[v], weighted ? pairs + same * other : pairs) << "vertex " << v;
        }
      }
}

TEST_F(TriangleKernels, UniteRows) {
  Budget host;
  CudaDevice device({}, host);
  std::mt19937 random(3);
  constexpr VertexId n = 200;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> values, first_lengths;
  std::vector<std::vector<std::uint32_t>> expected, expected_weighted;
  for (VertexId v = 0; v < n; ++v) {
    std::vector<std::uint32_t> rows[2];
    for (auto& row : rows) {
      const auto size = random() % (v + 1);  // may have parallel edges
      for (std::uint32_t i = 0; i < size; ++i) row.push_back(static_cast<std::uint32_t>(random() % 150));
      std::sort(row.begin(), row.end());
      values.insert(values.end(), row.begin(), row.end());
    }
    first_lengths.push_back(static_cast<std::uint32_t>(rows[0].size()));
    offsets.push_back(values.size());
    expected.emplace_back(), expected_weighted.emplace_back();
    for (std::uint32_t w = 0; w < 150; ++w) {
      const bool in_first = std::binary_search(rows[0].begin(), rows[0].end(), w);
      const bool in_second = std::binary_search(rows[1].begin(), rows[1].end(), w);
      if (!in_first && !in_second) continue;
      expected.back().push_back(w);
      expected_weighted.back().push_back(2 * w + (in_first && in_second));
    }
  }
  CudaArray<std::uint64_t> offset(device, n + 1, "offsets");
  CudaArray<std::uint32_t> list(device, values.size(), "values"), scratch(device, values.size(), "scratch");
  CudaArray<std::uint32_t> first_length(device, n, "lengths"), length(device, n, "lengths");
  device.copy_to_device(offset.data(), offsets.data(), offset.bytes());
  device.copy_to_device(first_length.data(), first_lengths.data(), first_length.bytes());
  for (const bool weighted : {false, true}) {
    std::vector<std::uint32_t> sent = values, lengths(n);
    for (std::uint32_t& value : sent) value <<= weighted;
    device.copy_to_device(list.data(), sent.data(), list.bytes());
    cuda::unite_lists({0, n, offset.data(), list.data()}, first_length.data(), weighted, scratch.data(), length.data(),
                      device);
    device.copy_to_host(sent.data(), list.data(), list.bytes());
    device.copy_to_host(lengths.data(), length.data(), length.bytes());
    for (VertexId v = 0; v < n; ++v) {
      const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      EXPECT_EQ(std::vector(begin, begin + lengths[v]), weighted ? expected_weighted[v] : expected[v])
          << "vertex " << v;
    }
  }
}

}  // namespace
}  // namespace millrace
