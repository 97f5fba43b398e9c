#include "millrace/store/elsewhere.h"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/store/files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "elsewhere";
// In every directory that is listed: nothing without it is ever removed.
constexpr const char* marker_name = "millrace-part";

std::string unique_suffix() {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{:08x}", mix(static_cast<std::uint64_t>(now) + static_cast<std::uint64_t>(getpid())) >> 32);
}

void append_to_list(const fs::path& store, const fs::path& directory) {
  std::string text;
  if (fs::exists(store / list_name)) {
    const auto bytes = read_file(store / list_name);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  text += directory.string() + "\n";
  write_file(store / list_name, std::as_bytes(std::span(text)));
  sync_directory(store);
}

}  // namespace

fs::path make_elsewhere(const fs::path& store, const fs::path& parent, const std::string& name) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  const fs::path directory = failed ? fs::path() : fs::canonical(parent, failed) / (name + "-" + unique_suffix());
  if (directory.string().find('\n') != std::string::npos)
    throw UsageError("{}: the path of a stripe may not contain a line break", directory.string());
  if (!failed) {
    append_to_list(store, directory);
    fs::create_directory(directory, failed);
  }
  if (failed) throw IoError("cannot create a directory in {}: {}", parent.string(), failed.message());
  write_file(directory / marker_name, {});
  return directory;
}

void remove_store(const fs::path& store) {
  std::error_code failed;
  std::ifstream list(store / list_name);
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && fs::exists(fs::path(line) / marker_name, failed)) fs::remove_all(line, failed);
  fs::remove_all(store, failed);
  if (failed) throw IoError("cannot remove {}: {}", store.string(), failed.message());
}

}  // namespace millrace
