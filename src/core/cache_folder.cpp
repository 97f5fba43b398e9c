#include "millrace/core/cache_folder.h"

#include <cstdlib>

namespace millrace {

std::filesystem::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache && *cache == '/') return std::filesystem::path(cache) / "millrace";
  return home && *home == '/' ? std::filesystem::path(home) / ".cache" / "millrace" : std::filesystem::path();
}

}  // namespace millrace
