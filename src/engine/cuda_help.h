// The cpu beside a GPU that streams pages: host memory that both reach, a stream on which the GPU fills it, and a
// thread that computes on pages with others. The pass of the GPU is in cuda_help.cuh, what the cpu computes in
// cpu_help.h.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <typeindex>
#include <typeinfo>
#include <vector>

#include "millrace/core/crew.h"
#include "millrace/core/stopwatch.h"
#include "millrace/devices/cuda.h"
#include "millrace/engine/direction.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/operators/bitmap.h"
#include "millrace/operators/fields.h"
#include "millrace/operators/pass_counts.h"
#include "millrace/stream/page_help.h"

namespace millrace {

// What a run with help takes beside its pages, in bytes.
struct HelpMemory {
  std::uint64_t sent = 0;     // messages of sources
  std::uint64_t got = 0;      // messages of targets: gathered, or in an inbox
  std::uint64_t views = 0;    // attributes, for programs with weights
  std::uint64_t bits = 0;     // of a set of vertices, of which there are three
  std::uint64_t staging = 0;  // on the GPU
  std::uint64_t host() const;
};
HelpMemory help_memory(const SuperstepNeeds& needs, std::uint64_t num_vertices);
// If the cpu can help a GPU, adds what that takes to the plan: pages stream from host memory, and there is room for
// what it needs beside them. Else returns false.
bool add_help(MemoryPlan& plan, const Store& store, const GraphNeeds& needs, Device& gpu);

// The vertices whose rows are in these pages, which may be in any order.
std::vector<VertexRange> rows_of(const PageSet& pages, std::span<const std::uint32_t> taken);

class CudaHelp {
 public:
  CudaHelp(CudaDevice& gpu, const HelpMemory& memory, const HelpOptions& options);
  ~CudaHelp();
  CudaHelp(const CudaHelp&) = delete;
  CudaHelp& operator=(const CudaHelp&) = delete;

  const HelpOptions& options() const { return options_; }
  // The threads that compute; for jobs alone.
  Crew& crew() { return crew_; }
  // One value for each vertex, and bits; the GPU reaches them over the link.
  std::byte* sent() const { return sent_.data(); }
  std::byte* got() const { return got_.data(); }
  std::uint64_t sent_bytes() const { return sent_.bytes(); }
  std::uint64_t got_bytes() const { return got_.bytes(); }
  std::uint64_t view_bytes() const { return views_.bytes(); }
  std::uint64_t* active() const { return active_.data(); }
  std::uint64_t* wanted() const { return wanted_.data(); }
  std::uint64_t* found() const { return found_.data(); }
  std::byte* staging() const { return staging_.data(); }
  std::uint64_t staging_bytes() const { return staging_.bytes(); }

  // Makes `got` the inbox of a program. True if it was that already: then it is empty, but for the vertices whose bits
  // are set in `found`.
  bool claim_inbox(const std::type_info& program) { return std::exchange(inbox_program_, &program) == &program; }
  void forget_inbox() { inbox_program_ = nullptr; }

  // Whether help pays in a superstep. A program in a direction, by which the rate of the help is known; `first_rate`:
  // as long as that is not.
  using Key = std::pair<std::type_index, Direction>;
  struct Superstep {
    std::uint64_t load_bytes = 0;  // of pages that the GPU would load
    std::uint64_t num_vertices = 0;
    std::uint64_t brought_bytes = 0;  // of what messages are made from
  };
  bool pays(const Key& key, double first_rate, const Superstep& superstep);
  // The seconds in which the GPU would load the pages of a superstep; 0: not known.
  double seconds_alone(std::uint64_t load_bytes) const;
  // What a pass with help has shown.
  struct Pass {
    std::uint64_t bytes = 0;   // of pages that the cpu computed on
    double busy = 0;           // seconds that it computed
    double seconds = 0;        // that the pass took
    double seconds_alone = 0;  // from its plan
  };
  void learn(const Key& key, const Pass& pass);

  // A stream of its own, which continues after everything that the main stream was given so far.
  CUstream_st* forked_stream();
  // Starts job() on another thread.
  void start(std::function<PassCounts()> job);
  // Within a job: copies to host memory, after what the stream was given before; and returns once all of it is there.
  void bring(void* to, const void* from, std::uint64_t bytes, CUstream_st* stream);
  void await_brought();
  // The same for all attributes of a program, which then has the copies.
  template <class Program>
  void bring_views(Program& program, std::uint64_t num_vertices, CUstream_st* stream) {
    std::byte* to = views_.data();
    visit_views(program, [&](auto& view) {
      if (!view.data) return;
      const std::uint64_t bytes = num_vertices * sizeof(*view.data);
      bring(to, view.data, bytes, stream);
      view.data = reinterpret_cast<decltype(view.data)>(to);
      to += (bytes + view_alignment - 1) / view_alignment * view_alignment;
    });
  }
  static constexpr std::uint64_t view_alignment = 64;
  // Returns once the stream has done what it was given: where something failed.
  void await_stream() noexcept;
  // Returns what the job counted, or throws what it threw.
  PassCounts finish();

 private:
  // What is known of the help in a program.
  struct Known {
    double rate = 0;            // bytes a second
    std::uint32_t lost = 0;     // times in a row that it took longer than the GPU alone would have
    std::uint32_t without = 0;  // supersteps to leave to the GPU before it is tried again
  };

  CudaDevice& gpu_;
  HelpOptions options_;
  std::map<Key, Known> known_;
  CudaArray<std::byte> sent_, got_, views_, staging_;
  CudaArray<std::uint64_t> active_, wanted_, found_;
  const std::type_info* inbox_program_ = nullptr;
  CUstream_st* stream_ = nullptr;
  CUevent_st* event_ = nullptr;
  std::uint64_t brought_ = 0;  // bytes, since it was awaited
  std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false;
  PassCounts counts_;
  std::exception_ptr error_;
  Crew crew_;
  Workers worker_{1};  // last: its thread uses the members above
};

}  // namespace millrace
