#include "millrace/devices/cuda.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <nvtx3/nvToolsExt.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/devices/cuda_fill.h"

namespace millrace {
namespace {

// If no budget is given, this much is left to the driver: for the memory of kernels, and for what other processes may
// take meanwhile.
constexpr std::uint64_t driver_reserve = std::uint64_t{512} << 20;

std::uint64_t limit_of(const CudaOptions& options, const CudaInfo& info) {
  if (options.memory != 0) return options.memory;
  return info.free_memory > 2 * driver_reserve ? info.free_memory - driver_reserve : info.free_memory / 2;
}

// Pins memory for a copy, which then runs at the speed of the link; small ones are not worth it. Only an optimisation:
// where the system refuses, the copy goes without.
constexpr std::uint64_t large_copy = 16u << 20;
PinnedRange pin_if_large(void* memory, std::uint64_t bytes) {
  if (bytes < large_copy || reinterpret_cast<std::uintptr_t>(memory) % 4096 != 0) return {};
  try {
    return PinnedRange(memory, bytes);
  } catch (const Error&) {
    return {};
  }
}

// Memory is pinned ten times as fast once it is there.
void touch_if_large(void* memory, std::uint64_t bytes) {
  if (bytes < large_copy) return;
  auto* const start = static_cast<volatile char*>(memory);
  parallel_for((bytes + 4095) / 4096, [&](std::uint64_t page) { start[page * 4096] = 0; }, 4096);
}

cudaMemPool_t as_pool(void* pool) { return static_cast<cudaMemPool_t>(pool); }

}  // namespace

void throw_cuda_error(cudaError_t status, const char* call, const char* file, int line) {
  cudaGetLastError();  // forget it where it can be forgotten
  const auto place = fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
  if (status == cudaErrorMemoryAllocation)
    throw DoesNotFitError("the GPU has no memory left for {} ({}); allow less with @device-memory@", call, place);
  throw DeviceError("{} failed at {}: {} ({})", call, place, cudaGetErrorString(status), cudaGetErrorName(status));
}

struct CudaDevice::FarMemory {
  Buffer buffer;
  PinnedRange pinned;
};

CudaDevice::CudaDevice(const CudaOptions& options, Budget& host_memory)
    : info_(cuda_device(options.ordinal)),
      shares_memory_(options.shares_memory),
      memory_(limit_of(options, info_), setting("device-memory")),
      host_memory_(host_memory) {
  try {
    open();
  } catch (...) {
    close();
    throw;
  }
}

void CudaDevice::open() {
  select();
  // Whole lines, not the driver's 64 bytes: PageRank gains 1.5%, BFS 5%.
  MILLRACE_CUDA(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
  int least = 0, greatest = 0;
  MILLRACE_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MILLRACE_CUDA(cudaStreamCreateWithPriority(&main_, cudaStreamNonBlocking, least));
  // Pages that arrive are computed before those that lie there anyway: their slots are waited for.
  for (std::uint32_t q = 0; q < num_queues; ++q) {
    CUstream_st* stream = nullptr;
    MILLRACE_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    queues_.push_back(stream);
  }

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, info_.ordinal};
  cudaMemPool_t pool = nullptr;
  MILLRACE_CUDA(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t keep_all = ~std::uint64_t{0};
  MILLRACE_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
  pool_ = pool;

  MILLRACE_CUDA(cudaHostAlloc(&mailbox_memory_, 64 + Mailbox::payload_bytes, cudaHostAllocMapped));
  std::memset(mailbox_memory_, 0, 64 + Mailbox::payload_bytes);
  host_number_ = static_cast<const volatile std::uint64_t*>(mailbox_memory_);
  host_payload_ = static_cast<const std::byte*>(mailbox_memory_) + 64;
  void* seen_by_device = nullptr;
  MILLRACE_CUDA(cudaHostGetDevicePointer(&seen_by_device, mailbox_memory_, 0));
  mailbox_ = {static_cast<volatile std::uint64_t*>(seen_by_device), static_cast<std::byte*>(seen_by_device) + 64};
}

CudaDevice::~CudaDevice() { close(); }

void CudaDevice::close() noexcept {
  cudaSetDevice(info_.ordinal);
  cudaDeviceSynchronize();
  if (mailbox_memory_) cudaFreeHost(mailbox_memory_);
  if (pool_) cudaMemPoolDestroy(as_pool(pool_));
  for (CUstream_st* stream : queues_) cudaStreamDestroy(stream);
  if (main_) cudaStreamDestroy(main_);
}

std::string CudaDevice::name() const { return fmt::format("cuda:{}", info_.ordinal); }

void CudaDevice::select() const { MILLRACE_CUDA(cudaSetDevice(info_.ordinal)); }

void* CudaDevice::allocate(std::uint64_t bytes, const std::string& what) {
  if (bytes == 0) return nullptr;
  memory_.charge(bytes, what);
  void* memory = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&memory, bytes, as_pool(pool_), main_);
  if (status == cudaSuccess) return memory;
  memory_.release(bytes);
  cudaGetLastError();
  if (status != cudaErrorMemoryAllocation) throw_cuda_error(status, "cudaMallocFromPoolAsync", __FILE__, __LINE__);
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  throw DoesNotFitError(
      "{} needs {} on {}, which has {} left; something else uses it. Give the run less with "
      "@device-memory@, so that it plans for what there is",
      what, format_size(bytes), name(), format_size(free));
}

void CudaDevice::release(void* memory, std::uint64_t bytes) noexcept {
  if (!memory) return;
  cudaFreeAsync(memory, main_);
  memory_.release(bytes);
}

void* CudaDevice::allocate_far(std::uint64_t bytes, const std::string& what) {
  if (bytes == 0) return nullptr;
  auto made = std::make_unique<FarMemory>();
  made->buffer = Buffer(bytes, host_memory_, what);
  touch_if_large(made->buffer.data(), bytes);
  made->pinned = PinnedRange(made->buffer.data(), bytes);
  far_.push_back(std::move(made));
  return far_.back()->buffer.data();
}

void CudaDevice::release_far(void* memory) noexcept {
  cudaStreamSynchronize(main_);
  std::erase_if(far_, [memory](const auto& one) { return one->buffer.data() == memory; });
}

void CudaDevice::reserve(std::uint64_t bytes, const std::string& what) {
  if (bytes > 0) release(allocate(bytes, what), bytes);
}

void CudaDevice::copy_to_host(void* to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  touch_if_large(to, bytes);
  const PinnedRange pinned = pin_if_large(to, bytes);
  MILLRACE_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, main_));
  MILLRACE_CUDA(cudaStreamSynchronize(main_));
}

void CudaDevice::copy_to_device(void* to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  const PinnedRange pinned = pin_if_large(const_cast<void*>(from), bytes);
  MILLRACE_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, main_));
  MILLRACE_CUDA(cudaStreamSynchronize(main_));
}

void CudaDevice::copy_on_device(void* to, const void* from, std::uint64_t bytes) {
  if (bytes > 0) MILLRACE_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, main_));
}

void CudaDevice::set_bytes(void* at, std::uint8_t value, std::uint64_t bytes) {
  if (bytes > 0) MILLRACE_CUDA(cudaMemsetAsync(at, value, bytes, main_));
}

void CudaDevice::fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count) {
  if (count == 0) return;
  const auto* bytes = static_cast<const std::uint8_t*>(value);
  for (std::uint64_t i = 1; i < value_bytes; ++i)
    if (bytes[i] != bytes[0]) return cuda_fill(at, value, value_bytes, count, main_);
  set_bytes(at, bytes[0], value_bytes * count);
}

// Looks for some milliseconds before it sleeps between looks: a sleep of 50 us is then less than a hundredth of the
// wait.
void CudaDevice::await_letter(std::uint64_t number) {
  constexpr std::uint32_t looks_at_once = 65536;
  constexpr double long_wait = 0.005;
  const Stopwatch watch;
  for (std::uint32_t looks = 1; *host_number_ != number; ++looks) {
    if (looks % looks_at_once != 0) continue;
    const cudaError_t status = cudaStreamQuery(main_);
    if (status == cudaErrorNotReady) {
      if (watch.seconds() < long_wait) continue;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      --looks;  // and looks once
      continue;
    }
    if (status != cudaSuccess) throw_cuda_error(status, "a kernel", __FILE__, __LINE__);
    if (*host_number_ != number) throw InternalError("a kernel on {} ended without sending its letter", name());
  }
  std::atomic_thread_fence(std::memory_order_acquire);
}

void CudaDevice::synchronize() { MILLRACE_CUDA(cudaStreamSynchronize(main_)); }

void CudaDevice::let_in(const CudaDevice& peer) {
  if (peer.info_.ordinal == info_.ordinal) return;
  int can = 0;
  MILLRACE_CUDA(cudaDeviceCanAccessPeer(&can, peer.info_.ordinal, info_.ordinal));
  if (!can) throw DeviceError("{} cannot reach the memory of {}: run on one of them", peer.name(), name());
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = peer.info_.ordinal;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  MILLRACE_CUDA(cudaMemPoolSetAccess(as_pool(pool_), &access, 1));
}

PinnedRange::PinnedRange(void* start, std::uint64_t bytes) : start_(start), bytes_(bytes) {
  if (bytes_ == 0) return;
  const cudaError_t status = cudaHostRegister(start_, bytes_, cudaHostRegisterPortable | cudaHostRegisterMapped);
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw DeviceError("{} of host memory cannot be pinned for the GPU: {}; see 'ulimit -l'", format_size(bytes_),
                    cudaGetErrorString(status));
}
PinnedRange::~PinnedRange() {
  if (start_ && bytes_ > 0) cudaHostUnregister(start_);
}

ProfileRange::ProfileRange(const char* name) { nvtxRangePushA(name); }
ProfileRange::~ProfileRange() { nvtxRangePop(); }

}  // namespace millrace

#else

namespace millrace {

struct CudaDevice::FarMemory {};
CudaDevice::CudaDevice(const CudaOptions& options, Budget& host_memory) : host_memory_(host_memory) {
  cuda_device(options.ordinal);
}
CudaDevice::~CudaDevice() = default;
std::string CudaDevice::name() const { return "cuda"; }

// No device exists, so none of these is ever called.
void CudaDevice::select() const {}
void* CudaDevice::allocate(std::uint64_t, const std::string&) { return nullptr; }
void* CudaDevice::allocate_far(std::uint64_t, const std::string&) { return nullptr; }
void CudaDevice::release_far(void*) noexcept {}
void CudaDevice::release(void*, std::uint64_t) noexcept {}
void CudaDevice::reserve(std::uint64_t, const std::string&) {}
void CudaDevice::copy_to_host(void*, const void*, std::uint64_t) {}
void CudaDevice::copy_to_device(void*, const void*, std::uint64_t) {}
void CudaDevice::copy_on_device(void*, const void*, std::uint64_t) {}
void CudaDevice::set_bytes(void*, std::uint8_t, std::uint64_t) {}
void CudaDevice::fill(void*, const void*, std::uint64_t, std::uint64_t) {}
void CudaDevice::await_letter(std::uint64_t) {}
void CudaDevice::synchronize() {}
void CudaDevice::let_in(const CudaDevice&) {}
PinnedRange::PinnedRange(void*, std::uint64_t) {}
PinnedRange::~PinnedRange() = default;
ProfileRange::ProfileRange(const char*) {}
ProfileRange::~ProfileRange() = default;

}  // namespace millrace

#endif
