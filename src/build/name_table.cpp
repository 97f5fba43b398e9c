#include "millrace/build/name_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/store/writer.h"

namespace millrace {
namespace {

constexpr std::size_t group = 32;  // names that are looked up together

}  // namespace

std::uint64_t NameTable::hash_of(std::string_view name) {
  std::uint64_t hash = mix(name.size() + 1);
  for (; name.size() >= 8; name.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, name.data(), 8);
    hash = mix(hash ^ word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, name.data(), name.size());
  return mix(hash ^ word);
}

NameTable::NameTable() : slots_(slots_for(0), unlimited_budget(), "the table of names") {}

void NameTable::keep_within(NameRoom room) {
  names_.keep_within(std::move(room));
  names_.make_room(slots_.size() * sizeof(Slot));
  Array<Slot> charged(slots_.size(), names_.budget(), "the table of names");
  std::ranges::copy(slots_, charged.begin());
  slots_ = std::move(charged);
}

std::uint64_t NameTable::least_memory(std::uint64_t names) {
  return buffer_memory(slots_for(names) * sizeof(Slot)) + NameLog::least_memory(names);
}

Names NameTable::take_names() {
  slots_ = {};
  return std::exchange(names_, {}).copy();
}

void NameTable::write_names(StoreWriter& writer) {
  slots_ = {};
  writer.write_names(std::exchange(names_, {}).columns());
}

std::uint64_t NameTable::slot_of(std::string_view name, std::uint64_t hash) const {
  const std::uint64_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::uint64_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& found = slots_[slot];
    if (found.number_plus_one == 0 || (found.tag == tag && names_.is(found.number_plus_one - 1, name))) return slot;
  }
}

// Finding a name takes three random reads: slot, offset, bytes. Names are looked up in groups, so that many reads are
// in flight at a time; these reads bound it.
void NameTable::find(std::span<const std::string_view> names, VertexId* numbers) const {
  const std::uint64_t mask = slots_.size() - 1;
  for (std::size_t first = 0; first < names.size(); first += group) {
    const auto some = names.subspan(first, std::min(group, names.size() - first));
    std::uint64_t hashes[group];
    VertexId likely[group];  // the name in the first slot probed, mostly the right one
    for (std::size_t i = 0; i < some.size(); ++i) {
      hashes[i] = hash_of(some[i]);
      __builtin_prefetch(&slots_[hashes[i] & mask]);
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      likely[i] = slots_[hashes[i] & mask].number_plus_one - 1;
      if (likely[i] != no_vertex) names_.prefetch_place(likely[i]);
    }
    for (std::size_t i = 0; i < some.size(); ++i)
      if (likely[i] != no_vertex) names_.prefetch_bytes(likely[i]);
    for (std::size_t i = 0; i < some.size(); ++i)  // a free slot gives no_vertex here
      numbers[first + i] = slots_[slot_of(some[i], hashes[i])].number_plus_one - 1;
  }
}

void NameTable::add(std::span<const std::string_view> names, VertexId* numbers) {
  for (std::size_t first = 0; first < names.size(); first += group) {
    const auto some = names.subspan(first, std::min(group, names.size() - first));
    std::uint64_t hashes[group];
    for (std::size_t i = 0; i < some.size(); ++i) {
      hashes[i] = hash_of(some[i]);
      __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)], 1);
    }
    for (std::size_t i = 0; i < some.size(); ++i) numbers[first + i] = add(some[i], hashes[i]);
  }
}

VertexId NameTable::add(std::string_view name, std::uint64_t hash) {
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.number_plus_one != 0) return slot.number_plus_one - 1;
  const std::uint64_t number = size();
  if (number == max_vertices)
    throw DoesNotFitError("more than {} distinct vertex names, which is what a store can hold", max_vertices);
  if (slots_for(number + 1) > slots_.size()) {
    grow();
    return add(name, hash);
  }
  names_.add(name);
  slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<VertexId>(number + 1)};
  return static_cast<VertexId>(number);
}

void NameTable::grow() {
  const std::uint64_t slots = 2 * slots_.size();
  const std::uint64_t more = buffer_memory(slots * sizeof(Slot)) - buffer_memory(slots_.size() * sizeof(Slot));
  names_.make_room(more);
  { const Charge room(more, names_.budget(), "the table of names"); }  // throws before the old table is gone
  slots_ = {};
  slots_ = Array<Slot>(slots, names_.budget(), "the table of names");
  std::uint64_t number = 0;
  names_.for_each([&](std::string_view name) {
    const std::uint64_t hash = hash_of(name);
    std::uint64_t slot = hash & (slots - 1);
    while (slots_[slot].number_plus_one != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = {static_cast<std::uint32_t>(hash >> 32), static_cast<VertexId>(++number)};
  });
}

}  // namespace millrace
