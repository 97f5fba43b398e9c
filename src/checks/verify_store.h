// Verifies a whole store: every checksum, the structure of every page, and that its files agree with each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "millrace/store/store.h"

namespace millrace {

struct StoreVerdict {
  std::uint64_t pages = 0;
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;  // empty: the store is intact; settings are marked (core/error.h)
  // What the format allows but does not define: members of the manifest, files in the store's directory.
  std::vector<std::string> notes;
};

// Everything; or what readers trust without looking again. They look themselves at names when they load them, and
// nobody computes with the form of the manifest, with other files, or with the figures of parts.
enum class Verify { everything, what_readers_trust };

// Reads everything once, parts twice. Reports at most a handful of bad pages; the rest is still checked. Throws
// OverBudgetError, and InterruptedError.
StoreVerdict verify_store(const Store& store, Verify what = Verify::everything, Budget& budget = unlimited_budget());

}  // namespace millrace
