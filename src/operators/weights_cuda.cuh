// Reads the weights of edges beside neighbours on a GPU: by a warp down the columns of a slice, or along one row by a
// thread or a warp. If the store has none, every edge has weight 1; for programs that take none, these types are empty.
// Only nvcc reads this.
#pragma once

#include "millrace/operators/program.h"
#include "millrace/operators/slice_cuda.cuh"

namespace millrace::cuda {

template <class Weight>
__device__ inline Weight weight_of(WeightType type, std::uint32_t low, std::uint32_t high) {
  if constexpr (std::is_integral_v<Weight>)
    return low;
  else if (type == WeightType::f64)
    return __hiloint2double(static_cast<int>(high), static_cast<int>(low));
  else
    return type == WeightType::f32 ? static_cast<double>(__uint_as_float(low)) : static_cast<double>(low);
}
// Integers take one column; a compile-time constant here removes the code for the second.
template <class Weight>
__device__ inline bool two_columns(WeightType type) {
  return !std::is_integral_v<Weight> && type == WeightType::f64;
}

__device__ inline const std::uint32_t* weight_words(const std::byte* page, std::uint32_t s) {
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  const auto* const table = reinterpret_cast<const std::uint32_t*>(page + header.topology_bytes);
  return table + header.slices + table[s];
}

// Used beside a WarpSlice: each lane reads the weights of its row. Groups of columns are fetched before their
// neighbours are decoded, and are themselves decoded afterwards.
template <class AsWeight>
class WarpWeights {
 public:
  using Weight = AsWeight;
  template <int count>
  struct Group {
    std::uint32_t word[2 * count], bits[2 * count];
  };

  __device__ WarpWeights(const PageSpan& span, const std::byte* page, std::uint32_t s, std::uint32_t columns)
      : type_(span.weight_type), policy_(streaming_policy()) {
    if (type_ == WeightType::none) return;
    columns_ = two_columns<Weight>(type_) ? 2 * columns : columns;
    widths_ = reinterpret_cast<const std::uint8_t*>(weight_words(page, s));
    words_ = reinterpret_cast<const std::uint32_t*>(widths_) + width_words(columns_);
  }

  // Fetches the group of columns from `column` on; groups are consecutive, and none crosses a multiple of 16.
  template <int count>
  __device__ Group<count> fetch(std::uint32_t column) {
    Group<count> group = {};
    if (type_ == WeightType::none) return group;
    if (two_columns<Weight>(type_))
      load<2 * count>(2 * column, group.word, group.bits);
    else
      load<count>(column, group.word, group.bits);
    return group;
  }
  template <int count>
  __device__ void decode(const Group<count>& group, Weight (&weight)[count]) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (type_ == WeightType::none)
        weight[i] = 1;
      else if (two_columns<Weight>(type_))
        weight[i] = weight_of<Weight>(type_, column_value(group.word[2 * i], group.bits[2 * i]),
                                      column_value(group.word[2 * i + 1], group.bits[2 * i + 1]));
      else
        weight[i] = weight_of<Weight>(type_, column_value(group.word[i], group.bits[i]), 0);
    }
  }
  __device__ const std::uint32_t* words() const { return words_; }

 private:
  template <int count, int room>
  __device__ void load(std::uint32_t column, std::uint32_t (&word)[room], std::uint32_t (&bits)[room]) {
    if (column % lanes == 0) {
      const std::uint32_t mine = column + lane_id();
      width_ = mine < columns_ ? load_streaming(widths_ + mine, policy_) : 0;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      bits[i] = __shfl_sync(whole_warp, width_, (column + i) % lanes);
      word[i] = lane_id() < bits[i] ? load_streaming(words_ + lane_id(), policy_) : 0;
      words_ += bits[i];
    }
  }

  WeightType type_;
  std::uint64_t policy_;
  std::uint32_t columns_ = 0;  // weight columns
  std::uint32_t width_ = 0;    // the widths of 32 of them, one in each lane
  const std::uint8_t* widths_ = nullptr;
  const std::uint32_t* words_ = nullptr;
};

template <>
class WarpWeights<NoWeight> {
 public:
  using Weight = NoWeight;
  template <int count>
  struct Group {};
  WarpWeights() = default;
  __device__ WarpWeights(const PageSpan&, const std::byte*, std::uint32_t, std::uint32_t) {}
  template <int count>
  __device__ Group<count> fetch(std::uint32_t) {
    return {};
  }
  template <int count>
  __device__ void decode(const Group<count>&, NoWeight (&)[count]) const {}
  __device__ const std::uint32_t* words() const { return nullptr; }
};

// Used beside a LoneRow: the weights of one lane of a slice.
template <class Weight>
class RowWeights {
 public:
  RowWeights() = default;
  __device__ RowWeights(const PageSpan& pages, std::uint32_t page, std::uint32_t place)
      : type_(pages.weight_type), lane_(place % lanes) {
    if (type_ == WeightType::none) return;
    const std::byte* const at = pages.base + pages.spots[page].offset;
    const std::uint32_t columns = read_header(slice_headers(at) + place / lanes).columns;
    widths_ = weight_words(at, place / lanes);
    words_ = widths_ + width_words(two_columns<Weight>(type_) ? 2 * columns : columns);
  }

  // Reads the weights in four columns from `column` on, a multiple of 4; columns from `length` on do not exist. A
  // single thread continues with the next four; with `together`, the lanes of a warp continue after the last lane's
  // columns.
  template <bool together>
  __device__ void next_four(std::uint32_t column, std::uint32_t length, Weight (&weight)[4]) {
    std::uint32_t value[8] = {};
    if (two_columns<Weight>(type_))
      read<together, 8>(2 * column, 2 * length, value);
    else if (type_ != WeightType::none)
      read<together, 4>(column, length, value);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      weight[i] = type_ == WeightType::none    ? Weight{1}
                  : two_columns<Weight>(type_) ? weight_of<Weight>(type_, value[2 * i], value[2 * i + 1])
                                               : weight_of<Weight>(type_, value[i], 0);
  }

 private:
  template <bool together, int count>
  __device__ void read(std::uint32_t first, std::uint32_t end, std::uint32_t (&value)[8]) {
    std::uint32_t width[count], bits = 0, all_widths = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const bool there = first + i < end;
      if (i % 4 == 0) bits = there ? widths_[(first + i) / 4] : 0;
      width[i] = there ? (bits >> (8 * (i % 4))) & 0xff : 0;
      all_widths += width[i];
    }
    const std::uint32_t words_end = together ? inclusive_sum(all_widths) : all_widths;
    const std::uint32_t* at = words_ + (words_end - all_widths);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      value[i] = read_value(at, width[i], lane_);
      at += width[i];
    }
    words_ += together ? __shfl_sync(whole_warp, words_end, lanes - 1) : words_end;
  }

  WeightType type_ = WeightType::none;
  std::uint32_t lane_ = 0;
  const std::uint32_t* widths_ = nullptr;  // four widths in each word
  const std::uint32_t* words_ = nullptr;
};

template <>
class RowWeights<NoWeight> {
 public:
  RowWeights() = default;
  __device__ RowWeights(const PageSpan&, std::uint32_t, std::uint32_t) {}
  template <bool together>
  __device__ void next_four(std::uint32_t, std::uint32_t, NoWeight (&)[4]) {}
};

}  // namespace millrace::cuda
