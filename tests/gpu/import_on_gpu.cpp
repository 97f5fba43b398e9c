// Stores that are sorted and encoded on a GPU are the same, byte for byte, as those of the cpu, from memory and through
// temporary files, in one bucket and in several.
#include "gpu/gpu_test.h"
#include "millrace/build/cuda_page_builder.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/error.h"
#include "store/store_fixture.h"
#include "support/multigraph.h"

namespace millrace::test {
namespace {

constexpr std::uint32_t page_bytes = 4096;
constexpr std::uint64_t tiny_memory = 3 << 20;  // so that the multigraph goes through temporary files

class GpuImport : public OnGpu<DirectoryTest> {
 protected:
  BuildSummary build(const Multigraph& graph, const BuildOptions& options, const char* name, std::uint64_t memory) {
    Budget budget(memory, setting("memory"));
    StoreWriter writer(directory_ / name, {.replace = true}, budget);
    MultigraphReader reader(graph);
    BuildSummary summary = build_from(reader, options, writer, budget);
    EXPECT_LE(budget.peak(), memory);
    return summary;
  }

  void compare(const Multigraph& graph, BuildOptions options, std::uint64_t memory) {
    options.page_bytes = page_bytes;
    const BuildSummary expected = build(graph, options, "cpu", Budget::unlimited);
    options.use_gpu = UseGpu::always;
    const BuildSummary summary = build(graph, options, "gpu", memory);
    EXPECT_EQ(expected.device, "cpu");
    EXPECT_EQ(summary.device, "cuda:0");
    EXPECT_EQ(summary.num_edges, expected.num_edges);
    EXPECT_EQ(summary.merged_edges, expected.merged_edges);
    EXPECT_EQ(summary.dropped_self_loops, expected.dropped_self_loops);
    EXPECT_EQ(summary.temporary_bytes > 0, memory == tiny_memory);
    EXPECT_TRUE(contents(directory_ / "cpu") == contents(directory_ / "gpu"));
  }

  // The options of a GPU that takes `keys` edges at once.
  static CudaOptions room_for(std::uint64_t keys) {
    constexpr std::uint64_t memory = std::uint64_t{4} << 30;
    CudaDevice device({.memory = memory}, unlimited_budget());
    const std::uint64_t most = CudaPageBuilder::most_keys(device, {.page_bytes = page_bytes});
    return {.memory = memory - (most - keys) * CudaPageBuilder::bytes_per_key()};
  }
};

struct Case {
  const char* name;
  BuildOptions options;
};
const Case cases[] = {
    {"natural", {.order = Order::natural}},
    {"degree", {.order = Order::degree}},
    {"automatic", {.order = Order::automatic}},
    {"undirected", {.undirected = true}},
    {"blocked", {.order = Order::natural, .segments = {.vertices = 256}}},
    {"blocked_undirected", {.undirected = true, .order = Order::degree, .segments = {.vertices = 64}}},
    {"blocked_keep", {.duplicates = Duplicates::keep, .keep_self_loops = true, .segments = {.vertices = 1024}}},
    {"blocked_in", {.orientations = Orientations::in, .segments = {.vertices = 512}}},
    {"undirected_keep", {.undirected = true, .duplicates = Duplicates::keep, .keep_self_loops = true}},
    {"in", {.orientations = Orientations::in}},
    {"out", {.orientations = Orientations::out}},
    {"out_by_degree", {.orientations = Orientations::out, .order = Order::degree}},
    {"keep_duplicates", {.duplicates = Duplicates::keep}},
    {"keep_self_loops", {.keep_self_loops = true}},
    {"keep_all_in", {.orientations = Orientations::in, .duplicates = Duplicates::keep, .keep_self_loops = true}},
    {"sum", {.duplicates = Duplicates::sum}},  // there are no weights to sum: edges are merged
};

TEST_F(GpuImport, InMemory) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    compare({}, c.options, Budget::unlimited);
  }
}

TEST_F(GpuImport, ThroughTemporaryFiles) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    compare({}, c.options, tiny_memory);
  }
}

TEST_F(GpuImport, SparseIds) {
  for (const std::uint64_t memory : {Budget::unlimited, tiny_memory}) compare({.sparse_ids = true}, {}, memory);
}

// Some vertices are isolated, also the last ones.
TEST_F(GpuImport, VerticesThatAreKnownBeforehand) {
  for (const std::uint64_t memory : {Budget::unlimited, tiny_memory})
    compare({.vertices = std::make_shared<IdIndex>(5000)}, {.order = Order::natural}, memory);
}

// The GPU has room for a fraction of the edges.
TEST_F(GpuImport, InSeveralBatches) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    BuildOptions options = c.options;
    options.gpu = room_for(20'000);
    compare({}, options, Budget::unlimited);
  }
}

TEST_F(GpuImport, WhatDoesNotFitIsSaid) {
  BuildOptions options{.page_bytes = page_bytes, .use_gpu = UseGpu::always, .gpu = room_for(100)};
  EXPECT_THROW(build({}, options, "gpu", Budget::unlimited), DoesNotFitError);
  options.gpu = {};
  EXPECT_THROW(build({}, options, "gpu", 400 << 10), DoesNotFitError);
  EXPECT_TRUE(names_in_directory().empty());
}

TEST_F(GpuImport, WeightsAndSmallGraphsAreLeftToTheCpu) {
  BuildOptions options{.page_bytes = page_bytes};
  build({.weighted = true}, options, "cpu", Budget::unlimited);
  options.use_gpu = UseGpu::always;
  EXPECT_EQ(build({.weighted = true}, options, "gpu", Budget::unlimited).device, "cpu");
  EXPECT_TRUE(contents(directory_ / "cpu") == contents(directory_ / "gpu"));
  options.use_gpu = UseGpu::where_worth;
  EXPECT_EQ(build({}, options, "gpu", Budget::unlimited).device, "cpu");
}

class GpuImportShape : public OnGpu<DirectoryTest>, public testing::WithParamInterface<std::string> {};

TEST_P(GpuImportShape, GivesTheSameStore) {
  const Shape shape = shape_named(GetParam());
  for (const Orientations orientations : {Orientations::both, Orientations::out}) {
    BuildOptions options{.undirected = shape.undirected,
                         .orientations = orientations,
                         .duplicates = shape.duplicates,
                         .keep_self_loops = shape.keep_self_loops,
                         .page_bytes = page_bytes,
                         .replace = true};
    build_store(edge_list(shape), directory_ / "cpu", options);
    options.use_gpu = UseGpu::always;
    build_store(edge_list(shape), directory_ / "gpu", options);
    EXPECT_TRUE(contents(directory_ / "cpu") == contents(directory_ / "gpu"));
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, GpuImportShape, testing::ValuesIn(shape_names()), name_of);

}  // namespace
}  // namespace millrace::test
