#include "millrace/build/cuda_page_builder.h"

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>
#include <utility>

#include "millrace/build/collect_rows_cuda.h"
#include "millrace/build/cuda_chunk_encoder.h"
#include "millrace/core/text.h"
#include "millrace/pages/encode.h"

namespace millrace {
namespace {

using cuda::KeyRows;
using cuda::PageTask;

// Positions of keys are kept in 32 bits.
constexpr std::uint64_t highest_most_keys = ~std::uint32_t{0} - 1;
// For CUB's scratch and the plan of pages.
constexpr std::uint64_t beside_keys = std::uint64_t{256} << 20;

// The host memory of a builder: two staging buffers and the pages of a chunk; and for vertices that exceed a page,
// which may be all, keys, neighbours and pages.
std::uint64_t host_bytes(const PageOptions& pages, std::uint64_t keys) {
  constexpr std::uint64_t bytes_per_key = sizeof(std::uint64_t) + 2 * sizeof(VertexId);
  return 3 * cuda::ChunkLimits(pages, std::max<std::uint64_t>(keys, 1)).bytes + keys * bytes_per_key;
}

std::uint64_t left_of(const Budget& budget) { return budget.limit() - std::min(budget.used(), budget.limit()); }

void check(const CudaBuildOptions& options, std::uint64_t most_keys) {
  PageEncoder encoder(options.pages);  // throws for a bad page size
  if (options.pages.weight_type != WeightType::none) throw InternalError("pages with weights are not encoded on a GPU");
  if (most_keys > highest_most_keys)
    throw InternalError("a batch of {} keys; a GPU encodes at most {} at once", most_keys, highest_most_keys);
}

}  // namespace

class CudaPageBuilder::Impl {
 public:
  Impl(CudaDevice& device, const CudaBuildOptions& options, std::uint64_t most_keys)
      : device_(device),
        options_(options),
        limits_(options.pages, std::max<std::uint64_t>(most_keys, 1)),
        keys_(device, most_keys + 1, "keys"),
        other_keys_(device, most_keys + 1, "keys"),
        cursor_(device, 1, "a count"),
        primitives_(device),
        chunks_(device, options.pages, limits_),
        staging_{{device, limits_.bytes}, {device, limits_.bytes}} {}

  std::uint64_t num_keys() const { return num_keys_; }

  void add(std::span<const std::uint64_t> keys) {
    device_.select();
    require_room(keys.size());
    device_.copy_to_device(keys_.data() + num_keys_, keys.data(), keys.size_bytes());
    num_keys_ += keys.size();
  }

  void add_generated(const GeneratedEdges& edges, const GeneratedRows& rows) {
    if (edges.kind == GenerateOptions::Kind::grid) throw InternalError("grids are not generated on a GPU");
    device_.select();
    cursor_.zero();
    cuda::collect_rows(device_, edges, rows, options_, keys_.data() + num_keys_, most_keys() - num_keys_,
                       cursor_.data());
    const std::uint64_t found = read_cursor();
    require_room(found);
    num_keys_ += found;
  }

  CudaBuildResult encode(std::span<const std::uint64_t> first_row, std::span<std::uint32_t> degrees,
                         std::uint32_t* other_degrees, const std::function<void(std::vector<EncodedPage>&&)>& sink) {
    device_.select();
    if (first_row.size() < 2) throw InternalError("a plan of {} pages", first_row.size());
    const KeyRows rows = sort_and_merge();
    CudaBuildResult result{.edges = rows.num_keys};
    cursor_.zero();
    cuda::count_neighbours(rows, other_degrees, cursor_.data(), device_.main_stream());
    result.self_loops = read_cursor();
    if (!degrees.empty()) add_degrees(rows, first_row.front(), first_row.back(), degrees);
    encode_chunks(rows, plan(rows, first_row), result, sink);
    return result;
  }

 private:
  std::uint64_t most_keys() const { return keys_.size() - 1; }

  void require_room(std::uint64_t more) const {
    if (more > most_keys() - num_keys_)
      throw DoesNotFitError(
          "{} edges to be sorted at once on {}, with room for {}; choose @device@ cpu, or free memory there",
          num_keys_ + more, device_.name(), most_keys());
  }

  std::uint64_t read_cursor() {
    std::uint64_t value = 0;
    device_.copy_to_host(&value, cursor_.data(), sizeof(value));
    return value;
  }

  // The sorted keys are in keys_, and row_first is in the memory that sorting needed.
  KeyRows sort_and_merge() {
    std::uint64_t count = std::exchange(num_keys_, 0);
    if (primitives_.sort(keys_.data(), other_keys_.data(), count, options_.bits.bits()) != keys_.data())
      keys_.swap(other_keys_);
    if (!options_.pages.keep_parallel_edges) {
      count = primitives_.unique(keys_.data(), count, other_keys_.data());
      keys_.swap(other_keys_);
    }
    auto* const row_first = reinterpret_cast<std::uint32_t*>(other_keys_.data());
    const std::uint64_t num_rows = primitives_.find_heads(keys_.data(), count, options_.bits.neighbour_bits, row_first);
    const auto end = static_cast<std::uint32_t>(count);
    device_.copy_to_device(row_first + num_rows, &end, sizeof(end));
    return {keys_.data(), row_first, end, static_cast<std::uint32_t>(num_rows), options_.bits};
  }

  // The positions of some ascending row keys in the batch: their first keys and rows.
  struct Places {
    std::vector<std::uint32_t> key, row;
  };
  Places find(const KeyRows& rows, std::span<const std::uint64_t> row_key) {
    const std::uint64_t count = row_key.size();
    CudaArray<std::uint64_t> wanted(device_, count, "plan of pages");
    CudaArray<std::uint32_t> found(device_, 2 * count, "plan of pages");
    device_.copy_to_device(wanted.data(), row_key.data(), row_key.size_bytes());
    cuda::find_row_keys(rows, wanted.data(), static_cast<std::uint32_t>(count), found.data(), found.data() + count,
                        device_.main_stream());
    Places places{std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count)};
    device_.copy_to_host(places.key.data(), found.data(), count * sizeof(std::uint32_t));
    device_.copy_to_host(places.row.data(), found.data() + count, count * sizeof(std::uint32_t));
    return places;
  }

  std::vector<PageTask> plan(const KeyRows& rows, std::span<const std::uint64_t> first_row) {
    const Places at = find(rows, first_row);
    if (at.key.front() != 0 || at.key.back() != rows.num_keys)
      throw InternalError("{} of {} keys lie outside of the row keys {} to {}",
                          rows.num_keys - (at.key.back() - at.key.front()), rows.num_keys, first_row.front(),
                          first_row.back());
    const KeyBits& bits = options_.bits;
    std::vector<PageTask> tasks(first_row.size() - 1);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      PageTask& task = tasks[t];
      task.segment = static_cast<std::uint32_t>(bits.segment_of(first_row[t]));
      task.first_vertex = bits.row_of(first_row[t]);
      task.vertex_count = bits.end_row(first_row[t], first_row[t + 1]) - task.first_vertex;
      task.first_key = at.key[t];
      task.num_keys = at.key[t + 1] - at.key[t];
      task.first_row = at.row[t];
      task.num_rows = at.row[t + 1] - at.row[t];
    }
    return tasks;
  }

  // Reads the lengths of rows segment by segment, a window at a time, through a staging buffer.
  void add_degrees(const KeyRows& rows, std::uint64_t first_row, std::uint64_t last_row,
                   std::span<std::uint32_t> degrees) {
    const KeyBits& bits = options_.bits;
    const std::uint64_t window = staging_[0].size() / sizeof(std::uint32_t);
    std::vector<std::uint64_t> begin;
    while (first_row < last_row) {
      const VertexId end = bits.end_row(first_row, last_row);
      for (std::uint64_t v = bits.row_of(first_row); v < end; v += window)
        begin.push_back(bits.row_key(bits.segment_of(first_row), static_cast<VertexId>(v)));
      first_row = bits.row_key(bits.segment_of(first_row) + 1, 0);
    }
    begin.push_back(last_row);
    const Places at = find(rows, begin);
    for (std::size_t w = 0; w + 1 < begin.size(); ++w) {
      if (at.row[w] == at.row[w + 1]) continue;
      const VertexId first = bits.row_of(begin[w]), last = bits.end_row(begin[w], begin[w + 1]);
      const std::span<std::uint32_t> here = degrees.subspan(first, last - first);
      auto* const counted = reinterpret_cast<std::uint32_t*>(staging_[0].on_device());
      device_.set_bytes(counted, 0, here.size_bytes());
      cuda::write_degrees(rows, at.row[w], at.row[w + 1], first, counted, device_.main_stream());
      staging_[0].start_copy(here.size_bytes());
      staging_[0].wait();
      const auto* const from = reinterpret_cast<const std::uint32_t*>(staging_[0].on_host());
      parallel_for(here.size(), [&](std::uint64_t i) { here[i] += from[i]; });
    }
  }

  // While the GPU encodes a chunk, the host finishes the previous one.
  void encode_chunks(const KeyRows& rows, std::vector<PageTask> pending, CudaBuildResult& result,
                     const std::function<void(std::vector<EncodedPage>&&)>& sink) {
    cuda::StartedChunk started;
    std::uint32_t turn = 0;
    const auto finish = [&](cuda::Staging& staging) {
      if (started.tasks.empty()) return;
      std::vector<EncodedPage> pages = chunks_.finish(started, rows, staging, result.vertices_by_host);
      if (!pages.empty()) sink(std::move(pages));
    };
    std::ranges::reverse(pending);  // start() takes from the end
    while (!pending.empty()) {
      cuda::StartedChunk next = chunks_.start(rows, pending, staging_[turn % 2]);
      finish(staging_[(turn + 1) % 2]);
      started = std::move(next);
      ++turn;
    }
    finish(staging_[(turn + 1) % 2]);
  }

  CudaDevice& device_;
  CudaBuildOptions options_;
  cuda::ChunkLimits limits_;
  CudaArray<std::uint64_t> keys_, other_keys_;
  std::uint64_t num_keys_ = 0;
  CudaArray<unsigned long long> cursor_;
  cuda::Primitives primitives_;
  cuda::ChunkEncoder chunks_;
  cuda::Staging staging_[2];
};

CudaPageBuilder::CudaPageBuilder(CudaDevice& device, const CudaBuildOptions& options, std::uint64_t most_keys) {
  check(options, most_keys);
  device.select();
  impl_ = std::make_unique<Impl>(device, options, most_keys);
}
CudaPageBuilder::~CudaPageBuilder() = default;

std::uint64_t CudaPageBuilder::most_keys(CudaDevice& device, const PageOptions& pages, std::uint64_t least,
                                         const HostNeeds& beside) {
  const std::uint64_t left = left_of(device.memory());
  const std::uint64_t fixed = cuda::ChunkLimits(pages, highest_most_keys).device_bytes() + beside_keys;
  const std::uint64_t needed = fixed + least * bytes_per_key();
  if (left <= needed || least > highest_most_keys)
    throw DoesNotFitError(
        "encoding pages of up to {} edges needs {} on {}, which has {} left and takes at most {} edges at once; choose "
        "@device@ cpu, or free memory there",
        least, format_size(needed), device.name(), format_size(left), highest_most_keys);

  const auto on_host = [&](std::uint64_t keys) {
    return beside.bytes + keys * beside.bytes_per_key + host_bytes(pages, keys);
  };
  const std::uint64_t host_left = left_of(device.host_memory());
  device.host_memory().require(on_host(least), fmt::format("sorting a page of {} edges on {}", least, device.name()));
  std::uint64_t most = std::min((left - fixed) / bytes_per_key(), highest_most_keys);
  if (on_host(most) <= host_left) return most;
  std::uint64_t fits = least;
  while (most - fits > 1) {
    const std::uint64_t middle = fits + (most - fits) / 2;
    (on_host(middle) <= host_left ? fits : most) = middle;
  }
  return fits;
}

void CudaPageBuilder::add(std::span<const std::uint64_t> keys) { impl_->add(keys); }
void CudaPageBuilder::add_generated(const GeneratedEdges& edges, const GeneratedRows& rows) {
  impl_->add_generated(edges, rows);
}
std::uint64_t CudaPageBuilder::num_keys() const { return impl_->num_keys(); }
CudaBuildResult CudaPageBuilder::encode(std::span<const std::uint64_t> first_row, std::span<std::uint32_t> degrees,
                                        std::uint32_t* other_degrees,
                                        const std::function<void(std::vector<EncodedPage>&&)>& sink) {
  return impl_->encode(first_row, degrees, other_degrees, sink);
}

}  // namespace millrace

#else

namespace millrace {

class CudaPageBuilder::Impl {};

CudaPageBuilder::CudaPageBuilder(CudaDevice& device, const CudaBuildOptions&, std::uint64_t) {
  throw DeviceError("{}: this millrace was built without CUDA and makes pages on the CPU alone", device.name());
}

// No builder exists, so none of these is ever called.
CudaPageBuilder::~CudaPageBuilder() = default;
std::uint64_t CudaPageBuilder::most_keys(CudaDevice&, const PageOptions&, std::uint64_t, const HostNeeds&) { return 0; }
void CudaPageBuilder::add(std::span<const std::uint64_t>) {}
void CudaPageBuilder::add_generated(const GeneratedEdges&, const GeneratedRows&) {}
std::uint64_t CudaPageBuilder::num_keys() const { return 0; }
CudaBuildResult CudaPageBuilder::encode(std::span<const std::uint64_t>, std::span<std::uint32_t>, std::uint32_t*,
                                        const std::function<void(std::vector<EncodedPage>&&)>&) {
  return {};
}

}  // namespace millrace

#endif
