#include "millrace/core/npy.h"

#include <fmt/core.h>

#include <cstdint>

namespace millrace {

std::string npy_header(const std::string& dtype, const std::string& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, shape);
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string whole("\x93NUMPY\x01\x00", 8);
  whole += static_cast<char>(length & 0xff);
  whole += static_cast<char>(length >> 8);
  return whole + header;
}

}  // namespace millrace
