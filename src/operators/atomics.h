// For programs that touch the values of vertices other than the one they are called for, while others may do the same.
// Nothing is ordered by these: they serve values that only go one way, where an old one does no harm.
#pragma once

#include <atomic>

#include "millrace/core/types.h"

namespace millrace {

template <class T>
MILLRACE_HD T read_shared(T& place) {
#ifdef __CUDA_ARCH__
  return *const_cast<volatile T*>(&place);
#else
  return std::atomic_ref<T>(place).load(std::memory_order_relaxed);
#endif
}

// The same, but a GPU may take it from a cache, as it was before this pass: for values that many edges read.
template <class T>
MILLRACE_HD T read_cached(T& place) {
#ifdef __CUDA_ARCH__
  return place;
#else
  return read_shared(place);
#endif
}

template <class T>
MILLRACE_HD void write_shared(T& place, T value) {
#ifdef __CUDA_ARCH__
  *const_cast<volatile T*>(&place) = value;
#else
  std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
#endif
}

// Leaves the lower of the two.
template <class T>
MILLRACE_HD void lower(T& place, T value) {
#ifdef __CUDA_ARCH__
  atomicMin(&place, value);
#else
  std::atomic_ref<T> shared(place);
  T old = shared.load(std::memory_order_relaxed);
  while (value < old && !shared.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
#endif
}

// These return what was there before.
template <class T>
MILLRACE_HD T exchange_shared(T& place, T value) {
#ifdef __CUDA_ARCH__
  return atomicExch(&place, value);
#else
  return std::atomic_ref<T>(place).exchange(value, std::memory_order_relaxed);
#endif
}
template <class T>
MILLRACE_HD T or_shared(T& place, T value) {
#ifdef __CUDA_ARCH__
  return atomicOr(&place, value);
#else
  return std::atomic_ref<T>(place).fetch_or(value, std::memory_order_relaxed);
#endif
}
template <class T>
MILLRACE_HD T add_shared(T& place, T value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(&place, value);
#else
  return std::atomic_ref<T>(place).fetch_add(value, std::memory_order_relaxed);
#endif
}
}  // namespace millrace
