// Verifying a whole store: every checksum, the structure of every page, and that the parts agree with each other.
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
  std::vector<std::string> problems;  // empty: the store is whole; settings are marked (core/error.h)
  // What the format allows and does not know: members of the manifest, files in the store's directory.
  std::vector<std::string> notes;
};

// Reads everything once. Pages that fail are reported, up to a handful; the rest is still checked.
StoreVerdict verify_store(const Store& store);

}  // namespace millrace
