#include "millrace/partition/assign_metis.h"

#include "millrace/core/error.h"

#if MILLRACE_WITH_METIS

#include <dlfcn.h>
#include <metis.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "millrace/build/store_builder.h"
#include "millrace/core/child_process.h"
#include "millrace/core/parallel.h"
#include "millrace/core/text.h"
#include "millrace/partition/store_edges.h"

namespace millrace {
namespace {

constexpr const char* library_name = "libmetis.so.5";

// The function of the METIS library, which stays loaded while this object lives.
class Metis {
 public:
  Metis() : library_(dlopen(library_name, RTLD_NOW), &dlclose) {
    if (library_) part_graph_ = reinterpret_cast<PartGraph>(dlsym(library_.get(), "METIS_PartGraphKway"));
    if (!part_graph_)
      throw UsageError("@method@ metis needs {}, which is not here: install it (Debian: libmetis5) or choose another",
                       library_name);
  }
  template <class... Args>
  int operator()(Args... args) const {
    return part_graph_(args...);
  }

 private:
  using PartGraph = decltype(&METIS_PartGraphKway);
  std::unique_ptr<void, int (*)(void*)> library_;
  PartGraph part_graph_ = nullptr;
};

// Entries of the symmetric graph, before duplicates are removed.
std::uint64_t num_entries(const Manifest& manifest) {
  return (manifest.num_edges - manifest.self_loops) * (manifest.directed ? 2 : 1);
}

// The symmetric simple graph: the neighbours of v are [first[v], first[v + 1]).
struct SimpleGraph {
  Array<idx_t> first, neighbours;

  SimpleGraph(const Store& store, Budget& budget)
      : first(store.num_vertices() + 1, budget, "the rows of METIS"),
        neighbours(num_entries(store.manifest()), budget, "the neighbours of METIS") {
    count(store);
    fill(store);
    make_simple();
  }

 private:
  // fill() counts first[v] down, so that it ends at the beginning of the row.
  void count(const Store& store) {
    for_each_page(store, "count", [&](auto&& edges) {
      edges([&](VertexId source, VertexId target) {
        if (source == target) return;
        std::atomic_ref(first[source]).fetch_add(1, std::memory_order_relaxed);
        std::atomic_ref(first[target]).fetch_add(1, std::memory_order_relaxed);
      });
    });
    for (std::uint64_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  }
  void fill(const Store& store) {
    const auto put = [&](VertexId v, VertexId neighbour) {
      neighbours[std::atomic_ref(first[v]).fetch_sub(1, std::memory_order_relaxed) - 1] = static_cast<idx_t>(neighbour);
    };
    for_each_page(store, "gather", [&](auto&& edges) {
      edges([&](VertexId source, VertexId target) {
        if (source != target) put(source, target), put(target, source);
      });
    });
  }
  // Sorts rows, so that the result does not depend on thread timing, and removes duplicates.
  void make_simple() {
    const std::uint64_t n = first.size() - 1;
    parallel_drawn(n, 1024,
                   [&](std::uint64_t v) { std::sort(neighbours.data() + first[v], neighbours.data() + first[v + 1]); });
    idx_t* end = neighbours.data();
    for (std::uint64_t v = 0; v < n; ++v) {
      const idx_t* const begin = neighbours.data() + first[v];
      first[v] = static_cast<idx_t>(end - neighbours.data());
      end = std::unique_copy(begin, static_cast<const idx_t*>(neighbours.data()) + first[v + 1], end);
    }
    first[n] = static_cast<idx_t>(end - neighbours.data());
  }
};

}  // namespace

std::uint64_t metis_memory(const Manifest& manifest) {
  const std::uint64_t n = manifest.num_vertices, entries = num_entries(manifest);
  const std::uint64_t weight = manifest.num_edges * (manifest.directed ? 2 : 1) + n;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max());
  if (weight > most)
    throw DoesNotFitError(
        "METIS counts in {} bits here, up to {}; this graph has {} vertices and edges, both ways; choose another "
        "@method@, such as biased",
        8 * sizeof(idx_t), format_count(most), format_count(weight));
  // The graph, and what METIS adds: edge weights, and coarser graphs, which shrink slowly if there are hubs. In total
  // 62 to 67 bytes an entry on RMAT graphs of scale 18 and 20, less on a grid.
  return 72 * entries + 64 * n;
}

void assign_metis(const Store& store, const AssignOptions& options, Array<PartId>& part, Budget& budget) {
  const Metis metis;
  if (options.parts == 1) return;  // METIS refuses one part
  const Charge own(metis_memory(store.manifest()), budget, "METIS");
  SimpleGraph graph(store, unlimited_budget());
  Array<idx_t> weights(part.size(), unlimited_budget(), "the weights of METIS");
  {
    const RowSizes sizes(store, unlimited_budget());
    // A vertex without edges has a weight too, so that not all of them go to one part.
    for (std::uint64_t v = 0; v < weights.size(); ++v)
      weights[v] = static_cast<idx_t>(std::max<std::uint64_t>(sizes[static_cast<VertexId>(v)], 1));
  }
  const SharedMemory shared(part.size() * sizeof(idx_t));
  auto* const chosen = static_cast<idx_t*>(shared.data());
  idx_t n = static_cast<idx_t>(part.size()), constraints = 1, parts = static_cast<idx_t>(options.parts), cut = 0;
  idx_t settings[METIS_NOPTIONS];
  std::fill(std::begin(settings), std::end(settings), -1);  // -1: default
  settings[METIS_OPTION_SEED] = static_cast<idx_t>(options.seed & std::numeric_limits<idx_t>::max());
  // On SIGTERM METIS jumps out of its own signal handler, which hangs if there are other threads.
  const int failed = run_in_child([&] {
    const int status = metis(&n, &constraints, graph.first.data(), graph.neighbours.data(), weights.data(), nullptr,
                             nullptr, &parts, nullptr, nullptr, settings, &cut, chosen);
    return status == METIS_OK ? 0 : status == METIS_ERROR_MEMORY ? 1 : 2;
  });
  if (failed == 1) throw DoesNotFitError("METIS ran out of memory; choose another @method@, such as biased");
  if (failed != 0) throw IoError("METIS failed; choose another @method@, such as biased");
  for (std::uint64_t v = 0; v < part.size(); ++v) part[v] = static_cast<PartId>(chosen[v]);
}

}  // namespace millrace

#else

namespace millrace {

std::uint64_t metis_memory(const Manifest&) { return 0; }

void assign_metis(const Store&, const AssignOptions&, Array<PartId>&, Budget&) {
  throw UsageError(
      "@method@ metis: this build is without METIS; install its header (Debian: libmetis-dev) and build again, or "
      "choose another method");
}

}  // namespace millrace

#endif
