// The cuda device: a GPU with a memory budget, a main stream that kernels run on, and a few more for the pipeline. This
// header names no CUDA type, so that code which only hands a device around needs no toolkit. In a build without CUDA
// there are no such devices and making one throws.
#pragma once

#include <memory>
#include <vector>

#include "millrace/devices/cuda_rates.h"
#include "millrace/devices/device.h"

// What the runtime's cudaStream_t and cudaEvent_t point to.
struct CUstream_st;
struct CUevent_st;

namespace millrace {

struct CudaInfo {
  int ordinal = 0;
  std::string name;
  std::uint64_t memory = 0;
  std::uint64_t free_memory = 0;
  int multiprocessors = 0;
  std::uint64_t l2_bytes = 0;
  std::string architecture;  // "9.0"
  std::string bus;           // "0000:0f:00.0"
};

bool built_with_cuda();
// A GPU, which has to be there.
CudaInfo cuda_device(int ordinal);
// All GPUs that can be used; none where there is no driver.
std::vector<CudaInfo> cuda_devices();
// Bytes of the second-level cache of the first GPU, or 0. Unlike the list of all, it takes no memory of the driver.
std::uint64_t first_gpu_cache();

struct CudaOptions {
  int ordinal = 0;
  std::uint64_t memory = 0;  // 0: what is free now, less some for the driver
  // Devices of one GPU share one copy of the attributes. Not sharing them stands for several GPUs in tests.
  bool shares_memory = true;
};

// A page of host memory that kernels write to and the host watches: how results come back without waiting for a
// stream. A kernel writes the payload, then the number of the letter.
struct Mailbox {
  static constexpr std::uint64_t payload_bytes = 2048;
  volatile std::uint64_t* number = nullptr;
  std::byte* payload = nullptr;
};

class CudaDevice final : public Device {
 public:
  static constexpr std::uint32_t num_queues = 4;

  // Host memory of its runs is charged to `host_memory`, which must outlive the device.
  CudaDevice(const CudaOptions& options, Budget& host_memory);
  ~CudaDevice() override;

  std::string name() const override;
  DeviceKind kind() const override { return DeviceKind::cuda; }
  std::uint64_t memory_number() const override {
    return shares_memory_ ? static_cast<std::uint64_t>(info_.ordinal) : reinterpret_cast<std::uintptr_t>(this);
  }
  const CudaInfo& info() const { return info_; }
  // What choices assume; passes over pages set the rate of the link to what they see.
  const CudaRates& rates() const { return rates_; }
  void set_rates(const CudaRates& rates) { rates_ = rates; }
  Budget& memory() override { return memory_; }
  Budget& host_memory() override { return host_memory_; }
  Budget& far_memory() override { return host_memory_; }
  Budget& landing_memory(Where) override { return host_memory_; }

  void select() const override;

  CUstream_st* main_stream() const { return main_; }
  CUstream_st* queue_stream(std::uint32_t queue) const { return queues_[queue]; }

  // Memory charged to the budget, its contents undefined. Freed memory is kept for the next allocation. Throws
  // DoesNotFitError past the budget and where the GPU has no more.
  void* allocate(std::uint64_t bytes, const std::string& what);
  void release(void* memory, std::uint64_t bytes) noexcept;
  // Makes sure that `bytes` can be had later, or throws DoesNotFitError now.
  void reserve(std::uint64_t bytes, const std::string& what);

  // Zeroed memory of the host that kernels of all GPUs reach over the link, charged to the host's budget.
  void* allocate_far(std::uint64_t bytes, const std::string& what);
  void release_far(void* memory) noexcept;

  std::unique_ptr<DeviceMemory> allocate_memory(std::uint64_t bytes, const std::string& what, Contents contents,
                                                Where where) override;
  std::unique_ptr<DeviceMemory> adopt(Buffer values, const std::string& what, Where where) override;

  // In order with the main stream.
  void copy_to_host(void* to, const void* from, std::uint64_t bytes) override;
  void copy_to_device(void* to, const void* from, std::uint64_t bytes) override;
  void copy_on_device(void* to, const void* from, std::uint64_t bytes) override;
  void set_bytes(void* at, std::uint8_t value, std::uint64_t bytes);
  void fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count) override;

  // Letters that kernels on the main stream send: take a number, launch, wait for it. Waiting watches for errors of the
  // kernel, and throws them.
  const Mailbox& mailbox() const { return mailbox_; }
  std::uint64_t next_letter() { return ++letters_; }
  std::uint64_t last_letter() const { return letters_; }
  void await_letter(std::uint64_t number);
  // The payload of the last letter awaited.
  template <class T>
  T letter() const {
    static_assert(sizeof(T) <= Mailbox::payload_bytes);
    T value;
    __builtin_memcpy(&value, host_payload_, sizeof(T));
    return value;
  }

  void synchronize() override;
  // Lets the kernels of another GPU at this one's memory. Throws DeviceError where there is no way.
  void let_in(const CudaDevice& peer);

 private:
  void open();
  void close() noexcept;

  CudaInfo info_;
  CudaRates rates_;
  bool shares_memory_ = true;
  Budget memory_;
  Budget& host_memory_;
  CUstream_st* main_ = nullptr;
  std::vector<CUstream_st*> queues_;
  void* pool_ = nullptr;
  void* mailbox_memory_ = nullptr;
  Mailbox mailbox_;  // as the device sees it
  const volatile std::uint64_t* host_number_ = nullptr;
  const std::byte* host_payload_ = nullptr;
  std::uint64_t letters_ = 0;
  struct FarMemory;
  std::vector<std::unique_ptr<FarMemory>> far_;
};

// Values in the memory of a GPU, which the host must not touch; or far from it, in host memory that both reach.
template <class T>
class CudaArray {
 public:
  CudaArray() = default;
  CudaArray(CudaDevice& device, std::uint64_t size, const std::string& what, Where where = Where::near)
      : device_(&device),
        data_(static_cast<T*>(where == Where::far ? device.allocate_far(size * sizeof(T), what)
                                                  : device.allocate(size * sizeof(T), what))),
        size_(size),
        where_(where) {}
  CudaArray(CudaArray&& other) noexcept { swap(other); }
  CudaArray& operator=(CudaArray&& other) noexcept {
    CudaArray(std::move(other)).swap(*this);
    return *this;
  }
  ~CudaArray() {
    if (data_) where_ == Where::far ? device_->release_far(data_) : device_->release(data_, size_ * sizeof(T));
  }

  T* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  void zero() {
    if (data_) device_->set_bytes(data_, 0, bytes());
  }

  void swap(CudaArray& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(where_, other.where_);
  }

 private:
  CudaDevice* device_ = nullptr;
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  Where where_ = Where::near;
};

// Host memory made known to the driver for as long as this lives, so that copies from it run at the speed of the link
// and beside everything else. The memory must have been touched: registering then costs 40 ms a GiB on huge pages.
class PinnedRange {
 public:
  PinnedRange() = default;
  PinnedRange(void* start, std::uint64_t bytes);
  PinnedRange(PinnedRange&& other) noexcept : start_(std::exchange(other.start_, nullptr)), bytes_(other.bytes_) {}
  PinnedRange& operator=(PinnedRange&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~PinnedRange();

 private:
  void* start_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// A named span in profilers' time lines, from here to the end of the scope.
class ProfileRange {
 public:
  explicit ProfileRange(const char* name);
  ~ProfileRange();
  ProfileRange(const ProfileRange&) = delete;
  ProfileRange& operator=(const ProfileRange&) = delete;
};

}  // namespace millrace
