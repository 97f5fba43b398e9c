// What the command prints: results to stdout, everything else to stderr.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <utility>

namespace millrace {

// To be called first. Descriptors 0 to 2 that are closed are opened such that reading and writing fail: the next file
// that is opened, which may be a page file of a store, would get such a number and everything that is printed. A pipe
// that nobody reads from becomes an error like others, so that what is unfinished is removed; see end_as_unread.
void open_standard_streams();

// A text of the library with its settings as options of the command: host-memory is --host-memory.
std::string with_options(const std::string& marked);

// Writes to stdout at once. Throws IoError.
void print_text(const std::string& text);
// Writes to stderr at once. What cannot be written is lost: a run without its messages has done its work all the same.
void say_text(const std::string& text) noexcept;

template <class... Args>
void print(fmt::format_string<Args...> text, Args&&... args) {
  print_text(fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  say_text(fmt::format(text, std::forward<Args>(args)...));
}

// Remembers that an output is complete, for the message of an error that comes later. Not "-", and not an empty path.
void note_finished(const std::filesystem::path& path);
// "; before that a.txt and b.store were completed", or nothing.
std::string finished_text();

// Where whoever read from our stdout has gone, ends the process by SIGPIPE, as is the custom, if that is not ignored.
void end_as_unread();

}  // namespace millrace
