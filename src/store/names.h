// Names: if the ids of a graph were strings, the string of each original id 0..n-1, in order of first appearance.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace {

// All strings back to back; entry i is bytes [offsets[i], offsets[i + 1]).
struct Names {
  std::vector<char> bytes;
  std::vector<std::uint64_t> offsets;  // n + 1 entries; empty if there are no names

  std::uint64_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::string_view operator[](std::uint64_t id) const {
    return {bytes.data() + offsets[id], static_cast<std::size_t>(offsets[id + 1] - offsets[id])};
  }
};

}  // namespace millrace
