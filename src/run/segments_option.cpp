#include "millrace/run/segments_option.h"

#include <bit>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/pages/format.h"

namespace millrace {

Option segments_option(std::string& field) {
  return {.name = "segments",
          .field = &field,
          .value = "auto|none|SIZE",
          .help =
              "Group the pages by segments of so many neighbours, such as 4M, whose values fit a cache: faster "
              "where a graph has no hubs; auto (default) decides by a sample of the rows and the caches here"};
}

SegmentOptions parse_segments(const std::string& text) {
  if (text == "none") return {};
  if (text == "auto") return {.automatic = true};
  const std::uint64_t vertices = parse_size(text);
  if (!std::has_single_bit(vertices) || vertices < min_segment || vertices > max_vertices)
    throw UsageError("@segments@ {} is no power of two from {} to 2G, such as 4M", text, min_segment);
  return {.vertices = vertices};
}

}  // namespace millrace
