#include "millrace/store/partial.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"
#include "millrace/store/elsewhere.h"
#include "millrace/store/files.h"
#include "millrace/store/manifest.h"
#include "millrace/store/manifest_version.h"
#include "millrace/store/own_files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// The marker has the name without the directory, so that it stays true if the directory is moved.
std::string marker_text(const fs::path& path) {
  return fmt::format("Millrace: a store in the making, {}\n", path.filename().string());
}

void demand_store(const fs::path& path) {
  const std::optional<std::uint64_t> version = manifest_version(path / "manifest.json");
  if (!version) throw UsageError("{} is not a store; it will not be replaced", path.string());
  if (*version < 1 || *version > store_version)
    throw UsageError(
        "{} is a store of version {}; this program knows version {}, and cannot tell which files belong to others: "
        "remove it yourself, or choose another path",
        path.string(), *version, store_version);
}

// The new name proves that this program made the directory, whatever is left in it.
fs::path rename_aside(const fs::path& partial, const fs::path& path) {
  const fs::path aside = aside_name(path);
  if (!rename_exclusively(partial, aside)) throw_system_error("rename", partial);
  return aside;
}

void remove_leftovers(const fs::path& path) {
  for (const fs::path& found : find_asides(path))
    if (is_real_directory(found)) remove_store(found, Folder::partial, path);
  const fs::path partial = with_suffix(path, ".partial");
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(partial, failed))) return;
  if (!is_real_directory(partial) || !has_text(partial / partial_marker, marker_text(path)))
    throw UsageError(
        "{} is in the way: the store is made under this name, and nothing proves that an import has left this (those "
        "of "
        "2026-11-15 and before left no mark); rename or remove it, or choose another path for the store",
        partial.string());
  if (const auto foreign = foreign_files_of(partial, Folder::partial, path); !foreign.empty())
    throw UsageError(
        "{} was left by an import that was killed, but has files that are not of Millrace: {}; move them "
        "elsewhere, and try again",
        partial.string(), list_some(foreign));
  if (!remove_store(rename_aside(partial, path), Folder::partial, path))
    throw IoError("cannot remove {}, which a killed import has left", partial.string());
}

// Files whose names a store may use, but this store does not: somebody else put them there. Empty for a damaged store,
// whose manifest does not tell which files it uses.
std::vector<fs::path> files_beside(const fs::path& path) {
  std::vector<std::string> own;
  try {
    const Manifest manifest = Manifest::load(File::open(path / "manifest.json"));
    own = manifest.file_names();
    const auto is_stripe = [](const std::string& file) { return fs::path(file).is_absolute(); };
    for (const auto& pages : manifest.orientations)
      if (pages && std::ranges::any_of(pages->files, is_stripe)) own.push_back("elsewhere");
  } catch (const Error&) {
    return {};
  }
  std::vector<fs::path> beside;
  for (const fs::path& entry : fs::directory_iterator(path)) {
    const std::string name = entry.filename().string();
    if (std::ranges::find(own, name) == own.end() && !name.starts_with("learned.json")) beside.push_back(entry);
  }
  return beside;
}

}  // namespace

void demand_place(const fs::path& path, bool replace) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(path, failed);
  if (!fs::exists(status)) return;
  if (!replace) throw UsageError("{} exists already; choose another path or pass @force@ to replace it", path.string());
  if (fs::is_symlink(status))
    throw UsageError("{} is a link to {}; links are not replaced: name the store itself", path.string(),
                     fs::read_symlink(path, failed).string());
  demand_store(path);
  if (access(path.c_str(), W_OK | X_OK) != 0) throw_system_error("replace", path);  // a write-protected store stays
  auto foreign = foreign_files_of(path, Folder::store, path);
  if (foreign.empty()) foreign = files_beside(path);
  if (!foreign.empty())
    throw UsageError(
        "{} has files that are no part of the store, and would be lost with it: {}; move them elsewhere, or "
        "choose another path",
        path.string(), list_some(foreign));
}

fs::path make_partial(const fs::path& path) {
  remove_leftovers(path);
  const fs::path making = aside_name(path);
  std::error_code failed;
  fs::create_directory(making, failed);
  if (failed) throw IoError("cannot create {}: {}", making.string(), failed.message());
  const fs::path partial = with_suffix(path, ".partial");
  try {
    write_file(making / partial_marker, bytes_of(marker_text(path)));
    if (!rename_exclusively(making, partial)) throw_system_error("create", partial);
  } catch (...) {
    remove_own_files(making, Folder::partial);
    throw;
  }
  return partial;
}

void finish_partial(fs::path& partial, const fs::path& path) {
  partial = rename_aside(partial, path);
  std::error_code failed;
  fs::remove(partial / partial_marker, failed);
  if (failed) throw IoError("cannot remove {}: {}", (partial / partial_marker).string(), failed.message());
  sync_directory(partial);
}

void remove_partial(const fs::path& partial, const fs::path& path) noexcept try {
  const bool aside = is_aside_name(partial.filename().string(), path.filename().string());
  const bool stays = !foreign_files_of(partial, Folder::partial, path).empty();
  remove_store(aside || stays ? partial : rename_aside(partial, path), Folder::partial, path);
} catch (const std::exception&) {  // the next writer tries again
}

void move_to_place(const fs::path& finished, const fs::path& path, bool replace) {
  if (replace && fs::is_symlink(path)) throw UsageError("{} has become a link; it will not be replaced", path.string());
  if (replace) demand_store(path);
  const auto move = [&](const fs::path& from, const fs::path& to) {
    return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), replace ? RENAME_EXCHANGE : RENAME_NOREPLACE) == 0;
  };
  if (!move(finished, path)) throw_system_error("move the finished store to", path);
  try {
    sync_directory(path.has_parent_path() ? path.parent_path() : fs::path("."));
  } catch (...) {
    move(path, finished);
    throw;
  }
}

void remove_replaced(const fs::path& old, const fs::path& path) noexcept try {
  if (remove_store(old, Folder::store, path)) return;
  for (const fs::path& foreign : foreign_files(old, Folder::store))
    rename_exclusively(foreign, path / foreign.filename());
  remove_own_files(old, Folder::store);
} catch (const std::exception&) {  // the new store is in place, even if the old one stays
}

}  // namespace millrace
