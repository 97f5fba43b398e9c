// Formats of other programs are recognised by their first bytes and by their names, and lists of edges are not.
#include "millrace/core/foreign_format.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace millrace::test {
namespace {

std::string name_of(const ForeignFormat* format) { return format ? std::string(format->name) : "none"; }

TEST(ForeignFormat, IsKnownByItsContent) {
  const std::pair<std::string, std::string> contents[] = {
      {"{\"source\": 1}", "JSON"},
      {"  \n{ \"nodes\": [", "JSON"},
      {"{}", "JSON"},
      {"[{\"a\": 1}]", "JSON"},
      {"[[0, 1], [1, 2]]", "JSON"},
      {"[0, 1]\n[1, 2]\n", "JSON"},
      {"[ \"a\"", "JSON"},
      {"<?xml version=\"1.0\"?>\n<!-- made by x -->\n<graphml xmlns=\"x\">", "GraphML"},
      {"<gexf version=\"1.3\">", "GEXF"},
      {"<?xml version=\"1.0\"?>\n<svg>", "XML"},
      {"<!DOCTYPE html><html>", "a web page"},
      {"graph [\n  node [\n", "GML"},
      {"graph\n[\n", "GML"},
      {"Creator \"igraph\"\nVersion 1\ngraph\n[", "GML"},
      {"digraph G {\n  a -> b;\n}", "DOT (Graphviz)"},
      {"strict graph{a -- b}", "DOT (Graphviz)"},
      {"*Vertices 3\n1 \"a\"\n", "a Pajek network"},
      {std::string("PAR1\x15\x04", 6), "a Parquet file"},
      {std::string("ARROW1\0\0", 8), "an Arrow or Feather file"},
      {std::string("PK\x03\x04\x14\0", 6), "a ZIP archive"},
      {std::string("BZh91AY&SY"), "compressed by bzip2"},
      {std::string("\xfd"
                   "7zXZ\0",
                   6),
       "compressed by xz"},
      {std::string("\x5d\0\0\x80\0\xff\xff", 7), "compressed by LZMA"},
      {std::string("\xff\xff\xff\xff\x78\0\0\0", 8), "an Arrow or Feather file"},
      {std::string("\xff\xfe\x31\0", 4), "a text in UTF-16"},
      {std::string("\xfe\xff\0\x31", 4), "a text in UTF-16"},
      {std::string("1\0 \0002\0\n\0", 8), "a text in UTF-16"},
      {std::string("\0001\0 \0002\0\n", 8), "a text in UTF-16"},
      {std::string("\x93NUMPY\x01\0", 8), "a NumPy file"},
      {std::string("SQLite format 3\0", 16), "an SQLite database"},
  };
  for (const auto& [content, name] : contents) EXPECT_EQ(name_of(foreign_content(content)), name) << content;
}

TEST(ForeignFormat, IsNotWhatAListOfEdgesMayBe) {
  for (const std::string content : {"",
                                    "\n",
                                    "1 2\n",
                                    "a b\n",
                                    "{a} {b}\n",
                                    "[1] [2]\n",
                                    "[1]\t[2]\n",
                                    "[a] [b]\n",
                                    "graph tree\n",
                                    "graph a [b]\n",
                                    "digraph graph\n",
                                    "digraphs {\n",
                                    "<a> <b> <c> .\n",
                                    "<http://x> <http://y>\n",
                                    "Creator Thing\n",
                                    "PAR 1\n",
                                    "PAR1 TP53\n",
                                    "ARROW1\tFEA1\n",
                                    "FEA1,PAR1\r\n",
                                    "%PDF- is a comment\n1 2\n",
                                    "strict liability\n",
                                    "*Vert 3\n",
                                    "%%MatrixMarket matrix",
                                    "# [{\n",
                                    "\"a\",\"b\"\n"})
    EXPECT_EQ(name_of(foreign_content(content)), "none") << content;
  for (const std::string& content : {std::string("] [\n"), std::string("1\0", 2), std::string("1\0 2\n", 5)})
    EXPECT_EQ(name_of(foreign_content(content)), "none") << content;
}

TEST(ForeignFormat, OfAnArchiveIsToldByTheName) {
  const std::string zip = "PK\x03\x04";
  EXPECT_EQ(name_of(foreign_content(zip, "g.xlsx")), "a spreadsheet");
  EXPECT_EQ(name_of(foreign_content(zip, "g.npz")), "a file of NumPy or SciPy");
  EXPECT_EQ(name_of(foreign_content(zip, "g.zip")), "a ZIP archive");
  EXPECT_EQ(name_of(foreign_content(zip, "g.txt")), "a ZIP archive");
}

TEST(ForeignFormat, IsKnownByItsName) {
  EXPECT_EQ(name_of(foreign_name("a/g.json")), "JSON");
  EXPECT_EQ(name_of(foreign_name("g.JSONL.gz")), "JSON");
  EXPECT_EQ(name_of(foreign_name("g.parquet")), "a Parquet file");
  EXPECT_EQ(name_of(foreign_name("g.tar.zst")), "an archive");
  EXPECT_EQ(name_of(foreign_name("g.arrows")), "an Arrow or Feather file");
  EXPECT_EQ(name_of(foreign_name("g.txt.lzma")), "compressed by LZMA");
  for (const char* const name : {"g", "g.txt", "g.csv", "g.tsv.gz", "g.el", "json", "g.mtx", "g.json.store"})
    EXPECT_EQ(name_of(foreign_name(name)), "none") << name;
}

}  // namespace
}  // namespace millrace::test
