// Columns from objects of Python.
#pragma once

#include <nanobind/nanobind.h>

#include "columns.h"

namespace millrace::python {

// `kind`: "array", of NumPy; "objects", a sequence of texts or whole numbers; "arrow", what __arrow_c_stream__ or
// __arrow_c_array__ returned: a column, or a table of two or three. `names` are for messages. Throws UsageError for
// types that are no numbers or texts, and for missing values.
std::vector<TableColumn> read_columns(const std::vector<std::string>& names, const std::string& kind,
                                      nanobind::handle given);

}  // namespace millrace::python
