#include "millrace/engine/cuda_executor.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <bit>

#include "millrace/engine/cuda_help.h"
#include "millrace/operators/frontier_cuda.h"

namespace millrace {

CudaExecutor::CudaExecutor(CudaDevice& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
    : Executor(device, graph, own, chunk),
      gpu_(device),
      lists_(device, graph),
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
  forget_open_rows();
  if (!degrees() || far()) return;
  capped_edges_ = cuda::sum_capped_degrees(degrees(), graph.num_vertices(), device);
  find_skew();
  if (!graph.shares_pages()) capped_edges_.clear();
}

void CudaExecutor::find_skew() {
  // Hubs stay in the cache. Of the others, as many as it has room for.
  constexpr std::uint64_t bytes = 8;  // of a vertex: a value and what is sent to it
  const std::uint64_t n = graph_.num_vertices(), edges = capped_edges_.back();
  if (edges == 0) return;
  const std::size_t cap = std::min<std::size_t>(std::bit_width(2 * edges / n), capped_edges_.size() - 1);
  hubs_ = 1 - static_cast<double>(capped_edges_[cap]) / static_cast<double>(edges);
  const double room = std::min(1.0, static_cast<double>(gpu_.info().l2_bytes) / static_cast<double>(bytes * n));
  near_ = hubs_ + (1 - hubs_) * room;
}

CudaExecutor::~CudaExecutor() = default;

void CudaExecutor::forget_open_rows() {
  open_rows_ = graph_.has(pulled()) ? std::min(graph_.num_rows(pulled()), graph_.num_vertices()) : 0;
  open_edges_ = share_of(graph_.num_edges());
}

void CudaExecutor::turned() {
  forget_open_rows();
  open_program_ = nullptr;
}

bool CudaExecutor::searches_few(const Frontier& frontier, std::uint32_t segments, std::uint64_t open_rows) const {
  const std::size_t set = graph_.set(pulled());
  if (!graph_.cuda_pages().has_room_for_rows(set) || frontier.num_edges() == 0) return false;
  const double left = static_cast<double>(segments) / graph_.cuda_pages().table(set).num_segments();
  const double length = static_cast<double>(open_edges_) / static_cast<double>(std::max<std::uint64_t>(open_rows_, 1));
  const double looks = static_cast<double>(graph_.num_edges()) / static_cast<double>(frontier.num_edges());
  return searches_alone({.num_vertices = graph_.num_vertices(),
                         .open_rows = open_rows,
                         .parts = static_cast<std::uint64_t>(left * static_cast<double>(graph_.num_rows(pulled())))},
                        std::min(looks, left * length), gpu_.rates());
}

std::uint64_t CudaExecutor::count_edges(const Frontier& frontier) {
  if (!degrees()) return graph_.num_edges();  // for all we know
  cuda::count_frontier_edges(bitmap_of(frontier), graph_.num_vertices(), degrees(), counts_.data(), gpu_.main_stream());
  return await_counts().joined_edges;
}

// With a share f of all edges leading out of the frontier, a row meets one of them after about 1/f looks, or ends
// before.
std::uint64_t CudaExecutor::expected_looks(std::uint64_t frontier_edges) const {
  if (frontier_edges == 0 || open_rows_ == 0) return open_edges_;
  const std::uint64_t cap = graph_.num_edges() / frontier_edges;
  double looks = static_cast<double>(open_rows_) * static_cast<double>(cap);
  const auto i = static_cast<std::size_t>(std::bit_width(cap));  // 2^i > cap
  if (i < capped_edges_.size())
    looks = std::min(looks, static_cast<double>(capped_edges_[i]) * static_cast<double>(open_rows_) /
                                static_cast<double>(std::min(graph_.num_rows(pulled()), graph_.num_vertices())));
  return static_cast<std::uint64_t>(std::min(looks, static_cast<double>(open_edges_)));
}

std::uint64_t CudaExecutor::max_item_edges() const {
  // Slices of hubs are 32 items each, and all but a row's last are full: the shortest of hubs has the fewest edges in
  // one.
  return (max_items() - lanes) * graph_.cuda_pages().fewest_hub_edges() / lanes;
}

bool CudaExecutor::items_fit(const Frontier& frontier) const {
  const std::size_t set = graph_.set(pushed());
  const std::uint64_t hub_items = std::uint64_t{graph_.cuda_pages().whole(set).num_hub_slices} * lanes;
  const std::uint64_t rows = frontier.size() * graph_.cuda_pages().table(set).num_segments();
  return rows + hub_items <= max_items() || frontier.num_edges() <= max_item_edges();
}

Frontier CudaExecutor::make_frontier(Frontier::Form form) {
  Frontier made;
  made.form_ = form;
  made.along_ = along_;
  made.storage_ = Frontier::lease(pool_);
  if (form == Frontier::Form::bitmap) {
    make_bitmap(made);
    gpu_.set_bytes(words_of(*made.storage_), 0, made.storage_->bitmap.bytes());
  }
  return made;  // a queue is made by who fills it: a dense push gives bits instead
}

// A search begins.
Frontier CudaExecutor::frontier(std::span<const VertexId> vertices) {
  forget_open_rows();
  open_program_ = &typeid(AnyProgram);
  Frontier made;
  if (far() || vertices.size() > queue_capacity()) {
    constexpr std::uint64_t at_once = 4096;
    made = make_frontier(Frontier::Form::bitmap);
    made.size_ = vertices.size();
    const CudaArray<VertexId> there(gpu_, std::min<std::uint64_t>(vertices.size(), at_once), "a frontier");
    for (std::uint64_t first = 0; first < vertices.size(); first += at_once) {
      const std::span<const VertexId> some = vertices.subspan(first, std::min(at_once, vertices.size() - first));
      device_.copy_to_device(there.data(), some.data(), some.size_bytes());
      cuda::bitmap_from_queue(there.data(), some.size(), words_of(*made.storage_), gpu_.main_stream());
    }
  } else {
    made = make_frontier(Frontier::Form::queue);
    device_.copy_to_device(make_queue(made, vertices.size()).data(), vertices.data(), vertices.size_bytes());
    made.size_ = vertices.size();
  }
  if (degrees())
    for (const VertexId v : vertices) {
      std::uint32_t degree = 0;
      device_.copy_to_host(&degree, degrees() + v, sizeof degree);
      made.num_edges_ += degree;
    }
  return made;
}

void CudaExecutor::add_to(Frontier& frontier, const Frontier& more) {
  Frontier::Storage& to = *frontier.storage_;
  const Frontier::Storage& from = *more.storage_;
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
    cuda::bitmap_from_queue(vertices, count, words_of(*made.storage_), gpu_.main_stream());
  else
    device_.copy_on_device(make_queue(made, count).data(), vertices, count * sizeof(VertexId));
  made.size_ = count;
  return made;
}

void CudaExecutor::make_bitmap(Frontier& frontier) {
  frontier.form_ = Frontier::Form::bitmap;
  DeviceArray<std::uint64_t>& bitmap = frontier.storage_->bitmap;
  if (bitmap.empty())
    bitmap = DeviceArray<std::uint64_t>(device_, bitmap_words(graph_.num_vertices()), "a frontier", Contents::anything);
}

DeviceArray<VertexId>& CudaExecutor::make_queue(const Frontier& frontier, std::uint64_t room, std::uint64_t kept) {
  DeviceArray<VertexId>& queue = frontier.storage_->queue.storage();
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
  Frontier::Storage& storage = *frontier.storage_;
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
  Frontier::Storage& storage = *frontier.storage_;
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

void CudaExecutor::find_push_pages(const Frontier& frontier) {
  const std::size_t set = graph_.set(pushed());
  const std::uint32_t num_pages = graph_.cuda_pages().num_pages(set);
  flags_.zero();
  const PageTable& table = graph_.cuda_pages().table(set);
  const std::uint32_t* const bits = bitmap_of(frontier);
  for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
    const std::uint32_t first = table.first_page(g);
    cuda::flag_active_pages(graph_.cuda_pages().spots(set) + first, table.first_page(g + 1) - first,
                            graph_.num_vertices(), bits, flags_.data() + first, gpu_.main_stream());
  }
  push_pages_ = flagged_pages(num_pages);
}

std::vector<std::uint32_t> CudaExecutor::push_pages(const Frontier& frontier) {
  find_push_pages(frontier);
  return *std::exchange(push_pages_, {});
}

std::vector<std::uint32_t> CudaExecutor::flagged_pages(std::uint32_t num_pages) {
  std::vector<std::uint8_t> flags(num_pages);
  device_.copy_to_host(flags.data(), flags_.data(), num_pages);
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < num_pages; ++p)
    if (flags[p]) pages.push_back(p);
  return pages;
}

cuda::CountsSender CudaExecutor::counts_sender() {
  return {counts_.data(), blocks_done_.data(), gpu_.mailbox(), gpu_.next_letter()};
}

Frontier CudaExecutor::with_counts(Frontier made) {
  gpu_.await_letter(gpu_.last_letter());
  const PassCounts counts = gpu_.letter<PassCounts>();
  made.size_ = counts.joined;
  made.num_edges_ = counts.joined_edges;
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
