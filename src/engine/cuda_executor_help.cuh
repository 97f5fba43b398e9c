// A pull of a GPU in which the cpu takes part. Only nvcc reads it.
#pragma once

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/operators/help_cpu.h"
#include "millrace/operators/help_cuda.cuh"

namespace millrace {

// For programs that the cpu cannot help with.
struct NotHelped {
  PassCounts counts;
  double busy = 0;
  void absorb(const std::uint32_t*, std::uint32_t*, cuda::CountsLine*) const {}
};

// What the cpu does in one pull: `bits` are the active vertices, null if all are.
template <class Program>
class HelpedPull final : public PageHelp {
 public:
  HelpedPull(CudaHelp& help, const CudaDevice& gpu, const PageSet& pages, std::uint64_t num_vertices,
             std::uint64_t num_sources, const Program& program, const std::uint32_t* bits)
      : help_(help),
        gpu_(gpu),
        pages_(pages),
        num_vertices_(num_vertices),
        num_sources_(num_sources),
        program_(program),
        bits_(bits) {}

  PassCounts counts;
  double busy = 0;  // seconds, the mean of its threads

  void begin(PagePool& pool) override {
    pool_ = &pool;
    try {
      bring_and_start();
    } catch (...) {
      help_.await_stream();  // it reads attributes, which may be freed next
      throw;
    }
  }

  void end() override {
    counts = help_.finish();
    counts.joined = counts.joined_edges = 0;  // they did not absorb yet
    taken_ = ranges();
  }

  // After the pass: vertices absorb what was gathered for them.
  void absorb(const std::uint32_t* degree, std::uint32_t* next, cuda::CountsLine* lines) const {
    for (const VertexRange range : taken_) {
      const auto some = static_cast<unsigned>(
          std::min<std::uint64_t>((range.size() + cuda::help_threads - 1) / cuda::help_threads, 1u << 16));
      cuda::absorb_found_kernel<<<some, cuda::help_threads, 0, gpu_.main_stream()>>>(
          range, program_, reinterpret_cast<const std::uint32_t*>(help_.found()),
          reinterpret_cast<const Pending<Program>*>(help_.got()), degree, next, lines);
    }
    MILLRACE_CUDA(cudaGetLastError());
  }

 private:
  // Brings what rows gather from to host memory, and lets threads begin once it is there.
  void bring_and_start() {
    CUstream_st* const stream = help_.forked_stream();
    HelpPull<Pending<Program>, typename Program::Combine> pull{.got = reinterpret_cast<Pending<Program>*>(help_.got())};
    const std::uint64_t words = bitmap_words(num_vertices_);
    if (bits_) MILLRACE_CUDA(cudaMemcpyAsync(help_.active(), bits_, words * 8, cudaMemcpyDeviceToHost, stream));
    if constexpr (requires { program_.wants(VertexId{}); }) {
      cuda::wants_to_host_kernel<<<blocks(), cuda::help_threads, 0, stream>>>(
          num_vertices_, program_, reinterpret_cast<std::uint32_t*>(help_.wanted()));
      pull.wanted = help_.wanted();
    }
    if constexpr (!takes_first<Program>) {
      pull.sent_by = reinterpret_cast<Pending<Program>*>(help_.sent());
      send_messages(stream);
    }
    MILLRACE_CUDA(cudaGetLastError());
    help_.start([this, pull, words] {
      const int threads = help_.options().threads;
      std::uint64_t* const found = help_.found();
      for_shares(0, words, threads_for(words, least_vertices, threads), [found](std::uint64_t i) { found[i] = 0; });
      try {
        return bits_ ? help_pull(pages_, *pool_, pull, BitmapActive{help_.active()}, found, threads, &busy)
                     : help_pull(pages_, *pool_, pull, AllActive{}, found, threads, &busy);
      } catch (...) {
        pool_->close();
        throw;
      }
    });
  }

  unsigned blocks() const { return static_cast<unsigned>(4 * gpu_.info().multiprocessors); }
  // Some at a time: made on the GPU, then copied.
  void send_messages(CUstream_st* stream) {
    using Message = Pending<Program>;
    const std::uint64_t some = help_.staging_bytes() / sizeof(Message);
    auto* const made = reinterpret_cast<Message*>(help_.staging());
    auto* const sent = reinterpret_cast<Message*>(help_.sent());
    for (std::uint64_t first = 0; first < num_sources_; first += some) {
      const VertexRange range{first, std::min(num_sources_, first + some)};
      const auto blocks = static_cast<unsigned>((range.size() + cuda::help_threads - 1) / cuda::help_threads);
      cuda::make_messages_kernel<<<blocks, cuda::help_threads, 0, stream>>>(range, program_, bits_, made);
      MILLRACE_CUDA(
          cudaMemcpyAsync(sent + first, made, range.size() * sizeof(Message), cudaMemcpyDeviceToHost, stream));
    }
  }
  // The vertices of the pages that the cpu took.
  std::vector<VertexRange> ranges() const {
    std::vector<std::uint32_t> taken(pool_->taken_back().begin(), pool_->taken_back().end());
    std::ranges::sort(taken);
    std::vector<VertexRange> all;
    for (const std::uint32_t page : taken) {
      const PageEntry& entry = pages_.table()[page];
      const VertexRange range{entry.first_vertex, std::uint64_t{entry.first_vertex} + entry.vertex_count};
      if (!all.empty() && all.back().last == range.first)
        all.back().last = range.last;
      else
        all.push_back(range);
    }
    return all;
  }

  CudaHelp& help_;
  const CudaDevice& gpu_;
  const PageSet& pages_;
  std::uint64_t num_vertices_, num_sources_;
  Program program_;
  const std::uint32_t* bits_;
  PagePool* pool_ = nullptr;
  std::vector<VertexRange> taken_;
};

}  // namespace millrace
