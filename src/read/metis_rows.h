// Parses the lines of METIS graphs: each has the neighbours of one vertex.
#pragma once

#include <vector>

#include "millrace/read/mirror_sums.h"
#include "millrace/read/read_rows.h"

namespace millrace {

// The first line: "n m [fmt [ncon]]".
struct MetisHeader {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  bool has_weights = false;          // edge weights: a number after each neighbour
  std::uint64_t vertex_numbers = 0;  // numbers before the neighbours, which are skipped: size and weights of the vertex
};

// Returns each edge once, from the list of its lower end.
class MetisRows : public RowParser {
 public:
  MetisRows(const MetisHeader& header, bool weighted) : header_(header), weighted_(weighted) {}

  bool weighted() const override { return weighted_; }
  std::size_t least_row_bytes() const override { return header_.has_weights ? 4 : 2; }
  void begin_window(std::span<TextBlock> blocks) override;
  void parse(TextBlock& block, OriginalId* ids, double* weights) override;
  std::string explain(std::string_view line) const override;

  // Lists in the windows parsed so far.
  std::uint64_t num_lists() const { return num_lists_; }
  MirrorSums sums() const;

 private:
  // What is known of a block beside its rows.
  struct Lists {
    std::uint64_t first_vertex = 0;
    MirrorSums sums;
    const char* fault = nullptr;
  };
  const char* parse_list(const char* line, OriginalId vertex, TextBlock& block, OriginalId* ids, double* weights,
                         MirrorSums& sums) const;

  MetisHeader header_;
  bool weighted_;
  const TextBlock* first_block_ = nullptr;
  std::vector<Lists> lists_;  // one for each block of the window
  std::uint64_t num_lists_ = 0;
  MirrorSums before_;  // of the earlier windows
};

}  // namespace millrace
