#include "millrace/store/elsewhere.h"

#include <unistd.h>

#include <chrono>
#include <fstream>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/store/files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "elsewhere";
// In every directory that is listed: the path of the store that it is a part of.
constexpr const char* marker_name = "millrace-part";

std::string unique_suffix() {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{:08x}", mix(static_cast<std::uint64_t>(now) + static_cast<std::uint64_t>(getpid())) >> 32);
}

// Without touching what is there: earlier entries must outlive a kill.
void append_to_list(const fs::path& store, const fs::path& directory) {
  std::ofstream list(store / list_name, std::ios::app);
  list << directory.string() << '\n' << std::flush;
  if (!list) throw IoError("cannot write {}", (store / list_name).string());
  File::open(store / list_name).sync();
  sync_directory(store);
}

std::string name_of(const fs::path& owner) { return fs::absolute(owner).lexically_normal().string(); }

// A directory that a writer was killed in before it could say whose it is has nothing in it yet.
bool belongs_to(const fs::path& directory, const fs::path& owner) {
  std::error_code failed;
  if (!fs::is_directory(directory, failed)) return false;
  if (fs::is_empty(directory, failed)) return true;
  std::ifstream marker(directory / marker_name);
  std::string text;
  return std::getline(marker, text) && text == name_of(owner);
}

}  // namespace

fs::path make_elsewhere(const fs::path& aside, const fs::path& owner, const fs::path& parent) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  const fs::path place = failed ? fs::path() : fs::canonical(parent, failed);
  const fs::path directory = place / (owner.filename().string() + "-" + unique_suffix());
  if ((directory.string() + name_of(owner)).find('\n') != std::string::npos)
    throw UsageError("{}: paths of stripes and temporary files may not contain line breaks", directory.string());
  if (!failed) {
    append_to_list(aside, directory);
    fs::create_directory(directory, failed);
  }
  if (failed) throw IoError("cannot create a directory in {}: {}", parent.string(), failed.message());
  const std::string text = name_of(owner) + "\n";
  write_file(directory / marker_name, std::as_bytes(std::span(text)));
  sync_directory(place);
  return directory;
}

void forget_elsewhere(const fs::path& aside) noexcept {
  std::error_code ignored;
  fs::remove(aside / list_name, ignored);
}

void remove_store(const fs::path& store, const fs::path& owner) {
  std::error_code failed;
  std::ifstream list(store / list_name);
  for (std::string line; !failed && std::getline(list, line);)
    if (!line.empty() && belongs_to(line, owner)) fs::remove_all(line, failed);
  if (!failed) fs::remove_all(store, failed);
  if (failed) throw IoError("cannot remove {} and its parts: {}", store.string(), failed.message());
}

}  // namespace millrace
