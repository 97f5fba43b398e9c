// Which part each vertex of a store goes to.
#pragma once

#include <string>

#include "millrace/store/store.h"

namespace millrace {

using PartId = std::uint16_t;
inline constexpr std::uint32_t max_parts = 0xffff;

enum class PartMethod { range, random, modulo, biased, metis };
// As the command line and the manifest call it.
const char* part_method_name(PartMethod method);

struct AssignOptions {
  PartMethod method = PartMethod::range;
  std::uint32_t parts = 2;
  std::uint64_t seed = 1;  // of random, biased and metis
  double bias = 1;         // of biased: how often a neighbour decides, 0 to 1
};

// How many edges the rows of each vertex have, in all orientations that are stored: what parts are balanced by.
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

// The part of every vertex; the same for the same store and options. Throws UsageError where there are no parts, or
// more than vertices.
Array<PartId> assign_parts(const Store& store, const AssignOptions& options, Budget& budget);

}  // namespace millrace
