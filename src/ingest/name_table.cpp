#include "millrace/ingest/name_table.h"

#include <cstring>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"

namespace millrace {
namespace {

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

VertexId NameTable::find(std::string_view name) const {
  return slots_[slot_of(name, hash_of(name))].number_plus_one - 1;  // a free slot has no_vertex this way
}

VertexId NameTable::add(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
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
