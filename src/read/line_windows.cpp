#include "millrace/read/line_windows.h"

#include <string.h>  // memrchr

#include <algorithm>
#include <cstring>
#include <utility>

namespace millrace {
namespace {

void grow(Array<char>& buffer, std::size_t used, std::size_t bytes) {
  Array<char> larger(bytes, unlimited_budget(), "a window of text");
  if (used > 0) std::memcpy(larger.data(), buffer.data(), used);
  buffer = std::move(larger);
}

}  // namespace

LineWindows::LineWindows(TextSource& source, std::size_t window_bytes)
    : source_(source), window_bytes_(std::clamp<std::size_t>(window_bytes, 1, max_line_bytes)) {}

std::string_view LineWindows::next() {
  if (first_) {
    fill(current_, {});
  } else {
    if (current_.last || current_.cut) return {};
    reading_.get();
    std::swap(current_, coming_);
  }
  if (!current_.last && !current_.cut) {
    const std::string_view begun(current_.buffer.data() + current_.lines, current_.size - current_.lines);
    // Deferred, in case the system refuses another thread: then the window is read when it is requested.
    reading_ = std::async(std::launch::async | std::launch::deferred, [this, begun] { fill(coming_, begun); });
  }
  std::string_view text(current_.buffer.data(), current_.lines);
  const bool begins_file = std::exchange(first_, false) && source_.lines_read() == 0;
  return begins_file ? without_byte_order_mark(text) : text;
}

void LineWindows::fill(Window& window, std::string_view begun) {
  // One byte stays free for the newline that the last line may lack.
  std::size_t wanted = std::min(begun.size() + window_bytes_, max_line_bytes);
  if (window.buffer.size() < wanted + 1) grow(window.buffer, 0, wanted + 1);
  begun.copy(window.buffer.data(), begun.size());
  window.size = begun.size();
  std::size_t searched = begun.size();  // there is no newline before this byte
  while (true) {
    char* const data = window.buffer.data();
    window.size += source_.read({data + window.size, wanted - window.size});
    window.last = window.size < wanted;
    if (window.last && window.size > 0 && data[window.size - 1] != '\n') data[window.size++] = '\n';
    const void* newline = memrchr(data + searched, '\n', window.size - searched);
    window.lines = newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - data) + 1 : 0;
    if (window.last || newline) return;
    if (wanted == max_line_bytes) {
      window.cut = true;
      window.lines = window.size;
      return;
    }
    searched = window.size;
    wanted = std::min(2 * wanted, max_line_bytes);
    grow(window.buffer, window.size, wanted + 1);
  }
}

}  // namespace millrace
