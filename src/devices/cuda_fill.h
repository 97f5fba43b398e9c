// Fills GPU memory with copies of a value of up to 64 bytes; fastest where they are 2, 4 or 8.
#pragma once

#include <cstdint>

struct CUstream_st;

namespace millrace {

void cuda_fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count, CUstream_st* stream);

}  // namespace millrace
