#include "millrace/devices/kept_results.h"

#include <utility>

namespace millrace {
namespace {

thread_local KeptResults* in_force = nullptr;

}  // namespace

KeptResults* KeptResults::current() { return in_force; }

KeptResults::InForce::InForce(KeptResults* results) : before_(std::exchange(in_force, results)) {}
KeptResults::InForce::~InForce() { in_force = before_; }

KeptResults::Kept KeptResults::find(const void* on_host) const {
  // The last one: an address may have had other values before.
  for (auto entry = all_.rbegin(); entry != all_.rend(); ++entry)
    if (entry->on_host == on_host) return entry->kept;
  return {};
}

}  // namespace millrace
