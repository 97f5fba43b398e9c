#include "millrace/store/store.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/foreign_format.h"
#include "millrace/core/parallel.h"
#include "millrace/core/parallel_sort.h"
#include "millrace/core/progress.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/names_file.h"
#include "millrace/store/store_files.h"

namespace millrace {
namespace {

// If the store is replaced while it is being opened, that costs one try.
constexpr int most_tries = 10;

BadInputError no_store(const std::filesystem::path& path) {
  if (const ForeignFormat* const foreign = foreign_file(path))
    return BadInputError("{} is not a store but {}: {}; then 'millrace import' makes a store of it", path.string(),
                         foreign->name, foreign->remedy);
  std::error_code unknown;
  if (std::filesystem::is_regular_file(path, unknown))
    return BadInputError("{} is a file, not a store: 'millrace import' makes a store of a graph file", path.string());
  return BadInputError(
      "{}: not a store (no manifest.json in it); make one with 'millrace import' or 'millrace generate'",
      path.string());
}

// Whether the open directory is still the one at `path`.
bool bears_name(const File& directory, const std::filesystem::path& path) {
  struct stat held {};
  struct stat named {};
  return fstat(directory.descriptor(), &held) == 0 && stat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

}  // namespace

Store Store::open(const std::filesystem::path& path) {
  for (int tries = 1;; ++tries) {
    const std::optional<File> directory = File::open_directory(path);
    if (!directory) throw no_store(path);
    try {
      return Store(path, *directory);
    } catch (const Error&) {
      // If the store was replaced meanwhile, its files are missing: open the store that has the name now.
      if (tries == most_tries || bears_name(*directory, path)) throw;
    }
  }
}

Store::Store(const std::filesystem::path& path, const File& directory) : path_(path) {
  std::optional<File> manifest = File::open_in(directory, "manifest.json");
  if (!manifest) throw no_store(path);
  manifest_ = Manifest::load(*manifest);
  files_ = std::make_shared<const StoreFiles>(directory, std::move(*manifest), manifest_);
  for (std::size_t o = 0; o < 2; ++o)
    if (manifest_.orientations[o]) read_table(o);
}

void Store::read_table(std::size_t slot) {
  const PageFiles& said = *manifest_.orientations[slot];
  const std::vector<File>& files = files_->pages[slot];
  std::vector<std::uint64_t> file_bytes;
  for (const File& file : files) file_bytes.push_back(file.size());
  const std::string name = files_->tables[slot].path().string();
  const PageTable table =
      PageTable::parse(read_file(files_->tables[slot]), name, num_vertices(), file_bytes, manifest_.segment);
  if (table.size() != said.pages || table.num_edges() != num_edges())
    throw DamagedStoreError("{}: {} pages with {} edges, but the manifest says {} with {}; the store is damaged", name,
                            table.size(), table.num_edges(), said.pages, num_edges());
  std::vector<std::uint64_t> ends(files.size());
  for (const PageEntry& entry : table) ends[entry.file] = entry.offset + entry.bytes;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (file_bytes[i] != ends[i])
      throw DamagedStoreError("{}: {} bytes, but its pages end at {}; the store is damaged", files[i].path().string(),
                              file_bytes[i], ends[i]);
  const std::uint64_t bytes = std::accumulate(ends.begin(), ends.end(), std::uint64_t{0});
  if (bytes != said.bytes)
    throw DamagedStoreError("{}: pages take {} bytes, but the manifest says {}; the store is damaged", name, bytes,
                            said.bytes);
  tables_[slot] = table;
}

std::size_t Store::slot(Orientation orientation) const {
  if (!has(orientation)) throw InternalError("{} has no {} pages", path_.string(), orientation_name(orientation));
  return manifest_.directed ? static_cast<std::size_t>(orientation) : 0;
}

const PageTable& Store::table(Orientation orientation) const { return tables_[slot(orientation)]; }

const std::vector<File>& Store::page_files(Orientation orientation) const {
  return files_->pages[file_slot(slot(orientation))];
}

const File& Store::manifest_file() const { return files_->manifest; }

std::uint64_t Store::disk_bytes() const { return files_->bytes(); }

std::uint64_t Store::page_memory(Orientation orientation, With with) const {
  return with == With::weights ? table(orientation).page_memory() : table(orientation).topology_memory();
}

PageReader::PageReader(std::span<const File> files, const PageTable& table, Into into) : files_(files), table_(table) {
  if (into == Into::anything) return;
  for (const File& file : files_) direct_.push_back(file.cached() ? std::nullopt : std::optional(file.reopen_direct()));
}

const File& PageReader::file_of(std::uint32_t page) const {
  const std::uint16_t file = table_[page].file;
  return !direct_.empty() && direct_[file] ? *direct_[file] : files_[file];
}

std::uint64_t PageReader::read_unchecked(std::uint32_t page, std::span<std::byte> into) const {
  return file_of(page).read_up_to(into, table_[page].offset);
}

void PageReader::read(std::uint32_t page, std::span<std::byte> into) const {
  const PageEntry& entry = table_[page];
  const File& file = file_of(page);
  if (!file.direct())
    file.read(into, entry.offset);
  else if (file.read_up_to({into.data(), align_page(into.size())}, entry.offset) < into.size())
    throw DamagedStoreError("{}: ends within page {}; the store is damaged", file.path().string(), page);
  const bool weights_match =
      into.size() == entry.topology_bytes || crc32c(into.subspan(entry.topology_bytes)) == entry.weight_crc;
  if (crc32c(into.first(entry.topology_bytes)) != entry.topology_crc || !weights_match)
    throw DamagedStoreError("{}: checksum mismatch in page {} (offset {}); the store is damaged", file.path().string(),
                            page, entry.offset);
}

PageReader Store::page_reader(Orientation orientation, PageReader::Into into) const {
  return PageReader(page_files(orientation), table(orientation), into);
}

PageSet Store::load_pages(Orientation orientation, With with, Budget& budget) const {
  const PageReader reader = page_reader(orientation, PageReader::Into::aligned);
  const PageTable& entries = reader.table();

  Buffer buffer(page_memory(orientation, with), budget, fmt::format("the {} pages", orientation_name(orientation)));
  std::vector<std::uint64_t> places(entries.size());
  std::uint64_t next = 0;
  for (std::uint32_t p = 0; p < entries.size(); ++p)
    places[p] = std::exchange(next, next + align_page(bytes_with(with, entries[p])));

  Progress progress(fmt::format("load {}", orientation_name(orientation)),
                    with == With::weights ? entries.page_bytes() : entries.topology_bytes(), Progress::Unit::bytes);
  parallel_for_each(entries.size(), [&](std::uint64_t p) {
    const std::span page(buffer.data() + places[p], bytes_with(with, entries[static_cast<std::uint32_t>(p)]));
    reader.read(static_cast<std::uint32_t>(p), page);
    progress.advance(page.size());
  });
  return PageSet(entries, std::move(buffer), std::move(places));
}

std::vector<std::byte> Store::read_page(Orientation orientation, std::uint32_t page) const {
  const PageEntry& entry = table(orientation)[page];
  std::vector<std::byte> bytes(entry.bytes);
  page_files(orientation)[entry.file].read(bytes, entry.offset);
  return bytes;
}

namespace {

// Calls read(offset, bytes) for parts of a column, in parallel, which returns the checksum of the part; verifies that
// of the whole.
template <class Read>
void read_parts(const File& file, const Column& column, std::uint64_t bytes, const Read& read) {
  constexpr std::uint64_t part = 4u << 20;
  const auto size = [&](std::uint64_t i) { return std::min(part, bytes - i * part); };
  std::vector<std::uint32_t> crcs((bytes + part - 1) / part);
  parallel_for_each(crcs.size(), [&](std::uint64_t i) { crcs[i] = read(i * part, size(i)); });
  std::uint32_t crc = 0;
  for (std::uint64_t i = 0; i < crcs.size(); ++i) crc = crc32c_combine(crc, crcs[i], size(i));
  if (crc != column.crc) throw DamagedStoreError("{}: checksum mismatch; the store is damaged", file.path().string());
}

// Sorts the ids.
template <class T>
IdFacts facts_of(Array<T> ids) {
  if (ids.empty()) return {};
  parallel_sort(std::span<T>(ids));
  const T* const twin = std::adjacent_find(ids.begin(), ids.end());
  return {.highest = *(ids.end() - 1), .shared = twin == ids.end() ? std::nullopt : std::optional<OriginalId>(*twin)};
}

}  // namespace

template <class T>
Array<T> Store::load_column(const File& file, const Column& column, Budget& budget) const {
  Array<T> values(num_vertices(), budget, column.file);
  const auto bytes = std::as_writable_bytes(std::span<T>(values));
  read_parts(file, column, bytes.size(), [&](std::uint64_t at, std::uint64_t size) {
    file.read(bytes.subspan(at, size), at);
    return crc32c(bytes.subspan(at, size));
  });
  return values;
}

Store Store::with_pages(const std::function<bool(Orientation, std::uint32_t)>& keep) const {
  Store some = *this;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!has(o)) continue;
    std::vector<PageEntry> entries;  // an undirected graph has the same entries for both orientations
    for (std::uint32_t p = 0; p < table(o).size(); ++p)
      if (keep(o, p)) entries.push_back(table(o)[p]);
    some.tables_[slot(o)] = PageTable(std::move(entries));
  }
  return some;
}

Store Store::reversed() const {
  Store turned = *this;
  if (!manifest_.directed) return turned;
  std::swap(turned.manifest_.orientations[0], turned.manifest_.orientations[1]);
  std::swap(turned.manifest_.degrees[0], turned.manifest_.degrees[1]);
  std::swap(turned.tables_[0], turned.tables_[1]);
  turned.turned_ = !turned_;
  return turned;
}

std::pair<std::size_t, const Column&> Store::degree_column(Orientation orientation) const {
  const std::size_t o = manifest_.directed ? static_cast<std::size_t>(orientation) : 0;
  const auto& column = manifest_.degrees[o];
  if (!column)
    throw BadInputError("{}: has no {} degrees; make the store again", path_.string(), orientation_name(orientation));
  return {file_slot(o), *column};
}

Array<std::uint32_t> Store::load_degrees(Orientation orientation, Budget& budget) const {
  const auto [o, column] = degree_column(orientation);
  return load_column<std::uint32_t>(files_->degrees[o], column, budget);
}

void Store::scan_degrees(Orientation orientation,
                         const std::function<void(std::uint64_t, std::span<const std::uint32_t>)>& take) const {
  const auto [o, column] = degree_column(orientation);
  const File& file = files_->degrees[o];
  read_parts(file, column, num_vertices() * sizeof(std::uint32_t), [&](std::uint64_t at, std::uint64_t size) {
    std::vector<std::uint32_t> degrees(size / sizeof(std::uint32_t));
    const auto bytes = std::as_writable_bytes(std::span(degrees));
    file.read(bytes, at);
    take(at / sizeof(std::uint32_t), degrees);
    return crc32c(bytes);
  });
}

IdMap Store::load_ids(Budget& budget) const {
  if (manifest_.ids == IdColumn::identity) return IdMap(num_vertices());
  if (manifest_.ids == IdColumn::u32)
    return IdMap(load_column<std::uint32_t>(files_->ids, *manifest_.id_column, budget));
  return IdMap(load_column<OriginalId>(files_->ids, *manifest_.id_column, budget));
}

IdFacts Store::id_facts(Budget& budget) const {
  if (manifest_.ids == IdColumn::identity)
    return {.highest = num_vertices() > 0 ? num_vertices() - 1 : 0, .shared = {}};
  if (manifest_.ids == IdColumn::u32)
    return facts_of(load_column<std::uint32_t>(files_->ids, *manifest_.id_column, budget));
  return facts_of(load_column<OriginalId>(files_->ids, *manifest_.id_column, budget));
}

std::uint64_t Store::id_memory() const {
  if (manifest_.ids == IdColumn::identity) return 0;
  return buffer_memory(num_vertices() * (manifest_.ids == IdColumn::u32 ? sizeof(std::uint32_t) : sizeof(OriginalId)));
}

std::uint64_t Store::order_memory() const {
  return manifest_.ids == IdColumn::identity ? 0 : buffer_memory(num_vertices() * sizeof(VertexId));
}

std::uint64_t Store::name_memory() const { return has_names() ? files_->names.size() : 0; }

CountedNames Store::load_names(Budget& budget) const {
  if (!has_names()) return {};
  Charge charge(name_memory(), budget, "the names of vertices");
  return {read_names_file(files_->names, manifest_.names->crc, num_vertices()), std::move(charge)};
}

std::optional<VertexId> IdMap::find(OriginalId id) const {
  if (identity()) return id < num_vertices_ ? std::optional(static_cast<VertexId>(id)) : std::nullopt;
  std::atomic<VertexId> found = no_vertex;
  parallel_for(num_vertices_, [&](std::uint64_t v) {
    if (original(static_cast<VertexId>(v)) == id) found = static_cast<VertexId>(v);
  });
  return found == no_vertex ? std::nullopt : std::optional(found.load());
}

Array<VertexId> IdMap::ascending(Budget& budget) const {
  if (identity()) return {};
  const auto ascends = [&](bool& sorted, std::uint64_t v) {
    sorted = sorted && (v == 0 || original(static_cast<VertexId>(v - 1)) < original(static_cast<VertexId>(v)));
  };
  if (parallel_reduce(num_vertices_, true, ascends, [](bool& all, bool part) { all &= part; })) return {};
  const OriginalId highest =
      parallel_max(num_vertices_, [&](std::uint64_t v) { return original(static_cast<VertexId>(v)); });

  Array<VertexId> vertices(num_vertices_, budget, "the order of the results");
  if (highest == num_vertices_ - 1) {  // the ids are 0 to n - 1, so each is a position
    parallel_for(num_vertices_,
                 [&](std::uint64_t v) { vertices[original(static_cast<VertexId>(v))] = static_cast<VertexId>(v); });
  } else {
    std::iota(vertices.begin(), vertices.end(), VertexId{0});
    parallel_sort(std::span<VertexId>(vertices), [this](VertexId a, VertexId b) { return original(a) < original(b); });
  }
  return vertices;
}

}  // namespace millrace
