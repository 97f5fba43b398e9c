// The GPU's part of a superstep in which the cpu helps: it brings to host memory what messages are made from, and takes
// what the cpu gathered or sent. Both go over the link, in order of vertices. Only nvcc reads this.
#pragma once

#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/program.h"
#include "millrace/operators/send_cuda.cuh"

namespace millrace::cuda {

inline constexpr unsigned help_threads = 256;

// Makes the messages of active sources (`bits` null: of all) of a range, side by side.
template <class Program>
__global__ void __launch_bounds__(help_threads)
    make_messages_kernel(VertexRange range, Program program, const std::uint32_t* bits, Pending<Program>* messages) {
  const std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (v < range.last && (!bits || ((bits[v / 32] >> (v % 32)) & 1)))
    messages[v - range.first] = program.message(static_cast<VertexId>(v));
}

// Writes the bits of vertices that want a message to host memory.
template <class Program>
__global__ void __launch_bounds__(help_threads)
    wants_to_host_kernel(std::uint64_t num_vertices, Program program, std::uint32_t* wanted) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v - lane_id() < num_vertices;
       v += step) {
    const bool wanting = v < num_vertices && wants(program, static_cast<VertexId>(v));
    const std::uint32_t bits = __ballot_sync(whole_warp, wanting);
    if (lane_id() == 0) wanted[v / 32] = bits;
  }
}

// The vertices of a range whose bits are set absorb what the cpu gathered for them. Those that join set their bits in
// `next`, and are counted.
template <class Program>
__global__ void __launch_bounds__(help_threads)
    absorb_found_kernel(VertexRange range, Program program, const std::uint32_t* found, const Pending<Program>* got,
                        const std::uint32_t* degree, std::uint32_t* next, CountsLine* counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < range.last;
       v += step) {
    if (((found[v / 32] >> (v % 32)) & 1) == 0) continue;
    if (!deliver(program, static_cast<VertexId>(v), got[v])) continue;
    atomicOr(&next[v / 32], 1u << (v % 32));
    ++mine.joined;
    if (degree) mine.joined_edges += degree[v];
  }
  add_counts(counts, mine);
}

// After a push: the messages that the cpu has sent to vertices, whose bits are set, go where the GPU's own have gone.
template <class Program, class Value>
__global__ void __launch_bounds__(help_threads)
    take_sent_kernel(std::uint64_t num_vertices, Program program, const std::uint32_t* found, const Value* sent,
                     PushBuffers<Program> buffers) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < num_vertices; i += step) {
    const auto v = static_cast<VertexId>(i);
    if (((found[v / 32] >> (v % 32)) & 1) == 0 || !wants(program, v)) continue;
    if constexpr (receives_at_once<Program>) {
      // Messages that were combined are absorbed, not received: the one that makes a target join may be among them.
      if (!(keeps_messages(program) ? receive(program, v, sent[v]) : deliver(program, v, sent[v]))) continue;
      atomicOr(&buffers.next_bits[v / 32], 1u << (v % 32));
      ++mine.joined;
      if (buffers.out_degree) mine.joined_edges += buffers.out_degree[v];
    } else {
      combine_atomically<Program>(buffers.place_of(v), static_cast<DeviceInbox<Program>>(sent[v]));
      atomicOr(&buffers.touched[v / 32], 1u << (v % 32));
    }
  }
  add_counts(buffers.counts, mine);
}

}  // namespace millrace::cuda
