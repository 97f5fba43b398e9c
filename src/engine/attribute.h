// What algorithms keep for every vertex.
#pragma once

#include <vector>

#include "millrace/core/memory.h"
#include "millrace/devices/cuda.h"
#include "millrace/operators/program.h"

namespace millrace {

// One value per vertex, in the memory of the device, or far from it. Of several devices each has them all, but where
// they are far all share one.
template <class T>
class Attribute {
 public:
  Attribute() = default;
  explicit Attribute(Array<T> values) : host_(std::move(values)), data_(host_.data()) {}
  Attribute(CudaDevice& device, CudaArray<T> values)
      : device_(&device), cuda_(std::move(values)), data_(cuda_.data()) {}
  operator View<T>() { return {data_}; }
  operator View<const T>() const { return View<const T>(data_); }
  // The values in host memory; the attribute is gone.
  Array<T> take() && {
    others_.clear();
    if (!device_) return std::move(host_);
    Array<T> values(cuda_.size(), device_->host_memory(), "results");
    device_->copy_to_host(values.data(), cuda_.data(), cuda_.bytes());
    cuda_ = {};
    return values;
  }

 private:
  friend class Engine;
  friend class Layers;
  Attribute& on(std::size_t i) { return i == 0 || others_.empty() ? *this : others_[i - 1]; }

  CudaDevice* device_ = nullptr;  // null: in host memory
  Array<T> host_;
  CudaArray<T> cuda_;
  T* data_ = nullptr;
  std::vector<Attribute<T>> others_;  // of the devices after the first
};

}  // namespace millrace
