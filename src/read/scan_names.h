// The names of a store's vertices, one after another, for those who look for a few: all of them together may be larger
// than the memory that a run may take.
#pragma once

#include <functional>
#include <string_view>

#include "millrace/store/store.h"

namespace millrace {

// Calls take(id, name) for each name, in ascending order of ids; nothing if the store has no names. Verifies their
// checksum and offsets. Throws DamagedStoreError; what was taken before may then be wrong.
void scan_names(const Store& store, const std::function<void(OriginalId id, std::string_view name)>& take);

}  // namespace millrace
