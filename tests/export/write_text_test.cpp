// Exports as text: every edge once, by id, name or place.
#include "millrace/export/write_text.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "export/export_fixture.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/export/sink.h"
#include "millrace/read/formats.h"

namespace millrace {
namespace {

using namespace test;

std::string exported(const Store& store, const std::string& name) {
  const TempDir directory;
  export_graph(store, directory / name, export_kind(name, ""), unlimited_budget());
  return read_whole(directory / name);
}

using Lines = std::vector<std::string>;
Lines sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

class TextExport : public ShapeTest {};

TEST_P(TextExport, OfEdgesHasEachOnce) {
  const Shape shape = this->shape();
  const auto id = [&](VertexId v) { return std::to_string(shape.ids.empty() ? v : shape.ids[v]); };
  const auto rows = rows_of(shape);
  for_each_store_and_blocked(shape, [&](const Store& store) {
    // An undirected edge may be written in either direction; the store tells which vertex is the lower.
    const IdMap ids = store.load_ids(unlimited_budget());
    std::map<OriginalId, VertexId> vertex;
    for (VertexId v = 0; v < ids.size(); ++v) vertex[ids.original(v)] = v;
    const auto number = [&](VertexId v) { return vertex.at(shape.ids.empty() ? v : shape.ids[v]); };
    Lines expected;
    for (VertexId v = 0; v < rows.size(); ++v)
      for (const VertexId w : rows[v])
        if (!shape.undirected || number(v) <= number(w)) expected.push_back(id(v) + " " + id(w));
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(sorted_lines(exported(store, "graph.txt")), expected);
  });
}

TEST_P(TextExport, OfAMatrixHasItsEntriesOrALowerTriangle) {
  const Shape shape = this->shape();
  const auto rows = rows_of(shape);
  Lines expected;
  for (VertexId v = 0; v < rows.size(); ++v)
    for (const VertexId w : rows[v])
      if (!shape.undirected || v >= w) expected.push_back(std::to_string(v + 1) + " " + std::to_string(w + 1));
  std::sort(expected.begin(), expected.end());
  const std::string head = std::string("%%MatrixMarket matrix coordinate pattern ") +
                           (shape.undirected ? "symmetric" : "general") + "\n" + std::to_string(rows.size()) + " " +
                           std::to_string(rows.size()) + " " + std::to_string(expected.size()) + "\n";
  for_each_store_of(shape, [&](const Store& store) {
    const std::string text = exported(store, "graph.mtx");
    ASSERT_EQ(text.substr(0, head.size()), head);
    EXPECT_EQ(sorted_lines(text.substr(head.size())), expected);
  });
}

INSTANTIATE_TEST_SUITE_P(EveryShape, TextExport, testing::ValuesIn(shape_names()), name_of);

Store weighted_store(const TempDir& directory, WeightType type, std::vector<double> weights, bool undirected = false) {
  EdgeList list = edge_list(chain(static_cast<VertexId>(weights.size() + 1)));
  list.weight_type = type;
  list.weights = Array<std::uint64_t>(weights.size(), unlimited_budget(), "weights");
  for (std::size_t i = 0; i < weights.size(); ++i) list.weights[i] = weight_bits(type, weights[i]);
  build_store(std::move(list), directory / "graph.store", {.undirected = undirected, .order = Order::natural});
  return Store::open(directory / "graph.store");
}

TEST(TextExport, OfWeightsIsReadBackExactly) {
  const TempDir reals, wholes;
  const Store real = weighted_store(reals, WeightType::f32, {0.1f, -3, 4294967296., 1e20});
  // The exact values of floats, for programs that read doubles.
  EXPECT_EQ(exported(real, "graph.wel"),
            "0 1 0.10000000149011612\n1 2 -3\n2 3 4294967296\n3 4 1.0000000200408773e+20\n");
  EXPECT_EQ(exported(real, "graph.el"), "0 1\n1 2\n2 3\n3 4\n");
  EXPECT_TRUE(exported(real, "graph.mtx")
                  .starts_with("%%MatrixMarket matrix coordinate real general\n5 5 4\n1 2 0.10000000149011612\n"));
  const Store whole = weighted_store(wholes, WeightType::u16, {65535, 0}, true);
  EXPECT_EQ(exported(whole, "graph.txt"), "0 1 65535\n1 2 0\n");
  EXPECT_EQ(exported(whole, "graph.mtx"),
            "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 65535\n3 2 0\n");
}

TEST(TextExport, HasNamesWithTabsBetween) {
  const TempDir directory;
  EdgeList list = edge_list(star_in(2));
  const std::string text = "the hubab";
  list.names = {.bytes = {text.begin(), text.end()}, .offsets = {0, 7, 8, 9}};
  build_store(std::move(list), directory / "graph.store", {.order = Order::degree});
  const Store store = Store::open(directory / "graph.store");
  EXPECT_EQ(sorted_lines(exported(store, "graph.txt")), (Lines{"a\tthe hub", "b\tthe hub", "source\ttarget"}));
  export_vertices(store, directory / "vertices.txt", unlimited_budget());
  EXPECT_EQ(read_whole(directory / "vertices.txt"), "the hub\na\nb\n");
}

// Room for text is planned for names of the usual length: a hub with a longer one takes its page several times.
TEST(TextExport, OfALongNameIsWrittenPieceByPiece) {
  const TempDir directory;
  const VertexId leaves = 2000;
  EdgeList list = edge_list(star_in(leaves));
  const std::string hub(5000, 'h');
  Lines expected, names{hub};
  for (VertexId v = 1; v <= leaves; ++v)
    names.push_back("n" + std::to_string(v)), expected.push_back(names[v] + "\t" + hub);
  list.names.offsets.push_back(0);
  for (const std::string& name : names) {
    list.names.bytes.insert(list.names.bytes.end(), name.begin(), name.end());
    list.names.offsets.push_back(list.names.bytes.size());
  }
  build_store(std::move(list), directory / "graph.store", {.order = Order::natural});
  const Store store = Store::open(directory / "graph.store");
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(sorted_lines(exported(store, "graph.txt")), expected);
  const ExportKind kind = export_kind("graph.txt", "");
  Budget budget(export_memory(store, kind, true));
  EXPECT_LT(budget.limit(), 5000u * leaves / 2) << "less than the text takes";
  export_graph(store, directory / "graph.txt", kind, budget);
  EXPECT_EQ(sorted_lines(read_whole(directory / "graph.txt")), expected);
  export_vertices(store, directory / "vertices.txt", budget);
  std::string listed;
  for (const std::string& name : names) listed += name + "\n";
  EXPECT_EQ(read_whole(directory / "vertices.txt"), listed);
}

// An edge list if that is enough, else a table.
TEST(TextExport, OfNamesIsReadBack) {
  const std::vector<std::string> plain{"hub", "\"a\"", "b\"", "7", "\xc3\xa9;"};
  const std::vector<std::string> odd{"the hub", "\"a\" \"", " b", "c ", "d,e", "#1", "%", "\"", "7"};
  for (const auto& names : {plain, odd}) {
    const TempDir directory;
    const auto leaves = static_cast<VertexId>(names.size() - 2);
    EdgeList list = edge_list(star_in(leaves));  // and one vertex without edges
    list.num_vertices = names.size();
    list.names.offsets.push_back(0);
    for (const std::string& name : names) {
      list.names.bytes.insert(list.names.bytes.end(), name.begin(), name.end());
      list.names.offsets.push_back(list.names.bytes.size());
    }
    build_store(std::move(list), directory / "graph.store", {.order = Order::natural});
    const Store store = Store::open(directory / "graph.store");
    export_graph(store, directory / "graph.txt", export_kind("graph.txt", ""), unlimited_budget());
    export_vertices(store, directory / "vertices.txt", unlimited_budget());

    ReadOptions read{.ids = IdKind::string};
    read.vertices = directory / "vertices.txt";
    const auto reader = open_graph(directory / "graph.txt", read);
    EXPECT_EQ(reader->shape().format, names == plain ? "edges" : "csv");
    build_store(*reader, directory / "again.store", {.order = Order::natural});
    const Store again = Store::open(directory / "again.store");
    ASSERT_EQ(again.num_vertices(), names.size());
    EXPECT_EQ(again.num_edges(), leaves);
    const CountedNames read_back = again.load_names(unlimited_budget());
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(read_back[i], names[i]);
    EXPECT_EQ(exported(again, "graph.txt"), exported(store, "graph.txt"));
  }
}

TEST(TextExport, OfVerticesListsIdsInOrder) {
  const StoredGraph stored(sparse_ids(), {Order::degree});
  const TempDir directory;
  export_vertices(stored.store(), directory / "vertices.txt", unlimited_budget());
  std::string expected;
  for (const OriginalId id : sparse_ids().ids) expected += std::to_string(id) + "\n";
  EXPECT_EQ(read_whole(directory / "vertices.txt"), expected);
}

TEST(TextExport, IsCompressedByItsEnding) {
  const StoredGraph stored(rmat(14), {Order::degree, 4096});
  const std::string text = exported(stored.store(), "graph.txt");
  const std::string zst = exported(stored.store(), "graph.txt.zst");
  std::string back(text.size() + 1, '\0');
  EXPECT_EQ(ZSTD_decompress(back.data(), back.size(), zst.data(), zst.size()), text.size());
  back.resize(text.size());
  EXPECT_TRUE(back == text);

  const TempDir directory;
  export_graph(stored.store(), directory / "graph.txt.gz", export_kind("graph.txt.gz", ""), unlimited_budget());
  EXPECT_LT(std::filesystem::file_size(directory / "graph.txt.gz"), text.size());
  const gzFile gz = gzopen((directory / "graph.txt.gz").c_str(), "rb");
  back.assign(text.size() + 1, '\0');
  EXPECT_EQ(gzread(gz, back.data(), static_cast<unsigned>(back.size())), static_cast<int>(text.size()));
  gzclose(gz);
  back.resize(text.size());
  EXPECT_TRUE(back == text);
}

TEST(ExportKind, FollowsTheEnding) {
  EXPECT_EQ(export_kind("a.mtx.gz", "").format, ExportFormat::matrix_market);
  EXPECT_EQ(export_kind("a.mtx.gz", "").compression, Compression::gzip);
  EXPECT_EQ(export_kind("a.sg.zst", "").compression, Compression::zstd);
  EXPECT_EQ(export_kind("a.sg", "").weights, ExportWeights::none);
  EXPECT_EQ(export_kind("a.data", "npz").format, ExportFormat::npz);
  EXPECT_EQ(export_kind("-", "").format, ExportFormat::edge_list);
  EXPECT_THROW(export_kind("a.data", ""), UsageError);
  EXPECT_THROW(export_kind("noending", ""), UsageError);
  EXPECT_THROW(export_kind("-", "npz"), UsageError);
  EXPECT_THROW(export_kind("a.npz.gz", ""), UsageError);
}

// Asks for an end while it writes its third piece.
class StoppedSink : public Sink {
 public:
  explicit StoppedSink(StopRequest& request) : request_(request) {}
  void close() override {}
  int pieces = 0;

 private:
  void write_piece(std::span<const char>) override {
    if (++pieces == 3) request_.stop();
  }
  StopRequest& request_;
};

TEST(Sink, EndsInTheMiddleOfABlockOnceItIsInterrupted) {
  const std::vector<char> block(std::size_t{16} << 20, 'x');
  StopRequest request;
  const StopRequest::InForce stoppable(&request);
  StoppedSink stopped(request);
  EXPECT_THROW(stopped.write(block), InterruptedError);
  EXPECT_EQ(stopped.pieces, 3);
  for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    const TempDir directory;
    const std::unique_ptr<Sink> sink = make_sink(directory / "file", compression);
    EXPECT_THROW(sink->write(block), InterruptedError);
  }
}

}  // namespace
}  // namespace millrace
