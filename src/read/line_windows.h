// A text as a sequence of windows of whole lines. While one window is used, the next is read.
#pragma once

#include <future>
#include <string_view>

#include "millrace/core/memory.h"
#include "millrace/read/text_source.h"

namespace millrace {

// The longest line: a file without newlines is no text, and must not be read into memory completely.
inline constexpr std::size_t max_line_bytes = std::size_t{256} << 20;

class LineWindows {
 public:
  // Windows have about `window_bytes`, or more if a line is longer. The source must outlive this object.
  LineWindows(TextSource& source, std::size_t window_bytes);

  // The next window: lines that all end with '\n' (a missing last one is added), without a byte order mark. Empty at
  // the end. Valid until the next call.
  std::string_view next();

  // True when the last window is the beginning of a line past max_line_bytes.
  bool line_too_long() const { return current_.cut; }

 private:
  struct Window {
    Array<char> buffer;
    std::size_t lines = 0;  // bytes of complete lines
    std::size_t size = 0;   // bytes in the buffer; those after the lines begin the next window
    bool last = false;
    bool cut = false;
  };
  void fill(Window& window, std::string_view begun);

  TextSource& source_;
  std::size_t window_bytes_;
  Window current_, coming_;
  bool first_ = true;
  std::future<void> reading_;  // declared last: its destructor waits before the windows are freed
};

}  // namespace millrace
