#include <omp.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "millrace/core/stopwatch.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/report/cuda_limits.h"

namespace millrace {
namespace {

constexpr std::uint64_t buffer_bytes = std::uint64_t{64} << 20;

// The shortest of three times, in seconds, after a warm-up. The body submits its work to the device's streams.
template <class Body>
double best_of_three(CudaDevice& device, Body body) {
  double best = 1e300;
  for (int i = 0; i < 4; ++i) {
    const Stopwatch watch;
    body();
    for (std::uint32_t q = 0; q < CudaDevice::num_queues; ++q)
      MILLRACE_CUDA(cudaStreamSynchronize(device.queue_stream(q)));
    device.synchronize();
    if (i > 0) best = std::min(best, watch.seconds());
  }
  return best;
}

// Consecutive copies on several streams, like those of the pipeline.
class LinkTest {
 public:
  explicit LinkTest(CudaDevice& device)
      : device_(device),
        host_(buffers * buffer_bytes, unlimited_budget(), "measurement"),
        pinned_((std::fill(host_.begin(), host_.end(), std::byte{1}), host_.data()), host_.size()),
        memory_(device, buffers * buffer_bytes, "measurement") {
    device.synchronize();  // other streams may use the memory from now on
  }

  // Copies by so many of the streams, from a given one on.
  void copy_all(cudaMemcpyKind kind, std::uint32_t first = 0, std::uint32_t streams = buffers) {
    for (std::uint32_t i = 0; i < copies; ++i) {
      const std::uint64_t place = (first + i % streams) * buffer_bytes;
      std::byte* const here = host_.data() + place;
      std::byte* const there = memory_.data() + place;
      const bool down = kind == cudaMemcpyHostToDevice;
      MILLRACE_CUDA(cudaMemcpyAsync(down ? there : here, down ? here : there, buffer_bytes, kind,
                                    device_.queue_stream(first + i % streams)));
    }
  }
  static constexpr std::uint32_t buffers = CudaDevice::num_queues;
  static constexpr std::uint32_t copies = 4 * buffers;
  static constexpr double bytes = static_cast<double>(copies * buffer_bytes);

 private:
  CudaDevice& device_;
  Array<std::byte> host_;
  PinnedRange pinned_;
  CudaArray<std::byte> memory_;
};

void measure_link(CudaDevice& device, CudaLimits& limits) {
  LinkTest link(device);
  limits.to_device = LinkTest::bytes / best_of_three(device, [&] { link.copy_all(cudaMemcpyHostToDevice); });
  limits.to_host = LinkTest::bytes / best_of_three(device, [&] { link.copy_all(cudaMemcpyDeviceToHost); });
}

// Bytes a second over the link while the other threads of the host read its memory all the time.
double measure_beside_reads(CudaDevice& device, LinkTest& link) {
  const Array<std::uint64_t> memory((std::uint64_t{256} << 20) / 8, unlimited_budget(), "measurement");
  std::atomic<std::uint64_t> sink{0};
  std::vector<std::jthread> readers;  // stopped when they go, also after an error
  for (int t = 1; t < omp_get_max_threads(); ++t)
    readers.emplace_back([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::uint64_t sum = 0;
        for (const std::uint64_t value : memory) sum += value;
        sink += sum;
      }
    });
  return LinkTest::bytes / best_of_three(device, [&] { link.copy_all(cudaMemcpyHostToDevice); });
}

double measure_copy(CudaDevice& device) {
  const std::uint64_t free = device.memory().limit() - device.memory().used();
  const std::uint64_t bytes = std::clamp(free / 4, buffer_bytes, 8 * buffer_bytes);
  const CudaArray<std::byte> from(device, bytes, "measurement"), to(device, bytes, "measurement");
  constexpr int copies = 8;
  const double seconds = best_of_three(device, [&] {
    for (int i = 0; i < copies; ++i)
      MILLRACE_CUDA(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, device.main_stream()));
  });
  return static_cast<double>(2 * copies * bytes) / seconds;
}

// A well-mixed 32-bit number (the "lowbias32" finaliser).
__device__ std::uint32_t mix32(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// Bound by random reads: each thread has eight independent reads in flight.
__global__ void gather_kernel(const std::uint32_t* values, std::uint64_t count, std::uint32_t reads_per_thread,
                              std::uint32_t* sink) {
  const std::uint32_t threads = gridDim.x * blockDim.x;
  std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t sum = 0;
  for (std::uint32_t r = 0; r < reads_per_thread; r += 8) {
#pragma unroll
    for (std::uint32_t k = 0; k < 8; ++k, i += threads) sum += values[mix32(i) * count >> 32];
  }
  if (sum == 0x12345678u) *sink = sum;  // so that the reads are not optimised away; the values are zero
}

// Like gather_kernel, with additions.
__global__ void atomics_kernel(std::uint32_t* values, std::uint64_t count, std::uint32_t adds_per_thread) {
  const std::uint32_t threads = gridDim.x * blockDim.x;
  std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  for (std::uint32_t r = 0; r < adds_per_thread; ++r, i += threads) atomicAdd(&values[mix32(i) * count >> 32], 1u);
}

// Calls kernel(blocks, threads of a block) on 4-byte values of so many bytes, with so many accesses for each thread.
template <class Launch>
GatherRate measure_accesses(CudaDevice& device, std::uint64_t bytes, std::uint32_t each, Launch launch) {
  const std::uint64_t count = std::clamp<std::uint64_t>(bytes / 4, 1, std::uint64_t{1} << 32);
  CudaArray<std::uint32_t> values(device, count, "measurement");
  values.zero();
  constexpr unsigned block = 256;
  const unsigned blocks = static_cast<unsigned>(device.info().multiprocessors) * 16;
  const double seconds = best_of_three(device, [&] {
    launch(blocks, block, values.data(), count);
    MILLRACE_CUDA(cudaGetLastError());
  });
  return {bytes, static_cast<double>(blocks) * block * each / seconds};
}

GatherRate measure_gather(CudaDevice& device, std::uint64_t bytes) {
  constexpr std::uint32_t reads = 512;
  return measure_accesses(device, bytes, reads,
                          [&](unsigned blocks, unsigned block, std::uint32_t* values, std::uint64_t count) {
                            gather_kernel<<<blocks, block, 0, device.main_stream()>>>(values, count, reads, values);
                          });
}

GatherRate measure_atomics(CudaDevice& device, std::uint64_t bytes) {
  constexpr std::uint32_t adds = 128;
  return measure_accesses(device, bytes, adds,
                          [&](unsigned blocks, unsigned block, std::uint32_t* values, std::uint64_t count) {
                            atomics_kernel<<<blocks, block, 0, device.main_stream()>>>(values, count, adds);
                          });
}

__global__ void letter_kernel(volatile std::uint64_t* number, std::uint64_t value) { *number = value; }

double measure_launch(CudaDevice& device) {
  constexpr int letters = 1000;
  return best_of_three(device,
                       [&] {
                         for (int i = 0; i < letters; ++i) {
                           const std::uint64_t number = device.next_letter();
                           letter_kernel<<<1, 1, 0, device.main_stream()>>>(device.mailbox().number, number);
                           MILLRACE_CUDA(cudaGetLastError());
                           device.await_letter(number);
                         }
                       }) /
         letters;
}

}  // namespace

CudaLimits measure_cuda_limits(CudaDevice& device, std::span<const std::uint64_t> gather_bytes) {
  device.select();
  CudaLimits limits;
  measure_link(device, limits);
  limits.copy = measure_copy(device);
  for (const std::uint64_t bytes : gather_bytes) limits.gathers.push_back(measure_gather(device, bytes));
  limits.launch_seconds = measure_launch(device);
  return limits;
}

CudaBeside measure_cuda_beside(CudaDevice& device, std::span<const std::uint64_t> atomic_bytes) {
  device.select();
  CudaBeside beside;
  LinkTest link(device);
  constexpr std::uint32_t half = LinkTest::buffers / 2;
  beside.both_ways = LinkTest::bytes / best_of_three(device, [&] {
                       link.copy_all(cudaMemcpyHostToDevice, 0, half);
                       link.copy_all(cudaMemcpyDeviceToHost, half, half);
                     });
  beside.to_device_beside_reads = measure_beside_reads(device, link);
  for (const std::uint64_t bytes : atomic_bytes) beside.atomics.push_back(measure_atomics(device, bytes));
  return beside;
}

}  // namespace millrace
