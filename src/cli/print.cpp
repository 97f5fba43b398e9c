#include "millrace/cli/print.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

void (*when_unread)(int) = SIG_DFL;  // the handler of SIGPIPE when we were started

std::vector<std::string>& finished() {
  static std::vector<std::string> paths;
  return paths;
}

}  // namespace

void open_standard_streams() {
  // open() returns the lowest free number. /dev/stdin and the like then lead to a directory, which cannot be read.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0 && open("/", O_PATH | O_DIRECTORY) != descriptor) _exit(1);
  when_unread = std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes then fails like others, and is reported
}

std::string with_options(const std::string& marked) { return with_settings(marked, "--"); }

void print_text(std::string_view given) {
  const std::string text = printable_text(given, Lines::several);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw_system_error("write to", "stdout");
}

void say_text(const std::string& given) noexcept {
  const auto write = [](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  };
  try {
    write(printable_text(given, Lines::several));
  } catch (const std::bad_alloc&) {
    write(given);
  }
}

void say_remark(const std::string& marked) { say_text(with_options(marked) + "\n"); }

void note_finished(const std::filesystem::path& path) {
  const std::string name = path.string();
  const bool known = std::find(finished().begin(), finished().end(), name) != finished().end();
  if (!name.empty() && !is_stdout(path) && !known) finished().push_back(name);
}

std::string finished_text() {
  const std::vector<std::string>& paths = finished();
  std::string text;
  for (std::size_t i = 0; i < paths.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "; before that " : i + 1 < paths.size() ? ", " : " and ", paths[i]);
  return paths.empty() ? text : text + (paths.size() == 1 ? " was completed" : " were completed");
}

void end_as_unread() {
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  if (when_unread == SIG_IGN || !std::ferror(stdout) || poll(&out, 1, 0) < 0 || !(out.revents & POLLERR)) return;
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

}  // namespace millrace
