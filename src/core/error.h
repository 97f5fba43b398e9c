// The typed errors of Millrace. A message names what was found, where, the limit and the remedy.
// Library code throws them; only cli/ turns them into text and an exit code.
//
// A message names settings, not options of the command: @host-memory@ in a format string. Internally the names are
// marked, and the caller that shows a message chooses their form: the command prints --host-memory. what() has the
// plain name.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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

// The marked name of a setting, to insert into a text.
std::string setting(std::string_view name);
// Replaces each @name@ in a text by the marked name of that setting.
std::string mark_settings(std::string_view text);
// A marked text for users: the prefix before every name, and no marks.
std::string with_settings(std::string_view marked, std::string_view prefix);
// The same with names as shown(name) writes them.
std::string with_settings(std::string_view marked, const std::function<std::string(std::string_view)>& shown);

// Formats a message and marks each @name@ of the format string. Arguments are inserted unchanged: '@' is an ordinary
// character in them, and names that are already marked stay marked.
std::string format_marked(fmt::string_view text, fmt::format_args args);
template <class... Args>
std::string marked_text(fmt::format_string<Args...> text, Args&&... args) {
  return format_marked(text, fmt::make_format_args(args...));
}

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message)
      : std::runtime_error(with_settings(message, "")), code_(code), marked_(message) {}
  ExitCode code() const { return code_; }
  // The message with its settings marked: for with_settings, and to insert into the message of another error.
  const std::string& marked() const { return marked_; }

 private:
  ExitCode code_;
  std::string marked_;
};

// Defines an error class whose constructor formats its message, as marked_text does.
#define MILLRACE_DEFINE_ERROR(Name, exit_code)                                          \
  class Name : public Error {                                                           \
   public:                                                                              \
    template <class... Args>                                                            \
    explicit Name(fmt::format_string<Args...> text, Args&&... args)                     \
        : Error(ExitCode::exit_code, marked_text(text, std::forward<Args>(args)...)) {} \
  }

MILLRACE_DEFINE_ERROR(UsageError, usage);              // the caller asked for something that makes no sense
MILLRACE_DEFINE_ERROR(BadInputError, bad_input);       // a file is not what it should be
MILLRACE_DEFINE_ERROR(DoesNotFitError, does_not_fit);  // a budget or a limit of the format
MILLRACE_DEFINE_ERROR(DeviceError, device);
MILLRACE_DEFINE_ERROR(IoError, failure);               // the operating system said no
MILLRACE_DEFINE_ERROR(InternalError, failure);         // our bug
MILLRACE_DEFINE_ERROR(InterruptedError, interrupted);  // Ctrl-C

#undef MILLRACE_DEFINE_ERROR

// The files of a store are not as they were written: a checksum, a size or an offset is wrong.
class DamagedStoreError : public BadInputError {
  using BadInputError::BadInputError;
};

// An IoError for a failed system call, with the reason from errno.
[[noreturn]] void throw_system_error(const std::string& doing, const std::string& path);

}  // namespace millrace
