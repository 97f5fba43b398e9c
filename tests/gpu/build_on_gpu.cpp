// Pages made on a GPU have the same bytes as those of PageEncoder, with all sizes of batches.
#include <algorithm>
#include <cstring>

#include "gpu/gpu_test.h"
#include "millrace/build/cuda_page_builder.h"
#include "millrace/build/encode_keys.h"
#include "millrace/build/page_plan.h"
#include "millrace/core/error.h"
#include "support/graphs.h"
#include "support/pages.h"

namespace millrace::test {
namespace {

// The edges of one orientation as keys, in the order of the edges.
std::vector<std::uint64_t> keys_of(const Shape& shape, Orientation orientation, std::uint64_t segment = 0) {
  const KeyBits bits(shape.num_vertices, segment);
  std::vector<std::uint64_t> keys;
  for (const auto [source, target] : shape.edges) {
    if (source == target && !shape.keep_self_loops) continue;
    const auto add = [&](VertexId row, VertexId neighbour) { keys.push_back(bits.key(row, neighbour)); };
    if (shape.undirected || orientation == Orientation::out) add(source, target);
    if (shape.undirected ? source != target : orientation == Orientation::in) add(target, source);
  }
  return keys;
}

// Lengths of rows are added to what was there: the row of a vertex may be in several batches.
constexpr std::uint32_t degree_before = 77;

// The result of a batch.
struct Made {
  std::vector<EncodedPage> pages;
  std::vector<std::uint32_t> degrees;
  std::vector<std::uint32_t> other_degrees;
  std::uint64_t edges = 0, self_loops = 0;
  std::uint64_t vertices_by_host = 0;
};

// Made by PageEncoder.
Made on_host(std::vector<std::uint64_t> keys, const CudaBuildOptions& options, std::span<const std::uint64_t> plan) {
  const KeyBits& bits = options.bits;
  std::sort(keys.begin(), keys.end());
  if (!options.pages.keep_parallel_edges) keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  Made made{.pages = {},
            .degrees = std::vector<std::uint32_t>(bits.num_vertices, degree_before),
            .other_degrees = std::vector<std::uint32_t>(bits.num_vertices)};
  made.edges = keys.size();
  for (const std::uint64_t key : keys) {
    const VertexId row = bits.row(key), neighbour = bits.neighbour(key);
    ++made.degrees[row];
    ++made.other_degrees[neighbour];
    made.self_loops += row == neighbour;
  }
  PageEncoder encoder(options.pages);
  auto at = keys.begin();
  for (std::size_t p = 0; p + 1 < plan.size(); ++p) {
    // The end of the last segment may be past all keys that there are.
    const auto end = std::partition_point(at, keys.end(), [&](auto key) { return bits.row_key(key) < plan[p + 1]; });
    encode_keys({at, end}, bits.row_of(plan[p]), bits.end_row(plan[p], plan[p + 1]), bits, encoder, made.pages);
    at = end;
  }
  return made;
}

// Made by a builder, from the keys that were added to it.
Made on_gpu(CudaDevice& device, CudaPageBuilder& builder, const CudaBuildOptions& options,
            std::span<const std::uint64_t> plan) {
  Made made{.pages = {},
            .degrees = std::vector<std::uint32_t>(options.bits.num_vertices, degree_before),
            .other_degrees = std::vector<std::uint32_t>(options.bits.num_vertices)};
  CudaArray<std::uint32_t> other(device, options.bits.num_vertices, "a test");
  other.zero();
  const CudaBuildResult result =
      builder.encode(plan, made.degrees, other.data(), [&](std::vector<EncodedPage>&& pages) {
        for (EncodedPage& page : pages) made.pages.push_back(std::move(page));
      });
  made.edges = result.edges;
  made.self_loops = result.self_loops;
  made.vertices_by_host = result.vertices_by_host;
  device.copy_to_host(made.other_degrees.data(), other.data(), other.bytes());
  return made;
}

void expect_same(const Made& made, const Made& expected) {
  EXPECT_EQ(made.edges, expected.edges);
  EXPECT_EQ(made.self_loops, expected.self_loops);
  EXPECT_TRUE(made.degrees == expected.degrees);
  EXPECT_TRUE(made.other_degrees == expected.other_degrees);
  ASSERT_EQ(made.pages.size(), expected.pages.size());
  for (std::size_t p = 0; p < made.pages.size(); ++p) {
    const EncodedPage &a = made.pages[p], &b = expected.pages[p];
    ASSERT_EQ(a.bytes.size(), b.bytes.size()) << "page " << p;
    const auto differ = std::mismatch(a.bytes.begin(), a.bytes.end(), b.bytes.begin()).first - a.bytes.begin();
    ASSERT_EQ(differ, static_cast<std::ptrdiff_t>(b.bytes.size())) << "page " << p << " differs from this byte on";
    ASSERT_EQ(std::memcmp(&a.entry, &b.entry, sizeof(PageEntry)), 0) << "entry of page " << p;
  }
}

std::vector<std::uint64_t> planned(const std::vector<std::uint64_t>& keys, const CudaBuildOptions& options) {
  const KeyBits& bits = options.bits;
  std::vector<std::uint32_t> degrees(bits.num_vertices);
  for (const std::uint64_t key : keys) ++degrees[bits.row(key)];
  if (bits.num_segments() > 1) {
    BlockCounts counts(bits, degrees, {});
    for (const std::uint64_t key : keys) counts.add(bits.row_key(key));
    return plan_blocked_pages(counts, 0, options.pages).first_row;
  }
  return plan_pages(degrees, 0, options.pages).first_row;
}

// In every segment pages begin every `step` vertices, whatever their rows.
std::vector<std::uint64_t> planned_every(VertexId step, const KeyBits& bits) {
  std::vector<std::uint64_t> plan;
  for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
    for (std::uint64_t v = 0; v < bits.num_vertices; v += step)
      plan.push_back(bits.row_key(g, static_cast<VertexId>(v)));
  plan.push_back(bits.row_key(bits.num_segments() - 1, bits.num_vertices));
  return plan;
}

class GpuBuild : public GpuTest {
 protected:
  // In one batch, with the keys added in two pieces.
  void compare(const std::vector<std::uint64_t>& keys, const CudaBuildOptions& options,
               const std::vector<std::uint64_t>& plan) {
    Budget host;
    CudaDevice device({}, host);
    CudaPageBuilder builder(device, options, keys.size());
    const std::span<const std::uint64_t> all(keys);
    builder.add(all.first(keys.size() / 3));
    builder.add(all.subspan(keys.size() / 3));
    expect_same(on_gpu(device, builder, options, plan), on_host(keys, options, plan));
  }

  void compare(const Shape& shape, Orientation orientation, std::uint32_t page_bytes, std::uint64_t segment = 0) {
    const std::vector<std::uint64_t> keys = keys_of(shape, orientation, segment);
    const CudaBuildOptions options = options_for(shape, page_bytes, segment);
    compare(keys, options, planned(keys, options));
  }

  static CudaBuildOptions options_for(const Shape& shape, std::uint32_t page_bytes, std::uint64_t segment = 0) {
    return {.bits = KeyBits(shape.num_vertices, segment),
            .pages = {.page_bytes = page_bytes, .keep_parallel_edges = shape.duplicates == Duplicates::keep},
            .keep_self_loops = shape.keep_self_loops};
  }
};

class GpuBuildShape : public GpuBuild, public testing::WithParamInterface<std::string> {};

TEST_P(GpuBuildShape, GivesThePagesOfTheEncoder) {
  const Shape shape = shape_named(GetParam());
  for (const Orientation orientation : {Orientation::out, Orientation::in})
    for (const std::uint32_t page_bytes : {4096u, 65536u, 1u << 20}) {
      SCOPED_TRACE(std::string(orientation_name(orientation)) + " in pages of " + std::to_string(page_bytes));
      compare(shape, orientation, page_bytes);
      if (page_bytes < 1u << 20) compare(shape, orientation, page_bytes, segment_for_tests(shape.num_vertices));
    }
}
INSTANTIATE_TEST_SUITE_P(Shapes, GpuBuildShape, testing::ValuesIn(shape_names()), name_of);

TEST_F(GpuBuild, SmallBatchOfRowsAndHubs) { compare(rmat(9), Orientation::in, 4096); }
TEST_F(GpuBuild, SmallBatchOfSegments) { compare(rmat(9), Orientation::in, 4096, 64); }

// Rows of several pages in each segment, and many segments.
TEST_F(GpuBuild, HubsOverSegments) {
  compare(star_out(100'000), Orientation::out, 4096, 65'536);
  compare(hub(40'000, 30'000), Orientation::out, 4096, 16'384);
  compare(hub(40'000, 30'000), Orientation::in, 4096, 64);
}

TEST_F(GpuBuild, OneRow) {
  for (const VertexId length : {1u, 31u, 32u, 33u, 511u, 512u, 513u, 1023u, 4000u})
    compare(star_out(length), Orientation::out, 65536);
}

TEST_F(GpuBuild, StarsWiderThanAPage) {
  compare(star_out(100'000), Orientation::out, 4096);
  compare(star_in(100'000), Orientation::out, 4096);
  compare(hub(40'000, 30'000), Orientation::out, 4096);
}

TEST_F(GpuBuild, ManyHubs) {
  Shape shape{.num_vertices = 5000};
  std::mt19937 random(5);
  for (VertexId v = 0; v < 60; ++v)
    for (std::uint32_t i = 0; i < 300 + 40 * v; ++i)
      shape.edges.push_back({v * 50, static_cast<VertexId>(random() % 5000)});
  for (const std::uint32_t page_bytes : {4096u, 16384u, 1u << 20}) compare(shape, Orientation::out, page_bytes);
}

TEST_F(GpuBuild, Rmat) {
  for (const std::uint32_t scale : {10u, 13u, 16u})
    for (const std::uint32_t page_bytes : {4096u, 65536u, 1u << 20}) {
      SCOPED_TRACE("scale " + std::to_string(scale) + " in pages of " + std::to_string(page_bytes));
      compare(rmat(scale), Orientation::in, page_bytes);
      compare(rmat(scale, true), Orientation::out, page_bytes);
    }
}

TEST_F(GpuBuild, PlansThatDoNotSuitTheRows) {
  const Shape shape = rmat(12);
  for (const std::uint64_t segment : {0u, 1024u}) {
    const std::vector<std::uint64_t> keys = keys_of(shape, Orientation::out, segment);
    for (const std::uint32_t page_bytes : {4096u, 65536u})
      for (const VertexId step : {1u, 7u, 500u, 4096u}) {
        SCOPED_TRACE("a page every " + std::to_string(step) + " vertices, segments of " + std::to_string(segment));
        const CudaBuildOptions options = options_for(shape, page_bytes, segment);
        compare(keys, options, planned_every(step, options.bits));
      }
  }
}

TEST_F(GpuBuild, PagesWithMoreRowsThanFit) {
  // The page has too many rows to be tried.
  const Shape shape = chain(20'000);
  const CudaBuildOptions options = options_for(shape, 4096);
  compare(keys_of(shape, Orientation::out), options, {0, 5, 19'990, 20'000});
}

TEST_F(GpuBuild, BatchesOfOneBuilder) {
  const Shape shape = rmat(13);
  for (const std::uint64_t segment : {0u, 2048u}) {
    const CudaBuildOptions options = options_for(shape, 4096, segment);
    const std::vector<std::uint64_t> keys = keys_of(shape, Orientation::in, segment);
    const std::vector<std::uint64_t> plan = planned(keys, options);
    Budget host;
    CudaDevice device({}, host);
    CudaPageBuilder builder(device, options, keys.size());
    for (std::size_t first = 0; first + 1 < plan.size(); first += plan.size() / 3 + 1) {
      const std::size_t last = std::min(first + plan.size() / 3 + 1, plan.size() - 1);
      const std::span<const std::uint64_t> part = std::span(plan).subspan(first, last - first + 1);
      std::vector<std::uint64_t> some;
      for (const std::uint64_t key : keys)
        if (const auto row = options.bits.row_key(key); row >= part.front() && row < part.back()) some.push_back(key);
      builder.add(some);
      EXPECT_EQ(builder.num_keys(), some.size());
      expect_same(on_gpu(device, builder, options, part), on_host(some, options, part));
      EXPECT_EQ(builder.num_keys(), 0u);
    }
  }
}

TEST_F(GpuBuild, LeavesOnlyWideVerticesToTheHost) {
  const Shape shape = from_generator({.kind = GenerateOptions::Kind::uniform, .scale = 14, .weights = {}});
  const CudaBuildOptions options = options_for(shape, 4096);
  const std::vector<std::uint64_t> keys = keys_of(shape, Orientation::out);
  Budget host;
  CudaDevice device({}, host);
  CudaPageBuilder builder(device, options, keys.size());
  builder.add(keys);
  const std::vector<std::uint64_t> plan{0, shape.num_vertices};  // will be cut again and again
  const Made made = on_gpu(device, builder, options, plan);
  expect_same(made, on_host(keys, options, plan));
  EXPECT_GT(made.pages.size(), 100u);
  EXPECT_EQ(made.vertices_by_host, 0u);
}

TEST_F(GpuBuild, KeysThatDoNotFit) {
  Budget host;
  CudaDevice device({}, host);
  CudaPageBuilder builder(device, {.bits = KeyBits(8, 0)}, 4);
  const std::vector<std::uint64_t> keys(5);
  EXPECT_THROW(builder.add(keys), DoesNotFitError);
  const GeneratedEdges edges{.scale = 3, .edge_factor = 9};
  EXPECT_THROW(builder.add_generated(edges, {.undirected = true, .first = 0, .last = 8}), DoesNotFitError);
  EXPECT_GT(CudaPageBuilder::most_keys(device, {}), 1u << 20);
}

TEST_F(GpuBuild, GeneratedRows) {
  for (const bool undirected : {false, true})
    for (const bool ranked : {false, true})
      for (const Orientation orientation : {Orientation::out, Orientation::in}) {
        const GeneratedEdges edges{.scale = 11, .edge_factor = 6, .seed = 5};
        Budget host;
        CudaDevice device({}, host);
        const CudaOrder order = rank_by_degree(device, count_degrees(device, edges, undirected));
        std::vector<VertexId> rank(edges.num_vertices());
        device.copy_to_host(rank.data(), order.rank.data(), order.rank.bytes());
        Shape shape{.num_vertices = edges.num_vertices(), .undirected = undirected};
        for (std::uint64_t i = 0; i < edges.num_edges(); ++i) {
          const Edge edge = edges.edge(i);
          shape.edges.push_back(ranked ? Edge{rank[edge.source], rank[edge.target]} : edge);
        }
        for (const std::uint64_t segment : {0u, 512u}) {
          const CudaBuildOptions options = options_for(shape, 4096, segment);
          const KeyBits& bits = options.bits;
          // From the middle of the first segment to that of the last.
          std::vector<std::uint64_t> plan;
          for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
            for (const VertexId first : {0u, 100u, 101u, 300u, 302u, 800u, 1000u})
              if (g > 0 || first >= 100) plan.push_back(bits.row_key(g, first));
          std::vector<std::uint64_t> keys = keys_of(shape, orientation, segment);
          std::erase_if(keys, [&](std::uint64_t key) {
            return bits.row_key(key) < plan.front() || bits.row_key(key) >= plan.back();
          });
          CudaPageBuilder builder(device, options, keys.size());
          builder.add_generated(edges, {.orientation = orientation,
                                        .undirected = undirected,
                                        .rank = ranked ? order.rank.data() : nullptr,
                                        .first = plan.front(),
                                        .last = plan.back()});
          EXPECT_EQ(builder.num_keys(), keys.size());
          expect_same(on_gpu(device, builder, options, plan), on_host(keys, options, plan));
        }
      }
}

}  // namespace
}  // namespace millrace::test
