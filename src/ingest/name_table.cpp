#include "millrace/ingest/name_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"

namespace millrace {
namespace {

constexpr std::size_t group = 32;  // names that are looked up together

std::uint64_t hash_of(std::string_view name) {
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

}  // namespace

NameTable::NameTable() : slots_(1024, unlimited_budget(), "the table of names") { names_.offsets.push_back(0); }

std::uint64_t NameTable::slot_of(std::string_view name, std::uint64_t hash) const {
  const std::uint64_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::uint64_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& found = slots_[slot];
    if (found.number_plus_one == 0 || (found.tag == tag && names_[found.number_plus_one - 1] == name)) return slot;
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
      if (likely[i] != no_vertex) __builtin_prefetch(&names_.offsets[likely[i]]);
    }
    for (std::size_t i = 0; i < some.size(); ++i)
      if (likely[i] != no_vertex) __builtin_prefetch(names_.bytes.data() + names_.offsets[likely[i]]);
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
  names_.bytes.insert(names_.bytes.end(), name.begin(), name.end());
  names_.offsets.push_back(names_.bytes.size());
  slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<VertexId>(number + 1)};
  if (size() > slots_.size() / 2) grow();
  return static_cast<VertexId>(number);
}

void NameTable::grow() {
  const std::uint64_t slots = 2 * slots_.size();
  slots_ = {};
  slots_ = Array<Slot>(slots, unlimited_budget(), "the table of names");
  for (std::uint64_t number = 0; number < size(); ++number) {
    const std::uint64_t hash = hash_of(names_[number]);
    std::uint64_t slot = hash & (slots - 1);
    while (slots_[slot].number_plus_one != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = {static_cast<std::uint32_t>(hash >> 32), static_cast<VertexId>(number + 1)};
  }
}

}  // namespace millrace
