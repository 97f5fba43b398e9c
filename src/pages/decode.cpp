#include "millrace/pages/decode.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "millrace/core/error.h"

namespace millrace {
namespace {

void unpack_portable(const std::uint32_t* words, std::uint32_t width, std::uint32_t* values) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  for (std::uint32_t l = 0; l < 32; ++l) {
    const std::uint32_t bit = l * width;
    std::uint64_t two_words;
    std::memcpy(&two_words, words + (bit >> 5), 8);
    values[l] = static_cast<std::uint32_t>((two_words >> (bit & 31)) & mask);
  }
}

void neighbours_portable(ColumnWalk& walk, std::uint32_t columns, std::uint32_t* tile) {
  for (std::uint32_t j = 0; j < columns; ++j, tile += 32) {
    const std::uint32_t width = *walk.widths++;
    unpack_portable(walk.words, width, tile);
    walk.words += width;
    for (std::uint32_t l = 0; l < 32; ++l) tile[l] = walk.last[l] += tile[l] + walk.step;
  }
}

constexpr Decoder portable{"portable", unpack_portable, neighbours_portable, nullptr};

}  // namespace

std::span<const Decoder* const> available_decoders() {
  static const std::vector<const Decoder*> decoders = [] {
    std::vector<const Decoder*> found{&portable};
    for (const Decoder* decoder : {avx2_decoder(), avx512_decoder()})
      if (decoder) found.push_back(decoder);
    return found;
  }();
  return decoders;
}

const Decoder& chosen_decoder() {
  static const Decoder* const chosen = [] {
    const char* const value = std::getenv("MILLRACE_DECODER");
    const std::string name = value ? value : "";
    std::string names;
    for (const Decoder* decoder : available_decoders()) {
      if (name == decoder->name) return decoder;
      names += (names.empty() ? "" : ", ") + std::string(decoder->name);
    }
    if (!name.empty()) throw UsageError("MILLRACE_DECODER={} is no decoder of this machine, which has {}", name, names);
    return available_decoders().back();
  }();
  return *chosen;
}

}  // namespace millrace
