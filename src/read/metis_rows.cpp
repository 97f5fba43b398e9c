#include "millrace/read/metis_rows.h"

#include <fmt/core.h>

#include <bit>

#include "millrace/core/parallel.h"
#include "millrace/read/parse_line.h"

namespace millrace {
namespace {

using namespace parsing;

// Only comments are not the list of a vertex: a blank line is an empty list.
bool is_comment(const char* line) { return *line == '%'; }

std::uint64_t count_lists(std::string_view text) {
  std::uint64_t lists = 0;
  for (const char *p = text.data(), *const end = p + text.size(); p < end; p = next_line(p)) lists += !is_comment(p);
  return lists;
}

}  // namespace

// The lists of all blocks are counted first, since the position of a list tells its vertex.
void MetisRows::begin_window(std::span<TextBlock> blocks) {
  before_ = sums();
  first_block_ = blocks.data();
  lists_.assign(blocks.size(), {});
  parallel_drawn(blocks.size(), 1, [&](std::uint64_t b) { lists_[b].first_vertex = count_lists(blocks[b].text); });
  for (Lists& lists : lists_) {
    const std::uint64_t count = lists.first_vertex;
    lists.first_vertex = num_lists_ + 1;
    num_lists_ += count;
  }
}

MirrorSums MetisRows::sums() const {
  MirrorSums sums = before_;
  for (const Lists& lists : lists_) sums.merge(lists.sums);
  return sums;
}

void MetisRows::parse(TextBlock& block, OriginalId* ids, double* weights) {
  Lists& lists = lists_[static_cast<std::size_t>(&block - first_block_)];
  OriginalId vertex = lists.first_vertex;
  const char* p = block.text.data();
  const char* const end = p + block.text.size();
  for (; p < end; ++block.lines) {
    if (!is_comment(p)) {
      lists.fault = parse_list(p, vertex++, block, ids, weights, lists.sums);
      if (lists.fault) {
        block.malformed = p;
        return;
      }
    }
    p = next_line(p);
  }
}

// Returns what is wrong with the list on this line, or nullptr.
const char* MetisRows::parse_list(const char* line, OriginalId vertex, TextBlock& block, OriginalId* ids,
                                  double* weights, MirrorSums& sums) const {
  const char* p = skip_blanks(line);
  if (vertex > header_.num_vertices) return ends_line(p) ? nullptr : "a list past that of the last vertex";
  for (std::uint64_t i = 0; i < header_.vertex_numbers; ++i) {
    ReadWeight ignored;
    p = parse_weight(skip_blanks(p), ignored);
    if (!p) return "the size or a weight of the vertex is missing or not a number";
  }
  for (p = skip_blanks(p); !ends_line(p); p = skip_blanks(p)) {
    OriginalId neighbour;
    ReadWeight weight;
    p = parse_id(p, neighbour);
    if (!p) return "a neighbour is not a whole number";
    if (neighbour - 1 >= header_.num_vertices) return "a neighbour lies outside of the graph";  // 0 is refused too
    if (header_.has_weights && !(p = parse_weight(skip_blanks(p), weight)))
      return "the weight of an edge is missing or not a finite number";
    if (!sums.take(vertex, neighbour, std::bit_cast<std::uint64_t>(weight.value))) continue;
    ids[2 * block.rows] = vertex;
    ids[2 * block.rows + 1] = neighbour;
    if (weighted_) {
      weights[block.rows] = weight.value;
      block.look_at(weight, line);
    }
    ++block.rows;
  }
  return nullptr;
}

std::string MetisRows::explain(std::string_view) const {
  for (const Lists& lists : lists_)
    if (lists.fault)
      return fmt::format("{}; expected {}the neighbours of a vertex, 1 to {}{}", lists.fault,
                         header_.vertex_numbers ? fmt::format("{} numbers and ", header_.vertex_numbers) : "",
                         header_.num_vertices, header_.has_weights ? ", each with the weight of its edge" : "");
  return "the list is malformed";
}

}  // namespace millrace
