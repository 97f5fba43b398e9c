// Chooses the part of each vertex of a store.
#pragma once

#include <string>

#include "millrace/store/store.h"

namespace millrace {

using PartId = std::uint16_t;
inline constexpr std::uint32_t max_parts = 0xffff;

enum class PartMethod { range, random, modulo, biased, metis };
// The name of a method on the command line and in the manifest.
const char* part_method_name(PartMethod method);

struct AssignOptions {
  PartMethod method = PartMethod::range;
  std::uint32_t parts = 2;
  std::uint64_t seed = 1;  // for random, biased and metis
  double bias = 1;         // for biased: how often a neighbour decides, 0 to 1
};

// How many edges the rows of each vertex have, in all stored orientations: parts are balanced by these.
class RowSizes {
 public:
  RowSizes(const Store& store, Budget& budget);
  std::uint64_t operator[](VertexId v) const { return std::uint64_t{first_[v]} + (second_.empty() ? 0 : second_[v]); }
  std::uint64_t size() const { return first_.size(); }
  std::uint64_t total() const { return total_; }

 private:
  Array<std::uint32_t> first_, second_;
  std::uint64_t total_ = 0;
};

// The part of every vertex; the same for the same store and options. Throws UsageError for no parts, or for more parts
// than vertices.
Array<PartId> assign_parts(const Store& store, const AssignOptions& options, Budget& budget);

}  // namespace millrace
