// The build itself: from numbered edges that can be replayed to the finished store, within a budget of memory.
#pragma once

#include <functional>

#include "millrace/build/build.h"
#include "millrace/build/build_memory.h"
#include "millrace/build/edge_reader.h"
#include "millrace/build/edge_supply.h"
#include "millrace/store/writer.h"

namespace millrace {

// The memory of a process beside the large buffers: code, stacks, small vectors, blocks of text.
inline constexpr std::uint64_t process_overhead = 64u << 20;
// How much of the memory is left for large buffers, and the option expressed in these terms. Throws DoesNotFitError if
// it is too little.
std::uint64_t memory_for_buffers(std::uint64_t memory, const LimitOption& option);
LimitOption option_for_buffers(const LimitOption& option);

// Throws DoesNotFitError unless the disk of `where` has so many bytes left for `what`.
void require_disk(const std::filesystem::path& where, std::uint64_t bytes, const std::string& what);

// The orientations of a store with these options.
std::vector<Orientation> orientations_of(const BuildOptions& options);
// The manifest of the graph that was built.
Manifest describe_build(const BuildOptions& options, const BuildSummary& summary, WeightType weight_type,
                        std::uint64_t self_loops);

// What an edge takes while it is sorted, as the sums in build_memory.h have it: counts are weights that pages get.
std::uint64_t sorting_bytes(const EdgeSupply& edges, const BuildOptions& options);

// Counts the memory that a build from these edges would need, with its own arrays in files: for an error message that
// states a true amount. `kept` and `before`: the memory in use when the build starts, and its peak until then.
BuildFacts count_build_memory(EdgeSupply& edges, const BuildOptions& options, const StoreWriter& writer,
                              std::uint64_t kept, std::uint64_t before);

// Throws how much memory would be enough, by counting; if the disk has no room even for that, rethrows `found`.
[[noreturn]] void refuse_build(const OverBudgetError& found, const Budget& budget, const std::string& what,
                               const std::function<BuildFacts()>& count, const std::string& else_do = "");

// Writes and commits the store.
BuildSummary build_from(EdgeReader& reader, BuildOptions options, StoreWriter& writer, Budget& budget);
BuildSummary build_from(EdgeSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget);

}  // namespace millrace
