// What each device of a run has of an attribute: its own copy, or one with the devices that compute in the same memory.
#pragma once

#include <memory>
#include <vector>

#include "millrace/devices/device.h"

namespace millrace {

class Copies {
 public:
  Copies() = default;
  // By device; those that share a copy name the same one.
  explicit Copies(std::vector<std::shared_ptr<DeviceMemory>> by_device) : by_device_(std::move(by_device)) {}

  std::byte* on(std::size_t device) const { return by_device_[device]->data(); }
  const std::shared_ptr<DeviceMemory>& memory() const { return by_device_[0]; }  // of the first device
  std::byte* first() const { return by_device_.empty() ? nullptr : on(0); }
  // The values in host memory; the copies are gone.
  Buffer take() && {
    if (by_device_.empty()) return {};
    const std::shared_ptr<DeviceMemory> kept = by_device_[0];
    by_device_.clear();
    return kept->take();
  }

 private:
  std::vector<std::shared_ptr<DeviceMemory>> by_device_;
};

}  // namespace millrace
