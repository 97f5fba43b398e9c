// The errors of the library as exceptions of Python (millrace/errors.py), and texts with settings as Python names them.
#pragma once

#include <string>

#include "millrace/core/error.h"

namespace millrace::python {

// A file that does not exist, where the library says so in another way than by the reason of a system call.
class MissingFileError : public IoError {
 public:
  explicit MissingFileError(const Error& error) : IoError("{}", error.marked()) {}
};

// "host-memory" becomes "host_memory", and "from" becomes "from_".
std::string python_name(std::string_view name);
// A text of the library for people who use Python: marked settings are shown as Python names them.
std::string with_arguments(const std::string& marked);

void register_errors();

}  // namespace millrace::python
