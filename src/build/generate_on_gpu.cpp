#include "millrace/build/generate_on_gpu.h"

#include "millrace/core/error.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include "millrace/build/collect_rows_cuda.h"
#include "millrace/build/cuda_generate.h"
#include "millrace/build/cuda_page_writer.h"
#include "millrace/build/generate_room.h"
#include "millrace/build/store_builder.h"
#include "millrace/core/progress.h"
#include "millrace/core/stopwatch.h"

namespace millrace {
namespace {

class GpuBuilder {
 public:
  GpuBuilder(const GenerateOptions& graph, const BuildOptions& options, StoreWriter& writer, CudaDevice& device,
             Budget& budget)
      : edges_(generated_edges(graph)), options_(options), writer_(writer), device_(device), budget_(budget) {}

  BuildSummary build() {
    device_.select();
    summary_.num_vertices = edges_.num_vertices();
    summary_.device = device_.name();
    CudaDegrees degrees = count_degrees(device_, edges_, options_.undirected);
    const std::uint64_t self_loops = degrees.self_loops;
    summary_.dropped_self_loops = options_.keep_self_loops ? 0 : self_loops;
    order_vertices(degrees);

    const std::vector<Orientation> orientations = orientations_of(options_);
    const bool one = !options_.undirected && orientations.size() == 1;
    for (const Orientation o : orientations) {
      CudaArray<std::uint32_t> degree = std::move(o == Orientation::out ? degrees.out : degrees.in);
      const Written written = write(o, std::move(degree), one);
      if (summary_.num_edges != 0 && written.edges != summary_.num_edges)
        throw InternalError("{} edges outward but {} inward", summary_.num_edges, written.edges);
      summary_.num_edges = written.edges;
      summary_.self_loops = written.self_loops;
    }
    summary_.directed = !options_.undirected;
    summary_.merged_edges = edges_.num_edges() - summary_.dropped_self_loops - summary_.edges().once();
    if (!vertex_at_.empty()) writer_.write_ids(std::span<const VertexId>(to_host(vertex_at_, "ids")));
    writer_.commit(describe_build(options_, summary_, WeightType::none, summary_.self_loops), orientations);
    return std::move(summary_);
  }

 private:
  template <class T>
  Array<T> to_host(const CudaArray<T>& values, const char* what) {
    Array<T> host(values.size(), budget_, what);
    device_.copy_to_host(host.data(), values.data(), values.bytes());
    return host;
  }

  template <class T>
  CudaArray<T> to_device(std::span<const T> values) {
    CudaArray<T> copy(device_, values.size(), "edges by block");
    device_.copy_to_device(copy.data(), values.data(), values.size_bytes());
    return copy;
  }

  void order_vertices(const CudaDegrees& degrees) {
    const Degrees host{.out = to_host(degrees.out, "degrees"), .in = {}, .self_loops = 0};
    CudaOrder order;
    Array<VertexId> by_degree;
    if (options_.order != Order::natural) {
      order = rank_by_degree(device_, degrees);
      by_degree = to_host(order.rank, "vertex order");
    }
    const auto take = [&](const Windows& windows, std::span<const VertexId> rank) {
      Sample sample(windows.first_place.size());
      for (const std::uint64_t key : take_sample(device_, edges_, options_.undirected, windows.member,
                                                 rank.empty() ? nullptr : order.rank.data()))
        sample[windows.of(static_cast<VertexId>(key >> 32))].push_back(key);
      return sample;
    };
    summary_.order = choose_order(options_.order, std::move(by_degree), host, take, options_.segments, budget_);
    summary_.order.rank = {};  // the rank stays on the GPU
    if (summary_.order.order != Order::degree) return;
    rank_ = std::move(order.rank);
    vertex_at_ = std::move(order.vertex_at);
  }

  Written write(Orientation orientation, CudaArray<std::uint32_t> degree, bool count_others) {
    if (!vertex_at_.empty()) degree = renumber(device_, degree, vertex_at_);
    const ItemRules rules(orientation, options_, edges_.num_vertices(), summary_.order.segment);
    const PageOptions page_options{.page_bytes = options_.page_bytes,
                                   .keep_parallel_edges = options_.duplicates == Duplicates::keep};
    const GeneratedRows all{.orientation = orientation,
                            .undirected = options_.undirected,
                            .rank = rank_.empty() ? nullptr : rank_.data(),
                            .first = 0,
                            .last = ~std::uint64_t{0}};
    const PagePlan plan = plan_for(rules, all, to_host(degree, "degrees"), page_options);
    degree = {};
    Written written(edges_.num_vertices(), count_others, budget_);
    Progress progress(fmt::format("encode {}", orientation_name(orientation)), plan.before.back());
    CudaPageWriter pages(device_, rules, page_options, writer_, progress, written);
    const std::uint64_t blocks_to_disk = (budget_.limit() - budget_.used()) / 8;
    const std::vector<std::size_t> cuts = pages.cut(plan, {.bytes = blocks_to_disk});
    for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
      const auto first_row = std::span(plan.first_row).subspan(cuts[b], cuts[b + 1] - cuts[b] + 1);
      GeneratedRows some = all;
      some.first = first_row.front();
      some.last = first_row.back();
      pages.batch().add_generated(edges_, some);
      pages.write(first_row);
    }
    pages.finish();
    written.write_degrees(orientation, writer_);
    return written;
  }

  PagePlan plan_for(const ItemRules& rules, const GeneratedRows& rows, std::span<const std::uint32_t> degree,
                    const PageOptions& pages) {
    const double bytes_per_entry = summary_.order.cost().bytes_per_entry;
    if (rules.num_segments() == 1) return plan_pages(degree, bytes_per_entry, pages);
    BlockCounts counts(rules, degree, {}, budget_);
    const auto first_vertex = to_device(counts.first_vertex());
    const auto block_at = to_device(counts.block_at());
    CudaArray<unsigned long long> counted(device_, counts.all().size(), "edges by block");
    counted.zero();
    cuda::count_blocks(device_, edges_, rows, rules.keep_self_loops,
                       {first_vertex.data(), block_at.data(), counts.shift()}, rules, counts.num_blocks(),
                       counted.data());
    device_.copy_to_host(counts.all().data(), counted.data(), counted.bytes());
    return plan_blocked_pages(counts, bytes_per_entry, pages);
  }

  GeneratedEdges edges_;
  const BuildOptions& options_;
  StoreWriter& writer_;
  CudaDevice& device_;
  Budget& budget_;
  CudaArray<VertexId> rank_, vertex_at_;  // empty for natural order
  BuildSummary summary_;
};

}  // namespace

BuildSummary generate_store_on_gpu(const GenerateOptions& graph, const std::filesystem::path& path,
                                   const BuildOptions& options) {
  if (options.duplicates == Duplicates::count)
    throw UsageError("@device@ cuda: edges that are counted are generated on the cpu alone");
  const Stopwatch watch;
  require_disk_to_generate(graph, path, options, false);
  Budget budget(memory_for_buffers(options.memory, options.memory_option), option_for_buffers(options.memory_option));
  StoreWriter writer(path, {.replace = options.replace, .stripes = options.stripes}, budget);
  CudaDevice device(options.gpu, budget);
  BuildSummary summary = GpuBuilder(graph, options, writer, device, budget).build();
  summary.seconds = watch.seconds();
  return summary;
}

}  // namespace millrace

#else

namespace millrace {
BuildSummary generate_store_on_gpu(const GenerateOptions&, const std::filesystem::path&, const BuildOptions& options) {
  throw DeviceError("cuda:{} cannot be used: Millrace was built without CUDA", options.gpu.ordinal);
}
}  // namespace millrace

#endif
