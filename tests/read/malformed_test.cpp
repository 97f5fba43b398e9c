// Malformed files are refused with a message that says where, what was found and what was expected.
#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/read/parse_line.h"
#include "support/graph_files.h"

namespace millrace {
namespace {

struct Sample {
  Format format;
  std::string text;
  std::string says;          // part of the message
  ReadOptions options = {};  // except the format
};

using test::gap_file, test::packed;
using I = std::int64_t;
constexpr const char* general = "%%MatrixMarket matrix coordinate real general\n";
constexpr const char* skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";

std::vector<Sample> samples() {
  const ReadOptions weighted{.weighted = true}, named{.ids = IdKind::string};
  return {
      // Text edge lists, with the default columns and with others.
      {Format::edges, "1 2\n3 x\n",
       "graph:2: \"3 x\": the target id is not a whole number (ids string takes any text)"},
      {Format::edges, "1 2\n3\n", "graph:2: \"3\": the target id is missing"},
      {
          Format::edges,
          std::string(general) + "1 1 1\n",
          "graph:1:",
      },
      {Format::wel, "1 2 3\n1 2\n", "graph:2: \"1 2\": the weight is missing"},
      {Format::edges, "1 2 3\n4 5\n", "graph:2: \"4 5\": column 3 is empty or missing", {.columns = "1,3"}},
      {Format::edges, "1 2 x\n", "graph:1: \"1 2 x\": column 3 is not a weight", {.columns = "2,1,3"}},
      {Format::edges, "a b\nc\n", "graph:2: \"c\": column 2 is empty or missing", named},
      // A comma that may be part of a number.
      {Format::edges, "0 1\n1,000 2,000\n", "graph:2: \"1,000 2,000\": the line has a comma that may separate columns"},
      {Format::edges, "0 1,5\n", "graph:1: \"0 1,5\": the line has a comma"},
      {Format::edges, "1,2 3\n", "graph:1: \"1,2 3\": the line has a comma"},
      {Format::wel, "0 1 1.5\n0 1 1,5\n", "graph:2: \"0 1 1,5\": the line has a comma"},
      {Format::wel, "0\t1\t-1,5\n", "graph:1: \"0\\t1\\t-1,5\": the line has a comma"},
      {Format::wel, "0 1 1,5\n", "graph:1: \"0 1 1,5\": the line has a comma", {.columns = "2,1,3"}},
      {Format::edges, "a b 1,5\n", "graph:1: \"a b 1,5\": the", {.weighted = true}},
      {Format::wel, "a b 1,5\nc d 1\n", "graph:1: \"a b 1,5\": the line has a comma", named},
      {Format::mtx, std::string(general) + "2 2 1\n1 2 1,5\n", "graph:3: \"1 2 1,5\": the line has a comma"},
      // CSV.
      {Format::csv, "", "graph: the file is empty"},
      {Format::csv, "one\n1\n", "graph:1: \"one\": a single column"},
      {Format::csv, "a,b\n1,2\n3\n", "graph:3: \"3\": column 2 is empty or missing"},
      {Format::csv, "a,b\n1,x\n", "graph:2: \"1,x\": column 2 is not a vertex id"},
      {Format::csv, "a,b\n1,-2\n", "graph:2: \"1,-2\": column 2 is not a vertex id"},
      {Format::csv, "a;b\n1;18446744073709551616\n", "graph:2: "},
      {Format::csv, "a,b\n\"1,2\n", "graph:2: \"\"1,2\": column 1 has a quote that does not end"},
      {Format::csv, "a,b\n\"1\"2,3\n", "graph:2: \"\"1\"2,3\": column 1 has a quote"},
      {Format::csv, "a,b,weight\n1,2,heavy\n", "graph:2: \"1,2,heavy\": column 3 is not a weight", weighted},
      // MatrixMarket.
      {Format::mtx, "", "graph:1: \"\": expected %%MatrixMarket"},
      {Format::mtx, "3 3 1\n1 2\n", "graph:1: \"3 3 1\": expected %%MatrixMarket"},
      {Format::mtx, "%%MatrixMarket matrix array real general\n2 2\n1\n", "a dense matrix (array) is not a graph"},
      {Format::mtx, "%%MatrixMarket matrix coordinate complex general\n", "complex values cannot be weights"},
      {Format::mtx, "%%MatrixMarket matrix coordinate real hermitian\n", "hermitian"},
      {Format::mtx, "%%MatrixMarket matrix coordinate pattern skew-symmetric\n", "needs values"},
      {Format::mtx, general, "graph:1: the file ends before the line of sizes"},
      {Format::mtx, std::string(general) + "2 2\n", "graph:2: \"2 2\": expected the numbers of rows"},
      {Format::mtx, std::string(general) + "2 x 1\n", "graph:2: \"x\" is not the number of columns"},
      {Format::mtx, std::string(general) + "% c\n2 3 1\n1 2 1\n", "graph:3: a matrix of 2 by 3 is not a graph"},
      {Format::mtx, std::string(general) + "5000000000 5000000000 0\n", "announces 5000000000 vertices"},
      {Format::mtx, std::string(general) + "2 2 1\n0 1 1\n", "graph:3: \"0 1 1\": an index lies outside"},
      {Format::mtx, std::string(general) + "2 2 1\n1 3 1\n", "graph:3: \"1 3 1\": an index lies outside"},
      {Format::mtx, std::string(general) + "2 2 1\n1 2\n", "graph:3: \"1 2\": the weight is missing"},
      {Format::mtx, std::string(general) + "2 2 3\n1 2 1\n",
       "graph:3: the file ends after 1 edges; line 2 announces 3"},
      {Format::mtx, std::string(general) + "2 2 1\n1 2 1\n% c\n2 1 1\n", "graph:5: more edges than the 1 that line 2"},
      {Format::mtx, std::string(skew) + "2 2 1\n2 2 1\n", "graph:3: \"2 2 1\": the diagonal of a skew-symmetric"},
      // METIS.
      {Format::metis, "% nothing\n", "graph: the file ends before a header"},
      {Format::metis, "3\n", "graph:1: \"3\": expected \"VERTICES EDGES"},
      {Format::metis, "3 x\n", "graph:1: \"x\" is not the number of edges"},
      {Format::metis, "2 1 002\n2\n1\n", "the format is three digits"},
      {Format::metis, "2 1 001 2\n", "2 weights for each vertex do not agree"},
      {Format::metis, "2 1 011 99999999999\n", "99999999999 weights for each vertex"},
      {Format::metis, "9999999999 1\n", "announces 9999999999 vertices"},
      {Format::metis, "2 1\n2\nx\n", "graph:3: \"x\": a neighbour is not a whole number"},
      {Format::metis, "2 1\n3\n1\n", "graph:2: \"3\": a neighbour lies outside of the graph"},
      {Format::metis, "2 1\n0\n1\n", "graph:2: \"0\": a neighbour lies outside of the graph"},
      {Format::metis, "2 1\n2\n1\n\n1\n", "graph:5: \"1\": a list past that of the last vertex"},
      {Format::metis, "2 1 1\n2\n1 7\n", "graph:2: \"2\": the weight of an edge is missing"},
      {Format::metis, "2 1 10\n5 2\n\n", "graph:3: \"\": the size or a weight of the vertex is missing"},
      {Format::metis, "4 1\n2\n1\n", "graph:3: the file ends after the lists of 2 vertices; line 1 announces 4"},
      {Format::metis, "3 2\n2 3\n1\n2\n", "the lists do not agree: 2 entries name a higher vertex and 2 a lower one"},
      {Format::metis, "2 1 1\n2 5\n1 6\n", "the lists do not agree"},
      {Format::metis, "% c\n2 2\n2\n1\n", "graph:2: announces 2 edges, but the lists have 1"},
      // DIMACS.
      {Format::gr, "c only\n", "graph: the file ends before a problem line"},
      {Format::gr, "p edge 2 1\n", "graph:1: \"p edge 2 1\": expected the problem line"},
      {Format::gr, "p sp 2 1\na 1 3 1\n", "graph:2: \"a 1 3 1\": a vertex lies outside of the graph"},
      {Format::gr, "p sp 2 1\na 0 1 1\n", "graph:2: \"a 0 1 1\": a vertex lies outside of the graph"},
      {Format::gr, "p sp 2 1\na 1 2\n", "graph:2: \"a 1 2\": the weight is missing"},
      {Format::gr, "p sp 2 1\na\n", "graph:2: \"a\": the source id is missing"},
      {Format::gr, "p sp 2 1\np sp 2 1\n", "graph:2: \"p sp 2 1\": a second problem line"},
      {Format::gr, "p sp 2 1\n1 2 3\n", "graph:2: \"1 2 3\": expected a line \"a SOURCE TARGET WEIGHT\""},
      {Format::gr, "p sp 2 2\na 1 2 3\n", "graph:2: the file ends after 1 edges; line 1 announces 2"},
      {Format::gr, "p sp 2 1\na 1 2 3\nc\na 2 1 3\n", "graph:4: more edges than the 1"},
      // Graph 500.
      {Format::graph500, packed(I{1}, I{2}, I{3}), "graph: ends at byte 24, in the middle of an edge"},
      {Format::graph500, packed(I{1}, I{2}, I{3}, I{-4}), "graph: the vertex id at byte 24 is -4"},
      // GAP.
      {Format::sg, "", "graph: ends at byte 0, in the middle of the header"},
      {Format::sg, "\1abc", "graph: ends at byte 4, in the middle of the header"},
      {Format::sg, packed('\2', I{0}, I{0}, I{0}), "this is not a GAP graph"},
      {Format::sg, packed('\0', I{-1}, I{0}, I{0}), "this is not a GAP graph"},
      {Format::sg, packed('\0', I{1} << 60, I{1} << 40), "do not make a file of 17 bytes"},
      {Format::sg, packed('\0', I{1} << 40, I{1} << 30), "do not make a file of 17 bytes"},
      {Format::sg, gap_file(false, true), "do not make a file of"},
      {Format::sg, packed('\0', I{0}, I{1}, I{0}, I{-5}), "graph: byte 25: the offset of vertex 1"},
      {Format::sg, packed('\1', I{0}, I{1}, I{7}, I{0}, I{0}, I{0}), "graph: byte 17: the offset of vertex 0 is 7"},
      {Format::sg, packed('\0', I{2}, I{1}, I{0}, I{1}, 0, 0), "graph: byte 25: the last offset is 1; expected 2"},
      {Format::sg, packed('\0', I{1}, I{1}, I{0}, I{1}, 1), "graph: byte 33: neighbour 1 of vertex 0; expected 0 to 0"},
      {Format::sg, packed('\0', I{1}, I{1}, I{0}, I{1}, -1), "graph: byte 33: neighbour -1 of vertex 0"},
      {Format::sg, packed('\0', I{1}, I{2}, I{0}, I{1}, I{1}, 1), "1 entries name a higher vertex and 0 a lower one"},
      {Format::wsg, packed('\0', I{2}, I{2}, I{0}, I{1}, I{2}, 1, 5, 0, 6), "with the same weight"},
  };
}

TEST(Malformed, FilesAreRefusedInWords) {
  for (const Sample& sample : samples())
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1} << 20}) {
      ReadOptions options = sample.options;
      options.format = sample.format;
      options.blocks = block_bytes;
      const std::string shown = std::string(format_name(sample.format)) + ": " + printable(sample.text);
      try {
        test::read_text(sample.text, options);
        ADD_FAILURE() << "was read: " << shown;
      } catch (const Error& error) {
        const bool typed = error.code() == ExitCode::bad_input || error.code() == ExitCode::does_not_fit;
        EXPECT_TRUE(typed) << shown << "\n" << error.what();
        EXPECT_NE(std::string(error.what()).find(sample.says), std::string::npos) << shown << "\n" << error.what();
      }
    }
}

TEST(Malformed, EveryFormatMayEndAnywhere) {
  const std::pair<Format, std::string> whole[] = {
      {Format::edges, "1 2\n2 3\n"},
      {Format::wel, "1 2 0.5\n2 3 7\n"},
      {Format::csv, "from,to\n\"1\",2\n2,3\n"},
      {Format::mtx, std::string(general) + "% c\n3 3 2\n1 2 1\n2 3 1\n"},
      {Format::metis, "3 2 011\n1 2 5\n1 1 5 3 6\n1 2 6\n"},
      {Format::gr, "c x\np sp 3 2\na 1 2 3\na 2 3 4\n"},
      {Format::graph500, packed(I{1}, I{2}, I{2}, I{3})},
      {Format::sg, gap_file(true, false)},
      {Format::wsg, gap_file(false, true)},
  };
  for (const auto& [format, text] : whole) {
    EXPECT_NO_THROW(test::read_text(text, {.format = format})) << format_name(format);
    for (std::size_t size = 0; size < text.size(); ++size) {
      try {
        test::read_text(text.substr(0, size), {.format = format});
      } catch (const BadInputError&) {
      }
    }
  }
}

TEST(Malformed, ALyingHeaderTakesNoMemory) {
  // Compressed, so that the size of the file is not known.
  const std::string lie = packed('\0', I{1} << 40, I{1} << 30) + packed(I{0}, I{0});
  const std::uint64_t before = unlimited_budget().peak();
  EXPECT_THROW(test::read_text(test::zstd(lie), {.format = Format::sg}), BadInputError);
  EXPECT_THROW(test::read_text(std::string(general) + "4000000000 4000000000 9000000000\n", {.format = Format::mtx}),
               BadInputError);
  EXPECT_THROW(test::read_text("4000000000 9000000000\n", {.format = Format::metis}), BadInputError);
  EXPECT_LT(unlimited_budget().peak() - before, std::uint64_t{64} << 20);
}

}  // namespace
}  // namespace millrace
