#include "millrace/devices/cpu.h"

#include <cstring>

#include "millrace/core/threads.h"

namespace millrace {
namespace {

class HostMemory final : public DeviceMemory {
 public:
  explicit HostMemory(Buffer values) : values_(std::move(values)) {
    data_ = values_.data();
    bytes_ = values_.size();
  }
  Buffer take() override {
    data_ = nullptr;
    bytes_ = 0;
    return std::move(values_);
  }

 private:
  Buffer values_;
};

}  // namespace

std::unique_ptr<DeviceMemory> CpuDevice::allocate_memory(std::uint64_t bytes, const std::string& what, Contents,
                                                         Where where) {
  return std::make_unique<HostMemory>(Buffer(bytes, landing_memory(where), what));
}

std::unique_ptr<DeviceMemory> CpuDevice::adopt(Buffer values, const std::string&, Where) {
  return std::make_unique<HostMemory>(std::move(values));
}

void CpuDevice::copy_to_host(void* to, const void* from, std::uint64_t bytes) { copy_on_device(to, from, bytes); }
void CpuDevice::copy_to_device(void* to, const void* from, std::uint64_t bytes) { copy_on_device(to, from, bytes); }
void CpuDevice::copy_on_device(void* to, const void* from, std::uint64_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void CpuDevice::fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count) {
  auto* const bytes = static_cast<std::byte*>(at);
  const int threads = threads_for(count, least_vertices, threads_);
  const auto fill_with = [&](auto of_its_size) {
    auto* const values = reinterpret_cast<decltype(of_its_size)*>(at);
    std::memcpy(&of_its_size, value, sizeof of_its_size);
    for_shares(0, count, threads, [=](std::uint64_t i) { values[i] = of_its_size; });
  };
  if (value_bytes == 4) return fill_with(std::uint32_t{});
  if (value_bytes == 8) return fill_with(std::uint64_t{});
  for_shares(0, count, threads, [=](std::uint64_t i) { std::memcpy(bytes + i * value_bytes, value, value_bytes); });
}

}  // namespace millrace
