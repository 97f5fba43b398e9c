// Columns from Arrow's C interfaces: a stream of batches, or one array.
#include "arrow_in.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "arrow_decimals.h"
#include "arrow_names.h"
#include "jobs.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/core/text.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

// Arrays of a stream, and their schema.
struct Arrow {
  ArrowSchema schema{};
  std::vector<std::unique_ptr<ArrowArray>> arrays;
  ~Arrow() {
    for (const auto& array : arrays)
      if (array->release) array->release(array.get());
    if (schema.release) schema.release(&schema);
  }
};

bool is_half(const ArrowSchema& schema) { return std::string_view(schema.format) == "e"; }

double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0   ? std::ldexp(fraction, -24)
                      : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                      : fraction == 0 ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::quiet_NaN();
  return bits >> 15 ? -size : size;
}

// Numbers of 16 bits as f64, copied. `first`: the offset of the first of them.
ValueChunk read_halves(const ArrowArray& array, std::int64_t first, std::int64_t size) {
  const auto* const values = static_cast<const std::uint16_t*>(array.buffers[1]) + first;
  const auto copied = std::make_shared<std::vector<double>>(static_cast<std::size_t>(size));
  std::transform(values, values + size, copied->begin(), half_value);
  ValueChunk chunk{.type = ValueType::f64,
                   .size = static_cast<std::uint64_t>(size),
                   .values = reinterpret_cast<const std::byte*>(copied->data()),
                   .stride = sizeof(double)};
  chunk.copied = copied;
  return chunk;
}

ValueType type_of(const std::string& name, const ArrowSchema& schema) {
  if (is_decimal(schema) || is_half(schema)) return ValueType::f64;  // of no values
  static constexpr std::pair<std::string_view, ValueType> types[] = {
      {"c", ValueType::i8},     {"C", ValueType::u8},     {"s", ValueType::i16},       {"S", ValueType::u16},
      {"i", ValueType::i32},    {"I", ValueType::u32},    {"l", ValueType::i64},       {"L", ValueType::u64},
      {"f", ValueType::f32},    {"g", ValueType::f64},    {"u", ValueType::text32},    {"U", ValueType::text64},
      {"z", ValueType::text32}, {"Z", ValueType::text64}, {"vu", ValueType::text_view}};
  for (const auto& [format, type] : types)
    if (format == schema.format) return type;
  throw UsageError("{} has values of Arrow's type {}; whole numbers, real numbers and strings can be read", name,
                   arrow_type_name(schema.format));
}

std::int64_t width_of(ValueType type) {
  static constexpr std::int64_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return is_text(type) ? 0 : widths[static_cast<std::size_t>(type)];
}

std::uint64_t nulls_in(const ArrowArray& array) {
  const auto* const valid = array.n_buffers > 0 ? static_cast<const std::uint8_t*>(array.buffers[0]) : nullptr;
  if (array.null_count == 0 || !valid) return 0;
  std::uint64_t nulls = 0;
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) nulls += !(valid[i / 8] >> (i % 8) & 1);
  return nulls;
}

// `before`: the offset of the struct that it is a child of, and `size` its length. `row`: the first of the column.
ValueChunk chunk_of(const std::string& name, const ArrowSchema& schema, const ArrowArray& array, std::int64_t before,
                    std::int64_t size, std::uint64_t row) {
  if (const std::uint64_t nulls = nulls_in(array); nulls > 0)
    throw UsageError("{} has {}: leave {} out", name, format_counted(nulls, "missing value"),
                     nulls == 1 ? "this row" : "these rows");
  if (is_decimal(schema)) return read_decimals(name, schema, array, before, size, row);
  if (is_half(schema)) return read_halves(array, array.offset + before, size);
  const ValueType type = type_of(name, schema);
  ValueChunk chunk{.type = type,
                   .size = static_cast<std::uint64_t>(size),
                   .values = static_cast<const std::byte*>(array.buffers[1]),
                   .stride = width_of(type),
                   .offset = static_cast<std::uint64_t>(array.offset + before)};
  if (type == ValueType::text_view)
    chunk.buffers = array.buffers;
  else if (is_text(type))
    chunk.bytes = static_cast<const char*>(array.buffers[2]);
  if (schema.dictionary)
    chunk.dictionary = std::make_shared<const ValueChunk>(
        chunk_of(name, *schema.dictionary, *array.dictionary, 0, array.dictionary->length, 0));
  return chunk;
}

void read_stream(nb::handle capsule, Arrow& into) {
  auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!stream) throw nb::python_error();
  // Without the GIL, which threads of the stream may need.
  run_job([&] {
    const auto require = [&](int error) {
      if (error == 0) return;
      const char* const reason = stream->get_last_error(stream);
      throw UsageError("the table cannot be read: {}", reason ? reason : std::strerror(error));
    };
    require(stream->get_schema(stream, &into.schema));
    for (;;) {
      throw_if_interrupted();
      auto array = std::make_unique<ArrowArray>();
      std::memset(array.get(), 0, sizeof *array);
      require(stream->get_next(stream, array.get()));
      if (!array->release) return;
      into.arrays.push_back(std::move(array));
    }
  });
}

void read_array(nb::handle pair, Arrow& into) {
  const nb::tuple both = nb::cast<nb::tuple>(pair);
  auto* const schema = static_cast<ArrowSchema*>(PyCapsule_GetPointer(both[0].ptr(), "arrow_schema"));
  auto* const array = static_cast<ArrowArray*>(PyCapsule_GetPointer(both[1].ptr(), "arrow_array"));
  if (!schema || !array) throw nb::python_error();
  into.schema = *schema;
  schema->release = nullptr;  // ours from now on
  into.arrays.push_back(std::make_unique<ArrowArray>(*array));
  array->release = nullptr;
}

bool is_table(const Arrow& all) { return std::string_view(all.schema.format) == "+s"; }

// What Python holds: arrays that were read, of which it chooses columns.
struct ReadArrow {
  std::shared_ptr<Arrow> all = std::make_shared<Arrow>();
};

ReadArrow read_arrow(nb::handle given) {
  ReadArrow read;
  PyTuple_Check(given.ptr()) ? read_array(given, *read.all) : read_stream(given, *read.all);
  return read;
}

// The names of the columns of a table; None: it is one column.
nb::object names_of(const ReadArrow& read) {
  if (!is_table(*read.all)) return nb::none();
  nb::list names;
  for (std::int64_t i = 0; i < read.all->schema.n_children; ++i) {
    const char* const name = read.all->schema.children[i]->name;
    names.append(nb::str(name ? name : ""));
  }
  return names;
}

}  // namespace

TableColumn column_of_arrow(const std::string& name, nb::handle given) {
  const nb::tuple both = nb::cast<nb::tuple>(given);
  const std::shared_ptr<Arrow> all = nb::cast<const ReadArrow&>(both[0]).all;
  const bool table = is_table(*all);
  const std::size_t i = nb::cast<std::size_t>(both[1]);
  TableColumn column{.name = name, .owner = all};
  const ArrowSchema& schema = table ? *all->schema.children[i] : all->schema;
  for (const auto& array : all->arrays)
    column.add(chunk_of(name, schema, table ? *array->children[i] : *array, table ? array->offset : 0, array->length,
                        column.size));
  if (all->arrays.empty()) column.add({.type = type_of(name, schema)});
  return column;
}

void bind_arrow_in(nb::module_& module) {
  nb::class_<ReadArrow>(module, "ReadArrow").def_prop_ro("names", names_of);
  module.def("read_arrow", read_arrow);
}

}  // namespace millrace::python
