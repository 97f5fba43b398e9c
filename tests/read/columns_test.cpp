// Which columns of a table are read, what is said of them, and tables without edges.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "support/graph_files.h"

namespace millrace {
namespace {

using test::expect_refusal, test::read_text, test::ReadGraph;
using Edges = std::vector<std::pair<OriginalId, OriginalId>>;

TEST(Columns, CsvColumnsAreTakenByNameBeforePlace) {
  const auto edge = [](const std::string& header, const ReadOptions& options = {}) {
    const ReadGraph graph = read_text(header + "\n1,2,3\n", options, "t.csv");
    return std::pair(graph.edges.at(0), graph.shape.remarks);
  };
  using Edge = std::pair<OriginalId, OriginalId>;
  using Remarks = std::vector<std::string>;
  EXPECT_EQ(edge("w,u,v"), std::pair(Edge(2, 3), Remarks{"columns: source 'u', target 'v'; 'w' is not read " +
                                                         marked_text("(@weighted@ takes it as the weight)")}));
  EXPECT_EQ(edge("end,x,start"), std::pair(Edge(3, 1), Remarks{"columns: source 'start', target 'end'"}));
  EXPECT_EQ(edge("v,u,source").first, Edge(2, 1)) << "source has no target beside it";
  EXPECT_EQ(edge("u,Source,Dst").first, Edge(2, 3)) << "the clearest names";
  EXPECT_EQ(edge("id,src,destination").first, Edge(2, 3));
  EXPECT_EQ(edge("a,b,start"), std::pair(Edge(1, 2), Remarks{"columns: source 'a', target 'b'"}));
  EXPECT_EQ(edge("a,b,value", {.weighted = true}).second, Remarks{"columns: source 'a', target 'b', weight 'value'"});
  EXPECT_EQ(edge("a,b,value", {.weighted = false}).second, Remarks{"columns: source 'a', target 'b'"});
  EXPECT_EQ(edge("b,w,a", {.columns = "3,1"}).first, Edge(3, 1));
  for (const std::string header : {"w,a,b", "a,weight,b", "target,a,b", "a,b,source", "a,from,b", "value,a,b"})
    expect_refusal(header + "\n1,2,3\n", {}, "columns SOURCE,TARGET does", "t.csv");
  expect_refusal("w,a,b\n1,2,3\n", {}, "the header has w, a, b", "t.csv");
  expect_refusal("w,a,b\n1,2,3\n", {}, "such as columns a,b", "t.csv");
}

TEST(Columns, HeadersAreKnownByTheirNamesInAnyText) {
  for (const std::string header :
       {"source target", "Source\tTarget", "src dst weight", "from,to", "u v", "# c\nfrom to"}) {
    const char between = header.find(',') != header.npos ? ',' : header.find('\t') != header.npos ? '\t' : ' ';
    const ReadGraph graph = read_text(fmt::format("{}\n1{}2{}3\n", header, between, between), {}, "t.txt");
    EXPECT_EQ(graph.shape.format, "csv") << header;
    EXPECT_EQ(graph.edges, (Edges{{1, 2}})) << header;
  }
  const ReadOptions named{.ids = IdKind::string};
  EXPECT_EQ(read_text("source target\na b\n", named).edges.size(), 1u);
  EXPECT_EQ(read_text("u v\nv w\n", named).edges.size(), 2u) << "an edge between two vertices called u and v";
}

TEST(Columns, FilesWithoutEdgesAreRefused) {
  for (const std::string name : {"g", "g.txt", "g.csv", "g.wel", "g.graph500"})
    expect_refusal<BadInputError>("", {}, name + ": the file is empty", name);
  for (const std::string text : {"\n", "# a comment\n", "source,target\n", "\xEF\xBB\xBF"})
    expect_refusal<BadInputError>(text, {}, "there are no edges in it");
  expect_refusal<BadInputError>("source,target\n", {.ids = IdKind::string}, "there are no edges in it");
  EXPECT_TRUE(read_text("%%MatrixMarket matrix coordinate pattern general\n3 3 0\n").edges.empty());
  EXPECT_TRUE(read_text("0 0\n", {}, "g.metis").edges.empty());
}

TEST(Columns, AThirdColumnThatIsNotReadIsTold) {
  const std::vector<std::string> told{marked_text("the third column is not read (@weighted@ takes it as the weight)")};
  EXPECT_EQ(read_text("# c\n1 2 0.5\n").shape.remarks, told);
  EXPECT_EQ(read_text("a b 7\n", {.ids = IdKind::string}).shape.remarks, told);
  EXPECT_TRUE(read_text("1 2 0.5\n", {.weighted = true}).shape.remarks.empty());
  EXPECT_TRUE(read_text("1 2 0.5\n", {.weighted = false}).shape.remarks.empty());
  EXPECT_TRUE(read_text("1 2 0.5\n", {.columns = "1,2"}).shape.remarks.empty());
  EXPECT_TRUE(read_text("1 2 x\n").shape.remarks.empty());
  EXPECT_TRUE(read_text("1 2\n").shape.remarks.empty());
}

}  // namespace
}  // namespace millrace
