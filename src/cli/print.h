// Prints for the command: results to stdout, everything else to stderr.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace millrace {

// To be called first. Opens closed descriptors 0 to 2 such that reading and writing fail: otherwise the next file
// opened, which may be a page file of a store, would get such a number, and printed text would go into it. SIGPIPE is
// ignored, so that a closed pipe is an error like others and unfinished files are removed; see end_as_unread.
void open_standard_streams();

// A text of the library with its settings shown as options of the command: host-memory becomes --host-memory.
std::string with_options(const std::string& marked);

// Writes to stdout and flushes, with control characters made visible: texts have names out of files and stores. Throws
// IoError.
void print_text(std::string_view text);
// The same to stderr. Errors are ignored: a run whose messages are lost has still done its work.
void say_text(const std::string& text) noexcept;

// A remark of the library, with its settings shown as options, in a line on stderr.
void say_remark(const std::string& marked);

template <class... Args>
void print(fmt::format_string<Args...> text, Args&&... args) {
  print_text(fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  say_text(fmt::format(text, std::forward<Args>(args)...));
}

// Remembers a complete output file, for the message of a later error. Ignores "-" and an empty path.
void note_finished(const std::filesystem::path& path);
// "; before that a.txt and b.store were completed", or nothing.
std::string finished_text();

// If the reader of our stdout has gone, ends the process by SIGPIPE, as is usual, unless that was ignored at the start.
void end_as_unread();

}  // namespace millrace
