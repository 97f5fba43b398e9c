// Columns from objects of Python: NumPy arrays and what follows Arrow's interfaces.
#include "read_columns.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "arrow_abi.h"
#include "jobs.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

ValueType type_of(const std::string& name, nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const auto code = static_cast<Code>(type.code);
  const int bits = type.bits;
  if (code == Code::Int)
    return bits == 8 ? ValueType::i8 : bits == 16 ? ValueType::i16 : bits == 32 ? ValueType::i32 : ValueType::i64;
  if (code == Code::UInt)
    return bits == 8 ? ValueType::u8 : bits == 16 ? ValueType::u16 : bits == 32 ? ValueType::u32 : ValueType::u64;
  if (code == Code::Float && bits == 32) return ValueType::f32;
  if (code == Code::Float && bits == 64) return ValueType::f64;
  throw UsageError("{} has values of a type that is no number of 8 to 64 bits", name);
}

TableColumn column_of_array(const std::string& name, nb::handle array) {
  AnyArray values = nb::cast<AnyArray>(array);
  const ValueType type = type_of(name, values.dtype());
  TableColumn column{.name = name};
  column.add({.type = type,
              .size = values.shape(0),
              .values = static_cast<const std::byte*>(values.data()),
              .stride = values.stride(0) * (values.dtype().bits / 8)});
  column.owner = std::shared_ptr<void>(new AnyArray(std::move(values)), [](void* p) {
    const nb::gil_scoped_acquire acquired;
    delete static_cast<AnyArray*>(p);
  });
  return column;
}

// Texts or whole numbers, each an object of Python.
TableColumn column_of_objects(const std::string& name, nb::handle objects) {
  struct Copied {
    std::vector<OriginalId> ids;
    std::vector<std::int64_t> offsets{0};
    std::string bytes;
  };
  const auto copied = std::make_shared<Copied>();
  std::uint64_t position = 0;
  for (const nb::handle object : nb::iter(objects)) {
    if (PyUnicode_Check(object.ptr())) {
      Py_ssize_t size = 0;
      const nb::object encoded = nb::steal(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape"));
      if (!encoded.is_valid()) throw nb::python_error();
      char* data = nullptr;
      if (PyBytes_AsStringAndSize(encoded.ptr(), &data, &size) != 0) throw nb::python_error();
      copied->bytes.append(data, static_cast<std::size_t>(size));
      copied->offsets.push_back(static_cast<std::int64_t>(copied->bytes.size()));
    } else {
      const nb::object number = nb::steal(PyNumber_Index(object.ptr()));
      if (!number.is_valid()) {
        PyErr_Clear();
        throw UsageError("{} has a value at position {} that is neither a whole number nor a text", name, position);
      }
      const unsigned long long id = PyLong_AsUnsignedLongLong(number.ptr());
      if (id == ~0ull && PyErr_Occurred()) {
        PyErr_Clear();
        throw UsageError("{} has an id at position {} that is not from 0 to 2**64 - 1", name, position);
      }
      copied->ids.push_back(id);
    }
    if (!copied->ids.empty() && copied->offsets.size() > 1)
      throw UsageError("{} has both numbers and texts, the first other one at position {}", name, position);
    ++position;
  }
  TableColumn column{.name = name};
  column.owner = copied;
  if (copied->offsets.size() > 1)
    column.add({.type = ValueType::text64,
                .size = position,
                .values = reinterpret_cast<const std::byte*>(copied->offsets.data()),
                .bytes = copied->bytes.data()});
  else
    column.add({.type = ValueType::u64,
                .size = position,
                .values = reinterpret_cast<const std::byte*>(copied->ids.data()),
                .stride = sizeof(OriginalId)});
  return column;
}

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

ValueType type_of(const std::string& name, const ArrowSchema& schema) {
  static constexpr std::pair<std::string_view, ValueType> types[] = {
      {"c", ValueType::i8},     {"C", ValueType::u8},     {"s", ValueType::i16},       {"S", ValueType::u16},
      {"i", ValueType::i32},    {"I", ValueType::u32},    {"l", ValueType::i64},       {"L", ValueType::u64},
      {"f", ValueType::f32},    {"g", ValueType::f64},    {"u", ValueType::text32},    {"U", ValueType::text64},
      {"z", ValueType::text32}, {"Z", ValueType::text64}, {"vu", ValueType::text_view}};
  for (const auto& [format, type] : types)
    if (format == schema.format) return type;
  throw UsageError("{} has values of Arrow's type \"{}\"; whole numbers, real numbers and strings can be read", name,
                   schema.format);
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

// `before`: the offset of the struct that it is a child of, and `size` its length.
ValueChunk chunk_of(const std::string& name, const ArrowSchema& schema, const ArrowArray& array, std::int64_t before,
                    std::int64_t size) {
  if (const std::uint64_t nulls = nulls_in(array); nulls > 0)
    throw UsageError("{} has {} missing values: leave these rows out", name, nulls);
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
        chunk_of(name, *schema.dictionary, *array.dictionary, 0, array.dictionary->length));
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

std::vector<TableColumn> columns_of_arrow(const std::vector<std::string>& names, nb::handle given) {
  const auto all = std::make_shared<Arrow>();
  PyTuple_Check(given.ptr()) ? read_array(given, *all) : read_stream(given, *all);
  const bool table = std::string_view(all->schema.format) == "+s";
  const std::size_t count = table ? static_cast<std::size_t>(all->schema.n_children) : 1;
  if (table && (count < 2 || count > 3))
    throw UsageError("the table has {} columns; edges have two, source and target, or three, with a weight", count);
  std::vector<TableColumn> columns;
  for (std::size_t i = 0; i < count; ++i) {
    TableColumn& column = columns.emplace_back();
    column.name = names.at(i);
    column.owner = all;
    const ArrowSchema& schema = table ? *all->schema.children[i] : all->schema;
    for (const auto& array : all->arrays)
      column.add(chunk_of(column.name, schema, table ? *array->children[i] : *array, table ? array->offset : 0,
                          array->length));
    if (all->arrays.empty()) column.add({.type = type_of(column.name, schema)});
  }
  return columns;
}

}  // namespace

std::vector<TableColumn> read_columns(const std::vector<std::string>& names, const std::string& kind,
                                      nb::handle given) {
  if (kind == "arrow") return columns_of_arrow(names, given);
  std::vector<TableColumn> columns;
  columns.push_back(kind == "array" ? column_of_array(names.at(0), given) : column_of_objects(names.at(0), given));
  return columns;
}

}  // namespace millrace::python
