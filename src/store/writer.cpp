#include "millrace/store/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/names_file.h"

namespace millrace {
namespace {

constexpr std::uint64_t writeback_unit = 16u << 20;

std::filesystem::path with_suffix(const std::filesystem::path& path, const char* suffix) {
  return path.parent_path() / (path.filename().string() + suffix);
}

std::filesystem::path without_trailing_slash(std::filesystem::path path) {
  return path.has_filename() ? path : path.parent_path();
}

// Whether `file` is still what one finds at `path`.
bool bears_name(const File& file, const std::filesystem::path& path) {
  struct stat held = {};
  struct stat named = {};
  return fstat(file.descriptor(), &held) == 0 && stat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

}  // namespace

WriteLock::WriteLock(const std::filesystem::path& store) : path_(with_suffix(store, ".lock")) {
  // Its holder removes the file before letting go: a lock got on a file without a name locks nobody out.
  do {
    file_ = File::create(path_);
    if (flock(file_.descriptor(), LOCK_EX | LOCK_NB) == 0) continue;
    if (errno != EWOULDBLOCK) throw_system_error("lock", path_);
    throw UsageError("{} is being written by another process", store.string());
  } while (!bears_name(file_, path_));
}

WriteLock::~WriteLock() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

StoreWriter::StoreWriter(std::filesystem::path path, bool replace)
    : path_(without_trailing_slash(std::move(path))), aside_(with_suffix(path_, ".partial")), replace_(replace) {
  namespace fs = std::filesystem;
  if (path_.empty()) throw UsageError("a store needs a path: -o STORE");
  std::error_code failed;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), failed);
  if (failed) throw IoError("cannot create {}: {}", path_.parent_path().string(), failed.message());
  lock_.emplace(path_);
  if (fs::exists(path_)) {
    if (!replace_)
      throw UsageError("{} exists already; choose another path or pass --force to replace it", path_.string());
    if (!fs::exists(path_ / "manifest.json"))
      throw UsageError("{} is not a store; it will not be replaced", path_.string());
  }
  fs::remove_all(aside_, failed);  // left by a writer that was killed
  if (!failed) fs::create_directory(aside_, failed);
  if (failed) throw IoError("cannot create {}: {}", aside_.string(), failed.message());
}

StoreWriter::~StoreWriter() {
  if (committed_) return;
  std::error_code ignored;
  std::filesystem::remove_all(aside_, ignored);
}

void StoreWriter::append_page(Orientation orientation, EncodedPage page) {
  auto& pages = pages_[static_cast<std::size_t>(orientation)];
  if (!pages) pages = Pages{.file = File::create(aside_ / (std::string(orientation_name(orientation)) + ".pages"))};
  page.entry.offset = pages->bytes;
  pages->file.write(page.bytes, pages->bytes);
  const std::uint64_t end = pages->bytes + page.bytes.size();
  const std::uint64_t next = (end + page_alignment - 1) / page_alignment * page_alignment;
  if (next / writeback_unit > pages->bytes / writeback_unit)
    pages->file.start_writeback((next / writeback_unit - 1) * writeback_unit, writeback_unit);
  pages->bytes = next;
  pages->entries.push_back(page.entry);
}

Column StoreWriter::write_column(const std::string& name, std::span<const std::byte> bytes) {
  write_file(aside_ / name, bytes);
  return {.file = name, .crc = crc32c(bytes)};
}

void StoreWriter::write_degrees(Orientation orientation, std::span<const std::uint32_t> degrees) {
  degrees_[static_cast<std::size_t>(orientation)] =
      write_column(std::string(orientation_name(orientation)) + ".degrees", std::as_bytes(degrees));
}

void StoreWriter::write_ids(std::span<const OriginalId> ids) {
  if (ids.empty()) return;
  if (*std::max_element(ids.begin(), ids.end()) <= ~std::uint32_t{0}) {
    const std::vector<std::uint32_t> narrow(ids.begin(), ids.end());
    id_column_ = write_column("ids", std::as_bytes(std::span(narrow)));
    ids_ = IdColumn::u32;
  } else {
    id_column_ = write_column("ids", std::as_bytes(ids));
    ids_ = IdColumn::u64;
  }
}

void StoreWriter::write_names(const Names& names) {
  if (names.size() > 0) names_ = write_names_file(aside_, names);
}

void StoreWriter::commit(Manifest manifest) {
  const bool directed = manifest.directed;
  commit(std::move(manifest), directed ? std::vector{Orientation::out, Orientation::in} : std::vector{Orientation::out});
}

void StoreWriter::commit(Manifest manifest, const std::vector<Orientation>& orientations) {
  namespace fs = std::filesystem;
  for (const Orientation o : orientations) {
    auto& pages = pages_[static_cast<std::size_t>(o)];
    // A graph without edges still has its (empty) files.
    if (!pages) pages = Pages{.file = File::create(aside_ / (std::string(orientation_name(o)) + ".pages"))};
    const std::string name = orientation_name(o);
    const PageTable table(pages->entries);
    const auto table_bytes = table.serialise();
    write_file(aside_ / (name + ".table"), table_bytes);
    pages->file.sync();
    manifest.orientations[static_cast<std::size_t>(o)] = PageFiles{.files = {name + ".pages"},
                                                                   .table = name + ".table",
                                                                   .pages = table.size(),
                                                                   .bytes = pages->file.size(),
                                                                   .table_bytes = table_bytes.size()};
  }
  manifest.degrees = degrees_;
  manifest.ids = ids_;
  manifest.id_column = id_column_;
  manifest.names = names_;
  manifest.save(aside_ / "manifest.json");
  sync_directory(aside_);

  const bool exchange = replace_ && fs::exists(path_);
  if (renameat2(AT_FDCWD, aside_.c_str(), AT_FDCWD, path_.c_str(), exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE) != 0)
    throw_system_error("move the finished store to", path_);
  committed_ = true;
  sync_directory(path_.has_parent_path() ? path_.parent_path() : fs::path("."));
  if (exchange) {
    std::error_code ignored;  // the new store is in place whatever becomes of the old one
    fs::remove_all(aside_, ignored);
  }
  lock_.reset();
}

}  // namespace millrace
