#include "millrace/engine/memory_plan.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/operators/pages_cuda.h"
#include "millrace/stream/page_cache.h"

namespace millrace {
namespace {

// Buffers of the host are whole numbers of memory pages.
constexpr std::uint64_t rounding = 4096, host_rounding = 32 * rounding;
constexpr std::uint64_t hub_slice_bytes = 8;  // of lists: what each slice of a hub adds to its row, kept and whole
constexpr std::uint64_t cpu_row_bytes = 4, cuda_row_bytes = 8;

std::uint64_t description_memory(const PageTable& table, bool lists) {
  constexpr std::uint64_t piece_bytes = 16;  // of a result: each slice of a hub may leave one
  std::uint64_t bytes = 4096;
  for (const PageEntry& entry : table) {
    bytes += sizeof(PageSpot) + (entry.slices + warps_per_block - 1) / warps_per_block * sizeof(WorkBlock) + 1;
    bytes += entry.hub_slices * (sizeof(WorkBlock) + piece_bytes + (lists ? hub_slice_bytes : 0));
  }
  return bytes;
}

std::uint64_t round_to_words(std::uint64_t vertices) { return (vertices + 63) / 64 * 64; }
// For pages to stream through.
constexpr std::uint64_t page_ring = 64u << 20;
// A pass for each chunk: no more of them than this.
constexpr std::uint64_t most_chunks = 64;
std::uint64_t least_chunk(std::uint64_t targets) {
  return std::min(targets, round_to_words((targets + most_chunks - 1) / most_chunks));
}

}  // namespace

LoadedSets choose_sets(const Store& store, const GraphNeeds& needs) {
  const std::array wanted{needs.out_pages, needs.in_pages};  // by Orientation
  const bool shared = !store.manifest().directed;
  LoadedSets sets;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!wanted[static_cast<std::size_t>(o)] || !store.has(o)) continue;
    if (!shared || sets.orientations.empty()) sets.orientations.push_back(o);
    sets.index[static_cast<std::size_t>(o)] = static_cast<int>(sets.orientations.size()) - 1;
  }
  if (needs.all_pages && (sets.index[0] < 0 || sets.index[1] < 0))
    throw UsageError("{} has {} pages alone, and this run needs both: make the store again with @orientation@ both",
                     store.path().string(),
                     orientation_name(store.has(Orientation::in) ? Orientation::in : Orientation::out));
  if (sets.orientations.empty())
    throw UsageError(
        "{} has {} pages alone, and this run needs the others: leave the direction to @direction@ auto, or make the "
        "store again with @orientation@ both",
        store.path().string(), orientation_name(store.has(Orientation::in) ? Orientation::in : Orientation::out));
  return sets;
}

MemoryPlan plan_memory(const Store& store, const GraphNeeds& needs, DeviceKind kind, Where attributes) {
  const bool far = attributes == Where::far;
  const bool cuda = kind == DeviceKind::cuda;
  const std::uint64_t n = store.num_vertices();
  const std::vector<Orientation> sets = choose_sets(store, needs).orientations;
  const bool two_degrees = needs.out_degrees && needs.in_degrees && store.manifest().directed;
  const std::uint64_t num_degrees = two_degrees ? 2 : needs.out_degrees || needs.in_degrees ? 1 : 0;
  const std::uint64_t kept =
      attribute_memory(needs.attributes + AttributeNeeds{4 * num_degrees, num_degrees}, n) + rounding;

  MemoryPlan plan{.kind = kind, .degrees = 4 * num_degrees * n};
  if (far) {
    plan.far = true;
    plan.target_bytes = cuda ? 8 : 8 + 4 + 4;
    plan.pulls = needs.gathers && !needs.supersteps.push;
    if (plan.pulls) {
      plan.target_bytes = needs.supersteps.message_bytes;
      plan.segment = store.manifest().segment;
      for (const Orientation o : sets)
        for (const PageEntry& entry : store.table(o))
          plan.all_sources = std::max<std::uint64_t>(plan.all_sources, std::uint64_t{entry.max_neighbour} + 1);
    }
    plan.far_attributes = kept;
    plan.attributes = far_superstep_memory(needs.supersteps, n, kind);
  } else {
    plan.attributes = kept + superstep_memory(needs.supersteps, n, kind);
  }
  plan.with = needs.weights ? With::weights : With::topology;
  std::uint64_t segments = 1;
  for (const Orientation o : sets) segments = std::max<std::uint64_t>(segments, store.table(o).num_segments());
  // If pages are blocked, a search on a GPU may read single rows, since opening the slices of every segment can take
  // longer; so each set needs an index.
  const bool all_sets = needs.both_ways || (cuda && segments > 1);
  if (needs.row_index) plan.row_indices = all_sets ? static_cast<std::uint32_t>(sets.size()) : 1;
  plan.needs_rows = !cuda && segments == 1;
  // What a pull gathers, segment by segment.
  if (segments > 1 && !far) plan.attributes += attribute_memory({needs.supersteps.kept_bytes, 1}, n);
  plan.rows = plan.row_indices * (n * segments * (cuda ? cuda_row_bytes : cpu_row_bytes) + (cuda ? 0 : rounding));
  for (const Orientation o : sets) {
    plan.pages += store.page_memory(o, plan.with);
    for (const PageEntry& entry : store.table(o))
      plan.largest_page = std::max(plan.largest_page, align_page(bytes_with(plan.with, entry)));
  }
  if (far) plan.largest_page = std::max(plan.largest_page, align_page(1));  // streamed, even where there is none
  if (needs.list_bytes_per_edge > 0) {
    // Two ranges of lists may be compared with each other, and sorting takes as much room again: three rooms. With room
    // for each of some dozen blocks, all pairs of ranges are done after few passes.
    constexpr std::uint64_t rooms = 3, most_blocks = 32;
    std::uint64_t longest = 0;
    for (const Orientation o : sets) longest += store.table(o).longest_row();
    plan.lists = store.num_edges() * needs.list_bytes_per_edge + rooms * (8 * n + 4096);
    plan.least_lists = std::min(plan.lists, std::max(plan.lists / most_blocks, rooms * (longest * 4 + 4096)));
    plan.attributes += plan.least_lists;
    if (segments > 1)
      plan.attributes += attribute_memory(attributes_of<std::uint32_t>(), n);  // how far they are filled
  }
  if (cuda) {
    for (const Orientation o : sets) plan.described += description_memory(store.table(o), plan.lists > 0);
    plan.host = host_rounding + n * std::max<std::uint64_t>(num_degrees > 0 ? 4 : 0, needs.result_bytes_per_vertex) +
                plan.far_attributes;
  }
  return plan;
}

void MemoryPlan::give_lists_room(std::uint64_t available, std::uint64_t least) {
  if (lists == 0) return;
  const bool all_there = !far && available >= resident();
  const std::uint64_t left = available - std::min(available, all_there ? resident() : least);
  // Streamed pages pass as often as there are blocks, so both gain by memory.
  const std::uint64_t more = std::min(lists - least_lists, all_there ? left : left / 2);
  attributes += more;
  lists_room = least_lists + more;
}

std::uint64_t MemoryPlan::least_sources() const { return std::max<std::uint64_t>(least_chunk(all_sources), 1); }

std::uint64_t MemoryPlan::least_with_chunk(std::uint64_t targets, bool pages_here, bool all) const {
  return attributes + described + (pages_here ? min_slot_memory(largest_page) : 0) +
         ((all ? targets : least_chunk(targets)) + (pulls && sources == 0 ? least_sources() : 0)) * target_bytes;
}

void MemoryPlan::choose_sources(std::uint64_t available, std::uint64_t targets, bool pages_here, bool all) {
  const std::uint64_t fixed = attributes + described + (pages_here ? min_slot_memory(largest_page) : 0);
  const std::uint64_t left = available - std::min(available, fixed);
  const std::uint64_t for_pages = pages_here ? std::min({page_ring, pages, left / 2}) : 0;
  const std::uint64_t room = (all ? left : left - for_pages) / target_bytes;
  const std::uint64_t least_targets = all ? targets : least_chunk(targets);
  // By what comes over the link: pages, once for each chunk of sources that they reach, and messages, once for each
  // chunk of targets.
  sources = least_sources();
  std::uint64_t least_bytes = ~std::uint64_t{0};
  for (std::uint64_t chunks = 1; chunks <= most_chunks; ++chunks) {
    std::uint64_t some = round_to_words((all_sources + chunks - 1) / chunks);
    if (segment > 0 && some > segment) some = some / segment * segment;
    if (some == 0 || some + least_targets > room) continue;
    const std::uint64_t passes = (std::min(all_sources, segment > 0 ? segment : all_sources) + some - 1) / some;
    const std::uint64_t at_a_time = std::min(targets, room - some);
    const std::uint64_t rounds = some < all_sources ? (targets + at_a_time - 1) / at_a_time : 1;
    const std::uint64_t bytes = passes * pages + rounds * all_sources * target_bytes;
    if (bytes >= least_bytes) continue;
    least_bytes = bytes;
    sources = some;
  }
  attributes += sources * target_bytes;
}

std::uint64_t MemoryPlan::give_chunk_room(std::uint64_t available, std::uint64_t targets, bool pages_here) {
  // Enough for pages to stream through, unless there is room for all messages: every chunk takes a pass, so they come
  // first.
  const std::uint64_t fixed = attributes + described + (pages_here ? min_slot_memory(largest_page) : 0);
  const std::uint64_t left = available - std::min(available, fixed);
  const bool all = left >= targets * target_bytes;
  const std::uint64_t for_pages = pages_here && !all ? std::min({page_ring, pages, left / 2}) : 0;
  std::uint64_t chunk = all ? targets : std::max(least_chunk(targets), (left - for_pages) / target_bytes / 64 * 64);
  if (chunk < targets) {  // chunks of one size
    const std::uint64_t chunks = (targets + chunk - 1) / chunk;
    chunk = std::min(chunk, round_to_words((targets + chunks - 1) / chunks));
  }
  chunk = std::min(chunk, targets);
  attributes += chunk * target_bytes;
  return chunk;
}

std::uint64_t MemoryPlan::least() const {
  if (far) return attributes + described + min_slot_memory(largest_page);
  return std::min(resident(), attributes + described + min_slot_memory(largest_page));
}

std::uint64_t MemoryPlan::page_buffer(std::uint64_t left) const {
  std::uint64_t most = std::max(pages, min_slot_memory(largest_page));
  // Slots are not filled to the last byte: where all pages may stay, they get room for that.
  if (far) most += pages / 4 + 4 * std::uint64_t{largest_page};
  return std::min(left / page_alignment * page_alignment, most);
}

LeastMemory least_memory(const Store& store, const GraphNeeds& needs, DeviceKind kind, const std::string& where) {
  const MemoryPlan plan = plan_memory(store, needs, kind);
  const std::uint64_t output = kind == DeviceKind::cpu ? needs.output_bytes : 0;
  return {.bytes = std::max(plan.least(), output),
          .what = output > plan.least() ? "what comes after the run (results, ids and what else the output takes)"
                                        : fmt::format("the run{} ({} of attributes, and pages on their way through)",
                                                      where, format_size(plan.attributes))};
}

std::uint64_t MemoryPlan::streaming() const {
  constexpr std::uint64_t ring = 2 * default_ring_depth * max_slot_bytes;
  return std::min(resident(), attributes + described + std::max(ring, min_slot_memory(largest_page)));
}

std::uint64_t MemoryPlan::device_with_share(double share) const {
  const std::uint64_t beside_pages = attributes + described;
  const std::uint64_t eighth = std::max(pages / 8, min_slot_memory(largest_page));
  return std::max(beside_pages + static_cast<std::uint64_t>(share * static_cast<double>(pages)),
                  std::min(beside_pages + eighth, streaming()));
}

std::uint64_t MemoryPlan::host_with_share(double share, DeviceKind kind) const {
  const bool cuda = kind == DeviceKind::cuda;
  if (share == 1) return cuda ? host + pages : resident();
  return (cuda ? host : attributes) +
         std::max(static_cast<std::uint64_t>(share * static_cast<double>(pages)), min_slot_memory(largest_page));
}

}  // namespace millrace
