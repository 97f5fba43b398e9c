// The typed errors of Millrace. A message names what was found, where, the limit and the remedy.
// Library code throws them; only cli/ turns them into text and an exit code.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace millrace {

enum class ExitCode : int {
  ok = 0,
  failure = 1,  // I/O and our own bugs
  usage = 2,
  bad_input = 3,
  does_not_fit = 4,
  device = 5,
  interrupted = 130,
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Defines an error class whose constructor formats its message.
#define MILLRACE_DEFINE_ERROR(Name, exit_code)                                          \
  class Name : public Error {                                                           \
   public:                                                                              \
    template <class... Args>                                                            \
    explicit Name(fmt::format_string<Args...> text, Args&&... args)                     \
        : Error(ExitCode::exit_code, fmt::format(text, std::forward<Args>(args)...)) {} \
  }

MILLRACE_DEFINE_ERROR(UsageError, usage);              // the caller asked for something that makes no sense
MILLRACE_DEFINE_ERROR(BadInputError, bad_input);       // a file is not what it should be
MILLRACE_DEFINE_ERROR(DoesNotFitError, does_not_fit);  // a budget or a limit of the format
MILLRACE_DEFINE_ERROR(DeviceError, device);
MILLRACE_DEFINE_ERROR(IoError, failure);               // the operating system said no
MILLRACE_DEFINE_ERROR(InternalError, failure);         // our bug
MILLRACE_DEFINE_ERROR(InterruptedError, interrupted);  // Ctrl-C

#undef MILLRACE_DEFINE_ERROR

// An IoError for a failed system call, with the reason from errno.
[[noreturn]] void throw_system_error(const std::string& doing, const std::string& path);

}  // namespace millrace
