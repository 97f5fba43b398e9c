// Columns from NumPy arrays and from objects of Python.
#include "read_columns.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "arrow_in.h"
#include "millrace/core/error.h"

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

}  // namespace

TableColumn read_column(const std::string& name, const std::string& kind, nb::handle given) {
  if (kind == "arrow") return column_of_arrow(name, given);
  return kind == "array" ? column_of_array(name, given) : column_of_objects(name, given);
}

}  // namespace millrace::python
