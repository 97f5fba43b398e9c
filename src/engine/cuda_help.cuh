// A superstep of a GPU in which the cpu takes part. What the cpu computes is in cpu_help.h: it is reached by the table
// of the program. Only nvcc reads this.
#pragma once

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/bound_program.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/operators/fields.h"
#include "millrace/operators/help_cpu.h"
#include "millrace/operators/help_cuda.cuh"

namespace millrace {

// A pass in which the cpu takes part: what both directions share. `bits` are the active vertices, null if all are.
template <class Program>
class HelpedPass : public PageHelp {
 public:
  PassCounts counts;
  double busy = 0;  // seconds, the mean of its threads

  void begin(PagePool& pool, VertexRange neighbours) final {
    pool_ = &pool;
    neighbours_ = neighbours;
    CUstream_st* const stream = help_.forked_stream();
    help_.start([this, stream] {
      try {
        bring_all(stream);
        help_.await_brought();
        return compute();
      } catch (...) {
        pool_->close();
        help_.await_stream();  // it reads attributes, which may be freed next
        throw;
      }
    });
  }
  void end() final {
    PassCounts more = help_.finish();
    more.joined = more.joined_edges = 0;  // they did not absorb yet
    counts += more;
  }

 protected:
  using Bare = BareOf<Program>;
  using Value = Pending<Program>;
  using Helper = HelperOf<Program>;

  HelpedPass(CudaHelp& help, const CudaDevice& gpu, const PageSet& pages, std::uint64_t num_vertices,
             const CpuEdgeOperations& cpu, const Program& program, const std::uint32_t* bits)
      : help_(help), gpu_(gpu), pages_(pages), num_vertices_(num_vertices), cpu_(cpu), program_(program), bits_(bits) {}

  // On the threads of the cpu.
  virtual PassCounts compute() = 0;
  // The vertices whose messages are sent; and whether it is asked who wants one.
  virtual VertexRange sources() const = 0;
  virtual bool asks_wanted() const = 0;

  // What the cpu finds in host memory.
  HelperRoom room() const {
    return {.num_vertices = num_vertices_,
            .active = bits_ ? help_.active() : nullptr,
            .wanted = asks_wanted() ? help_.wanted() : nullptr,
            .sent = help_.sent(),
            .got = help_.got(),
            .found = help_.found()};
  }

  CudaHelp& help_;
  const CudaDevice& gpu_;
  const PageSet& pages_;
  const std::uint64_t num_vertices_;
  const CpuEdgeOperations& cpu_;
  const Program program_;
  const std::uint32_t* const bits_;
  PagePool* pool_ = nullptr;
  VertexRange neighbours_;

  // The program with copies of its attributes, if it takes weights.
  std::conditional_t<takes_weights<Program>, Bare, NoWeight> brought_ = {};

 private:
  bool first_pass_ = true;

  // Brings what messages are made from to host memory. By another thread than the one that gives the GPU its pages.
  void bring_all(CUstream_st* stream) {
    // Targets do not absorb between the passes of a superstep, except in searches, which copy no attributes. So
    // attributes are copied once.
    const bool first = std::exchange(first_pass_, false);
    if (bits_ && first) help_.bring(help_.active(), bits_, bitmap_words(num_vertices_) * 8, stream);
    if constexpr (takes_weights<Program>) {
      if (first) {
        brought_ = program_;
        help_.bring_views(brought_, num_vertices_, stream);
      }
    } else {
      if constexpr (requires { program_.wants(VertexId{}); })
        if (asks_wanted())
          cuda::wants_to_host_kernel<<<static_cast<unsigned>(4 * gpu_.info().multiprocessors), cuda::help_threads, 0,
                                       stream>>>(num_vertices_, program_,
                                                 reinterpret_cast<std::uint32_t*>(help_.wanted()));
      if constexpr (!takes_first<Program>) send_messages(sources(), stream);
    }
    MILLRACE_CUDA(cudaGetLastError());
  }
  void send_messages(VertexRange all, CUstream_st* stream) {
    auto* const sent = reinterpret_cast<Value*>(help_.sent());
    if constexpr (requires {
                    { program_.sent() } -> std::same_as<View<const Value>>;
                  }) {
      help_.bring(sent + all.first, program_.sent().data + all.first, all.size() * sizeof(Value), stream);
      return;
    }
    // Some at a time: made on the GPU, then copied.
    const std::uint64_t some = help_.staging_bytes() / sizeof(Value);
    auto* const made = reinterpret_cast<Value*>(help_.staging());
    for (std::uint64_t first = all.first; first < all.last; first += some) {
      const VertexRange range{first, std::min(all.last, first + some)};
      const auto blocks = static_cast<unsigned>((range.size() + cuda::help_threads - 1) / cuda::help_threads);
      cuda::make_messages_kernel<<<blocks, cuda::help_threads, 0, stream>>>(range, program_, bits_, made);
      help_.bring(sent + first, made, range.size() * sizeof(Value), stream);
    }
  }
};

// In a pull: the cpu gathers for the rows of some pages, and their vertices absorb it, or keep it, as they do with what
// the GPU gathers.
template <class Program>
class HelpedPull final : public HelpedPass<Program> {
 public:
  HelpedPull(CudaHelp& help, const CudaDevice& gpu, const PageSet& pages, std::uint64_t num_vertices,
             const CpuEdgeOperations& cpu, const Program& program, const std::uint32_t* bits,
             const std::uint32_t* degree, std::uint32_t* next, cuda::CountsLine* lines)
      : HelpedPass<Program>(help, gpu, pages, num_vertices, cpu, program, bits),
        degree_(degree),
        next_(next),
        lines_(lines) {}

  void hand_over() override {
    for (const VertexRange range : rows_of(this->pages_, this->pool_->taken_back())) {
      const auto some = static_cast<unsigned>(
          std::min<std::uint64_t>((range.size() + cuda::help_threads - 1) / cuda::help_threads, 1u << 16));
      cuda::absorb_found_kernel<<<some, cuda::help_threads, 0, this->gpu_.main_stream()>>>(
          range, this->program_, reinterpret_cast<const std::uint32_t*>(this->help_.found()),
          reinterpret_cast<const Pending<Program>*>(this->help_.got()), degree_, next_, lines_);
    }
    MILLRACE_CUDA(cudaGetLastError());
  }

 protected:
  PassCounts compute() override {
    this->help_.forget_inbox();
    return this->cpu_.help_pull(this->room(), &this->brought_, this->pages_, *this->pool_, this->help_.crew(),
                                &this->busy);
  }
  VertexRange sources() const override { return this->neighbours_; }
  bool asks_wanted() const override {
    return requires { this->program_.wants(VertexId{}); };
  }

 private:
  const std::uint32_t* degree_;
  std::uint32_t* next_;
  cuda::CountsLine* lines_;
};

// In a push: the cpu sends from the active rows of some pages to an inbox in host memory, whose messages then go to
// that of the GPU.
template <class Program>
class HelpedPush final : public HelpedPass<Program> {
 public:
  HelpedPush(CudaHelp& help, const CudaDevice& gpu, const PageSet& pages, std::uint64_t num_vertices,
             const CpuEdgeOperations& cpu, const Program& program, const std::uint32_t* bits,
             const cuda::PushRoom& room)
      : HelpedPass<Program>(help, gpu, pages, num_vertices, cpu, program, bits), buffers_{room} {}

  void hand_over() override {
    const auto blocks = static_cast<unsigned>(8 * this->gpu_.info().multiprocessors);
    cuda::take_sent_kernel<<<blocks, cuda::help_threads, 0, this->gpu_.main_stream()>>>(
        this->num_vertices_, this->program_, reinterpret_cast<const std::uint32_t*>(this->help_.found()),
        reinterpret_cast<const Value*>(this->help_.got()), buffers_);
    MILLRACE_CUDA(cudaGetLastError());
  }

 protected:
  using typename HelpedPass<Program>::Bare;
  using typename HelpedPass<Program>::Helper;
  using Value = Inbox<Helper>;

  PassCounts compute() override {
    HelperRoom room = this->room();
    room.empty_all = !this->help_.claim_inbox(typeid(Program));
    return this->cpu_.help_push(room, &this->brought_, this->pages_, *this->pool_, this->help_.crew(), &this->busy);
  }
  // All rows of the pages may be active.
  VertexRange sources() const override {
    VertexRange all{this->num_vertices_, 0};
    for (const PageEntry& entry : this->pages_.table()) {
      all.first = std::min<std::uint64_t>(all.first, entry.first_vertex);
      all.last = std::max(all.last, std::uint64_t{entry.first_vertex} + entry.vertex_count);
    }
    return all.first < all.last ? all : VertexRange{};
  }
  bool asks_wanted() const override { return false; }

 private:
  cuda::PushBuffers<Program> buffers_;
};

}  // namespace millrace
