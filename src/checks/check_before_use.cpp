#include "millrace/checks/check_before_use.h"

#include <algorithm>
#include <cstdlib>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/store/known_stores.h"

namespace millrace {
namespace {

bool trusts_by_environment() {
  const char* const value = std::getenv("MILLRACE_TRUST");
  const std::string trust = value ? value : "";
  if (!trust.empty() && trust != "0" && trust != "1")
    throw UsageError("MILLRACE_TRUST={} is unknown; use 1, to read stores of others without a check, or 0", trust);
  return trust == "1";
}

StoreVerdict verdict_on(const Store& store, const BeforeUse& how) try {
  Budget budget(how.memory.empty() ? available_memory() : parse_size(how.memory),
                how.memory.empty() ? LimitOption("the available memory") : LimitOption(how.memory_option));
  return verify_store(store, Verify::what_readers_trust, budget);
} catch (const OverBudgetError& error) {
  throw DoesNotFitError(
      "{} is not known to be made here, and is checked before it is used: {}, let 'millrace verify' check it, or pass "
      "@trust@ to read it without a check",
      store.path().string(), error.marked());
}

std::string remembered_text(bool remembered) {
  if (remembered) return "";
  const std::filesystem::path folder = known_stores_folder();
  return folder.empty() ? ", and is checked every time: there is no folder for a cache (set HOME or XDG_CACHE_HOME)"
                        : fmt::format(", and is checked every time: {} cannot remember it", folder.string());
}

}  // namespace

void demand_sound(const Store& store, const StoreVerdict& verdict) {
  if (verdict.problems.empty()) return;
  std::string text;
  for (const std::string& problem : verdict.problems) text += "\n  " + problem;
  throw DamagedStoreError("{} is damaged:{}", store.path().string(), text);
}

void check_before_use(const Store& store, const BeforeUse& how) {
  if (trusts_by_environment() || how.trust) return;
  if (is_known(store.files())) return;
  const std::string identity = identity_of(store.files());
  const Stopwatch watch;
  const StoreVerdict verdict = verdict_on(store, how);
  demand_sound(store, verdict);
  const bool remembered = remember(store.files(), identity);
  if (how.remark)
    how.remark(fmt::format("checked {}: {}, {}; it was not known to be made here{}",
                           printable_text(store.path().string()), format_size(verdict.bytes),
                           format_seconds(watch.seconds()), remembered_text(remembered)));
}

}  // namespace millrace
