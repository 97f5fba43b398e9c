// A store that this user did not make is verified before it is read for the first time: readers trust what is in pages.
#pragma once

#include <functional>
#include <string>

#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"

namespace millrace {

struct BeforeUse {
  bool trust = false;                                   // no check, like MILLRACE_TRUST=1
  std::string memory = {};                              // the most that the check may take; empty: what is available
  std::string memory_option = setting("host-memory");   // where that comes from
  std::function<void(const std::string&)> remark = {};  // called with remarks for the user
};

// Verifies what readers trust, unless the store is known (store/known_stores.h), and remembers it. Throws
// DamagedStoreError if the store is damaged, DoesNotFitError, and UsageError for another value of MILLRACE_TRUST.
void check_before_use(const Store& store, const BeforeUse& how);

// Throws DamagedStoreError with the problems, if there are any.
void demand_sound(const Store& store, const StoreVerdict& verdict);

}  // namespace millrace
