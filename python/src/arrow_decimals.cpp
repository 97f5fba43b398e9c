#include "arrow_decimals.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "millrace/core/error.h"

namespace millrace::python {
namespace {

__extension__ typedef __int128 Wide;

struct Decimal {
  int digits = 0, scale = 0, bits = 128;
};

Decimal decimal_of(const ArrowSchema& schema) {
  Decimal type;
  if (std::sscanf(schema.format, "d:%d,%d,%d", &type.digits, &type.scale, &type.bits) < 2) type.bits = 0;
  return type;
}

Wide value_at(const std::byte* values, std::int64_t i, int bits) {
  std::int32_t narrow;
  std::int64_t middle;
  Wide wide;
  switch (bits) {
    case 32:
      std::memcpy(&narrow, values + 4 * i, sizeof narrow);
      return narrow;
    case 64:
      std::memcpy(&middle, values + 8 * i, sizeof middle);
      return middle;
    default:
      std::memcpy(&wide, values + 16 * i, sizeof wide);
      return wide;
  }
}

// Without the zeros at the end of its places after the point.
Decimal shortened(Decimal type, Wide& value) {
  for (; type.scale > 0 && value % 10 == 0; --type.scale) value /= 10;
  return type;
}

[[noreturn]] void refuse(const std::string& name, std::uint64_t position, const std::string& instead) {
  throw UsageError("{} has a decimal number at position {} that {}", name, position, instead);
}

}  // namespace

bool is_decimal(const ArrowSchema& schema) {
  const int bits = std::strncmp(schema.format, "d:", 2) == 0 ? decimal_of(schema).bits : 0;
  return bits == 32 || bits == 64 || bits == 128;
}

ValueChunk read_decimals(const std::string& name, const ArrowSchema& schema, const ArrowArray& array,
                         std::int64_t before, std::int64_t size, std::uint64_t row) {
  const Decimal type = decimal_of(schema);
  const auto* const values = static_cast<const std::byte*>(array.buffers[1]);
  const std::int64_t first = array.offset + before;
  constexpr Wide largest = std::numeric_limits<std::uint64_t>::max(), exact = Wide{1} << 53;
  // Ids cannot be real numbers.
  const std::string advice = name == "weight" ? ": convert the column to real numbers (DOUBLE)" : "";
  bool negative = false;
  for (std::int64_t i = 0; i < size; ++i) {
    Wide value = value_at(values, first + i, type.bits);
    negative = negative || value < 0;
    const int scale = shortened(type, value).scale;
    if (type.scale == 0 ? value > largest || value < std::numeric_limits<std::int64_t>::min()
                        : value > exact || value < -exact || scale > 22)
      refuse(name, row + static_cast<std::uint64_t>(i),
             (type.scale == 0 ? "does not fit 64 bits" : "has too many digits for an f64") + advice);
  }
  const auto copied = std::make_shared<std::vector<std::uint64_t>>(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    Wide value = value_at(values, first + i, type.bits);
    if (type.scale == 0) {
      if (negative && value > std::numeric_limits<std::int64_t>::max())
        refuse(name, row + static_cast<std::uint64_t>(i), "does not fit 64 bits beside negative ones" + advice);
      (*copied)[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(value);
    } else {
      // Powers of ten are exact up to 10^22, so that the quotient is the f64 nearest to the decimal.
      const int scale = shortened(type, value).scale;
      const double power = std::pow(10.0, std::abs(scale)), whole = static_cast<double>(value);
      const double real = scale > 0 ? whole / power : whole * power;
      std::memcpy(&(*copied)[static_cast<std::size_t>(i)], &real, sizeof real);
    }
  }
  ValueChunk chunk{.type = type.scale != 0 ? ValueType::f64
                           : negative      ? ValueType::i64
                                           : ValueType::u64,
                   .size = static_cast<std::uint64_t>(size),
                   .values = reinterpret_cast<const std::byte*>(copied->data()),
                   .stride = 8};
  chunk.copied = copied;
  return chunk;
}

}  // namespace millrace::python
