// The figures of `millrace info`.
#include "millrace/report/describe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/one_orientation.h"

namespace millrace {
namespace {

using namespace test;

nlohmann::json figures(const StoredGraph& stored) { return nlohmann::json::parse(describe_json(stored.store())); }

TEST(Describe, CountsADirectedGraph) {
  const StoredGraph stored(rmat(10), {Order::degree, 4096});
  const auto json = figures(stored);
  EXPECT_EQ(json.at("schema_version"), 1);
  EXPECT_EQ(json.at("vertices"), 1024);
  EXPECT_EQ(json.at("edges"), stored.graph().num_edges());
  EXPECT_EQ(json.at("directed"), true);
  EXPECT_FALSE(json.contains("undirected_edges"));
  EXPECT_EQ(json.at("weights"), "none");
  EXPECT_EQ(json.at("order"), "degree");
  EXPECT_EQ(json.at("page_size"), 4096);
  EXPECT_EQ(json.at("source"), "a test");
  const std::uint64_t out = stored.store().table(Orientation::out).size();
  const std::uint64_t in = stored.store().table(Orientation::in).size();
  EXPECT_EQ(json.at("pages"), (nlohmann::json{{"out", out}, {"in", in}, {"total", out + in}}));
}

// Pages and page table, with their sizes on disk.
TEST(Describe, CountsBytesPerEdgeByOrientation) {
  const StoredGraph stored(rmat(10), {Order::degree, 4096});
  const auto json = figures(stored);
  for (const std::string name : {"out", "in"}) {
    const std::uint64_t bytes = std::filesystem::file_size(stored.path() / (name + ".pages")) +
                                std::filesystem::file_size(stored.path() / (name + ".table"));
    EXPECT_DOUBLE_EQ(json.at("bytes_per_edge").at(name),
                     static_cast<double>(bytes) / static_cast<double>(stored.graph().num_edges()));
  }
}

TEST(Describe, CountsAnUndirectedEdgeOnce) {
  Shape shape = rmat(10, true);
  shape.keep_self_loops = true;
  const StoredGraph stored(shape);
  const auto json = figures(stored);
  std::uint64_t undirected = 0, loops = 0;
  for (VertexId v = 0; v < 1024; ++v)
    for (const VertexId w : stored.graph().out[v]) undirected += v <= w, loops += v == w;
  ASSERT_GT(loops, 0u);
  EXPECT_EQ(json.at("directed"), false);
  EXPECT_EQ(json.at("edges"), stored.graph().num_edges());
  EXPECT_EQ(json.at("undirected_edges"), undirected);
  EXPECT_EQ(json.at("self_loops"), loops);
  EXPECT_FALSE(json.at("pages").contains("in")) << "one set of pages serves both";
}

TEST(Describe, HasDegreeStatistics) {
  const auto json = figures(StoredGraph(star_out(70)));
  const auto out = json.at("orientations").at("out").at("degree"), in = json.at("orientations").at("in").at("degree");
  EXPECT_EQ(out,
            (nlohmann::json{{"min", 0}, {"mean", 70.0 / 71}, {"median", 0}, {"p99", 70}, {"max", 70}, {"zero", 70}}));
  EXPECT_EQ(in, (nlohmann::json{{"min", 0}, {"mean", 70.0 / 71}, {"median", 1}, {"p99", 1}, {"max", 1}, {"zero", 1}}));
}

// The property of this shape that other tests rely on: its hub fills pages of its own.
TEST(Describe, CountsLargePages) {
  const auto json = figures(StoredGraph(shape_named("hub_of_pages"), {Order::natural, 4096}));
  EXPECT_GE(json.at("orientations").at("out").at("large_pages"), 2);
  EXPECT_GE(json.at("orientations").at("in").at("large_pages"), 2);
}

TEST(Describe, SaysHowIdsAreKept) {
  EXPECT_EQ(figures(StoredGraph(chain(9))).at("id_bytes_per_vertex"), 0);
  EXPECT_EQ(figures(StoredGraph(chain(9), {Order::degree})).at("id_bytes_per_vertex"), 4);
  EXPECT_EQ(figures(StoredGraph(sparse_ids())).at("id_bytes_per_vertex"), 8);
}

TEST(Describe, CountsEveryFile) {
  const StoredGraph stored(rmat(8));
  std::uint64_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(stored.path())) bytes += file.file_size();
  EXPECT_EQ(figures(stored).at("bytes"), bytes);
}

class DescribeText : public ShapeTest {};

TEST_P(DescribeText, HasACountOfEverything) {
  const StoredGraph stored(shape());
  const std::string text = describe_text(stored.store());
  for (const std::string row : {"vertices", "edges", "weights", "self-loops", "vertex order", "out pages", "on disk"})
    EXPECT_NE(text.find("\n  " + row + " "), std::string::npos) << row << " is not in\n" << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_EQ(text.find("inf"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(EveryShape, DescribeText, testing::ValuesIn(shape_names()), name_of);

TEST(Describe, SaysWhichOrientationIsMissing) {
  const OneOrientation in(star_out(40), {}, Orientation::in);
  const auto json = nlohmann::json::parse(describe_json(in.store()));
  EXPECT_FALSE(json.at("orientations").contains("out"));
  EXPECT_EQ(json.at("degrees").at("out").at("max"), 40);
  EXPECT_EQ(json.at("orientations").at("in").at("degree"), json.at("degrees").at("in"));
  EXPECT_NE(describe_text(in.store()).find("none: runs can only pull"), std::string::npos);
}

TEST(Describe, CountsNames) {
  const TempDir directory;
  EdgeList list = edge_list(chain(2));
  list.names = {.bytes = {'a', 'b'}, .offsets = {0, 1, 2}};
  build_store(std::move(list), directory / "named.store", {});
  const Store store = Store::open(directory / "named.store");
  const auto json = nlohmann::json::parse(describe_json(store));
  EXPECT_EQ(json.at("names"), true);
  EXPECT_EQ(json.at("name_bytes"), 8 + 3 * 8 + 2);
  EXPECT_NE(describe_text(store).find("a string for each id"), std::string::npos);
}

}  // namespace
}  // namespace millrace
