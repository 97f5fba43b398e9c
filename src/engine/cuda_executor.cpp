#include "millrace/engine/cuda_executor.h"

namespace millrace {

CudaExecutor::~CudaExecutor() = default;

}  // namespace millrace

#if MILLRACE_WITH_CUDA

#include <bit>

#include "millrace/operators/frontier_cuda.h"

namespace millrace {
namespace {

// As laid out for kernels; cuda_executor.cuh checks these.
constexpr std::uint64_t counts_words = 128 * 8;
constexpr std::uint64_t piece_words = 2;
constexpr std::uint64_t cursor_words = 6 * CudaExecutor::max_supersteps;
constexpr std::uint64_t item_words = 3;

}  // namespace

CudaExecutor::CudaExecutor(CudaDevice& device, const Graph& graph)
    : device_(device),
      graph_(graph),
      counts_(device, counts_words, "counters"),
      pieces_(device, std::uint64_t{graph.cuda_pages().hub_slices()} * piece_words, "pieces of hub rows"),
      cursors_(device, cursor_words, "counters"),
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
  if (graph.has(Orientation::in)) open_rows_ = graph.num_rows(Orientation::in);
  open_edges_ = graph.num_edges();
  if (graph.shares_pages() && degrees())
    capped_edges_ = cuda::sum_capped_degrees(degrees(), graph.num_vertices(), device);
}

// With a share f of all edges leading out of the frontier, a row meets one of them after about 1/f looks, or ends
// before.
std::uint64_t CudaExecutor::expected_looks(std::uint64_t frontier_edges) const {
  if (frontier_edges == 0) return open_edges_;
  const std::uint64_t cap = graph_.num_edges() / frontier_edges;
  double looks = static_cast<double>(open_rows_) * static_cast<double>(cap);
  if (!capped_edges_.empty() && graph_.num_edges() > 0) {
    const auto i = static_cast<std::size_t>(std::bit_width(cap));  // 2^i > cap
    const double all = i < capped_edges_.size() ? static_cast<double>(capped_edges_[i]) : looks;
    looks =
        std::min(looks, all * static_cast<double>(open_rows_) / static_cast<double>(graph_.num_rows(Orientation::in)));
  }
  return std::min(open_edges_, static_cast<std::uint64_t>(looks));
}

Frontier CudaExecutor::make_frontier(Frontier::Form form) {
  Frontier made;
  made.form_ = form;
  made.storage_ = Frontier::lease(pool_);
  Frontier::Storage& storage = *made.storage_;
  const std::uint64_t n = graph_.num_vertices();
  if (form == Frontier::Form::bitmap) {
    make_bitmap(made);
    storage.cuda_bitmap.zero();
  } else if (storage.cuda_queue.empty()) {
    storage.cuda_queue = CudaArray<VertexId>(device_, n, "a frontier");
  }
  return made;
}

// A search begins: nothing is known of what a pull would look at.
Frontier CudaExecutor::frontier(const std::vector<VertexId>& vertices) {
  if (graph_.has(Orientation::in)) open_rows_ = graph_.num_rows(Orientation::in);
  open_edges_ = graph_.num_edges();
  Frontier made = make_frontier(Frontier::Form::queue);
  VertexId* const queue = made.storage_->cuda_queue.data();
  for (std::size_t i = 0; i < vertices.size(); ++i) device_.fill(queue + i, &vertices[i], sizeof(VertexId), 1);
  made.size_ = vertices.size();
  if (degrees())
    for (const VertexId v : vertices) {
      std::uint32_t degree = 0;
      device_.copy_to_host(&degree, degrees() + v, sizeof degree);
      made.num_edges_ += degree;
    }
  return made;
}

void CudaExecutor::make_bitmap(Frontier& frontier) {
  frontier.form_ = Frontier::Form::bitmap;
  CudaArray<std::uint32_t>& bitmap = frontier.storage_->cuda_bitmap;
  if (bitmap.empty())
    bitmap = CudaArray<std::uint32_t>(device_, cuda::bitmap_words(graph_.num_vertices()), "a frontier");
}

std::uint32_t* CudaExecutor::bitmap_of(const Frontier& frontier) {
  Frontier::Storage& storage = *frontier.storage_;
  if (frontier.form() == Frontier::Form::queue) {
    if (storage.cuda_bitmap.empty())
      storage.cuda_bitmap = CudaArray<std::uint32_t>(device_, cuda::bitmap_words(graph_.num_vertices()), "a frontier");
    storage.cuda_bitmap.zero();
    cuda::bitmap_from_queue(storage.cuda_queue.data(), frontier.size(), storage.cuda_bitmap.data(),
                            device_.main_stream());
  }
  return storage.cuda_bitmap.data();
}

VertexId* CudaExecutor::queue_of(const Frontier& frontier) {
  Frontier::Storage& storage = *frontier.storage_;
  if (frontier.form() == Frontier::Form::bitmap) {
    if (storage.cuda_queue.empty())
      storage.cuda_queue = CudaArray<VertexId>(device_, graph_.num_vertices(), "a frontier");
    cuda::queue_from_bitmap(storage.cuda_bitmap.data(), graph_.num_vertices(), storage.cuda_queue.data(),
                            reinterpret_cast<unsigned long long*>(cursors_.data()), device_.main_stream());
    cursors_.zero();
  }
  return storage.cuda_queue.data();
}

void CudaExecutor::make_push_scratch(std::uint64_t inbox_bytes) {
  const std::uint64_t n = graph_.num_vertices();
  if (targets_.empty()) {
    targets_ = CudaArray<VertexId>(device_, n, "push targets");
    touched_ = CudaArray<std::uint32_t>(device_, cuda::bitmap_words(n), "push targets");
    touched_.zero();
    items_ = CudaArray<std::uint32_t>(device_, max_items() * item_words, "push items");
  }
  if (inbox_.bytes() < inbox_bytes) {
    inbox_ = {};
    inbox_ = CudaArray<std::byte>(device_, inbox_bytes, "the push inbox");
    inbox_type_ = nullptr;
  }
}

void CudaExecutor::find_push_pages(const Frontier& frontier) {
  const std::size_t set = graph_.set(Orientation::out);
  const std::uint32_t num_pages = graph_.cuda_pages().num_pages(set);
  flags_.zero();
  cuda::flag_active_pages(graph_.cuda_pages().spots(set), num_pages, graph_.num_vertices(), bitmap_of(frontier),
                          flags_.data(), device_.main_stream());
  push_pages_ = flagged_pages(num_pages);
}

std::vector<std::uint32_t> CudaExecutor::flagged_pages(std::uint32_t num_pages) {
  std::vector<std::uint8_t> flags(num_pages);
  device_.copy_to_host(flags.data(), flags_.data(), num_pages);
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < num_pages; ++p)
    if (flags[p]) pages.push_back(p);
  return pages;
}

PassCounts CudaExecutor::await_counts() {
  const std::uint64_t letter = device_.next_letter();
  cuda::send_pass_counts(reinterpret_cast<cuda::CountsLine*>(counts_.data()), device_.mailbox(), letter,
                         device_.main_stream());
  device_.await_letter(letter);
  return device_.letter<PassCounts>();
}

}  // namespace millrace

#else

namespace millrace {

// No GPU is ever opened in such a build.
CudaExecutor::CudaExecutor(CudaDevice& device, const Graph& graph) : device_(device), graph_(graph) {}
Frontier CudaExecutor::make_frontier(Frontier::Form) { return {}; }
Frontier CudaExecutor::frontier(const std::vector<VertexId>&) { return {}; }

}  // namespace millrace

#endif
