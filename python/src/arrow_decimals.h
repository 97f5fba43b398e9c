// Decimal numbers of Arrow: what DuckDB makes of DECIMAL columns and of sums of whole numbers.
#pragma once

#include "arrow_abi.h"
#include "columns.h"

namespace millrace::python {

// Whether the values are decimals of 32, 64 or 128 bits.
bool is_decimal(const ArrowSchema& schema);

// `row` of the column is the first of them. The values as whole numbers of 64 bits or, if they have places after the
// point, as f64, copied. `before` and `size` as in chunk_of. Throws UsageError for a value that has no exact f64 or
// 64-bit number; of 15 digits and fewer every decimal has one f64 that shows as the same digits.
ValueChunk read_decimals(const std::string& name, const ArrowSchema& schema, const ArrowArray& array,
                         std::int64_t before, std::int64_t size, std::uint64_t row);

}  // namespace millrace::python
