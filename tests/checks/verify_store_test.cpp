// verify_store: intact stores pass; damaged stores, and stores whose files contradict each other, do not.
#include "millrace/checks/verify_store.h"

#include <gtest/gtest.h>

#include <fstream>

#include "millrace/core/error.h"
#include "millrace/pages/encode.h"
#include "millrace/store/writer.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class VerifyWholeStores : public ShapeTest {};

TEST_P(VerifyWholeStores, Pass) {
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    const StoreVerdict verdict = verify_store(stored.store());
    EXPECT_EQ(verdict.problems, std::vector<std::string>{});
    EXPECT_EQ(verdict.edges, stored.graph().num_edges());
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, VerifyWholeStores, testing::ValuesIn(shape_names()), name_of);

void flip_byte(const std::filesystem::path& file, std::uint64_t offset) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  const char byte = static_cast<char>(stream.get() ^ 0x10);
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(byte);
  ASSERT_TRUE(stream);
}

// The complaint of verify, or of opening the store.
std::string complaint(const std::filesystem::path& path) {
  try {
    const StoreVerdict verdict = verify_store(Store::open(path));
    return verdict.problems.empty() ? "" : verdict.problems[0];
  } catch (const BadInputError& error) {
    return error.what();
  }
}

TEST(VerifyDamage, IsFoundInEveryFile) {
  const StoredGraph stored(rmat(9), {Order::degree, 4096});
  for (const auto& entry : std::filesystem::directory_iterator(stored.path())) {
    const std::uint64_t offset = entry.file_size() / 3;
    SCOPED_TRACE(entry.path().filename().string());
    flip_byte(entry.path(), offset);
    const std::string found = complaint(stored.path());
    EXPECT_NE(found, "");
    flip_byte(entry.path(), offset);
    EXPECT_EQ(complaint(stored.path()), "");
  }
}

TEST(VerifyDamage, NamesThePage) {
  const StoredGraph stored(rmat(9), {Order::degree, 4096});
  flip_byte(stored.path() / "out.pages", stored.store().table(Orientation::out)[1].offset + 100);
  EXPECT_EQ(complaint(stored.path()).rfind("out page 1: ", 0), 0u) << complaint(stored.path());
}

TEST(VerifyDamage, ListsTenAndNoMore) {
  const StoredGraph stored(rmat(11), {Order::degree, 4096});
  const PageTable& table = stored.store().table(Orientation::in);
  ASSERT_GT(table.size(), 4u);
  for (const PageEntry& entry : table) flip_byte(stored.path() / "in.pages", entry.offset + 70);
  EXPECT_EQ(verify_store(stored.store()).problems.size(), std::min<std::size_t>(table.size(), 10));
}

// A store with right checksums and wrong content. Vertices 0, 1, 2.
struct Lie {
  std::vector<std::vector<VertexId>> out{{1, 2}, {2}, {}}, in{{}, {0}, {0, 1}};
  std::vector<std::uint32_t> out_degree{2, 1, 0}, in_degree{0, 1, 2};
  std::vector<OriginalId> ids{10, 20, 30};
  bool directed = true;
  std::uint64_t edges = 3, self_loops = 0;
};

std::vector<EncodedPage> encode(const std::vector<std::vector<VertexId>>& rows) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<VertexId> neighbours;
  for (const auto& row : rows) {
    neighbours.insert(neighbours.end(), row.begin(), row.end());
    offsets.push_back(neighbours.size());
  }
  std::vector<EncodedPage> pages;
  PageEncoder encoder{PageOptions{}};
  encoder.encode({.first_vertex = 0, .offsets = offsets, .neighbours = neighbours.data()}, pages);
  return pages;
}

std::string complaint_about(const Lie& lie) {
  const TempDir directory;
  StoreWriter writer(directory / "lie.store", false);
  for (EncodedPage& page : encode(lie.out)) writer.append_page(Orientation::out, std::move(page));
  writer.write_degrees(Orientation::out, lie.out_degree);
  if (lie.directed) {
    for (EncodedPage& page : encode(lie.in)) writer.append_page(Orientation::in, std::move(page));
    writer.write_degrees(Orientation::in, lie.in_degree);
  }
  writer.write_ids(lie.ids);
  Manifest manifest;
  manifest.num_vertices = 3;
  manifest.num_edges = lie.edges;
  manifest.directed = lie.directed;
  manifest.self_loops = lie.self_loops;
  manifest.order = "natural";
  writer.commit(manifest);
  return complaint(directory / "lie.store");
}

TEST(VerifyAgreement, OfAllPartsPasses) { EXPECT_EQ(complaint_about({}), ""); }

TEST(VerifyAgreement, OfOrientations) {
  // The same degrees in both orientations, but other edges.
  const Lie lie{.out = {{1}, {0}, {1}},
                .in = {{2}, {0, 1}, {}},
                .out_degree = {1, 1, 1},
                .in_degree = {1, 2, 0},
                .self_loops = 0};
  EXPECT_EQ(complaint_about(lie), "out and in pages hold different edges");
}

TEST(VerifyAgreement, OfDegreesAndPages) {
  EXPECT_EQ(complaint_about({.out_degree = {2, 0, 1}}), "out degrees are not those of the out pages");
}

TEST(VerifyAgreement, OfMirrorImages) {
  const Lie lie{.out = {{1, 2}, {0}, {}}, .out_degree = {2, 1, 0}, .directed = false};
  EXPECT_EQ(complaint_about(lie), "the graph is called undirected, but some edge lacks its mirror image");
}

TEST(VerifyAgreement, OfSelfLoops) {
  EXPECT_EQ(complaint_about({.self_loops = 2}), "0 self-loops, but the manifest says 2");
}

TEST(VerifyAgreement, OfIds) {
  EXPECT_EQ(complaint_about({.ids = {10, 20, 10}}), "two vertices have the original id 10");
}

TEST(VerifyAgreement, OfEdgeCounts) {
  EXPECT_NE(complaint_about({.edges = 4}).find("1 pages with 3 edges, but the manifest says 1 with 4"),
            std::string::npos);
}

}  // namespace
}  // namespace millrace
