// Reads the weights of a slice beside its neighbours on the cpu. For programs that take no weights these types are
// empty.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "millrace/operators/program.h"
#include "millrace/pages/page_view.h"

namespace millrace {

// A walk down the weight columns of a slice. If the page has none, every edge has weight 1.
template <class Weight>
class WeightWalk {
 public:
  WeightWalk(const PageView& page, std::uint32_t slice) : type_(page.header().weight_type) {
    if (type_ == WeightType::none) return;
    words_ = page.weight_words(slice);
    widths_ = reinterpret_cast<const std::uint8_t*>(words_);
    words_ += width_words(page.slices()[slice].columns * weight_columns(type_));
  }

  // Decodes the next `columns` columns into tile[columns][32] (64-byte aligned).
  void next(const Decoder& decoder, std::uint32_t columns, Weight* tile) {
    if (type_ == WeightType::none) {
      std::fill_n(tile, std::size_t{columns} * lanes, Weight{1});
      return;
    }
    for (std::uint32_t j = 0; j < columns; ++j, tile += lanes) {
      if constexpr (std::is_integral_v<Weight>) {
        unpack(decoder, tile);
      } else {
        alignas(64) std::uint32_t low[lanes], high[lanes] = {};
        unpack(decoder, low);
        if (type_ == WeightType::f64) unpack(decoder, high);
        for (std::uint32_t l = 0; l < lanes; ++l) tile[l] = value(low[l], high[l]);
      }
    }
  }

  // Writes the first `count` weights of one lane.
  void lane(std::uint32_t lane, std::uint32_t count, Weight* weights) {
    if (type_ == WeightType::none) {
      std::fill_n(weights, count, Weight{1});
      return;
    }
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::uint32_t low = extract(lane);
      weights[j] = value(low, type_ == WeightType::f64 ? extract(lane) : 0);
    }
  }

  const std::uint32_t* words() const { return words_; }

 private:
  Weight value(std::uint32_t low, [[maybe_unused]] std::uint32_t high) const {
    if constexpr (std::is_integral_v<Weight>)
      return low;
    else
      return weight_value(type_, std::uint64_t{high} << 32 | low);
  }
  void unpack(const Decoder& decoder, std::uint32_t* values) {
    decoder.unpack(words_, *widths_, values);
    words_ += *widths_++;
  }
  std::uint32_t extract(std::uint32_t lane) {
    const std::uint32_t width = *widths_++;
    return column_value(std::exchange(words_, words_ + width), width, lane);
  }

  WeightType type_;
  const std::uint32_t* words_ = nullptr;
  const std::uint8_t* widths_ = nullptr;
};

template <>
class WeightWalk<NoWeight> {
 public:
  WeightWalk(const PageView&, std::uint32_t) {}
  void next(const Decoder&, std::uint32_t, NoWeight*) {}
  void lane(std::uint32_t, std::uint32_t, NoWeight*) {}
  const std::uint32_t* words() const { return nullptr; }
};

}  // namespace millrace
