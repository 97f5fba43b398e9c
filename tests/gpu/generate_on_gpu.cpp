// Edges made on a GPU have the same degrees, order and sample as on the host.
#include "millrace/build/generate_on_gpu.h"

#include <algorithm>

#include "gpu/gpu_test.h"
#include "millrace/build/cuda_generate.h"
#include "millrace/build/order.h"
#include "millrace/core/error.h"
#include "store/store_fixture.h"
#include "support/multigraph.h"

namespace millrace::test {
namespace {

using Kind = GenerateOptions::Kind;

template <class T>
std::vector<T> to_host(CudaDevice& device, const CudaArray<T>& values) {
  std::vector<T> host(values.size());
  device.copy_to_host(host.data(), values.data(), values.bytes());
  return host;
}

class GpuGenerate : public OnGpu<testing::TestWithParam<std::tuple<Kind, std::uint32_t, bool>>> {
 protected:
  GenerateOptions options{
      .kind = std::get<0>(GetParam()), .scale = std::get<1>(GetParam()), .edge_factor = 7, .seed = 3};
  bool undirected = std::get<2>(GetParam());
};

TEST_P(GpuGenerate, DegreesAndOrder) {
  ListSupply edges(generate(options));
  const EdgeList& list = *edges.list();
  const Degrees expected = count_degrees(edges, undirected);
  Budget host;
  CudaDevice device({}, host);
  const CudaDegrees degrees = count_degrees(device, generated_edges(options), undirected);
  EXPECT_TRUE(std::ranges::equal(to_host(device, degrees.out), expected.out));
  EXPECT_TRUE(std::ranges::equal(to_host(device, degrees.in), expected.in));
  EXPECT_EQ(degrees.self_loops, std::ranges::count_if(list.edges, [](Edge e) { return e.source == e.target; }));

  const CudaOrder order = rank_by_degree(device, degrees);
  const Array<VertexId> rank = rank_by_degree(expected);
  EXPECT_TRUE(std::ranges::equal(to_host(device, order.rank), rank));
  const std::vector<std::uint32_t> renumbered = to_host(device, renumber(device, degrees.out, order.vertex_at));
  for (std::uint64_t v = 0; v < rank.size(); ++v) ASSERT_EQ(renumbered[rank[v]], expected.out[v]) << "vertex " << v;
}

TEST_P(GpuGenerate, Sample) {
  ListSupply edges(generate(options));
  const EdgeList& list = *edges.list();
  const Array<VertexId> rank = rank_by_degree(count_degrees(edges, undirected));
  std::vector<std::uint64_t> member((list.num_vertices + 63) / 64);
  for (std::uint64_t v = 0; v < list.num_vertices; v += 1 + v % 5) member[v / 64] |= std::uint64_t{1} << (v % 64);

  Budget host;
  CudaDevice device({}, host);
  CudaArray<VertexId> ranks(device, rank.size(), "a test");
  device.copy_to_device(ranks.data(), rank.data(), ranks.bytes());
  for (const bool ranked : {false, true}) {
    std::vector<std::uint64_t> expected;
    const auto place = [&](VertexId v) { return ranked ? rank[v] : v; };
    const auto take = [&](VertexId row, VertexId neighbour) {
      if (!((member[row / 64] >> (row % 64)) & 1)) return;
      expected.push_back(std::uint64_t{place(row)} << 32 | place(neighbour));
    };
    for (const auto [source, target] : list.edges) {
      take(source, target);
      if (undirected) take(target, source);
    }
    std::vector<std::uint64_t> sample =
        take_sample(device, generated_edges(options), undirected, member, ranked ? ranks.data() : nullptr);
    std::ranges::sort(sample);
    std::ranges::sort(expected);
    EXPECT_TRUE(sample == expected);
  }
}

// Whole stores, file by file: in every order and orientation, in one bucket and in several.
TEST_P(GpuGenerate, Stores) {
  const auto directory = scratch_directory() / ("millrace_gpu_stores_" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  for (const Order order : {Order::natural, Order::degree, Order::automatic})
    for (const Orientations orientations : {Orientations::both, Orientations::in, Orientations::out})
      for (const bool keep : {false, true}) {
        // Some of them in segments, where there are enough vertices.
        const std::uint64_t segment = std::max<std::uint64_t>(min_segment, (std::uint64_t{1} << options.scale) / 8);
        const BuildOptions build{.undirected = undirected,
                                 .orientations = orientations,
                                 .order = order,
                                 .duplicates = keep ? Duplicates::keep : Duplicates::first,
                                 .keep_self_loops = keep,
                                 .page_bytes = 65536,
                                 .segments = {.vertices = keep == (orientations == Orientations::both) ? segment : 0},
                                 .replace = true,
                                 .gpu = {.memory = std::uint64_t{2} << 30}};
        generate_store(options, directory / "host", build);
        generate_store_on_gpu(options, directory / "gpu", build);
        EXPECT_TRUE(contents(directory / "host") == contents(directory / "gpu"));
      }
  std::filesystem::remove_all(directory);
}

// One budget for everything: vertices, staging and output blocks.
TEST_F(GpuTest, GeneratesWithinTheMemoryOfTheHost) {
  const auto directory = scratch_directory() / ("millrace_gpu_memory_" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  const GenerateOptions graph{.scale = 17};
  BuildOptions build{.replace = true};
  generate_store(graph, directory / "host", build);
  build.memory = std::uint64_t{160} << 20;  // 64 MiB of it are for the process
  generate_store_on_gpu(graph, directory / "gpu", build);
  EXPECT_TRUE(contents(directory / "host") == contents(directory / "gpu"));
  build.memory = std::uint64_t{100} << 20;
  EXPECT_THROW(generate_store_on_gpu(graph, directory / "gpu", build), DoesNotFitError);
  std::filesystem::remove_all(directory);
}

INSTANTIATE_TEST_SUITE_P(Small, GpuGenerate,
                         testing::Combine(testing::Values(Kind::rmat, Kind::uniform), testing::Values(0u, 1u, 9u),
                                          testing::Bool()));
// The sample has more keys than fit at first.
INSTANTIATE_TEST_SUITE_P(Large, GpuGenerate,
                         testing::Combine(testing::Values(Kind::rmat, Kind::uniform), testing::Values(19u),
                                          testing::Bool()));

}  // namespace
}  // namespace millrace::test
