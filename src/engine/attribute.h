// What algorithms keep for every vertex.
#pragma once

#include "millrace/engine/copies.h"
#include "millrace/operators/program.h"

namespace millrace {

// One value per vertex, in the memory of the devices, or far from them. The engine makes them.
template <class T>
class Attribute {
 public:
  Attribute() = default;
  explicit Attribute(Copies copies) : copies_(std::move(copies)) {}
  operator View<T>() { return {data()}; }
  operator View<const T>() const { return View<const T>(data()); }
  const Copies& copies() const { return copies_; }
  // The values in host memory; the attribute is gone.
  Array<T> take() && { return Array<T>(std::move(copies_).take()); }

 private:
  T* data() const { return reinterpret_cast<T*>(copies_.first()); }

  Copies copies_;
};

}  // namespace millrace
