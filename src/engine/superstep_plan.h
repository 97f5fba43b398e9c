// How a superstep will be carried out: a value that an executor makes (Executor::plan), carries out
// (Executor::carry_out) and that reports show. A test may make its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "millrace/engine/direction.h"

namespace millrace {

// What an edge_map goes over.
enum class Method : std::uint8_t {
  none,      // nothing: the frontier is empty
  pages,     // all rows of pages, or of those that have active rows or rows that want a message
  rows,      // single rows, found one by one: of the active vertices in a push, of those that want a message in a pull
  far_rows,  // the same in host memory, read by a GPU over the link
  search,    // rows up to their first active source; on a GPU, single rows once few are open
  chunks,    // pages once for each chunk of targets: where attributes are far
};

constexpr std::string_view method_name(Method method) {
  switch (method) {
    case Method::none:
      return "none";
    case Method::pages:
      return "pages";
    case Method::rows:
      return "rows";
    case Method::far_rows:
      return "far rows";
    case Method::search:
      return "search";
    case Method::chunks:
      return "chunks";
  }
  return "";
}

inline constexpr Method all_methods[] = {Method::none,     Method::pages,  Method::rows,
                                         Method::far_rows, Method::search, Method::chunks};
inline constexpr std::size_t num_methods = std::size(all_methods);

struct SuperstepPlan {
  Direction direction = Direction::push;
  Method method = Method::pages;
  // The pages to go over, in ascending order, where they have to be loaded; else all that are there.
  std::optional<std::vector<std::uint32_t>> pages = std::nullopt;
  // The cpu computes on some of the pages beside a GPU, which would load its pages in so many seconds without help; 0:
  // not known.
  bool helped = false;
  double seconds_alone = 0;
  // A pull by rows on a cpu has collected its rows already: the executor has them, until it collects others. 0: it has
  // not.
  std::uint64_t collection = 0;
  // Threads of a cpu; a GPU takes all that it has.
  int threads = 1;
  // At most so many supersteps in one launch of a GPU.
  std::uint32_t supersteps = 1;
  // Seconds that it is expected to take; 0: not known.
  double seconds = 0;
};

}  // namespace millrace
