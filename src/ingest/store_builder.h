// The build itself: from numbered edges that can be replayed to the finished store, within a budget of memory.
#pragma once

#include <functional>

#include "millrace/ingest/build.h"
#include "millrace/ingest/build_memory.h"
#include "millrace/ingest/edge_reader.h"
#include "millrace/ingest/edge_supply.h"
#include "millrace/store/writer.h"

namespace millrace {

// What a process has beside the large buffers: code, stacks, small vectors, blocks of text.
inline constexpr std::uint64_t process_overhead = 64u << 20;
// What is left of the memory for large buffers, and the option in its terms. Throws DoesNotFitError where that is too
// little.
std::uint64_t memory_for_buffers(std::uint64_t memory, const LimitOption& option);
LimitOption option_for_buffers(const LimitOption& option);

// Throws DoesNotFitError unless the disk of `where` has so much left for `what`.
void require_disk(const std::filesystem::path& where, std::uint64_t bytes, const std::string& what);

// The orientations that a store of these options has.
std::vector<Orientation> orientations_of(const BuildOptions& options);
// What the manifest says of a graph that was built.
Manifest describe_build(const BuildOptions& options, const BuildSummary& summary, WeightType weight_type,
                        std::uint64_t self_loops);

// What a build from these edges would take, with the arrays that it counts by in files: for a refusal that is true.
// `kept` and `before` are what it has, and had at most, when it starts.
BuildFacts count_build_memory(EdgeSupply& edges, const BuildOptions& options, const StoreWriter& writer,
                              std::uint64_t kept, std::uint64_t before);

// Says how much would have been enough, by counting; or, where the disk has no room even for that, what there was.
[[noreturn]] void refuse_build(const OverBudgetError& found, const Budget& budget, const std::string& what,
                               const std::function<BuildFacts()>& count, const std::string& else_do = "");

// Writes and commits the store.
BuildSummary build_from(EdgeReader& reader, BuildOptions options, StoreWriter& writer, Budget& budget);
BuildSummary build_from(EdgeSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget);

}  // namespace millrace
