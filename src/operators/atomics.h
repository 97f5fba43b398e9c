// For programs that read or write values of other vertices than the one they are called for, while other threads may do
// the same. These functions order nothing: they are for values that change in one direction only, where an old value
// does no harm.
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

// The same, but a GPU may read an old value from its cache, from before this pass: for values that many edges read.
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

// All of these return the previous value.

// Stores the lower of the two values.
template <class T>
MILLRACE_HD T lower(T& place, T value) {
#ifdef __CUDA_ARCH__
  return atomicMin(&place, value);
#else
  std::atomic_ref<T> shared(place);
  T old = shared.load(std::memory_order_relaxed);
  while (value < old && !shared.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
  return old;
#endif
}
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
