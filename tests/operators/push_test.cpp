// Pushing single rows of pages that another program wrote.
#include <gtest/gtest.h>

#include <numeric>

#include "millrace/algorithms/bfs.h"
#include "millrace/checks/verify_store.h"
#include "millrace/engine/engine.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/pages/encode.h"
#include "millrace/store/writer.h"
#include "support/temp_dir.h"

namespace millrace {
namespace {

using namespace test;

// The format allows lanes as long as a slice; only our encoder cuts rows of 512 edges and more.
TEST(PushSparse, ReadsLanesAsLongAsTheFormatAllows) {
  constexpr VertexId n = max_slice_columns + 1;
  std::vector<VertexId> neighbours(max_slice_columns);
  std::iota(neighbours.begin(), neighbours.end(), 1u);
  std::vector<std::uint64_t> offsets(n + 1, max_slice_columns);
  offsets[0] = 0;
  const Rows rows{.first_vertex = 0, .offsets = offsets, .neighbours = neighbours.data()};
  PageBuilder builder(PageOptions{});
  const PageBuilder::Lane lane{.slot = 0, .first = 0, .length = max_slice_columns};
  builder.add_slice(rows, std::span(&lane, 1));

  TempDir directory;
  StoreWriter writer(directory / "foreign.store", false);
  writer.append_page(Orientation::out, builder.finish(PageKind::small, rows, 1, 0));
  std::vector<std::uint32_t> out_degree(n, 0), in_degree(n, 1);
  out_degree[0] = max_slice_columns, in_degree[0] = 0;
  writer.write_degrees(Orientation::out, out_degree);
  PageEncoder encoder{PageOptions{}};
  std::vector<std::uint64_t> in_offsets(n + 1, 0);
  std::iota(in_offsets.begin() + 1, in_offsets.end(), 0u);
  const std::vector<VertexId> zeros(n, 0);
  std::vector<EncodedPage> in_pages;
  encoder.encode({.first_vertex = 0, .offsets = in_offsets, .neighbours = zeros.data()}, in_pages);
  for (EncodedPage& page : in_pages) writer.append_page(Orientation::in, std::move(page));
  writer.write_degrees(Orientation::in, in_degree);
  Manifest manifest;
  manifest.num_vertices = n;
  manifest.num_edges = max_slice_columns;
  manifest.order = "natural";
  writer.commit(manifest);

  const Store store = Store::open(directory / "foreign.store");
  ASSERT_EQ(verify_store(store).problems, std::vector<std::string>{});
  CpuDevice device({.threads = 2});
  const Graph graph(store, bfs_needs(Direction::push), device);
  Engine engine(device, graph, Direction::push);
  EXPECT_EQ(bfs(engine, 0).reached, n);
}

}  // namespace
}  // namespace millrace
