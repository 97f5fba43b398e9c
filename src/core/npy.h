// The head of a NumPy array file.
#pragma once

#include <string>

namespace millrace {

// Format 1.0: magic, header length, a dictionary padded so that data start at a multiple of 64 bytes. `dtype` and
// `shape` as Python writes them: "<f4", "(10,)".
std::string npy_header(const std::string& dtype, const std::string& shape);

}  // namespace millrace
