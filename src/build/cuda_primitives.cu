#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "millrace/build/cuda_primitives.h"
#include "millrace/devices/cuda_check.h"

namespace millrace::cuda {
namespace {

struct IsHead {
  const std::uint64_t* keys;
  std::uint32_t shift;
  __device__ bool operator()(std::uint32_t i) const { return i == 0 || keys[i] >> shift != keys[i - 1] >> shift; }
};

}  // namespace

template <class Step>
void Primitives::run(Step step) {
  std::size_t bytes = 0;
  MILLRACE_CUDA(step(nullptr, bytes));
  if (bytes > scratch_.size()) {
    scratch_ = {};
    scratch_ = CudaArray<std::byte>(device_, bytes, "sorting");
  }
  MILLRACE_CUDA(step(scratch_.data(), bytes));
}

std::uint64_t Primitives::number() {
  std::uint64_t value = 0;
  device_.copy_to_host(&value, number_.data(), sizeof(value));
  return value;
}

std::uint64_t* Primitives::sort(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, std::uint32_t bits) {
  if (count == 0) return keys;
  cub::DoubleBuffer<std::uint64_t> buffer(keys, other);
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, buffer, count, 0, static_cast<int>(bits),
                                          device_.main_stream());
  });
  return buffer.Current();
}

void Primitives::sort_pairs(Pairs& pairs, std::uint64_t count, std::uint32_t bits) {
  if (count == 0) return;
  cub::DoubleBuffer<std::uint32_t> keys(pairs.keys, pairs.other_keys), values(pairs.values, pairs.other_values);
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, count, 0, static_cast<int>(bits),
                                           device_.main_stream());
  });
  pairs = {keys.Current(), keys.Alternate(), values.Current(), values.Alternate()};
}

std::uint64_t Primitives::unique(const std::uint64_t* keys, std::uint64_t count, std::uint64_t* to) {
  if (count == 0) return 0;
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(memory, bytes, keys, to, number_.data(), static_cast<std::int64_t>(count),
                                     device_.main_stream());
  });
  return number();
}

std::uint64_t Primitives::find_heads(const std::uint64_t* keys, std::uint64_t count, std::uint32_t shift,
                                     std::uint32_t* places) {
  if (count == 0) return 0;
  const IsHead is_head{keys, shift};
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, thrust::counting_iterator<std::uint32_t>(0), places, number_.data(),
                                 static_cast<std::int64_t>(count), is_head, device_.main_stream());
  });
  return number();
}

void Primitives::exclusive_sum(const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count) {
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, values, sums, count, device_.main_stream());
  });
}

void Primitives::exclusive_sum(const std::uint64_t* values, std::uint64_t* sums, std::uint64_t count) {
  run([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, values, sums, count, device_.main_stream());
  });
}

}  // namespace millrace::cuda
