// Sorting, scanning and selecting in the memory of a GPU: CUB, with scratch memory that is kept between calls.
#pragma once

#include "millrace/devices/cuda.h"

namespace millrace::cuda {

// Everything runs on the device's main stream. Functions that return a number wait for it.
class Primitives {
 public:
  explicit Primitives(CudaDevice& device) : device_(device), number_(device, 1, "a count") {}

  // Sorts by the low `bits`; returns the one of the two buffers that has the result. Both are overwritten.
  std::uint64_t* sort(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, std::uint32_t bits);

  // Sorts pairs by the low `bits` of their keys; the sort is stable. Afterwards `keys` and `values` point to the
  // result, `other_keys` and `other_values` to the memory that sorting needed.
  struct Pairs {
    std::uint32_t *keys, *other_keys;
    std::uint32_t *values, *other_values;
  };
  void sort_pairs(Pairs& pairs, std::uint64_t count, std::uint32_t bits);

  // Copies the first of every run of equal keys; returns how many there are.
  std::uint64_t unique(const std::uint64_t* keys, std::uint64_t count, std::uint64_t* to);
  // The positions at which key >> shift changes, including the first; returns how many there are.
  std::uint64_t find_heads(const std::uint64_t* keys, std::uint64_t count, std::uint32_t shift, std::uint32_t* places);

  // sums[i] = the sum of values[0 .. i).
  void exclusive_sum(const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count);
  void exclusive_sum(const std::uint64_t* values, std::uint64_t* sums, std::uint64_t count);

 private:
  // Calls step(memory, bytes) twice, as CUB requires: to learn how many bytes it needs, and to run with them.
  template <class Step>
  void run(Step step);
  std::uint64_t number();

  CudaDevice& device_;
  CudaArray<std::byte> scratch_;
  CudaArray<std::uint64_t> number_;
};

}  // namespace millrace::cuda
