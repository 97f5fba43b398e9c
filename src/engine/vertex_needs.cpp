#include "millrace/engine/vertex_needs.h"

#include <omp.h>

#include "millrace/core/memory.h"
#include "millrace/operators/bitmap.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace {
namespace {

std::uint64_t bits_of_threads(const SuperstepNeeds& needs, std::uint64_t n) {
  if (needs.thread_bits == 0) return 0;
  return buffer_memory(needs.thread_bits * static_cast<std::uint64_t>(omp_get_max_threads()) * bitmap_words(n) * 8);
}

// CpuExecutor: every buffer is a whole number of memory pages.
std::uint64_t on_cpu(const SuperstepNeeds& needs, std::uint64_t n) {
  const std::uint64_t bits = buffer_memory(bitmap_words(n) * 8), queue = buffer_memory(n * sizeof(VertexId));
  std::uint64_t bytes = needs.frontiers * bits + (needs.push ? needs.frontiers : needs.queues) * queue;
  // The targets of a push: which they are, as bits and as a queue, and their messages.
  if (needs.push) bytes += bits + queue + buffer_memory(n * needs.inbox_bytes);
  return bytes + bits_of_threads(needs, n);
}

// Counters, and the parts of a reduction.
constexpr std::uint64_t gpu_counters = 128 * 1024;

// CudaExecutor: queues grow to what they need. Where edges go both ways, two queues become one, which grows with its
// vertices and needs room for both.
std::uint64_t on_gpu(const SuperstepNeeds& needs, std::uint64_t n) {
  const std::uint64_t bits = bitmap_words(n) * 8, all = n * sizeof(VertexId);
  std::uint64_t bytes = gpu_counters + needs.frontiers * bits;
  const std::uint64_t queue = queue_capacity(needs, n) * sizeof(VertexId);
  if (!needs.push) {
    const std::uint64_t all_long = needs.inbox_bytes == 0 ? needs.queues : needs.long_queues;
    return bytes + all_long * all + (needs.queues - all_long) * queue;
  }
  bytes += bits + (n / 8 + 4096) * sizeof(cuda::RowItem);
  if (needs.inbox_bytes == 0) return bytes + (needs.frontiers + needs.unites) * all;
  const std::uint64_t queues = needs.frontiers - needs.long_queues;
  bytes += n * std::max<std::uint64_t>(needs.inbox_bytes, sizeof(int)) + queue;  // messages of targets, and these
  return bytes + needs.long_queues * all + (queues + (needs.unites ? 3 : 1)) * queue;
}

}  // namespace

std::uint64_t attribute_memory(const AttributeNeeds& needs, std::uint64_t num_vertices) {
  return num_vertices * needs.bytes + needs.count * 4096;
}

std::uint64_t superstep_memory(const SuperstepNeeds& needs, std::uint64_t num_vertices, DeviceKind kind) {
  return kind == DeviceKind::cuda ? on_gpu(needs, num_vertices) : on_cpu(needs, num_vertices);
}

std::uint64_t far_superstep_memory(const SuperstepNeeds& needs, std::uint64_t num_vertices, DeviceKind kind) {
  const std::uint64_t bits = buffer_memory(bitmap_words(num_vertices) * 8);
  // The frontiers, and the targets that have a message; the buffers of a chunk are rounded too.
  const std::uint64_t others =
      kind == DeviceKind::cuda ? gpu_counters : 4 * 4096 + bits_of_threads(needs, num_vertices);
  return (needs.frontiers + 1) * bits + others;
}

}  // namespace millrace
