// Arrays of the library as NumPy arrays, without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>

#include "millrace/core/memory.h"

namespace millrace::python {

// `owner` is kept while the array lives.
template <class T>
nanobind::object array_of(std::span<const T> values, nanobind::handle owner) {
  static const T none{};  // an array of nothing has an address too
  const std::size_t size = values.size();
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, const T>(size == 0 ? &none : values.data(), 1, &size, owner),
                        nanobind::rv_policy::reference);
}

// The array takes the memory over.
template <class T>
nanobind::object array_taking(Array<T> values) {
  auto* const kept = new Array<T>(std::move(values));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Array<T>*>(p); });
  return array_of<T>(*kept, owner);
}

}  // namespace millrace::python
