// Every format: small graphs are read as intended; options, detection, compression, names.
#include "millrace/read/formats.h"

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "fuzz/graph_fuzz.h"
#include "millrace/core/hash.h"
#include "support/graph_files.h"

namespace millrace {
namespace {

using test::expect_refusal, test::gap_file, test::packed, test::read_text, test::ReadGraph;
using Edges = std::vector<std::pair<OriginalId, OriginalId>>;
using Weights = std::vector<double>;
using I = std::int64_t;

std::vector<std::string> listed(const Names& names) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < names.size(); ++i) all.emplace_back(names[i]);
  return all;
}

TEST(Formats, EdgeListColumnsAreChosenByNumber) {
  const std::string text = "# c\n7 1 0.5 2\n8 2,1.5,3\n";
  EXPECT_EQ(read_text(text, {.columns = "2,4"}).edges, (Edges{{1, 2}, {2, 3}}));
  const ReadGraph graph = read_text(text, {.columns = "4,2,3"});
  EXPECT_EQ(graph.edges, (Edges{{2, 1}, {3, 2}}));
  EXPECT_EQ(graph.weights, (Weights{0.5, 1.5}));
  EXPECT_TRUE(read_text(text, {.weighted = false, .columns = "4,2,3"}).weights.empty());
  EXPECT_EQ(read_text(text, {.columns = "1,2,3"}).weights, (Weights{0.5, 1.5}));
  expect_refusal(text, {.weighted = true, .columns = "2,4"}, "needs a third column");
  expect_refusal(text, {.columns = "1"}, "expected two or three");
  expect_refusal(text, {.columns = "0,1"}, "0 is not a column");
  expect_refusal(text, {.format = Format::edges, .columns = "a,b"}, "no header");
}

TEST(Formats, CsvHasAHeader) {
  const std::string text = "id;to;\"from\";Weight\n1;\"20\"; 10 ;0.5\n\n2;30;20;7\n";
  EXPECT_EQ(read_text(text).edges, (Edges{{10, 20}, {20, 30}}));
  EXPECT_EQ(read_text(text).shape.format, "csv");
  EXPECT_EQ(read_text(text, {.weighted = true}).weights, (Weights{0.5, 7}));
  EXPECT_EQ(read_text(text, {.columns = "to,from"}).edges, (Edges{{20, 10}, {30, 20}}));
  EXPECT_EQ(read_text(text, {.columns = "1,2,id"}).weights, (Weights{1, 2}));
  expect_refusal(text, {.columns = "to,there"}, "no column called \"there\"; the header has id, to, from, Weight");
  expect_refusal(text, {.columns = "1,5"}, "numbered from 1 to 4");
  expect_refusal("a,b\n1,2\n", {.weighted = true}, "no column is called weight, w or value");
  EXPECT_EQ(read_text("\xEF\xBB\xBFone\ttwo\r\n1\t2\r\n").edges, (Edges{{1, 2}}));
}

TEST(Formats, CsvMayLackItsHeader) {
  EXPECT_EQ(read_text("1;2\n3;4\n", {}, "a.csv").edges, (Edges{{1, 2}, {3, 4}}));
  EXPECT_EQ(read_text("1,2\n3,4\n", {}, "a.csv").edges, (Edges{{1, 2}, {3, 4}}));
  EXPECT_EQ(read_text("\"1\",\"2\"\n", {.format = Format::csv}).edges, (Edges{{1, 2}}));
}

TEST(Formats, MatrixMarketKeepsItsIds) {
  const ReadGraph graph = read_text("%%matrixmarket MATRIX coordinate Real general\n% c\n\n4 4 2\n1 2 0.5\n3 3 -1e1\n");
  EXPECT_EQ(graph.edges, (Edges{{1, 2}, {3, 3}}));
  EXPECT_EQ(graph.weights, (Weights{0.5, -10}));
  EXPECT_EQ(graph.shape.vertices->size(), 4u);
  EXPECT_FALSE(graph.shape.undirected);
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n2 2\n";
  EXPECT_EQ(read_text(pattern).edges, (Edges{{2, 1}, {2, 2}}));
  EXPECT_TRUE(read_text(pattern).shape.undirected);
  EXPECT_FALSE(read_text(pattern).shape.weighted);
  expect_refusal(pattern, {.weighted = true}, "pattern matrix");
  const std::string integer = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n";
  EXPECT_TRUE(read_text(integer).shape.weighted);
  EXPECT_TRUE(read_text(integer, {.weighted = false}).weights.empty());
}

TEST(Formats, SkewSymmetricMatricesHaveBothSigns) {
  const std::string text = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 0.5\n3 1 0\n";
  const ReadGraph graph = read_text(text);
  EXPECT_EQ(graph.edges, (Edges{{2, 1}, {1, 2}, {3, 1}, {1, 3}}));
  EXPECT_EQ(graph.weights, (Weights{0.5, -0.5, 0, 0}));
  EXPECT_FALSE(std::signbit(graph.weights[3]));
  EXPECT_FALSE(graph.shape.undirected);
  EXPECT_EQ(read_text(text, {.weighted = false}).edges.size(), 4u);
}

TEST(Formats, MetisListsEachEdgeOnce) {
  const ReadOptions metis{.format = Format::metis};
  const ReadGraph graph = read_text("% c\n4 2\n2 3\n1\n% c\n1 \n\n", metis);
  EXPECT_EQ(graph.edges, (Edges{{1, 2}, {1, 3}}));
  EXPECT_EQ(graph.shape.vertices->size(), 4u);
  EXPECT_TRUE(graph.shape.undirected && !graph.shape.weighted);
  EXPECT_EQ(read_text("4 2\n2 3\n1\n1\n", metis).edges.size(), 2u) << "the empty last line may lack its newline";
  EXPECT_EQ(read_text("2 1 1\n2 5\n1 5", metis).weights, Weights{5});
  EXPECT_TRUE(read_text("2 1 001\n2 5\n1 5\n", {.format = Format::metis, .weighted = false}).weights.empty());
  EXPECT_EQ(read_text("2 1 010 2\n7 7 2\n7 7 1\n", metis).edges, (Edges{{1, 2}}));
  EXPECT_EQ(read_text("2 1 111\n9 7 2 5\n9 7 1 5\n", metis).weights, Weights{5});
  EXPECT_EQ(read_text("2 1 100\n9 2\n9 1\n", metis).edges, (Edges{{1, 2}}));
  EXPECT_EQ(read_text("1 1\n1\n", metis).edges, (Edges{{1, 1}})) << "a self-loop";
  EXPECT_TRUE(read_text("0 0\n", metis).edges.empty());
  expect_refusal("2 1\n2\n1\n", {.format = Format::metis, .weighted = true}, "has no edge weights");
}

TEST(Formats, GapGraphsAreReadFromTheirFirstLists) {
  for (const bool directed : {false, true})
    for (const bool weighted : {false, true}) {
      const ReadGraph graph = read_text(gap_file(directed, weighted));
      EXPECT_EQ(graph.shape.format, weighted ? "wsg" : "sg");
      EXPECT_EQ(graph.shape.undirected, !directed);
      EXPECT_EQ(graph.shape.vertices->size(), 4u);
      EXPECT_EQ(graph.edges, (Edges{{0, 1}, {0, 2}}));
      EXPECT_EQ(graph.weights, weighted ? (Weights{5, -3}) : Weights{});
    }
  EXPECT_TRUE(read_text(gap_file(true, true), {.weighted = false}).weights.empty());
  const GraphShape shape = read_text(gap_file(true, false)).shape;
  EXPECT_EQ(shape.reader_bytes, 8 * (shape.vertices->size() + 1));  // the offsets
  EXPECT_EQ(read_text(test::zstd(gap_file(false, true)), {.format = Format::wsg}).edges.size(), 2u);
  expect_refusal(gap_file(false, false), {.weighted = true}, "has no weights");
}

TEST(Formats, DimacsGraphsAreDirectedAndWeighted) {
  const ReadGraph graph = read_text("c road\np sp 3 2\nc\na 1 2 803\na 2 1 803\n");
  EXPECT_EQ(graph.shape.format, "gr");
  EXPECT_EQ(graph.edges, (Edges{{1, 2}, {2, 1}}));
  EXPECT_EQ(graph.weights, (Weights{803, 803}));
  EXPECT_EQ(graph.shape.vertices->size(), 3u);
  EXPECT_TRUE(read_text("p sp 2 1\na 1 2 3\n", {.weighted = false}).weights.empty());
}

TEST(Formats, Graph500PairsAreOfAny63Bits) {
  const std::string bytes = packed(I{5}, ~(I{1} << 63), I{0}, I{5});
  const ReadGraph graph = read_text(bytes, {}, "edges.graph500");
  EXPECT_EQ(graph.edges, (Edges{{5, 0x7fffffffffffffffu}, {0, 5}}));
  expect_refusal(bytes, {}, "pass format sg, wsg or graph500");
}

TEST(Formats, NamesAreNumberedByFirstAppearance) {
  const ReadOptions named{.ids = IdKind::string};
  for (const std::size_t block_bytes : {1, 5, 1 << 20}) {
    const ReadGraph graph = read_text("# c\nb a\na,c\nc b\n", {.ids = IdKind::string, .blocks = block_bytes});
    EXPECT_TRUE(graph.shape.named);
    EXPECT_EQ(graph.edges, (Edges{{0, 1}, {1, 2}, {2, 0}}));
    EXPECT_EQ(listed(graph.names), (std::vector<std::string>{"b", "a", "c"}));
  }
  const ReadGraph csv = read_text("source,target,weight\n\"New, \"\"York\"\"\",#1,2\n#1,  Zürich ,3\n",
                                  {.weighted = true, .ids = IdKind::string});
  EXPECT_EQ(listed(csv.names), (std::vector<std::string>{"New, \"York\"", "#1", "Zürich"}));
  EXPECT_EQ(csv.edges, (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(csv.weights, (Weights{2, 3}));
  expect_refusal("a,b\n", named, "may be a header or an edge", "a.csv");
  expect_refusal("%%MatrixMarket matrix coordinate real general\n", named, "ids string goes with");
}

TEST(Formats, ManyNamesKeepTheirNumbers) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "vertex-" + std::to_string(i) + " vertex-" + std::to_string(mix(i) % 10'000) + "\n";
  const ReadGraph graph = read_text(text, {.ids = IdKind::string, .blocks = 10'000});
  ASSERT_EQ(graph.edges.size(), 20'000u);
  for (std::uint64_t i = 0; i < graph.edges.size(); ++i) {
    ASSERT_EQ(graph.names[graph.edges[i].first], "vertex-" + std::to_string(i));
    ASSERT_EQ(graph.names[graph.edges[i].second], "vertex-" + std::to_string(mix(i) % 10'000));
  }
}

// Files in a directory, for formats with more than one file.
class FormatFiles : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("millrace_formats_" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path write(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
    return directory_ / name;
  }
  ReadGraph read(const std::string& name, const ReadOptions& options = {}) {
    return test::read_all(*open_graph(directory_ / name, options));
  }
  std::filesystem::path directory_;
};

TEST_F(FormatFiles, VertexFilesGoWithNamesAndPairs) {
  const auto names = write("names.v", "z\na\n");
  write("named.txt", "a z\n");
  const ReadGraph graph = read("named.txt", {.ids = IdKind::string, .vertices = names});
  EXPECT_EQ(graph.edges, (Edges{{1, 0}}));
  EXPECT_EQ(graph.shape.vertices->size(), 2u);
  expect_refusal<BadInputError>("a z\n# c\na y\n", {.ids = IdKind::string, .vertices = names},
                                "graph:3: vertex \"y\" is not in ");
  const auto numbers = write("numbers.v", "1\n2\n9\n");
  const ReadOptions pairs{.format = Format::graph500, .vertices = numbers};
  EXPECT_EQ(read_text(packed(I{1}, I{2}), pairs).shape.vertices->size(), 3u);
  expect_refusal<BadInputError>(packed(I{1}, I{3}), pairs, "vertex 3 at byte 8 is not in ");
  expect_refusal("p sp 1 0\n", {.vertices = numbers}, "vertices goes with");
  expect_refusal<BadInputError>("a,b\n1,3\n", {.vertices = numbers}, "graph:2: vertex 3 is not in ");
}

TEST_F(FormatFiles, GraphalyticsGraphsAreThreeFiles) {
  write("g.v", "1\n2\n3\n");
  write("g.e", "1 2 7 0.5\n");
  write("g.properties",
        "# c = d\ngraph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = false\n"
        "graph.g.edge-properties.names = age, weight\ngraph.g.sssp.weight-property = weight\n");
  for (const char* const name : {"g.properties", "g.v", "g.e"}) {
    const ReadGraph graph = read(name);
    EXPECT_EQ(graph.shape.format, "ldbc");
    EXPECT_TRUE(graph.shape.undirected);
    EXPECT_EQ(graph.shape.vertices->size(), 3u);
    EXPECT_EQ(graph.edges, (Edges{{1, 2}}));
    EXPECT_EQ(graph.weights, Weights{0.5});
  }
  EXPECT_FALSE(read("g.e", {.weighted = false}).shape.weighted);
  EXPECT_EQ(read("g.e", {.format = Format::edges}).shape.format, "edges");
  EXPECT_EQ(read("g.e", {.vertices = directory_ / "g.v"}).shape.format, "edges");
  std::filesystem::remove(directory_ / "g.e");
  EXPECT_THROW(read("g.properties"), BadInputError);
  write("g.e.zst", test::zstd("1 2 7 0.5\n"));
  EXPECT_EQ(read("g.properties").edges.size(), 1u);
  write("g.properties", "graph.g.directed = perhaps\ngraph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\n");
  EXPECT_THROW(read("g.properties"), BadInputError);
}

TEST(Formats, ZstdIsUnpackedFrameByFrame) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(mix(i) % 1'000'000) + " " + std::to_string(i) + "\n";
  const Edges edges = read_text(text).edges;
  const std::string frame = test::zstd(text);
  EXPECT_EQ(read_text(frame).edges, edges);
  EXPECT_EQ(read_text(test::zstd(text.substr(0, 1001)) + test::zstd(text.substr(1001))).edges, edges);
  EXPECT_EQ(read_text("\x50\x2a\x4d\x18\x01" + std::string("\0\0\0x", 4) + frame).edges, edges) << "a skippable frame";
  for (const std::size_t size : {std::size_t{5}, frame.size() / 2, frame.size() - 1})
    expect_refusal<BadInputError>(frame.substr(0, size), {}, "graph: the zstd data ends too early");
  std::string corrupt = frame;
  corrupt[frame.size() / 2] ^= 0x55;
  EXPECT_THROW(read_text(corrupt), BadInputError);
  expect_refusal<BadInputError>(frame + "more", {}, "graph: the zstd data cannot be unpacked");
}

TEST(Formats, ChangedFilesAreReadOrRefused) {
  const std::string seeds[] = {"1 2\n2 3 4\n# c\n",
                               "from,to,weight\n\"1\",2,3\n2,3,0.5\n",
                               "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 1 6\n",
                               "3 2 011\n1 2 5\n1 1 5 3 6\n1 2 6\n",
                               "c x\np sp 3 2\na 1 2 3\na 2 3 4\n",
                               packed(I{1}, I{2}, I{2}, I{3}),
                               gap_file(false, false),
                               gap_file(true, true),
                               test::zstd("1 2\n2 3\n")};
  omp_set_num_threads(1);  // many tiny files: more threads would only wait for each other
  std::uint64_t draw = 0;
  int read = 0;
  for (int run = 0; run < 1500; ++run) {
    std::string data = {static_cast<char>(mix(++draw)), static_cast<char>(mix(++draw))};
    data += seeds[mix(++draw) % std::size(seeds)];
    for (std::uint64_t change = mix(++draw) % 4; change > 0; --change) {
      const std::uint64_t at = mix(++draw) % data.size();
      const auto byte = static_cast<char>(mix(++draw) % 2 ? mix(draw) : "0129 ,\n%"[mix(draw) % 8]);
      if (mix(++draw) % 3 == 0)
        data.insert(at, 1, byte);
      else if (mix(++draw) % 8 == 0)
        data.resize(std::max<std::size_t>(at, 2));
      else
        data[at] = byte;
    }
    const auto result = test::fuzz_graph({reinterpret_cast<const std::uint8_t*>(data.data()), data.size()});
    ASSERT_FALSE(result.broken) << *result.broken << "\n" << data;
    read += result.read;
  }
  omp_set_num_threads(omp_get_num_procs());
  EXPECT_GT(read, 75) << "most inputs do not get far";
}

TEST(Formats, SampleDataHasItsPublishedSize) {
  const char* const shared = std::getenv("MILLRACE_SHARED_DATA");
  struct Expected {
    const char* file;
    const char* format;
    std::uint64_t vertices, edges;
    bool undirected, weighted;
  };
  const Expected expected[] = {
      {"wiki-Vote.txt", "edges", 7115, 103689, false, false},
      {"power.graph", "metis", 4941, 6594, true, false},
      {"astro-ph.graph", "metis", 16706, 121251, true, false},
      {"netscience.mtx", "mtx", 1589, 2742, true, true},
      {"email-Eu-core.csv", "edges", 1005, 25571, false, false},
      {"ldbc/example-directed.properties", "ldbc", 10, 17, false, true},
      {"ldbc/example-undirected.properties", "ldbc", 9, 12, true, true},
  };
  for (const Expected& graph : expected) {
    const std::filesystem::path file = std::filesystem::path(shared ? shared : "") / graph.file;
    if (!shared || !std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here; see CONTRIBUTING.md";
    const auto reader = open_graph(file, {});
    EXPECT_EQ(reader->shape().format, graph.format);
    EXPECT_EQ(reader->shape().undirected, graph.undirected) << graph.file;
    const EdgeList list = collect(*reader);
    EXPECT_EQ(list.num_vertices, graph.vertices) << graph.file;
    EXPECT_EQ(list.edges.size(), graph.edges) << graph.file;
    EXPECT_EQ(list.weight_type != WeightType::none, graph.weighted) << graph.file;
  }
}

}  // namespace
}  // namespace millrace
