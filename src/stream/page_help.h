// How the cpu takes part in a streamed pass of a GPU: its options, and what the pass expects of it.
#pragma once

#include <cstdint>
#include <optional>

#include "millrace/core/types.h"
#include "millrace/stream/page_pool.h"

namespace millrace {

// Which of the pages that a GPU would have to load the cpu takes first: those with the rows of highest degree (in a
// store in order of degree), those of lowest, or any (TOTEM's HIGH, LOW and RAND).
enum class HelpOrder { high, low, random };

struct HelpOptions {
  int threads = 0;  // 0: the cpu does not help
  HelpOrder order = HelpOrder::high;
  std::optional<double> share = {};  // of the pages to load; without it, whoever is free takes the next page
  bool always = false;               // also where so little is to be loaded that it cannot pay
};

// Computes on pages beside a GPU. A superstep has one pass, or one for each segment.
class PageHelp {
 public:
  virtual ~PageHelp() = default;
  // Starts to take pages from the end of the pool, and returns. Their rows have neighbours in this range alone.
  virtual void begin(PagePool& pool, VertexRange neighbours) = 0;
  // Returns once it takes no more. Throws what went wrong.
  virtual void end() = 0;
  // Gives the GPU what was computed; the pass has ended well.
  virtual void hand_over() = 0;
};

}  // namespace millrace
