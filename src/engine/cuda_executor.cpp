#include "millrace/engine/cuda_executor.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <chrono>
#include <thread>

#include "millrace/core/throttle.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/pages/decode.h"

namespace millrace {

CudaExecutor::CudaExecutor(CudaDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
    : Executor(device, graph, own, chunk),
      gpu_(device),
      lists_(device, graph, chunk > 0 ? Where::far : Where::near),
      planner_(*this),
      counts_(device, cuda::counts_lines, "counters"),
      pieces_(device, graph.cuda_pages().hub_slices(), "pieces of hub rows"),
      cursors_(device, max_supersteps, "counters"),
      blocks_done_(device, 1, "counters") {
  device.select();
  counts_.zero();
  pieces_.zero();
  cursors_.zero();
  blocks_done_.zero();
  std::uint32_t most_pages = 1;
  for (const Orientation o : {Orientation::out, Orientation::in})
    if (graph.has(o)) most_pages = std::max(most_pages, graph.cuda_pages().num_pages(graph.set(o)));
  flags_ = CudaArray<std::uint8_t>(device, most_pages, "page flags");
  planner_.look_at_degrees();
}

CudaExecutor::~CudaExecutor() = default;

void CudaExecutor::turned() { planner_.forget(); }

SuperstepPlan CudaExecutor::choose_plan(const Frontier& frontier, const BoundProgram& program, Direction asked,
                                        bool go_on) {
  operations(program);  // throws where it was not compiled
  return planner_.plan(frontier, program, decide_direction(asked, frontier), go_on);
}

const char* CudaExecutor::refuses_here(const SuperstepPlan& plan, const Frontier& frontier,
                                       const BoundProgram& program) const {
  const bool pushes = plan.direction == Direction::push;
  const bool by_rows = plan.method == Method::rows || plan.method == Method::far_rows;
  const CudaPages& pages = graph_.cuda_pages();
  if (plan.helped && !planner_.has_room_for_help(plan.direction, program.facts())) return "the cpu cannot help";
  if (plan.supersteps < 1 || plan.supersteps > max_supersteps || (plan.supersteps > 1 && !(pushes && by_rows)))
    return "so many supersteps cannot be done in one launch";
  if (plan.supersteps > 1 && (!program.table->advance || program.kept))
    return "the program does one superstep at a time";
  if (plan.method == Method::chunks) return "attributes are near";
  if (!by_rows) return nullptr;
  if (frontier.form() == Frontier::Form::all) return "all vertices are active";
  if (pushes && (!degrees() || far() || !planner_.items_fit(frontier))) return "there is no room for so many rows";
  if (!pushes && !program.facts().searches && !program.facts().pulls_few())
    return "the program cannot pull single rows";
  const bool finds = plan.method == Method::rows ? pages.can_find_rows()
                                                 : pages.finds_far_rows(graph_.set(pushes ? pushed() : pulled()));
  return finds ? nullptr : "there is no index of rows";
}

std::uint64_t CudaExecutor::count_edges(const Frontier& frontier) {
  if (!degrees()) return graph_.num_edges();  // for all we know
  cuda::count_frontier_edges(bitmap_of(frontier), graph_.num_vertices(), degrees(), counts_.data(), gpu_.main_stream());
  return await_counts().joined_edges;
}

std::uint64_t CudaExecutor::max_item_edges() const {
  // Slices of hubs are 32 items each, and all but a row's last are full: the shortest of hubs has the fewest edges in
  // one.
  return (max_items() - lanes) * graph_.cuda_pages().fewest_hub_edges() / lanes;
}

Frontier CudaExecutor::make_frontier(Frontier::Form form) {
  Frontier made(form, along_, Frontier::lease(pool_));
  if (form == Frontier::Form::bitmap) {
    make_bitmap(made);
    gpu_.set_bytes(words_of(made.storage()), 0, made.storage().bitmap.bytes());
  }
  return made;  // a queue is made by who fills it: a dense push gives bits instead
}

// A search begins.
Frontier CudaExecutor::frontier(std::span<const VertexId> vertices) {
  planner_.begin_search();
  Frontier made;
  if (far() || vertices.size() > queue_capacity()) {
    constexpr std::uint64_t at_once = 4096;
    made = make_frontier(Frontier::Form::bitmap);
    const CudaArray<VertexId> there(gpu_, std::min<std::uint64_t>(vertices.size(), at_once), "a frontier");
    for (std::uint64_t first = 0; first < vertices.size(); first += at_once) {
      const std::span<const VertexId> some = vertices.subspan(first, std::min(at_once, vertices.size() - first));
      device_.copy_to_device(there.data(), some.data(), some.size_bytes());
      cuda::bitmap_from_queue(there.data(), some.size(), words_of(made.storage()), gpu_.main_stream());
    }
  } else {
    made = make_frontier(Frontier::Form::queue);
    device_.copy_to_device(make_queue(made, vertices.size()).data(), vertices.data(), vertices.size_bytes());
  }
  std::uint64_t edges = 0;
  if (degrees())
    for (const VertexId v : vertices) {
      std::uint32_t degree = 0;
      device_.copy_to_host(&degree, degrees() + v, sizeof degree);
      edges += degree;
    }
  made.count(vertices.size(), edges);
  return made;
}

void CudaExecutor::add_to(Frontier& frontier, const Frontier& more) {
  Frontier::Storage& to = frontier.storage();
  const Frontier::Storage& from = more.storage();
  if (frontier.form() == Frontier::Form::queue)
    device_.copy_on_device(
        make_queue(frontier, frontier.size() + more.size(), frontier.size()).data() + frontier.size(),
        from.queue.begin(), more.size() * sizeof(VertexId));
  else if (more.form() == Frontier::Form::queue)
    cuda::bitmap_from_queue(from.queue.begin(), more.size(), words_of(to), gpu_.main_stream());
  else
    cuda::add_bits(words_of(from), graph_.num_vertices(), words_of(to), gpu_.main_stream());
}

void CudaExecutor::copy_vertices(const Frontier& frontier, VertexId* to) {
  if (frontier.empty()) return;
  if (!far()) return device_.copy_on_device(to, queue_of(frontier), frontier.size() * sizeof(VertexId));
  cuda::queue_from_bitmap(bitmap_of(frontier), graph_.num_vertices(), to, &cursors_.data()->joined, gpu_.main_stream());
  cursors_.zero();
}

Frontier CudaExecutor::frontier_of(const VertexId* vertices, std::uint64_t count) {
  Frontier made = make_frontier(far() ? Frontier::Form::bitmap : Frontier::Form::queue);
  if (far())
    cuda::bitmap_from_queue(vertices, count, words_of(made.storage()), gpu_.main_stream());
  else
    device_.copy_on_device(make_queue(made, count).data(), vertices, count * sizeof(VertexId));
  made.count(count, 0);
  return made;
}

void CudaExecutor::make_bitmap(Frontier& frontier) {
  frontier.set_form(Frontier::Form::bitmap);
  DeviceArray<std::uint64_t>& bitmap = frontier.storage().bitmap;
  if (bitmap.empty())
    bitmap = DeviceArray<std::uint64_t>(device_, bitmap_words(graph_.num_vertices()), "a frontier", Contents::anything);
}

DeviceArray<VertexId>& CudaExecutor::make_queue(const Frontier& frontier, std::uint64_t room, std::uint64_t kept) {
  DeviceArray<VertexId>& queue = frontier.storage().queue.storage();
  grow(queue, room, kept, "a frontier");
  return queue;
}

// By doubling, as far as there is memory: then few runs grow often.
void CudaExecutor::grow(DeviceArray<VertexId>& queue, std::uint64_t room, std::uint64_t kept, const char* what) {
  if (has_room(queue, room)) return;
  room = std::min(std::max(room, least_room), graph_.num_vertices());
  const Budget& memory = device_.memory();
  const std::uint64_t doubled = std::max(room, std::min(2 * queue.size(), queue_capacity()));
  const bool fits = doubled * sizeof(VertexId) <= memory.limit() - memory.used();
  growths_ += !queue.empty();
  if (kept == 0) queue = {};  // first, so that there need not be room for both
  DeviceArray<VertexId> larger(device_, fits ? doubled : room, what, Contents::anything);
  device_.copy_on_device(larger.data(), queue.data(), kept * sizeof(VertexId));
  queue = std::move(larger);
}

std::uint32_t* CudaExecutor::bitmap_of(const Frontier& frontier) {
  Frontier::Storage& storage = frontier.storage();
  if (frontier.form() == Frontier::Form::queue) {
    if (storage.bitmap.empty())
      storage.bitmap =
          DeviceArray<std::uint64_t>(device_, bitmap_words(graph_.num_vertices()), "a frontier", Contents::anything);
    gpu_.set_bytes(storage.bitmap.data(), 0, storage.bitmap.bytes());
    cuda::bitmap_from_queue(storage.queue.begin(), frontier.size(), words_of(storage), gpu_.main_stream());
  }
  return words_of(storage);
}

VertexId* CudaExecutor::queue_of(const Frontier& frontier) {
  Frontier::Storage& storage = frontier.storage();
  if (frontier.form() == Frontier::Form::bitmap) {
    cuda::queue_from_bitmap(words_of(storage), graph_.num_vertices(), make_queue(frontier, frontier.size()).data(),
                            &cursors_.data()->joined, gpu_.main_stream());
    cursors_.zero();
  }
  return storage.queue.storage().data();
}

void CudaExecutor::make_touched() {
  if (!touched_.empty()) return;
  touched_ = CudaArray<std::uint32_t>(gpu_, cuda::bitmap_words(graph_.num_vertices()), "push targets");
  touched_.zero();
}

void CudaExecutor::make_inbox(std::uint64_t bytes) {
  make_touched();
  if (inbox_.bytes() < bytes) {
    inbox_ = {};
    inbox_program_ = nullptr;
    inbox_ = CudaArray<std::byte>(gpu_, bytes, "the push inbox");
  }
}

std::vector<std::uint32_t> CudaExecutor::push_pages(const Frontier& frontier) {
  const std::size_t set = graph_.set(pushed());
  const PageTable& table = graph_.cuda_pages().table(set);
  if (frontier.form() == Frontier::Form::all) {
    std::vector<std::uint32_t> all(table.size());
    for (std::uint32_t p = 0; p < all.size(); ++p) all[p] = p;
    return all;
  }
  flags_.zero();
  const std::uint32_t* const bits = bitmap_of(frontier);
  for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
    const std::uint32_t first = table.first_page(g);
    cuda::flag_active_pages(graph_.cuda_pages().spots(set) + first, table.first_page(g + 1) - first,
                            graph_.num_vertices(), bits, flags_.data() + first, gpu_.main_stream());
  }
  return flagged_pages(table.size());
}

std::vector<std::uint32_t> CudaExecutor::flagged_pages(std::uint32_t num_pages) {
  std::vector<std::uint8_t> flags(num_pages);
  device_.copy_to_host(flags.data(), flags_.data(), num_pages);
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < num_pages; ++p)
    if (flags[p]) pages.push_back(p);
  return pages;
}

void CudaExecutor::show(const Frontier& frontier, Messages& messages, std::size_t i) {
  messages.queue[i] = nullptr;
  messages.bits[i] = reinterpret_cast<std::byte*>(words_of(frontier.storage()));
  if (frontier.form() != Frontier::Form::queue) return;
  make_touched();
  messages.queue[i] = make_queue(frontier, frontier.size(), frontier.size()).data();
  messages.size[i] = frontier.size();
  messages.bits[i] = reinterpret_cast<std::byte*>(touched_.data());
  cuda::bitmap_from_queue(messages.queue[i], frontier.size(), touched_.data(), gpu_.main_stream());
}

// Along so many edges, targets are delivered in order of vertices: with one target in 32 vertices, each cache line of
// an attribute has about one.
bool CudaExecutor::finds_targets_by_bits(const Frontier& frontier, const ProgramFacts& facts) const {
  return !facts.receives_at_once &&
         frontier.num_edges() > std::min(queue_capacity(), std::max(graph_.num_vertices() / lanes, small_frontier));
}

SuperstepPlan CudaExecutor::plan_push_of_pages(const Frontier& frontier, const BoundProgram& program) {
  return planner_.plan_push_of_pages(frontier, program);
}

cuda::PushRoom CudaExecutor::counting(cuda::PushRoom room) const {
  room.cursors = cursors_.data();
  room.counts = counts_.data();
  return room;
}

std::uint64_t CudaExecutor::await_rows(std::uint64_t letter, std::vector<PassCounts>& counts) {
  struct Letter {
    std::uint64_t supersteps;
    std::uint64_t numbers[max_supersteps][3];
  };
  gpu_.await_letter(letter);
  const Letter read = gpu_.letter<Letter>();
  for (std::uint64_t i = 0; i < read.supersteps; ++i)
    counts.push_back({.edges = read.numbers[i][0], .joined = read.numbers[i][1], .joined_edges = read.numbers[i][2]});
  return read.supersteps;
}

void CudaExecutor::reset() {
  device_.synchronize();
  counts_.zero();
  pieces_.zero();
  cursors_.zero();
  blocks_done_.zero();
  touched_.zero();
  inbox_program_ = nullptr;
  gathered_program_ = nullptr;
  small_in_a_row_ = 0;
  if (help_) help_->forget_inbox();
  planner_.forget();
  graph_.take_times();  // of the pass that failed
}

void CudaExecutor::slow_down_rows(std::uint64_t rows, std::uint64_t edges, const Stopwatch& watch) const {
  if (link_throttle() == 0) return;
  CudaRates rates = gpu_.rates();
  rates.link = link_throttle();
  const std::uint64_t segments = graph_.cuda_pages().table(0).num_segments();
  std::this_thread::sleep_for(
      std::chrono::duration<double>(far_rows_seconds(rows * segments, edges, rates) - watch.seconds()));
}

void CudaExecutor::be_helped(const HelpOptions& options) {
  if (!graph_.cuda_pages().can_be_helped()) return;
  chosen_decoder();  // throws for a bad MILLRACE_DECODER here, not in a thread
  help_ = std::make_unique<CudaHelp>(gpu_, help_memory(graph_.supersteps(), graph_.num_vertices()), options);
}

cuda::CountsSender CudaExecutor::counts_sender() {
  return {counts_.data(), blocks_done_.data(), gpu_.mailbox(), gpu_.next_letter()};
}

Frontier CudaExecutor::with_counts(Frontier made) {
  gpu_.await_letter(gpu_.last_letter());
  const PassCounts counts = gpu_.letter<PassCounts>();
  made.count(counts.joined, counts.joined_edges);
  return made;
}

PassCounts CudaExecutor::await_counts() {
  const std::uint64_t letter = gpu_.next_letter();
  cuda::send_pass_counts(counts_.data(), gpu_.mailbox(), letter, gpu_.main_stream());
  gpu_.await_letter(letter);
  return gpu_.letter<PassCounts>();
}

}  // namespace millrace

#endif
