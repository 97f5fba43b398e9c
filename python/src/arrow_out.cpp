// Tables for everybody who reads Arrow's C stream interface: one batch, whose buffers are arrays of NumPy.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <cstring>
#include <deque>

#include "arrow_abi.h"
#include "result.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

using AnyBuffer = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Name, format, buffers (None: there is none), missing values.
using GivenColumn = std::tuple<std::string, std::string, std::vector<std::optional<AnyBuffer>>, std::int64_t>;

struct Table {
  std::vector<GivenColumn> columns;
  std::int64_t rows = 0;

  ~Table() {
    const nb::gil_scoped_acquire acquired;  // whoever read the stream may not have it
    columns.clear();
  }
};
using Shared = std::shared_ptr<const Table>;

// What the arrays of a batch point to.
struct Batch {
  Shared table;
  std::deque<std::vector<const void*>> buffers = {};
  std::deque<ArrowArray> children = {};
  std::vector<ArrowArray*> pointers = {};
  const void* nothing = nullptr;
};

struct Fields {
  Shared table;
  std::deque<ArrowSchema> children = {};
  std::vector<ArrowSchema*> pointers = {};
};

// Children are released with their parent, unless somebody has moved them and released them alone.
template <class Structure, class Owned>
void release(Structure* structure) {
  for (std::int64_t i = 0; i < structure->n_children; ++i)
    if (structure->children[i]->release) structure->children[i]->release(structure->children[i]);
  structure->release = nullptr;
  delete static_cast<std::shared_ptr<Owned>*>(structure->private_data);
}

void make_schema(const Shared& table, ArrowSchema* into) {
  const auto fields = std::make_shared<Fields>(Fields{table});
  const auto make = [&](const char* format, const char* name, std::int64_t flags) {
    return ArrowSchema{format,
                       name,
                       nullptr,
                       flags,
                       0,
                       nullptr,
                       nullptr,
                       release<ArrowSchema, Fields>,
                       new std::shared_ptr<Fields>(fields)};
  };
  for (const auto& [name, format, buffers, missing] : table->columns) {
    fields->children.push_back(make(format.c_str(), name.c_str(), arrow_nullable));
    fields->pointers.push_back(&fields->children.back());
  }
  *into = make("+s", "", 0);
  into->n_children = static_cast<std::int64_t>(fields->pointers.size());
  into->children = fields->pointers.data();
}

void make_array(const Shared& table, ArrowArray* into) {
  const auto batch = std::make_shared<Batch>(Batch{table});
  const auto make = [&](std::int64_t missing, std::int64_t count, const void** buffers) {
    return ArrowArray{table->rows,
                      missing,
                      0,
                      count,
                      0,
                      buffers,
                      nullptr,
                      nullptr,
                      release<ArrowArray, Batch>,
                      new std::shared_ptr<Batch>(batch)};
  };
  for (const auto& [name, format, buffers, missing] : table->columns) {
    std::vector<const void*>& pointers = batch->buffers.emplace_back();
    for (const std::optional<AnyBuffer>& buffer : buffers) pointers.push_back(buffer ? buffer->data() : nullptr);
    batch->children.push_back(make(missing, static_cast<std::int64_t>(pointers.size()), pointers.data()));
    batch->pointers.push_back(&batch->children.back());
  }
  *into = make(0, 1, &batch->nothing);
  into->n_children = static_cast<std::int64_t>(batch->pointers.size());
  into->children = batch->pointers.data();
}

struct Stream {
  Shared table;
  bool read = false;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* into) {
  make_schema(static_cast<Stream*>(stream->private_data)->table, into);
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* into) {
  auto* const here = static_cast<Stream*>(stream->private_data);
  if (std::exchange(here->read, true))
    std::memset(into, 0, sizeof *into);  // the end
  else
    make_array(here->table, into);
  return 0;
}

void release_stream(ArrowArrayStream* stream) {
  stream->release = nullptr;
  delete static_cast<Stream*>(stream->private_data);
}

nb::object stream_of(std::vector<GivenColumn> columns, std::int64_t rows) {
  auto table = std::make_shared<Table>();
  table->columns = std::move(columns);
  table->rows = rows;
  auto* const stream =
      new ArrowArrayStream{get_schema, get_next, [](ArrowArrayStream*) -> const char* { return nullptr; },
                           release_stream, new Stream{std::move(table)}};
  const auto destroy = [](PyObject* capsule) {
    auto* const left = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (left->release) left->release(left);
    delete left;
  };
  return nb::steal(PyCapsule_New(stream, "arrow_array_stream", destroy));
}

}  // namespace

void bind_arrow(nb::module_& module) { module.def("arrow_stream", stream_of); }

}  // namespace millrace::python
