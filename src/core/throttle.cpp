#include "millrace/core/throttle.h"

#include <atomic>
#include <cmath>
#include <cstdlib>

#include "millrace/core/error.h"

namespace millrace {
namespace {

std::atomic<bool> unthrottled{false};

double rate_from_environment(const char* name) {
  const char* const text = std::getenv(name);
  if (!text || !*text) return 0;
  char* end = nullptr;
  const double rate = std::strtod(text, &end);
  if (*end || !std::isfinite(rate) || !(rate > 0))
    throw UsageError("{}={}: a rate in GB/s is a number above 0", name, text);
  return unthrottled ? 0 : rate * 1e9;
}

}  // namespace

double link_throttle() { return rate_from_environment("MILLRACE_LINK_GBPS"); }
double disk_throttle() { return rate_from_environment("MILLRACE_DISK_GBPS"); }

Unthrottled::Unthrottled() { unthrottled = true; }
Unthrottled::~Unthrottled() { unthrottled = false; }

}  // namespace millrace
