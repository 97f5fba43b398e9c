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

// Reads everything once. Reports at most a handful of bad pages; the rest is still checked.
StoreVerdict verify_store(const Store& store);

}  // namespace millrace
