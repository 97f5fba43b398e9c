// Text edge lists: what is accepted, which message refuses the rest, and that threads and blocks change nothing.
#include "millrace/read/read_edge_list.h"

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "millrace/core/error.h"

namespace millrace {
namespace {

using Ids = std::vector<OriginalId>;
using Pairs = std::vector<std::pair<OriginalId, OriginalId>>;

// A directory of its own for each test.
class TextEdgeList : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("millrace_") + test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override {
    std::filesystem::remove_all(directory_);
    omp_set_num_threads(omp_get_num_procs());
  }

  std::filesystem::path write(const std::string& name, const std::string& bytes) {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
    return directory_ / name;
  }

  std::filesystem::path directory_;
};

EdgeList parse(std::string_view text, const EdgeListOptions& options = {}) {
  return parse_edge_list(text, "graph.txt", options);
}

// The edges as the user wrote them.
Pairs original_edges(const EdgeList& list) {
  Pairs edges;
  for (const Edge& edge : list.edges)
    edges.emplace_back(list.ids.empty() ? edge.source : list.ids[edge.source],
                       list.ids.empty() ? edge.target : list.ids[edge.target]);
  return edges;
}

Ids original_ids(const EdgeList& list) { return Ids(list.ids.begin(), list.ids.end()); }

template <class ErrorType, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const ErrorType& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

std::string complaint(std::string_view text, const EdgeListOptions& options = {}) {
  return message_of<BadInputError>([&] { parse(text, options); });
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << '"' << text << "\" lacks \"" << part << '"';
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// Several megabytes with comments, blank lines and both kinds of line ends, and the expected edges.
struct Sample {
  std::string text;
  Pairs edges;

  Sample(std::uint64_t num_edges, OriginalId id_factor) {
    std::mt19937_64 random(42);
    text = "# a comment\n";
    for (std::uint64_t i = 0; i < num_edges; ++i) {
      edges.emplace_back(random() % 50'000 * id_factor, random() % 50'000 * id_factor);
      text += std::to_string(edges[i].first) + (i % 3 ? " " : "\t") + std::to_string(edges[i].second);
      text += i % 5 ? "\n" : "\r\n";
      if (i % 17 == 0) text += i % 2 ? "\n" : "% more\n";
    }
  }
};

TEST_F(TextEdgeList, SeparatorsMayBeMixed) {
  const EdgeList list = parse("0 1\n1\t2\n2,3\n3 , 4\n  4\t,\t5  \n5   6 extra 1.5\n6,7,,x\n7 8,\n");
  EXPECT_EQ(original_edges(list), (Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}}));
  EXPECT_EQ(list.num_vertices, 9);
  EXPECT_TRUE(list.ids.empty()) << "every vertex is its own id";
  EXPECT_EQ(list.weight_type, WeightType::none);
  EXPECT_TRUE(list.weights.empty());
}

TEST_F(TextEdgeList, CommentsBlankLinesAndLineEnds) {
  const std::string text = "\xEF\xBB\xBF# one\r\n% two\n  \t# three\n\n \t \n\r\n0 1\r\n1 0\n\n2 1";
  const Pairs edges{{0, 1}, {1, 0}, {2, 1}};
  EXPECT_EQ(original_edges(parse(text)), edges);
  EXPECT_EQ(original_edges(parse(text + "\n")), edges);
  EXPECT_EQ(original_edges(parse(text + "\r\n")), edges);
  EXPECT_EQ(original_edges(parse(text + "\r")), edges);
  EXPECT_EQ(original_edges(parse("\xEF\xBB\xBF"
                                 "0 1\n1 2\n")),
            (Pairs{{0, 1}, {1, 2}}));
}

TEST_F(TextEdgeList, NothingGivesAnEmptyGraph) {
  for (const std::string text : {"", "\n", "\r\n", "# only\n% comments", "\xEF\xBB\xBF"})
    for (const bool weighted : {false, true}) {
      const EdgeList list = parse(text, {.weighted = weighted});
      EXPECT_EQ(list.num_vertices, 0);
      EXPECT_TRUE(list.edges.empty());
      EXPECT_TRUE(list.weights.empty());
      EXPECT_TRUE(list.ids.empty());
    }
  EXPECT_EQ(read_edge_list(write("empty", ""), {}).num_vertices, 0);
  EXPECT_EQ(parse(gzip("")).num_vertices, 0);
}

TEST_F(TextEdgeList, SparseIdsAreNumberedInAscendingOrder) {
  const EdgeList list = parse("18446744073709551615 7\n7 18446744073709551614\n00000000000000000000000042 0\n");
  EXPECT_EQ(original_ids(list), (Ids{0, 7, 42, 18446744073709551614u, 18446744073709551615u}));
  EXPECT_EQ(original_edges(list), (Pairs{{18446744073709551615u, 7}, {7, 18446744073709551614u}, {42, 0}}));
  EXPECT_EQ(original_ids(parse("5 3\n")), (Ids{3, 5}));
}

TEST_F(TextEdgeList, MalformedLinesAreNamed) {
  const std::string before = "# comment\n\n0 1\r\n";  // the fault is in line 4
  const std::pair<std::string, std::string> faults[] = {
      {"12", "\"12\": the target id is missing"},
      {"12 ", "the target id is missing"},
      {"12,,3", "the target id is missing"},
      {",1 2", "the source id is missing"},
      {"one two", "\"one two\": the source id is not a whole number (ids string takes any text)"},
      {"-1 2", "the source id is negative"},
      {"1 -2", "the target id is negative"},
      {"+1 2", "the source id is not a whole number"},
      {"1 18446744073709551616", "the target id exceeds 18446744073709551615"},
      {"99999999999999999999999 1", "the source id exceeds 18446744073709551615"},
      {"12x 3", "the source id is not a whole number"},
      {"1 12x", "the target id is not a whole number"},
      {"1 2.5", "the target id is not a whole number"},
      {"1 2#", "the target id is not a whole number"},
      {"1;2", "the source id is not a whole number"},
      {"1 2\r3 4", "\"1 2\\r3 4\": the target id is not a whole number"},
      {std::string("1 2\0", 4), "\"1 2\\x00\": the target id is not a whole number"},
  };
  for (const auto& [line, words] : faults)
    for (const std::string after : {"", "\n", "\r\n", "\n0 1\nalso bad\n"}) {
      const std::string message = complaint(before + line + after);
      EXPECT_TRUE(message.starts_with("graph.txt:4: ")) << message;
      expect_contains(message, words);
      expect_contains(message, "expected two vertex ids");
    }
}

TEST_F(TextEdgeList, LongAndUnprintableLinesAreShortened) {
  const std::string message = complaint("\x01\xff\t" + std::string(500, 'a'));
  expect_contains(message, "\"\\x01\\xff\\t" + std::string(70, 'a') + "...\"");
}

TEST_F(TextEdgeList, WeightsTakeTheSmallestTypeThatHasThemExactly) {
  const std::pair<std::vector<std::string>, WeightType> cases[] = {
      {{"0", "255"}, WeightType::u8},
      {{"255.0", "1e1"}, WeightType::u8},
      {{"0", "256"}, WeightType::u16},
      {{"65535"}, WeightType::u16},
      {{"65536"}, WeightType::u32},
      {{"4294967295"}, WeightType::u32},
      {{"4294967296"}, WeightType::f32},
      {{"4294967297"}, WeightType::f64},
      {{"-1"}, WeightType::f32},
      {{"-0"}, WeightType::f32},
      {{"0.5", "3"}, WeightType::f32},
      {{"0.1"}, WeightType::f64},
      {{"0.10000000149011612"}, WeightType::f32},
      {{"16777217"}, WeightType::u32},
      {{"16777217", "0.5"}, WeightType::f64},
      {{"1e-300"}, WeightType::f64},
      {{"1e300"}, WeightType::f64},
      {{"0.123456789012"}, WeightType::f64},
      {{"3.4028235e38"}, WeightType::f64},
      {{"340282346638528859811704183484516925440"}, WeightType::f32},
      {{"-.5", "5.", "1.401298464324817e-45"}, WeightType::f32},
      {{"9007199254740992"}, WeightType::f32},
      {{"9007199254740994", "000000000000000000000000"}, WeightType::f64},
      {{"9007199254740993.0", "9007199254740993e0"}, WeightType::f32},  // read as 2^53
      {{"9007199254740995.0"}, WeightType::f64},
      {{"18446744073709551616", "-1152921504606846976"}, WeightType::f32},
  };
  for (const auto& [weights, type] : cases) {
    std::string text;
    for (const std::string& weight : weights) text += "0 1 " + weight + " ignored\n";
    const EdgeList list = parse(text, {.weighted = true});
    EXPECT_EQ(weight_type_name(list.weight_type), weight_type_name(type)) << text;
    ASSERT_EQ(list.weights.size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      EXPECT_EQ(list.weights[i], weight_bits(type, std::stod(weights[i]))) << text;
  }
}

TEST_F(TextEdgeList, WholeNumbersThatNoWeightTypeHasAreNamed) {
  for (const std::string weight : {"9007199254740993", "-9007199254740993", "000009007199254740995",
                                   "18446744073709551615", "18446744073709551617", "100000000000000000000000"}) {
    const std::string message = complaint("0 1 2\n# a comment\n0 1 " + weight + "\n0 1 x\n", {.weighted = true});
    EXPECT_TRUE(message.starts_with("graph.txt:3: \"0 1 " + weight + "\": ")) << message;
    expect_contains(message, "no weight type has exactly");
    expect_contains(message, "weights f64");
  }
}

TEST_F(TextEdgeList, BadWeightsAreNamed) {
  const std::pair<std::string, std::string> faults[] = {
      {"0 1", "the weight is missing"},
      {"0 1 ,", "the weight is missing"},
      {"0 1 nan", "the weight is not finite"},
      {"0 1 inf", "the weight is not finite"},
      {"0 1 -inf", "the weight is not finite"},
      {"0 1 1e999", "the weight is too large"},
      {"0 1 -1e999", "the weight is too large"},
      {"0 1 1.5x", "the weight is not a number"},
      {"0 1 heavy", "the weight is not a number"},
      {"0 1 0x10", "the weight is not a number"},
      {"0 1 +-5", "the weight is not a number"},
      {"0 1 +", "the weight is not a number"},
      {"0 x 1", "the target id is not a whole number"},
  };
  for (const auto& [line, words] : faults) {
    const std::string message = complaint("0 1 2\n" + line + "\n", {.weighted = true});
    EXPECT_TRUE(message.starts_with("graph.txt:2: ")) << message;
    expect_contains(message, words);
    expect_contains(message, "and a weight");
  }
}

TEST_F(TextEdgeList, VertexFileAddsIsolatedVertices) {
  const auto vertices = write("graph.v", "# ids\n10 name\n5\n\n 7,x\r\n5\n1000000000000\n");
  const EdgeList list = parse("5 10\n10 7\n", {.vertices = vertices});
  EXPECT_EQ(list.num_vertices, 4);
  EXPECT_EQ(original_ids(list), (Ids{5, 7, 10, 1000000000000}));
  EXPECT_EQ(original_edges(list), (Pairs{{5, 10}, {10, 7}}));
  EXPECT_EQ(parse("", {.vertices = write("dense.v", "2\n1\n0\n")}).num_vertices, 3);
}

TEST_F(TextEdgeList, VertexFileFaultsAreNamed) {
  const auto vertices = write("graph.v", "1\n2\n3\n");
  for (const bool weighted : {false, true}) {
    const std::string message = complaint("1 2 1\n# comment\n\n2 3 1\n3 4 1\nbad\n", {weighted, vertices});
    EXPECT_TRUE(message.starts_with("graph.txt:5: vertex 4 is not in ")) << message;
    expect_contains(message, vertices.string());
  }
  EXPECT_TRUE(complaint("1 2\nbad\n3 4\n", {.vertices = vertices}).starts_with("graph.txt:2: "));
  const auto bad = write("bad.v", "1\n-2\n");
  expect_contains(complaint("1 1\n", {.vertices = bad}), "bad.v:2: \"-2\": the vertex id is negative");
  EXPECT_TRUE(complaint("1 1\n", {.vertices = write("empty.v", "")}).starts_with("graph.txt:1: vertex 1 is not in "));
}

TEST_F(TextEdgeList, GzipIsKnownByItsContent) {
  const Pairs edges{{0, 1}, {1, 2}};
  EXPECT_EQ(original_edges(read_edge_list(write("graph.txt", gzip("0 1\n1 2\n")), {})), edges);
  EXPECT_EQ(original_edges(read_edge_list(write("graph.gz", "0 1\n1 2\n"), {})), edges);
  EXPECT_EQ(original_edges(parse(gzip("0 1\n1") + gzip(" 2\n"))), edges) << "two members";
  EXPECT_EQ(original_edges(parse(gzip("0 1\n1 2") + std::string(1000, '\0'))), edges) << "padded";
}

TEST_F(TextEdgeList, BrokenGzipIsBadInput) {
  const Sample sample(20'000, 1);
  const std::string packed = gzip(sample.text);
  for (const std::size_t size : {std::size_t{2}, std::size_t{12}, packed.size() / 2, packed.size() - 1}) {
    const std::string message = complaint(packed.substr(0, size));
    EXPECT_EQ(message, "graph.txt: the gzip data ends too early; the file is truncated");
  }
  std::string corrupt = packed;
  corrupt[packed.size() - 6] ^= 1;  // its checksum
  expect_contains(complaint(corrupt), "graph.txt: the gzip data is corrupt (incorrect data check)");
  expect_contains(complaint(packed + "more"), "graph.txt: the gzip data is corrupt");
}

TEST_F(TextEdgeList, FilesThatCannotBeRead) {
  const auto missing = directory_ / "missing";
  EXPECT_EQ(message_of<IoError>([&] { read_edge_list(missing, {}); }),
            "cannot open " + missing.string() + ": No such file or directory");
  EXPECT_EQ(message_of<BadInputError>([&] { read_edge_list(directory_, {}); }),
            directory_.string() + " is a directory; a regular file is wanted here");
  EXPECT_THROW(parse("0 1\n", {.vertices = missing}), IoError);
}

TEST_F(TextEdgeList, ThreadsAndBlocksChangeNothing) {
  for (const OriginalId factor : {OriginalId{1}, OriginalId{1'000'000'007}}) {
    const Sample sample(400'000, factor);
    const auto plain = write("plain", sample.text), packed = write("packed", gzip(sample.text));
    for (int threads = 1; threads <= 4; ++threads) {
      omp_set_num_threads(threads);
      EXPECT_EQ(original_edges(read_edge_list(plain, {})), sample.edges);
      EXPECT_EQ(original_edges(read_edge_list(packed, {.blocks = 50'000})), sample.edges);
    }
  }
}

TEST_F(TextEdgeList, BlocksMayEndAnywhere) {
  const std::string text = "\xEF\xBB\xBF#\n10 20\r\n\n20 30 a long column that is ignored\n% x\n30 10";
  for (int threads = 1; threads <= 4; ++threads)
    for (std::size_t block_bytes = 0; block_bytes < 70; ++block_bytes) {
      omp_set_num_threads(threads);
      EXPECT_EQ(original_edges(parse(text, {.blocks = block_bytes})), (Pairs{{10, 20}, {20, 30}, {30, 10}}));
      EXPECT_TRUE(complaint(text + "x", {.blocks = block_bytes}).starts_with("graph.txt:6: \"30 10x\""));
    }
}

TEST_F(TextEdgeList, FirstFaultOfALargeFileHasTheExactLine) {
  const Sample sample(300'000, 1);
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(sample.text, '\n'));
  const std::string text = sample.text + "1 x\n" + sample.text + "2 x\n" + sample.text;
  for (int threads = 1; threads <= 4; ++threads) {
    omp_set_num_threads(threads);
    for (const std::size_t block_bytes : {std::size_t{10'000}, std::size_t{1} << 20})
      EXPECT_TRUE(
          complaint(text, {.blocks = block_bytes}).starts_with("graph.txt:" + std::to_string(lines + 1) + ": \"1 x\""));
  }
}

}  // namespace
}  // namespace millrace
