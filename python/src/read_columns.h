// Columns from objects of Python.
#pragma once

#include <nanobind/nanobind.h>

#include "columns.h"

namespace millrace::python {

// `kind`: "array", of NumPy; "objects", a sequence of texts or whole numbers; "arrow" (arrow_in.h). `name` is for
// messages. Throws UsageError for types that are neither numbers nor texts, and for missing values.
TableColumn read_column(const std::string& name, const std::string& kind, nanobind::handle given);

}  // namespace millrace::python
