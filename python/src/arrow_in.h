// Columns that were read from Arrow's C interfaces.
#pragma once

#include <nanobind/nanobind.h>

#include "columns.h"

namespace millrace::python {

// `given`: what read_arrow() returned to Python, and the number of a column. Throws UsageError for types that are no
// numbers or texts, and for missing values.
TableColumn column_of_arrow(const std::string& name, nanobind::handle given);

// Adds read_arrow: it takes what __arrow_c_stream__ or __arrow_c_array__ returned, and knows the names of the columns.
void bind_arrow_in(nanobind::module_& module);

}  // namespace millrace::python
