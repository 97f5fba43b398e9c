// Memory of a GPU as device-neutral code has it.
#include "millrace/devices/cuda.h"
#include "millrace/devices/kept_results.h"

namespace millrace {
namespace {

class GpuMemory final : public DeviceMemory {
 public:
  GpuMemory(CudaDevice& device, std::uint64_t bytes, const std::string& what, Where where)
      : GpuMemory(device, CudaArray<std::byte>(device, bytes, what, where), where) {}
  GpuMemory(CudaDevice& device, CudaArray<std::byte> values, Where where)
      : device_(device), values_(std::move(values)), where_(where) {
    data_ = values_.data();
    bytes_ = values_.size();
  }
  Buffer take() override {
    Buffer there(bytes_, device_.host_memory(), "results");
    device_.copy_to_host(there.data(), data_, bytes_);
    if (KeptResults* const kept = KeptResults::current(); kept && where_ == Where::near)
      kept->add(there.data(), {&device_, std::make_shared<GpuMemory>(device_, std::move(values_), where_)});
    values_ = {};
    data_ = nullptr;
    bytes_ = 0;
    return there;
  }

 private:
  CudaDevice& device_;
  CudaArray<std::byte> values_;
  Where where_;
};

}  // namespace

std::unique_ptr<DeviceMemory> CudaDevice::allocate_memory(std::uint64_t bytes, const std::string& what,
                                                          Contents contents, Where where) {
  auto memory = std::make_unique<GpuMemory>(*this, bytes, what, where);
  if (contents == Contents::zeros && where == Where::near) set_bytes(memory->data(), 0, bytes);
  return memory;
}

std::unique_ptr<DeviceMemory> CudaDevice::adopt(Buffer values, const std::string& what, Where where) {
  auto memory = std::make_unique<GpuMemory>(*this, values.size(), what, where);
  copy_to_device(memory->data(), values.data(), values.size());
  return memory;
}

}  // namespace millrace
