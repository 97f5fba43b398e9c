#include "millrace/stream/page_cache.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/pages/format.h"

namespace millrace {

std::uint64_t min_slot_memory(std::uint32_t largest_page) {
  return 2 * std::uint64_t{std::max(align_page(largest_page), page_alignment)};
}

SlotLayout choose_slots(std::uint64_t available_bytes, std::uint32_t largest_page, std::uint64_t most_slot_bytes) {
  const std::uint64_t least = std::max(align_page(largest_page), page_alignment);
  const std::uint64_t wanted = std::min(available_bytes / 8, most_slot_bytes) / page_alignment * page_alignment;
  const std::uint64_t slot_bytes = std::max(least, wanted);
  const std::uint64_t slots = std::min<std::uint64_t>(available_bytes / slot_bytes, ~std::uint32_t{0} - 1);
  return {.slot_bytes = slot_bytes, .slots = slots < 2 ? 0 : static_cast<std::uint32_t>(slots)};
}

PageCache::PageCache(std::vector<std::uint32_t> page_bytes, SlotLayout layout, std::span<const std::uint32_t> groups,
                     std::uint32_t ring_depth)
    : page_bytes_(std::move(page_bytes)),
      starts_group_(page_bytes_.size()),
      layout_(layout),
      ring_depth_(std::clamp(ring_depth, 2u, std::max(layout.slots, 2u))),
      place_(page_bytes_.size(), nowhere),
      slots_(layout.slots) {
  if (layout.slots < 2) throw InternalError("a page cache of {} slots; it takes 2", layout.slots);
  for (std::uint32_t p = 0; p < num_pages(); ++p)
    if (page_bytes_[p] == 0 || page_bytes_[p] > slot_bytes())
      throw InternalError("page {} has {} bytes, a slot {}", p, page_bytes_[p], slot_bytes());
  for (const std::uint32_t first : groups)
    if (first < num_pages()) starts_group_[first] = true;
  if (num_pages() > 0) largest_page_ = *std::max_element(page_bytes_.begin(), page_bytes_.end());
}

Pass PageCache::plan(std::span<const std::uint32_t> needed, std::span<const std::uint32_t> soon, bool may_end_early) {
  require_distinct(needed);
  ++clock_;
  Pass pass;
  const std::vector<std::uint32_t> misses = find_misses(needed, pass);
  for (const std::uint32_t page : soon)
    if (holds(page)) slots_[slot_of(page)].used = clock_;
  if (may_end_early) {
    slots_before_ = slots_;
    last_filled_before_ = last_filled_;
  }
  const std::vector<Batch> batches = pack(misses);
  // In order of pages, so that runs are long.
  std::vector<std::uint32_t> ascending(needed.begin(), needed.end());
  if (!std::is_sorted(ascending.begin(), ascending.end())) std::sort(ascending.begin(), ascending.end());
  if (fits_last_filled(batches)) {
    plan_hits(ascending, {}, pass);
    append(last_filled_, batches.front(), pass);
    pass.steps.back().appends = true;
  } else {
    const std::vector<std::uint32_t> targets = choose_targets(batches.size());
    plan_hits(ascending, targets, pass);
    for (std::uint64_t i = 0; i < batches.size(); ++i) overwrite(targets[i % targets.size()], batches[i], pass);
  }
  traffic_.hit_bytes += pass.hit_bytes;
  traffic_.hit_pages += pass.hit_pages;
  traffic_.load_bytes += pass.load_bytes;
  traffic_.load_pages += pass.load_pages;
  return pass;
}

void PageCache::end_early(const Pass& pass, std::uint64_t pages) {
  if (pages >= pass.load_pages) return;
  for (const Slot& slot : slots_)
    for (const std::uint32_t page : slot.pages) place_[page] = nowhere;
  slots_ = std::move(slots_before_);
  last_filled_ = last_filled_before_;
  for (std::uint32_t s = 0; s < num_slots(); ++s) {
    std::uint64_t place = s * slot_bytes();
    for (const std::uint32_t page : slots_[s].pages) {
      place_[page] = place;
      place += page_bytes_[page];
    }
  }
  for (const Step& step : pass.steps) {
    if (!step.load) continue;
    Slot& slot = slots_[step.slot];
    if (pages > 0 && !step.appends) {
      for (const std::uint32_t page : slot.pages) place_[page] = nowhere;
      slot = {.filled = ++clock_};
      last_filled_ = step.slot;
    }
    if (pages > 0) slot.used = clock_;
    for (const PageRun& run : step.runs)
      for (std::uint32_t page = run.first; page < run.first + run.count; ++page) {
        if (pages == 0) {
          traffic_.load_bytes -= page_bytes_[page];
          --traffic_.load_pages;
          continue;
        }
        --pages;
        place_[page] = step.slot * slot_bytes() + slot.bytes;
        slot.bytes += page_bytes_[page];
        slot.pages.push_back(page);
      }
  }
}

void PageCache::forget_all() {
  std::fill(place_.begin(), place_.end(), nowhere);
  std::fill(slots_.begin(), slots_.end(), Slot{});
  last_filled_ = no_slot;
}

std::uint64_t PageCache::held_bytes() const {
  std::uint64_t sum = 0;
  for (const Slot& slot : slots_) sum += slot.bytes;
  return sum;
}

void PageCache::require_distinct(std::span<const std::uint32_t> needed) {
  seen_.resize(num_pages());
  std::size_t good = 0;
  while (good < needed.size() && needed[good] < num_pages() && !seen_[needed[good]]) seen_[needed[good++]] = true;
  for (std::size_t i = 0; i < good; ++i) seen_[needed[i]] = false;
  if (good < needed.size()) throw InternalError("page {} of {} is needed twice", needed[good], num_pages());
}

// Counts hits and misses, and marks the slots that the pass needs.
std::vector<std::uint32_t> PageCache::find_misses(std::span<const std::uint32_t> needed, PageTraffic& traffic) {
  std::vector<std::uint32_t> misses;
  for (const std::uint32_t page : needed)
    if (holds(page)) {
      slots_[slot_of(page)].used = clock_;
      traffic.hit_bytes += page_bytes_[page];
    } else {
      misses.push_back(page);
      traffic.load_bytes += page_bytes_[page];
    }
  traffic.hit_pages = needed.size() - misses.size();
  traffic.load_pages = misses.size();
  return misses;
}

// Cuts the misses into batches; each fills at most one slot.
std::vector<PageCache::Batch> PageCache::pack(std::span<const std::uint32_t> misses) const {
  std::vector<Batch> batches;
  for (std::size_t i = 0; i < misses.size(); ++i) {
    const std::uint32_t bytes = page_bytes_[misses[i]];
    if (batches.empty() || batches.back().bytes + bytes > slot_bytes()) batches.push_back({misses.subspan(i, 0), 0});
    Batch& batch = batches.back();
    batch = {{batch.pages.data(), batch.pages.size() + 1}, batch.bytes + bytes};
  }
  return batches;
}

// A few misses are appended to the slot filled last: a long search would otherwise fill the slots with one page each.
bool PageCache::fits_last_filled(std::span<const Batch> batches) const {
  return batches.size() == 1 && last_filled_ != no_slot &&
         slots_[last_filled_].bytes + batches.front().bytes <= slot_bytes();
}

// The slots to overwrite, in turn. If the batches fit in slots that the pass does not need: the least recently used of
// these. Else the pass is a scan, in which the least recently used pages are those needed soonest. A scan overwrites a
// ring of slots: the slots that it does not need; slots with room for more pages, since a batch fills them; and, if
// these are fewer than the ring should have, the slots filled last. All other slots keep their pages, pass after pass.
std::vector<std::uint32_t> PageCache::choose_targets(std::uint64_t batches) const {
  std::vector<std::uint32_t> ring, rest;
  for (std::uint32_t s = 0; s < num_slots(); ++s) (needed_now(s) ? rest : ring).push_back(s);
  std::stable_sort(ring.begin(), ring.end(), [&](auto a, auto b) { return slots_[a].used < slots_[b].used; });
  if (batches > ring.size()) {
    const auto roomy = [&](std::uint32_t s) { return slots_[s].bytes + largest_page_ <= slot_bytes(); };
    std::sort(rest.begin(), rest.end(),
              [&](auto a, auto b) { return roomy(a) != roomy(b) ? roomy(a) : slots_[a].filled > slots_[b].filled; });
    for (const std::uint32_t s : rest)
      if (roomy(s) || ring.size() < ring_depth_) ring.push_back(s);
  }
  ring.resize(std::min<std::uint64_t>(ring.size(), batches));
  return ring;
}

// Plans the pages that are in the cache: first those in slots that the pass overwrites; the others are held.
void PageCache::plan_hits(std::span<const std::uint32_t> needed, std::span<const std::uint32_t> targets,
                          Pass& pass) const {
  constexpr std::uint32_t stays = ~std::uint32_t{0};
  std::vector<std::uint32_t> step_of(num_slots(), stays);
  for (const std::uint32_t slot : targets) {
    if (!needed_now(slot)) continue;
    step_of[slot] = static_cast<std::uint32_t>(pass.steps.size());
    pass.steps.push_back({.slot = slot, .load = false});
  }
  for (const std::uint32_t page : needed) {
    if (!holds(page)) continue;
    const std::uint32_t step = step_of[slot_of(page)];
    add_to(step == stays ? pass.held : pass.steps[step].runs, page);
  }
  // Slots whose pages are needed soon, but not now.
  std::erase_if(pass.steps, [](const Step& step) { return step.runs.empty(); });
}

void PageCache::overwrite(std::uint32_t slot, const Batch& batch, Pass& pass) {
  for (const std::uint32_t page : slots_[slot].pages) place_[page] = nowhere;
  slots_[slot] = {.filled = ++clock_};
  last_filled_ = slot;
  append(slot, batch, pass);
}

void PageCache::append(std::uint32_t slot, const Batch& batch, Pass& pass) {
  Slot& target = slots_[slot];
  Step step{.slot = slot, .load = true};
  for (const std::uint32_t page : batch.pages) {
    place_[page] = slot * slot_bytes() + target.bytes;
    target.bytes += page_bytes_[page];
    target.pages.push_back(page);
    add_to(step.runs, page);
  }
  target.used = clock_;
  pass.steps.push_back(std::move(step));
}

// Adds a page to `runs`: to the last run if the page follows it both in number and in memory.
void PageCache::add_to(std::vector<PageRun>& runs, std::uint32_t page) const {
  const std::uint64_t bytes = page_bytes_[page];
  if (!runs.empty() && !starts_group_[page]) {
    PageRun& last = runs.back();
    if (last.first + last.count == page && last.place + last.bytes == place_[page]) {
      ++last.count;
      last.bytes += bytes;
      return;
    }
  }
  runs.push_back({.first = page, .count = 1, .place = place_[page], .bytes = bytes});
}

}  // namespace millrace
