#include "columns.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "millrace/core/error.h"

namespace millrace::python {
namespace {

template <class T>
T value_at(const ValueChunk& chunk, std::uint64_t i) {
  T value;
  std::memcpy(&value, chunk.values + static_cast<std::int64_t>(chunk.offset + i) * chunk.stride, sizeof value);
  return value;
}

// Calls with_type(T{}) for the type of numbers.
template <class WithType>
auto for_type(ValueType type, WithType with_type) {
  switch (type) {
    case ValueType::i8:
      return with_type(std::int8_t{});
    case ValueType::u8:
      return with_type(std::uint8_t{});
    case ValueType::i16:
      return with_type(std::int16_t{});
    case ValueType::u16:
      return with_type(std::uint16_t{});
    case ValueType::i32:
      return with_type(std::int32_t{});
    case ValueType::u32:
      return with_type(std::uint32_t{});
    case ValueType::i64:
      return with_type(std::int64_t{});
    case ValueType::u64:
      return with_type(std::uint64_t{});
    case ValueType::f32:
      return with_type(float{});
    default:
      return with_type(double{});
  }
}

// Calls visit(chunk, first in it, count, rows before) for the chunks that rows [first, first + count) lie in.
template <class Visit>
void for_chunks(const std::vector<ValueChunk>& chunks, std::uint64_t first, std::uint64_t count, Visit visit) {
  std::uint64_t begin = 0, done = 0;
  for (const ValueChunk& chunk : chunks) {
    const std::uint64_t end = begin + chunk.size;
    if (first + done < end && done < count) {
      const std::uint64_t from = first + done - begin, here = std::min(end - (first + done), count - done);
      visit(chunk, from, here, done);
      done += here;
    }
    begin = end;
  }
}

// Whether an f64 is a whole number of 64 bits. The largest one rounds to a power of two that is too large for its type.
template <class T>
bool is_exact(T value, double weight) {
  return weight < std::ldexp(1.0, std::numeric_limits<T>::digits) && static_cast<T>(weight) == value;
}

constexpr std::uint64_t nowhere = ~std::uint64_t{0};

// Ids that lie one beside the other; false if one of them is negative.
template <class T>
bool copy_ids(const ValueChunk& chunk, std::uint64_t from, std::uint64_t count, OriginalId* to, std::uint64_t stride) {
  const std::byte* const values = chunk.values + (chunk.offset + from) * sizeof(T);
  std::uint64_t signs = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof(T), sizeof value);
    signs |= to[i * stride] = static_cast<OriginalId>(value);
  }
  return !std::is_signed_v<T> || signs >> 63 == 0;
}

}  // namespace

std::uint64_t ValueChunk::index(std::uint64_t i) const {
  return for_type(type, [&]<class T>(T) { return static_cast<std::uint64_t>(value_at<T>(*this, i)); });
}

std::string_view ValueChunk::text(std::uint64_t i) const {
  if (dictionary) return dictionary->text(index(i));
  const std::uint64_t at = offset + i;
  const auto between = [&]<class T>(T) {
    T from[2];
    std::memcpy(from, values + at * sizeof(T), sizeof from);
    return std::string_view(bytes + from[0], static_cast<std::size_t>(from[1] - from[0]));
  };
  if (type == ValueType::text32) return between(std::int32_t{});
  if (type == ValueType::text64) return between(std::int64_t{});
  // A view: the length; then up to 12 bytes of text, or four of them, the number of a buffer and a place in it.
  const std::byte* const view = values + at * 16;
  std::int32_t length, place[2];
  std::memcpy(&length, view, 4);
  if (length <= 12) return {reinterpret_cast<const char*>(view + 4), static_cast<std::size_t>(length)};
  std::memcpy(place, view + 8, 8);
  return {static_cast<const char*>(buffers[2 + place[0]]) + place[1], static_cast<std::size_t>(length)};
}

bool TableColumn::text() const {
  return !chunks.empty() && is_text(chunks[0].dictionary ? chunks[0].dictionary->type : chunks[0].type);
}

void TableColumn::read_ids(std::uint64_t first, std::uint64_t count, OriginalId* into, std::uint64_t stride) const {
  for_chunks(chunks, first, count, [&](const ValueChunk& given, std::uint64_t from, std::uint64_t here, auto done) {
    const ValueChunk& chunk = given.dictionary ? *given.dictionary : given;
    if (is_text(chunk.type)) throw UsageError("{} has both numbers and texts", name);
    if (is_real(chunk.type)) throw UsageError("{} has real numbers; ids are whole numbers or texts", name);
    OriginalId* const to = into + done * stride;
    const std::uint64_t wrong = for_type(chunk.type, [&]<class T>(T) {
      if (!given.dictionary && chunk.stride == sizeof(T) && copy_ids<T>(chunk, from, here, to, stride)) return nowhere;
      for (std::uint64_t i = 0; i < here; ++i) {
        const T value = value_at<T>(chunk, given.dictionary ? given.index(from + i) : from + i);
        if constexpr (std::is_signed_v<T>)
          if (value < 0) return i;
        to[i * stride] = static_cast<OriginalId>(value);
      }
      return nowhere;
    });
    if (wrong != nowhere)
      throw UsageError("{} has a negative id at position {}; ids are whole numbers from 0 to 2**64 - 1, or texts", name,
                       first + done + wrong);
  });
}

void TableColumn::read_weights(std::uint64_t first, std::uint64_t count, double* into, WeightChoice& choice) const {
  for_chunks(chunks, first, count, [&](const ValueChunk& chunk, std::uint64_t from, std::uint64_t here, auto done) {
    if (is_text(chunk.type) || chunk.dictionary) throw UsageError("{} has values that are not numbers", name);
    for_type(chunk.type, [&]<class T>(T) {
      for (std::uint64_t i = 0; i < here; ++i) {
        const T value = value_at<T>(chunk, from + i);
        const auto weight = static_cast<double>(value);
        if (!std::isfinite(weight))
          throw UsageError("{} has {} at position {}: weights are finite", name, weight, first + done + i);
        if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
          if (!is_exact(value, weight))
            throw UsageError("{} has {} at position {}, which no f64 equals: convert the weights to real numbers", name,
                             value, first + done + i);
        into[done + i] = weight;
        choice.look_at(weight);
      }
    });
  });
}

void TableColumn::read_texts(std::uint64_t first, std::uint64_t count, std::string_view* into,
                             std::uint64_t stride) const {
  for_chunks(chunks, first, count, [&](const ValueChunk& chunk, std::uint64_t from, std::uint64_t here, auto done) {
    for (std::uint64_t i = 0; i < here; ++i) into[(done + i) * stride] = chunk.text(from + i);
  });
}

}  // namespace millrace::python
