// What must hold for any bytes given as a graph file; shared by the libFuzzer target and a short run in the normal
// tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "millrace/core/error.h"
#include "millrace/read/formats.h"

namespace millrace::test {

// ldbc has several files, whose edges and vertices are read like these.
inline constexpr Format fuzzed_formats[] = {Format::automatic, Format::edges,   Format::wel, Format::csv,
                                            Format::mtx,       Format::metis,   Format::sg,  Format::wsg,
                                            Format::gr,        Format::graph500};

// Reads all batches. Returns a property that does not hold; faults of the file are exceptions.
inline std::optional<std::string> examine_reader(EdgeReader& reader) {
  const GraphShape shape = reader.shape();
  OriginalId largest = 0;
  while (const auto batch = reader.next()) {
    if (batch->num_edges() == 0) return "an empty batch";
    if (batch->endpoints.size() % 2 != 0) return "half an edge";
    if (batch->weights.size() != (shape.weighted ? batch->num_edges() : 0)) return "weights that are not one per edge";
    for (const OriginalId id : batch->endpoints) {
      VertexId number = 0;
      if (shape.vertices) shape.vertices->find({&id, 1}, &number);
      if (number == no_vertex) return "an endpoint that is not among the vertices";
      largest = std::max(largest, id);
    }
    for (const double weight : batch->weights)
      if (!std::isfinite(weight)) return "a weight that is not finite";
  }
  const Names names = reader.take_names();
  if (shape.named && largest > 0 && largest >= names.size()) return "a name is missing";
  return {};
}

struct GraphExamination {
  bool read = false;                  // read to its end, without an error
  std::optional<std::string> broken;  // a property that does not hold: a bug of ours
};

// The first byte chooses the format, the second the options; with small blocks a short text has many of them.
inline GraphExamination fuzz_graph(std::span<const std::uint8_t> data) {
  if (data.size() < 2) return {};
  ReadOptions options{.format = fuzzed_formats[data[0] % std::size(fuzzed_formats)]};
  if (data[1] & 1) options.weighted = (data[1] & 2) != 0;
  if (data[1] & 4) options.ids = IdKind::string;
  if (data[1] & 8) options.columns = data[1] & 16 ? "2,1,3" : "to,from";
  options.blocks = 3 + (data[1] >> 5) * 16;
  const std::string_view text(reinterpret_cast<const char*>(data.data()) + 2, data.size() - 2);
  try {
    return {true, examine_reader(*open_graph(std::make_unique<TextSource>(text, "fuzz"), options))};
  } catch (const InternalError& error) {
    return {false, error.what()};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace millrace::test
