#include "millrace/store/writer.h"

#include <algorithm>
#include <utility>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/elsewhere.h"
#include "millrace/store/fleeting.h"
#include "millrace/store/known_stores.h"
#include "millrace/store/names_file.h"
#include "millrace/store/own_files.h"
#include "millrace/store/partial.h"
#include "millrace/store/store_files.h"

namespace millrace {
namespace {

std::filesystem::path without_trailing_slash(std::filesystem::path path) {
  return path.has_filename() ? path : path.parent_path();
}

// Whoever opens the store need not check it: its files are those that were written here. Not worth it for a store that
// ends with this process.
void remember_store(const std::filesystem::path& path, const Manifest& manifest) noexcept try {
  if (Fleeting::in_force()) return;
  const std::optional<File> directory = File::open_directory(path);
  if (!directory) return;
  std::optional<File> file = File::open_in(*directory, "manifest.json");
  if (!file) return;
  const StoreFiles files(*directory, std::move(*file), manifest);
  remember(files, identity_of(files));
} catch (const std::exception&) {  // it is checked when it is opened
}

}  // namespace

StoreWriter::StoreWriter(std::filesystem::path path, WriterOptions options, Budget& budget)
    : path_(without_trailing_slash(std::move(path))), options_(std::move(options)), budget_(budget) {
  namespace fs = std::filesystem;
  if (path_.empty()) throw UsageError("a store needs a path: -o STORE");
  if (path_.filename() == "." || path_.filename() == "..")
    throw UsageError("a store needs a name of its own, and {} is none", path_.string());
  std::error_code failed;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), failed);
  if (failed) throw IoError("cannot create {}: {}", path_.parent_path().string(), failed.message());
  lock_.emplace(path_);
  demand_place(path_, options_.replace);
  aside_ = make_partial(path_);
  try {
    for (const fs::path& disk : options_.stripes) stripes_.push_back(make_elsewhere(aside_, path_, disk));
  } catch (...) {
    remove_partial(aside_, path_);
    throw;
  }
}

StoreWriter::~StoreWriter() {
  if (committed_) return;
  pages_ = {};  // waits for pending writes
  remove_partial(aside_, path_);
}

std::filesystem::path StoreWriter::make_scratch(const std::filesystem::path& where) {
  if (!where.empty()) return scratch_.emplace_back(make_elsewhere(aside_, path_, where));
  const std::filesystem::path scratch = (stripes_.empty() ? aside_ : stripes_.front()) / "scratch";
  std::error_code failed;
  std::filesystem::create_directory(scratch, failed);
  if (failed) throw IoError("cannot create {}: {}", scratch.string(), failed.message());
  return scratch_.emplace_back(scratch);
}

void StoreWriter::remove_scratch() {
  for (const std::filesystem::path& scratch : scratch_) {
    const Folder kind = scratch.filename() == "scratch" ? Folder::scratch : Folder::part;
    if (!remove_own_files(scratch, kind) && path_exists(scratch) && foreign_files(scratch, kind).empty())
      throw IoError("cannot remove {}", scratch.string());
  }
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
  // The other orientation is complete: free its memory.
  for (const auto& others : pages_)
    if (others)
      for (const auto& file : others->files) file->finish();
  pages = Pages{};
  const std::string name = std::string(orientation_name(orientation)) + ".pages";
  const auto add = [&](const std::filesystem::path& directory, bool inside) {
    pages->files.push_back(std::make_unique<AppendFile>(directory / name, budget_, num_page_files()));
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
  std::error_code failed;
  for (const auto& file : files)
    if (std::filesystem::remove(file, failed); failed)
      throw IoError("cannot remove {}: {}", file.string(), failed.message());
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
  demand_sound_names(names, "the names of vertices");
  write_names(columns_of(names));
}

void StoreWriter::write_names(const NameColumns& names) {
  if (names.count > 0) names_ = write_names_file(aside_, names);
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
    if (manifest.segment > 0)
      for (PageEntry& entry : pages.entries)
        entry.segment = static_cast<std::uint32_t>(entry.min_neighbour / manifest.segment);
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
  remember_store(aside_, manifest);  // before others can find it, and change it
  finish_partial(aside_, path_);
  const bool exchange = options_.replace && fs::exists(fs::symlink_status(path_));
  move_to_place(aside_, path_, exchange);
  committed_ = true;
  if (exchange) remove_replaced(aside_, path_);
  lock_.reset();
}

}  // namespace millrace
