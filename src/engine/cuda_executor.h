// Carries out supersteps on a GPU. The templates are defined for nvcc alone, in cuda_executor.cuh.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <typeindex>
#include <typeinfo>
#include <vector>

#include "millrace/core/stopwatch.h"
#include "millrace/devices/cuda.h"
#include "millrace/engine/cuda_lists.h"
#include "millrace/engine/executor.h"
#include "millrace/operators/chunk_pull.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace {

class CudaHelp;

namespace cuda {
template <class Program>
struct PushBuffers;
struct OpenRows;
struct PullOutput;
struct PushLimits;
struct TargetQueues;
}  // namespace cuda

class CudaExecutor final : public Executor {
 public:
  // In one launch.
  static constexpr std::uint32_t max_supersteps = 32;
  // Of a queue.
  static constexpr std::uint64_t least_room = 4096;
  // Edges of frontiers whose supersteps are done in one launch.
  static constexpr std::uint64_t small_frontier = 1 << 15;

  CudaExecutor(CudaDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk);
  ~CudaExecutor() override;

  Frontier make_frontier(Frontier::Form form) override;
  Frontier frontier(std::span<const VertexId> vertices) override;
  std::uint64_t count_edges(const Frontier& frontier) override;
  void add_to(Frontier& frontier, const Frontier& more) override;
  void copy_vertices(const Frontier& frontier, VertexId* to) override;
  Frontier frontier_of(const VertexId* vertices, std::uint64_t count) override;
  std::vector<std::uint32_t> push_pages(const Frontier& frontier) override;
  void clear_shown_bits() override { touched_.zero(); }
  std::uint64_t growths() const override { return growths_; }
  ListOperators& list_operators() override { return lists_; }
  CudaLists& lists() { return lists_; }
  // The cpu takes part in supersteps over pages that have to be loaded.
  void be_helped(const HelpOptions& options) override;
  // A bit per vertex, also where the frontier is a queue.
  std::uint32_t* bitmap_of(const Frontier& frontier);

  // See RunsPrograms.
  template <class Program>
  Direction choose(const Frontier& frontier, const Program& program);
  template <class Program>
  void pull(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step,
            std::vector<PassCounts>& counts);
  template <class Program>
  void push(const Frontier& frontier, const Program& program, bool go_on, Frontier& next, Superstep& step,
            std::vector<PassCounts>& counts);
  template <class Predicate>
  Frontier filter(const Predicate& predicate);
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate);
  template <class Body>
  void vertex_map(Body body);
  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values);
  // Of those that join, the edges are not counted yet.
  template <class Program>
  Frontier absorb(const AbsorbKept<Program>& absorb);
  template <class Program>
  Frontier absorb_queues(const AbsorbKept<Program>& absorb);
  template <class Combine, class Value>
  void exchange(const Replicas<Value>& replicas, VertexRange slice);
  template <class Value>
  void show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i);
  template <class Value>
  void clear_shown(const Frontier& frontier, Value* kept, Value nothing);

  // Where attributes are far: room for the messages of a chunk. Once they are there, the targets absorb them; those
  // that join are bits of `next`.
  template <class Program>
  cuda::PushBuffers<Program> open_chunk(VertexRange targets, Frontier& next);
  // Enqueues sending from the rows of a span; `bits`: the active vertices, null where all are.
  template <class Program>
  void send(const PageSpan& span, CUstream_st* stream, const Program& program, const std::uint32_t* bits,
            const cuda::PushBuffers<Program>& buffers);
  template <class Program>
  void close_chunk(const Program& program, const cuda::PushBuffers<Program>& buffers);
  // Where they are pulled: room for messages of so many sources and for a chunk of targets, which got nothing yet; work
  // on a range of vertices; and gathering from the rows of a span.
  template <class Program>
  ChunkPull<Program> open_pull(VertexRange targets, std::uint64_t sources);
  template <class Body>
  void map_range(VertexRange range, const Body& body);
  template <class Program>
  void pull_pages(const ChunkPull<Program>& chunk, const PageSpan& span, CUstream_st* stream);
  // What all work since was given to the main stream has counted.
  PassCounts await_counts();

  // For devices that compute in one memory (PushTogether). They send to `buffers`, which are of another device; what
  // is counted, and what a device queues, is its own.
  template <class Program>
  bool pushes_sparse(const Frontier& frontier);
  template <class Program>
  bool finds_targets_by_bits(const Frontier& frontier) const;
  // Sends from the active rows of all pages, and enqueues nothing else. Returns what the cpu counted, if it helped.
  // `beside_others`: other devices send to the same memory meanwhile.
  template <class Program>
  PassCounts send_dense(const Frontier& frontier, const Program& program, const cuda::PushBuffers<Program>& buffers,
                        Superstep& step, bool beside_others = false);
  // Launches sending from a frontier whose rows are found one by one, and returns the letter to await. It tells the
  // edges, and how many targets were queued; where messages are received at once, how many joined.
  template <class Program>
  std::uint64_t send_sparse(const Frontier& frontier, const Program& program, cuda::PushBuffers<Program> buffers,
                            bool by_bits, Frontier& joined);
  std::uint64_t await_sparse(std::uint64_t letter, std::vector<PassCounts>& counts);
  VertexId* push_targets() { return targets_.data(); }
  // Messages that nobody will deliver.
  void forget_messages() {
    inbox_program_ = nullptr;
    touched_ = {};
  }
  template <class Program>
  cuda::PushBuffers<Program> counting(cuda::PushBuffers<Program> buffers);
  template <class Program>
  Frontier deliver_queues(const Program& program, cuda::PushBuffers<Program> buffers, const cuda::TargetQueues& targets,
                          Frontier next);

 private:
  template <class Program>
  void push_sparse(const Frontier& frontier, const Program& program, bool go_on, Frontier& next,
                   std::vector<PassCounts>& counts);
  template <class Program>
  std::uint64_t launch_sparse(VertexId* queue, const Frontier& frontier, Program program,
                              cuda::PushBuffers<Program> buffers, cuda::PushLimits limits, bool by_bits);
  // The inbox and what finds targets again: queues in a sparse push, bits in a dense one.
  template <class Program>
  cuda::PushBuffers<Program> push_buffers(Frontier& next, VertexRange targets);
  void make_inbox(std::uint64_t bytes);
  void make_touched();
  template <class Program, class Speaks>
  void launch_push(const PageSpan& span, CUstream_st* stream, const Program& program, const Speaks& speaks,
                   const cuda::PushBuffers<Program>& buffers);
  // Whether a pull collects the rows that want a message and reads them alone: a search, in so many segments that are
  // left, or another one.
  bool searches_few(const Frontier& frontier, std::uint32_t segments, std::uint64_t open_rows) const;
  bool gathers_few(const cuda::OpenRows& open) const;
  // Where pages stream: whether a push reads the rows of its vertices alone, in host memory, instead of loading their
  // pages; and whether a pull does so with the rows that want a message.
  bool pushes_far_rows(const Frontier& frontier);
  // Where the link is to be slow: returns once it would have brought so many far rows, read since `watch` began.
  void slow_down_rows(std::uint64_t rows, std::uint64_t edges, const Stopwatch& watch) const;
  template <class Program>
  bool pulls_far_rows(const Frontier& frontier, const Program& program);
  // Whether the cpu takes part in a superstep over some pages, or all: there is room for what it needs, and it pays.
  template <class Program>
  bool is_helped(std::size_t set, const std::vector<std::uint32_t>* pages, Direction direction);
  // `program`: by which its rate is known; `first_rate`: as long as that is not.
  bool help_pays_for(std::size_t set, const std::vector<std::uint32_t>* pages, std::uint64_t brought_bytes,
                     const std::type_info& program, double first_rate);
  // The cpu did so many bytes of pages of a superstep, in so many seconds: after help_pays_for() said yes.
  void learn_help(const std::type_info& program, std::uint64_t bytes, double seconds);
  // Searches the rows of resident pages.
  template <class Program, class Speaks>
  PassCounts search(const Frontier& frontier, const Program& program, const Speaks& speaks, cuda::PullOutput output);
  // Counts the rows that want a message.
  template <class Program>
  cuda::OpenRows count_open_rows(const Program& program);
  // Whether a pull is likely enough for that, and could read them alone.
  bool counts_open_rows(const Frontier& frontier) const {
    constexpr std::uint64_t vertices = 8;  // for each edge of the frontier
    return graph_.has(pulled()) && graph_.cuda_pages().has_room_for_rows(graph_.set(pulled())) &&
           frontier.num_edges() >= graph_.num_vertices() / vertices;
  }
  // Of a search: what earlier supersteps have told of the open rows is forgotten if they were of another program or
  // along other edges.
  template <class Program>
  bool knows_open_rows();
  // Warps that search stay until all is done: as many as the GPU holds.
  unsigned search_blocks() const { return static_cast<unsigned>(4 * gpu_.info().multiprocessors); }
  unsigned search_blocks(const PageSpan& span) const { return std::min(search_blocks(), (span.num_blocks + 3) / 4); }
  std::uint64_t queue_capacity() const { return millrace::queue_capacity(graph_.supersteps(), graph_.num_vertices()); }
  std::uint64_t max_items() const { return graph_.num_vertices() / 8 + 4096; }
  // Edges that any frontier may have for its items to fit; whether those of this one do.
  std::uint64_t max_item_edges() const;
  bool items_fit(const Frontier& frontier) const;

  // For pulls of blocked pages: room for one message for each vertex, which is empty.
  template <class Program>
  Pending<Program>* gathered(const Program& program);
  // Targets absorb what was gathered, unless it stays kept for other devices; counts those that join.
  template <class Program>
  void absorb_gathered(const Program& program, Pending<Program>* gathered, Frontier& next, PassCounts& counts);
  void turned() override;
  // Of those whose bits are set.
  template <class Predicate>
  Frontier filter_bits(const std::uint32_t* among, const Predicate& predicate);
  static std::uint32_t* words_of(const Frontier::Storage& storage) {
    return reinterpret_cast<std::uint32_t*>(storage.bitmap.data());
  }
  // Gives a frontier another form, before anyone joins it.
  void make_bitmap(Frontier& frontier);
  // With room for so many, of which the first `kept` stay.
  DeviceArray<VertexId>& make_queue(const Frontier& frontier, std::uint64_t room, std::uint64_t kept = 0);
  void grow(DeviceArray<VertexId>& queue, std::uint64_t room, std::uint64_t kept, const char* what);
  // For so many, or all vertices if these are fewer.
  bool has_room(const DeviceArray<VertexId>& queue, std::uint64_t room) const {
    return queue.size() >= std::min(std::max(room, least_room), graph_.num_vertices());
  }
  VertexId* queue_of(const Frontier& frontier);
  // What a streamed superstep would need: pages with active vertices, pages with vertices that want a message.
  void find_push_pages(const Frontier& frontier);
  template <class Program>
  void find_pull_pages(const Program& program);
  // The pages whose flag is set.
  std::vector<std::uint32_t> flagged_pages(std::uint32_t num_pages);
  void forget_pages() {
    push_pages_.reset(), pull_pages_.reset();
    push_far_seconds_.reset(), pull_far_seconds_.reset();
  }
  void find_skew();
  // Whether those that join speak at once. Where there are hubs, the first-level cache has the words of their bits, but
  // not those of bits that change.
  template <class Program>
  bool may_spread() const {
    constexpr double skewed = 0.5;
    return spreads<Program> && hubs_ < skewed;
  }
  // Edges that a pull looks at when it stops at the first source of a frontier with so many edges.
  std::uint64_t expected_looks(std::uint64_t frontier_edges) const;
  // By these a kernel sends its counts itself, and a frontier gets its size from them.
  cuda::CountsSender counts_sender();
  Frontier with_counts(Frontier made);
  // Nothing is known of what a pull would look at.
  void forget_open_rows();

  CudaDevice& gpu_;
  CudaLists lists_;
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
  // Of pulls of blocked pages; left empty after each.
  CudaArray<std::byte> gathered_;
  const std::type_info* gathered_program_ = nullptr;
  CudaArray<cuda::RowItem> items_;
  DeviceArray<VertexId> targets_;
  CudaArray<std::byte> sent_;  // of far attributes that are pulled
  std::unique_ptr<CudaHelp> help_;
  // What is known of the help in a program.
  struct HelpKnown {
    double rate = 0;            // bytes a second
    std::uint32_t lost = 0;     // times in a row that it took longer than the GPU alone would have
    std::uint32_t without = 0;  // supersteps to leave to the GPU before it is tried again
  };
  std::map<std::type_index, HelpKnown> help_known_;
  Stopwatch help_watch_;      // since the cpu was asked to help
  double alone_seconds_ = 0;  // that the GPU would have loaded
  std::uint64_t growths_ = 0;
  // The sum of all rows' lengths, each capped at 2^i.
  std::vector<std::uint64_t> capped_edges_;
  // The share of edges that rows have beyond twice the mean; and see CudaDirectionInputs.
  double hubs_ = 0, near_ = 1;
  // What a pull would look at next, as far as the last one showed.
  std::uint64_t open_rows_ = 0;
  std::uint64_t open_edges_ = 0;
  struct AnyProgram {};                           // a search has begun, and all rows are open
  const std::type_info* open_program_ = nullptr;  // null: that was along other edges
  // Found for the choice of direction: see gathers_few().
  std::optional<bool> few_rows_;
  // Where streamed: found for the choice of direction, used by the superstep that follows.
  std::optional<std::vector<std::uint32_t>> push_pages_, pull_pages_;
  // The same for rows that are read in host memory instead; never where they are not.
  static constexpr double never = std::numeric_limits<double>::infinity();
  std::optional<double> push_far_seconds_, pull_far_seconds_;
};

}  // namespace millrace
