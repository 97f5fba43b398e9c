#include "millrace/core/error.h"

#include <cerrno>
#include <cstring>

namespace millrace {

void throw_system_error(const std::string& doing, const std::string& path) {
  const int reason = errno;
  throw IoError("cannot {} {}: {}", doing, path, std::strerror(reason));
}

}  // namespace millrace
