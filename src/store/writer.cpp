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
#include "millrace/store/elsewhere.h"
#include "millrace/store/names_file.h"

namespace millrace {
namespace {

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

StoreWriter::StoreWriter(std::filesystem::path path, WriterOptions options, Budget& budget)
    : path_(without_trailing_slash(std::move(path))),
      aside_(with_suffix(path_, ".partial")),
      options_(std::move(options)),
      budget_(budget) {
  namespace fs = std::filesystem;
  if (path_.empty()) throw UsageError("a store needs a path: -o STORE");
  std::error_code failed;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), failed);
  if (failed) throw IoError("cannot create {}: {}", path_.parent_path().string(), failed.message());
  lock_.emplace(path_);
  if (fs::exists(path_)) {
    if (!options_.replace)
      throw UsageError("{} exists already; choose another path or pass --force to replace it", path_.string());
    if (!fs::exists(path_ / "manifest.json"))
      throw UsageError("{} is not a store; it will not be replaced", path_.string());
  }
  if (fs::exists(aside_)) remove_store(aside_, path_);  // left by a writer that was killed
  fs::create_directory(aside_, failed);
  if (failed) throw IoError("cannot create {}: {}", aside_.string(), failed.message());
  try {
    for (const fs::path& disk : options_.stripes) stripes_.push_back(make_elsewhere(aside_, path_, disk));
  } catch (...) {
    remove_store(aside_, path_);
    throw;
  }
}

StoreWriter::~StoreWriter() {
  if (committed_) return;
  pages_ = {};  // writes that are under way end first
  try {
    remove_store(aside_, path_);
  } catch (const Error&) {  // the next writer tries again
  }
}

std::filesystem::path StoreWriter::make_scratch(const std::filesystem::path& where) {
  if (!where.empty()) return scratch_.emplace_back(make_elsewhere(aside_, path_, where));
  const std::filesystem::path scratch = (stripes_.empty() ? aside_ : stripes_.front()) / "scratch";
  std::error_code failed;
  std::filesystem::create_directory(scratch, failed);
  if (failed) throw IoError("cannot create {}: {}", scratch.string(), failed.message());
  return scratch_.emplace_back(scratch);
}

void StoreWriter::remove_scratch() noexcept {
  std::error_code ignored;
  for (const std::filesystem::path& scratch : scratch_) std::filesystem::remove_all(scratch, ignored);
  scratch_.clear();
  if (stripes_.empty()) forget_elsewhere(aside_);
}

std::uint64_t StoreWriter::Pages::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& file : files) sum += file->size();
  return sum;
}

std::uint64_t StoreWriter::page_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& pages : pages_)
    if (pages) sum += pages->bytes();
  return sum;
}

StoreWriter::Pages& StoreWriter::pages_of(Orientation orientation) {
  auto& pages = pages_[static_cast<std::size_t>(orientation)];
  if (pages) return *pages;
  // The other orientation is complete, and its memory can go.
  for (const auto& others : pages_)
    if (others)
      for (const auto& file : others->files) file->finish();
  pages.emplace();
  const std::string name = std::string(orientation_name(orientation)) + ".pages";
  const auto add = [&](const std::filesystem::path& directory, bool inside) {
    pages->files.push_back(std::make_unique<AppendFile>(directory / name, budget_));
    pages->names.push_back(inside ? name : (directory / name).string());
  };
  if (stripes_.empty()) add(aside_, true);
  for (const auto& stripe : stripes_) add(stripe, false);
  return *pages;
}

void StoreWriter::append_page(Orientation orientation, EncodedPage page) {
  Pages& pages = pages_of(orientation);
  page.entry.file = static_cast<std::uint16_t>(pages.entries.size() % pages.files.size());
  AppendFile& file = *pages.files[page.entry.file];
  file.align(page_alignment);
  page.entry.offset = file.append(page.bytes);
  pages.entries.push_back(page.entry);
}

void StoreWriter::discard_pages(Orientation orientation) {
  auto& pages = pages_[static_cast<std::size_t>(orientation)];
  if (!pages) return;
  std::vector<std::filesystem::path> files;
  for (const auto& file : pages->files) files.push_back(file->path());
  pages.reset();
  for (const auto& file : files) std::filesystem::remove(file);
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
    Array<std::uint32_t> narrow(ids.size(), budget_, "the id column");
    std::copy(ids.begin(), ids.end(), narrow.begin());
    write_ids(std::span<const std::uint32_t>(narrow));
  } else {
    id_column_ = write_column("ids", std::as_bytes(ids));
    ids_ = IdColumn::u64;
  }
}

void StoreWriter::write_ids(std::span<const std::uint32_t> ids) {
  if (ids.empty()) return;
  id_column_ = write_column("ids", std::as_bytes(ids));
  ids_ = IdColumn::u32;
}

void StoreWriter::write_names(const Names& names) {
  if (names.size() > 0) names_ = write_names_file(aside_, names);
}

void StoreWriter::commit(Manifest manifest) {
  const bool directed = manifest.directed;
  commit(std::move(manifest),
         directed ? std::vector{Orientation::out, Orientation::in} : std::vector{Orientation::out});
}

void StoreWriter::commit(Manifest manifest, const std::vector<Orientation>& orientations) {
  namespace fs = std::filesystem;
  for (const Orientation o : orientations) {
    Pages& pages = pages_of(o);  // a graph without edges still has its (empty) files
    const std::string name = orientation_name(o);
    const PageTable table(pages.entries);
    const auto table_bytes = table.serialise();
    write_file(aside_ / (name + ".table"), table_bytes);
    for (const auto& file : pages.files) {
      file->finish();
      file->sync();
    }
    manifest.orientations[static_cast<std::size_t>(o)] = PageFiles{.files = pages.names,
                                                                   .table = name + ".table",
                                                                   .pages = table.size(),
                                                                   .bytes = pages.bytes(),
                                                                   .table_bytes = table_bytes.size()};
  }
  remove_scratch();
  manifest.degrees = degrees_;
  manifest.ids = ids_;
  manifest.id_column = id_column_;
  for (const fs::path& stripe : stripes_) sync_directory(stripe);
  manifest.names = names_;
  manifest.save(aside_ / "manifest.json");
  sync_directory(aside_);

  const bool exchange = options_.replace && fs::exists(path_);
  if (renameat2(AT_FDCWD, aside_.c_str(), AT_FDCWD, path_.c_str(), exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE) != 0)
    throw_system_error("move the finished store to", path_);
  committed_ = true;
  sync_directory(path_.has_parent_path() ? path_.parent_path() : fs::path("."));
  if (exchange) {
    try {
      remove_store(aside_, path_);
    } catch (const Error&) {  // the new store is in place whatever becomes of the old one
    }
  }
  lock_.reset();
}

}  // namespace millrace
