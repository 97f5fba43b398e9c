// Values in the memory of a device, whichever kind of device that is.
#pragma once

#include <utility>

#include "millrace/devices/device.h"

namespace millrace {

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(Device& device, std::uint64_t size, const std::string& what, Contents contents = Contents::zeros,
              Where where = Where::near)
      : memory_(device.allocate_memory(size * sizeof(T), what, contents, where)),
        data_(reinterpret_cast<T*>(memory_->data())),
        size_(size) {}
  DeviceArray(Device& device, Array<T> values, const std::string& what, Where where = Where::near)
      : size_(values.size()) {
    memory_ = device.adopt(std::move(values).take_buffer(), what, where);
    data_ = reinterpret_cast<T*>(memory_->data());
  }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    DeviceArray(std::move(other)).swap(*this);
    return *this;
  }

  T* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  void swap(DeviceArray& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  std::unique_ptr<DeviceMemory> memory_;
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace millrace
