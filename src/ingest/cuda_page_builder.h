// Pages made on a GPU: keys are sorted, merged and encoded there, bit for bit into the pages that PageEncoder makes of
// the same rows. Graphs without weights only. This header needs no CUDA; in a build without it making a builder throws.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "millrace/devices/cuda.h"
#include "millrace/ingest/cuda_generate.h"
#include "millrace/pages/page_builder.h"

namespace millrace {

struct CudaBuildOptions {
  std::uint64_t num_vertices = 0;
  std::uint32_t neighbour_bits = 0;  // a key is row << neighbour_bits | neighbour
  PageOptions pages = {};
  bool keep_self_loops = false;  // of generated edges
};

struct CudaBuildResult {
  std::uint64_t edges = 0;
  std::uint64_t self_loops = 0;
  std::uint64_t vertices_by_host = 0;  // those that exceed a page are encoded on the CPU
};

// Which generated edges become keys: the rows [first, last) of an orientation, or both ways where undirected.
struct GeneratedRows {
  Orientation orientation = Orientation::out;
  bool undirected = false;
  const VertexId* rank = nullptr;  // on the GPU; null: vertices keep their numbers
  VertexId first = 0, last = 0;    // after renumbering
};

// What else is on the host while a batch is made.
struct HostNeeds {
  std::uint64_t bytes = 0;
  std::uint64_t bytes_per_key = 0;  // of a batch
};

// Makes one batch of pages after another: add keys of some rows, then encode them.
class CudaPageBuilder {
 public:
  // Takes the memory for batches of `most_keys` from the device's budget.
  CudaPageBuilder(CudaDevice& device, const CudaBuildOptions& options, std::uint64_t most_keys);
  ~CudaPageBuilder();
  CudaPageBuilder(const CudaPageBuilder&) = delete;
  CudaPageBuilder& operator=(const CudaPageBuilder&) = delete;

  // What a key takes, beside a part that does not depend on them.
  static constexpr std::uint64_t bytes_per_key() { return 2 * sizeof(std::uint64_t); }
  // The most keys of a batch that what is left of the device's memory allows, and of the host's. Throws DoesNotFitError
  // where that is less than `least`.
  static std::uint64_t most_keys(CudaDevice& device, const PageOptions& pages, std::uint64_t least = 0,
                                 const HostNeeds& beside = {});

  // Keys of this batch, in any order; throw DoesNotFitError past `most_keys`.
  void add(std::span<const std::uint64_t> keys);
  void add_generated(const GeneratedEdges& edges, const GeneratedRows& rows);
  std::uint64_t num_keys() const;

  // Encodes the batch in the planned pages [first_vertex[i], first_vertex[i+1]) and hands them to `sink` in order. All
  // rows must lie in these. Merges parallel keys unless they are kept. `degrees` has room for the merged degrees of all
  // planned vertices, or is empty; `other_degrees`, on the GPU, counts every merged edge at its neighbour, or is null.
  CudaBuildResult encode(std::span<const VertexId> first_vertex, std::span<std::uint32_t> degrees,
                         std::uint32_t* other_degrees, const std::function<void(std::vector<EncodedPage>&&)>& sink);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
