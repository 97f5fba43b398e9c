// Which pages lie where in the memory of a device that cannot hold them all. The memory is one region of equal slots; a
// slot holds whole pages back to back. The same slots are the ring that a pass streams through and the cache that
// serves the next pass. This is only a plan: nothing here accesses a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace {

// Consecutive pages of one group, back to back from byte `place` of the region on.
struct PageRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint64_t place = 0;
  std::uint64_t bytes = 0;
  bool operator==(const PageRun&) const = default;
};

// Work on one slot. If `load` is true, its pages have to be copied first; else they are there, and a later step
// overwrites them.
struct Step {
  std::uint32_t slot = 0;
  bool load = false;
  bool appends = false;  // its pages go behind those that are in the slot
  std::vector<PageRun> runs = {};
  bool operator==(const Step&) const = default;
};

struct PageTraffic {
  std::uint64_t hit_bytes = 0, load_bytes = 0;
  std::uint64_t hit_pages = 0, load_pages = 0;
};

// How each page of a superstep is visited once: `held` runs at any time; steps that share a slot in their order.
struct Pass : PageTraffic {
  std::vector<PageRun> held = {};  // not overwritten by any step; ascending
  std::vector<Step> steps = {};
};

struct SlotLayout {
  std::uint64_t slot_bytes = 0;
  std::uint32_t slots = 0;  // 0: not even two pages fit
  std::uint64_t bytes() const { return slot_bytes * slots; }
};

// Large enough to use the link well, and small enough that most slots can stay while some of them stream.
inline constexpr std::uint64_t max_slot_bytes = 32u << 20;

// The least memory to stream through: one page is computed on while another arrives.
std::uint64_t min_slot_memory(std::uint32_t largest_page);
// Cuts `available_bytes` into slots; `slots` is 0 if that is less than min_slot_memory().
SlotLayout choose_slots(std::uint64_t available_bytes, std::uint32_t largest_page,
                        std::uint64_t most_slot_bytes = max_slot_bytes);

// How many slots the ring of a scan has: how far the copies may be ahead of the kernels. With many slots in all, a few
// more of them in the ring hardly make the cache smaller.
inline constexpr std::uint32_t default_ring_depth = 4;
inline std::uint32_t ring_depth(const SlotLayout& layout) {
  return std::clamp(layout.slots / 32, default_ring_depth, 16u);
}

class PageCache {
 public:
  // `page_bytes`: the size of each page, 1 to layout.slot_bytes. `groups`: the first pages of groups; a run does not
  // cross into another group, because its pages lie elsewhere on the host. At least two slots.
  PageCache(std::vector<std::uint32_t> page_bytes, SlotLayout layout, std::span<const std::uint32_t> groups = {},
            std::uint32_t ring_depth = default_ring_depth);

  // Plans a pass over the pages `needed` (distinct; loads keep their order) and assumes that it will be carried out. If
  // it fails, call forget_all(). `soon`: pages of passes that follow: together they are one scan, and what is kept of
  // it stays until its turn comes.
  Pass plan(std::span<const std::uint32_t> needed, std::span<const std::uint32_t> soon = {},
            bool may_end_early = false);
  // Tells the cache that the pass planned last ended early: only its first `pages` loads were carried out.
  void end_early(const Pass& pass, std::uint64_t pages);
  void forget_all();

  bool holds(std::uint32_t page) const { return place_[page] != nowhere; }
  std::uint64_t place(std::uint32_t page) const { return place_[page]; }  // only if holds(page)

  std::uint32_t num_pages() const { return static_cast<std::uint32_t>(page_bytes_.size()); }
  std::uint32_t num_slots() const { return layout_.slots; }
  std::uint64_t slot_bytes() const { return layout_.slot_bytes; }
  std::span<const std::uint32_t> page_bytes() const { return page_bytes_; }
  std::uint64_t held_bytes() const;                        // of the pages held now
  const PageTraffic& traffic() const { return traffic_; }  // of all passes so far

 private:
  struct Slot {
    std::vector<std::uint32_t> pages = {};
    std::uint64_t bytes = 0;   // of these pages
    std::uint64_t used = 0;    // time of the last pass that needed one of them; 0: never
    std::uint64_t filled = 0;  // time of its first page
  };
  struct Batch {
    std::span<const std::uint32_t> pages;
    std::uint64_t bytes = 0;
  };
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  std::uint32_t slot_of(std::uint32_t page) const { return static_cast<std::uint32_t>(place_[page] / slot_bytes()); }
  bool needed_now(std::uint32_t slot) const { return slots_[slot].used == clock_; }
  void require_distinct(std::span<const std::uint32_t> needed);
  std::vector<std::uint32_t> find_misses(std::span<const std::uint32_t> needed, PageTraffic& traffic);
  std::vector<Batch> pack(std::span<const std::uint32_t> misses) const;
  bool fits_last_filled(std::span<const Batch> batches) const;
  std::vector<std::uint32_t> choose_targets(std::uint64_t batches) const;
  void plan_hits(std::span<const std::uint32_t> needed, std::span<const std::uint32_t> targets, Pass& pass) const;
  void overwrite(std::uint32_t slot, const Batch& batch, Pass& pass);
  void append(std::uint32_t slot, const Batch& batch, Pass& pass);
  void add_to(std::vector<PageRun>& runs, std::uint32_t page) const;

  std::vector<std::uint32_t> page_bytes_;
  std::vector<bool> starts_group_;
  SlotLayout layout_;
  std::uint32_t largest_page_ = 0;
  std::uint32_t ring_depth_;
  std::vector<std::uint64_t> place_;
  std::vector<Slot> slots_;
  std::uint32_t last_filled_ = no_slot;
  // What a pass that may end early found.
  std::vector<Slot> slots_before_;
  std::uint32_t last_filled_before_ = no_slot;
  std::uint64_t clock_ = 0;  // counts passes and overwritten slots
  std::vector<bool> seen_;   // scratch, all false
  PageTraffic traffic_;
};

}  // namespace millrace
