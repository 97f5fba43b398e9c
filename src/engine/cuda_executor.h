// Carries out supersteps on a GPU. The templates are defined for nvcc alone, in cuda_executor.cuh.
#pragma once

#include <span>
#include <typeinfo>
#include <vector>

#include "millrace/engine/direction.h"
#include "millrace/engine/exchange.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/superstep.h"
#include "millrace/operators/lists.h"
#include "millrace/operators/most_frequent_cuda.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace {

namespace cuda {
template <class Program>
struct PushBuffers;
}

class CudaExecutor {
 public:
  // In one launch.
  static constexpr std::uint32_t max_supersteps = 32;

  // Where attributes are far, it sees to some vertices alone, of which `chunk` can have messages at a time.
  CudaExecutor(CudaDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk);
  ~CudaExecutor();

  CudaDevice& device() { return device_; }
  // What vertices do by themselves is for these, from here on.
  void see_to(VertexRange own) { own_ = own; }
  // How often a queue has become too small for what was to come, and got more room.
  std::uint64_t growths() const { return growths_; }
  // Supersteps go along these edges from here on.
  void go_along(Along along);
  // The rows that a push sends along.
  Orientation pushed() const { return along_; }
  Frontier make_frontier(Frontier::Form form);
  Frontier frontier(std::span<const VertexId> vertices);
  // A bit per vertex, also where it is a queue.
  std::uint32_t* bitmap_of(const Frontier& frontier);
  // Edges that a push from the frontier would look at.
  std::uint64_t count_edges(const Frontier& frontier);

  template <class Program>
  Direction choose(const Frontier& frontier, const Program& program);
  // Adds what moved to `step`.
  template <class Program>
  PassCounts pull_from(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  // May do several supersteps where it is told to go on; appends the counts of each, and `next` is what the last left.
  template <class Program>
  void push_from(const Frontier& frontier, const Program& program, bool go_on, Frontier& next, Superstep& step,
                 std::vector<PassCounts>& counts);

  // Where attributes are far: room for the messages of a chunk. Once they are there, the targets absorb them; those
  // that join are bits of `next`.
  template <class Program>
  cuda::PushBuffers<Program> open_chunk(VertexRange targets, Frontier& next);
  // Enqueues sending from the rows of a span; `bits`: who speaks, null where all do.
  template <class Program>
  void send(const PageSpan& span, CUstream_st* stream, const Program& program, const std::uint32_t* bits,
            const cuda::PushBuffers<Program>& buffers);
  template <class Program>
  void close_chunk(const Program& program, const cuda::PushBuffers<Program>& buffers);
  // What all work since was given to the main stream has counted.
  PassCounts await_counts();
  // The pages with active vertices.
  std::vector<std::uint32_t> push_pages(const Frontier& frontier);

  template <class Predicate>
  Frontier filter(const Predicate& predicate);
  void most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result);

  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate);
  // Of those whose bits are set.
  template <class Predicate>
  Frontier filter_bits(const std::uint32_t* among, const Predicate& predicate);
  // Lets the targets that devices have kept messages for absorb them; those that join, with their edges not counted
  // yet.
  template <class Program>
  Frontier absorb(const AbsorbKept<Program>& absorb);
  // The same over those that are queued.
  template <class Program>
  Frontier absorb_queues(const AbsorbKept<Program>& absorb);
  // Shows a frontier to other devices: its bits, and its queue if it is one. The bits of a queue are taken back, with
  // what was kept for it, where that has to be emptied.
  template <class Value>
  void show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i);
  template <class Value>
  void forget(const Frontier& frontier, Value* kept, Value nothing);
  // All bits that were shown of queues, where the exchange has added others.
  void forget_bits() { touched_.zero(); }
  // Adds the vertices of `more`, which are not in the frontier yet; where that is a queue, `more` is one too.
  void add_to(Frontier& frontier, const Frontier& more);
  // Writes the vertices of a frontier, and makes one of such.
  void copy_vertices(const Frontier& frontier, VertexId* to);
  Frontier frontier_of(const VertexId* vertices, std::uint64_t count);
  template <class Body>
  void vertex_map(Body body);
  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values);

 private:
  template <class Program>
  void push_sparse(const Frontier& frontier, const Program& program, bool go_on, Frontier& next,
                   std::vector<PassCounts>& counts);
  // The inbox and what finds targets again: queues in a sparse push, bits in a dense one.
  template <class Program>
  cuda::PushBuffers<Program> push_buffers(Frontier& next, VertexRange targets);
  void make_inbox(std::uint64_t bytes);
  void make_touched();
  template <class Program, class Speaks>
  PassCounts push_dense(const Frontier& frontier, const Program& program, const Speaks& speaks, Frontier& next,
                        Superstep& step);
  template <class Program, class Speaks>
  void launch_push(const PageSpan& span, CUstream_st* stream, const Program& program, const Speaks& speaks,
                   const cuda::PushBuffers<Program>& buffers);
  // Whether a pull would collect the open rows and search them one by one: few of them, and their places known.
  bool searches_few() const {
    return graph_.shares_pages() && graph_.cuda_pages().can_find_rows() && open_rows_ < graph_.num_vertices() / 16;
  }
  std::uint64_t max_items() const { return graph_.num_vertices() / 8 + 4096; }
  // Edges that a frontier may have for its items to fit.
  std::uint64_t max_item_edges() const;

  // A queue takes as much as an attribute: where these are far, frontiers are bits.
  bool far() const { return chunk_ > 0; }
  VertexRange everyone() const { return {0, graph_.num_vertices()}; }
  // Gives a frontier another form, before anyone joins it.
  void make_bitmap(Frontier& frontier);
  // With room for so many, of which the first `kept` stay.
  CudaArray<VertexId>& make_queue(const Frontier& frontier, std::uint64_t room, std::uint64_t kept = 0);
  void grow(CudaArray<VertexId>& queue, std::uint64_t room, std::uint64_t kept, const char* what);
  VertexId* queue_of(const Frontier& frontier);
  // What a streamed superstep would need: pages with active vertices, pages with vertices that want a message.
  void find_push_pages(const Frontier& frontier);
  template <class Program>
  void find_pull_pages(const Program& program);
  // The pages whose flag is set.
  std::vector<std::uint32_t> flagged_pages(std::uint32_t num_pages);
  void forget_pages() { push_pages_.reset(), pull_pages_.reset(); }
  // Edges that a pull looks at when it stops at the first source of a frontier with so many edges.
  std::uint64_t expected_looks(std::uint64_t frontier_edges) const;
  // By these a kernel sends its counts itself, and a frontier gets its size from them.
  cuda::CountsSender counts_sender();
  Frontier with_counts(Frontier made);
  const std::uint32_t* degrees() const { return graph_.degree_on_device(pushed()).data; }
  // The rows that a pull gathers.
  Orientation pulled() const { return opposite(along_); }
  // Nothing is known of what a pull would look at.
  void forget_open_rows();

  CudaDevice& device_;
  const Graph& graph_;
  VertexRange own_;
  std::uint64_t chunk_;
  Along along_ = Along::out;
  std::vector<Frontier::Lease> pool_;
  CudaArray<cuda::CountsLine> counts_;
  CudaArray<cuda::HubPiece> pieces_;
  CudaArray<cuda::PushCursors> cursors_;
  CudaArray<std::uint8_t> flags_;  // by page
  CudaArray<std::byte> parts_;     // of a reduction
  CudaArray<std::uint32_t> blocks_done_;
  // Made at the first push. The inbox is refilled when another program comes.
  CudaArray<std::byte> inbox_;
  const std::type_info* inbox_program_ = nullptr;
  CudaArray<std::uint32_t> touched_;
  CudaArray<cuda::RowItem> items_;
  CudaArray<VertexId> targets_;
  std::uint64_t growths_ = 0;
  // The sum of all rows' lengths, each capped at 2^i.
  std::vector<std::uint64_t> capped_edges_;
  // What a pull would look at next, as far as the last one showed.
  std::uint64_t open_rows_ = 0;
  std::uint64_t open_edges_ = 0;
  std::optional<cuda::MostFrequent> most_frequent_;  // made for the largest lists yet
  // Where streamed: found for the choice of direction, used by the superstep that follows.
  std::optional<std::vector<std::uint32_t>> push_pages_, pull_pages_;
};

}  // namespace millrace
