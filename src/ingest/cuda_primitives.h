// Sorting, scanning and picking in the memory of a GPU: CUB, with scratch memory that is kept between calls.
#pragma once

#include "millrace/devices/cuda.h"

namespace millrace::cuda {

// Everything runs on the device's main stream. What returns a number waits for it.
class Primitives {
 public:
  explicit Primitives(CudaDevice& device) : device_(device), number_(device, 1, "a count") {}

  // Sorts by the low `bits`; returns which of the two buffers has the result. Both are overwritten.
  std::uint64_t* sort(std::uint64_t* keys, std::uint64_t* other, std::uint64_t count, std::uint32_t bits);

  // Sorts pairs by the low `bits` of their keys, equal ones left in order. `keys` and `values` have the result
  // afterwards, `other_keys` and `other_values` the memory that was needed for it.
  struct Pairs {
    std::uint32_t *keys, *other_keys;
    std::uint32_t *values, *other_values;
  };
  void sort_pairs(Pairs& pairs, std::uint64_t count, std::uint32_t bits);

  // Copies the first of every run of equal keys; returns how many.
  std::uint64_t unique(const std::uint64_t* keys, std::uint64_t count, std::uint64_t* to);
  // The places at which key >> shift changes, the first one too; returns how many.
  std::uint64_t find_heads(const std::uint64_t* keys, std::uint64_t count, std::uint32_t shift, std::uint32_t* places);

  // sums[i] = the sum of the values before i.
  void exclusive_sum(const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count);
  void exclusive_sum(const std::uint64_t* values, std::uint64_t* sums, std::uint64_t count);

 private:
  // Calls step(memory, bytes) twice, as CUB wants it: to ask for bytes, and to run in them.
  template <class Step>
  void run(Step step);
  std::uint64_t number();

  CudaDevice& device_;
  CudaArray<std::byte> scratch_;
  CudaArray<std::uint64_t> number_;
};

}  // namespace millrace::cuda
