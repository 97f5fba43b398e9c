// Pages made on a GPU: keys are sorted, merged and encoded there, into the same pages, bit for bit, as PageEncoder
// makes from the same rows. Only for graphs without weights. This header needs no CUDA; in a build without CUDA the
// constructor throws.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "millrace/build/cuda_generate.h"
#include "millrace/build/keys.h"
#include "millrace/devices/cuda.h"
#include "millrace/pages/page_builder.h"

namespace millrace {

struct CudaBuildOptions {
  KeyBits bits = {};
  PageOptions pages = {};
  bool keep_self_loops = false;  // for generated edges
};

struct CudaBuildResult {
  std::uint64_t edges = 0;
  std::uint64_t self_loops = 0;
  std::uint64_t vertices_by_host = 0;  // vertices that exceed a page, which the CPU encodes
};

// Which generated edges become keys: those with row keys in [first, last) in an orientation; if undirected, of both
// directions.
struct GeneratedRows {
  Orientation orientation = Orientation::out;
  bool undirected = false;
  const VertexId* rank = nullptr;     // on the GPU; null: vertices are not renumbered
  std::uint64_t first = 0, last = 0;  // after renumbering
};

// Other host memory that is in use while a batch is made.
struct HostNeeds {
  std::uint64_t bytes = 0;
  std::uint64_t bytes_per_key = 0;  // for each key of a batch
};

// Makes one batch of pages after another: add the keys of some rows, then encode them.
class CudaPageBuilder {
 public:
  // Takes the memory for batches of `most_keys` from the device's budget.
  CudaPageBuilder(CudaDevice& device, const CudaBuildOptions& options, std::uint64_t most_keys);
  ~CudaPageBuilder();
  CudaPageBuilder(const CudaPageBuilder&) = delete;
  CudaPageBuilder& operator=(const CudaPageBuilder&) = delete;

  // Memory for each key, beside a part that does not depend on the number of keys.
  static constexpr std::uint64_t bytes_per_key() { return 2 * sizeof(std::uint64_t); }
  // The most keys of a batch that the memory left on the device and the host allows. Throws DoesNotFitError if that is
  // less than `least`.
  static std::uint64_t most_keys(CudaDevice& device, const PageOptions& pages, std::uint64_t least = 0,
                                 const HostNeeds& beside = {});

  // Adds keys to this batch, in any order; throws DoesNotFitError past `most_keys`.
  void add(std::span<const std::uint64_t> keys);
  void add_generated(const GeneratedEdges& edges, const GeneratedRows& rows);
  std::uint64_t num_keys() const;

  // Encodes the batch into the planned pages [first_row[i], first_row[i+1]), given by row keys, and passes them to
  // `sink` in order. All rows must lie in these. Merges parallel keys unless they are kept. To `degrees`, by vertex, or
  // empty, the merged lengths of rows are added; `other_degrees`, on the GPU, counts every merged edge at its
  // neighbour, or is null.
  CudaBuildResult encode(std::span<const std::uint64_t> first_row, std::span<std::uint32_t> degrees,
                         std::uint32_t* other_degrees, const std::function<void(std::vector<EncodedPage>&&)>& sink);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace millrace
