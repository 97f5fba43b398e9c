// Columns of a table as others have it in memory: numbers of any type, or strings, in one chunk or in several.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/build/weight_choice.h"
#include "millrace/core/types.h"

namespace millrace::python {

enum class ValueType { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, text32, text64, text_view };

inline bool is_text(ValueType type) { return type >= ValueType::text32; }
inline bool is_real(ValueType type) { return type == ValueType::f32 || type == ValueType::f64; }

// Consecutive values. The memory is somebody else's.
struct ValueChunk {
  ValueType type;
  std::uint64_t size = 0;
  const std::byte* values = nullptr;                  // numbers; of texts their offsets, or views
  std::int64_t stride = 0;                            // in bytes, of numbers
  std::uint64_t offset = 0;                           // of the first value, in elements
  const char* bytes = nullptr;                        // of texts
  const void* const* buffers = nullptr;               // of views
  std::shared_ptr<const ValueChunk> dictionary = {};  // the values are indices of it
  std::shared_ptr<const void> copied = {};            // what `values` points to, if it is ours

  std::string_view text(std::uint64_t i) const;
  std::uint64_t index(std::uint64_t i) const;
};

struct TableColumn {
  std::string name;  // for messages
  std::vector<ValueChunk> chunks = {};
  std::uint64_t size = 0;
  std::shared_ptr<void> owner = {};  // of the memory

  void add(ValueChunk chunk) {
    size += chunk.size;
    chunks.push_back(std::move(chunk));
  }
  bool text() const;  // also where a dictionary has texts
  // Writes the ids of rows [first, first + count) to into[0], into[stride], ... Throws UsageError for a value that is
  // no id: negative, or no whole number.
  void read_ids(std::uint64_t first, std::uint64_t count, OriginalId* into, std::uint64_t stride) const;
  // The same for weights. Throws UsageError for infinities and NaN.
  void read_weights(std::uint64_t first, std::uint64_t count, double* into, WeightChoice& choice) const;
  void read_texts(std::uint64_t first, std::uint64_t count, std::string_view* into, std::uint64_t stride) const;
};

}  // namespace millrace::python
