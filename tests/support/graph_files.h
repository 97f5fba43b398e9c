// Small graph files in memory, and the edges that a reader returns, with the ids of the file.
#pragma once

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/read/formats.h"

namespace millrace::test {

struct ReadGraph {
  GraphShape shape;
  std::vector<std::pair<OriginalId, OriginalId>> edges;
  std::vector<double> weights;
  Names names;
};

inline ReadGraph read_all(EdgeReader& reader) {
  ReadGraph graph;
  graph.shape = reader.shape();
  while (const auto batch = reader.next()) {
    for (std::uint64_t i = 0; i < batch->num_edges(); ++i)
      graph.edges.emplace_back(batch->endpoints[2 * i], batch->endpoints[2 * i + 1]);
    graph.weights.insert(graph.weights.end(), batch->weights.begin(), batch->weights.end());
  }
  graph.names = reader.take_names();
  return graph;
}

inline ReadGraph read_text(std::string_view text, const ReadOptions& options = {}, const std::string& name = "graph") {
  return read_all(*open_graph(std::make_unique<TextSource>(text, name), options));
}

// Expects that a text is refused with a message that says so.
template <class ErrorType = UsageError>
void expect_refusal(std::string_view text, const ReadOptions& options, const std::string& says,
                    const std::string& name = "graph") {
  try {
    read_text(text, options, name);
    ADD_FAILURE() << "was read: " << text;
  } catch (const ErrorType& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

// The bytes of several numbers, one after another.
template <class... Numbers>
std::string packed(Numbers... numbers) {
  std::string bytes;
  const auto add = [&](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
  (add(numbers), ...);
  return bytes;
}

// One frame of zstd, with a checksum as the zstd command writes it.
inline std::string zstd(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size()));
  return frame;
}

// A GAP graph of 4 vertices: 0-1 (5), 0-2 (-3), 3 alone; or directed 0->1, 0->2 with its inverse.
inline std::string gap_file(bool directed, bool weighted) {
  const auto entry = [&](std::int32_t neighbour, std::int32_t weight) {
    return weighted ? packed(neighbour, weight) : packed(neighbour);
  };
  using I = std::int64_t;
  if (directed)
    return packed('\1', I{2}, I{4}) + packed(I{0}, I{2}, I{2}, I{2}, I{2}) + entry(1, 5) + entry(2, -3) +
           packed(I{0}, I{0}, I{1}, I{2}, I{2}) + entry(0, 5) + entry(0, -3);
  return packed('\0', I{4}, I{4}) + packed(I{0}, I{2}, I{3}, I{4}, I{4}) + entry(1, 5) + entry(2, -3) + entry(0, 5) +
         entry(0, -3);
}

}  // namespace millrace::test
