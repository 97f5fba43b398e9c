#include "errors.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

void raise(const char* type, const std::string& message) {
  const std::string text = printable_text(message, Lines::several);
  const nb::object error = nb::module_::import_("millrace.errors").attr(type)(text.c_str());
  if (std::string_view(type) == "MissingFileError") error.attr("errno") = ENOENT;
  PyErr_SetObject(error.type().ptr(), error.ptr());
}

// Errors of system calls end with the reason (throw_system_error).
bool is_missing(const Error& error) {
  return dynamic_cast<const MissingFileError*>(&error) ||
         std::string_view(error.what()).ends_with(std::strerror(ENOENT));
}

const char* type_of(const Error& error) {
  switch (error.code()) {
    case ExitCode::usage:
      return "UsageError";
    case ExitCode::bad_input:
      return "BadInputError";
    case ExitCode::does_not_fit:
      return "DoesNotFitError";
    case ExitCode::device:
      return "DeviceError";
    default:
      if (dynamic_cast<const IoError*>(&error)) return is_missing(error) ? "MissingFileError" : "IoError";
      return dynamic_cast<const InternalError*>(&error) ? "InternalError" : "Error";  // such as no convergence
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InterruptedError&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const Error& error) {
    raise(type_of(error), with_arguments(error.marked()));
  } catch (const std::system_error& error) {  // also of std::filesystem
    raise("IoError", error.what());
  }
}

}  // namespace

std::string python_name(std::string_view name) {
  std::string shown(name);
  std::ranges::replace(shown, '-', '_');
  return shown == "from" || shown == "in" || shown == "is" ? shown + "_" : shown;  // words of the language
}

std::string with_arguments(const std::string& marked) { return with_settings(marked, python_name); }

void register_errors() { nb::register_exception_translator(translate, nullptr); }

}  // namespace millrace::python
