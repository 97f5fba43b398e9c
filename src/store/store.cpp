#include "millrace/store/store.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/core/parallel_sort.h"
#include "millrace/core/progress.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/files.h"
#include "millrace/store/names_file.h"

namespace millrace {
namespace {

// Opens a file that a whole store has.
File open_part(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw BadInputError("{} is missing; the store is damaged", file.string());
  return File::open(file);
}

std::vector<File> open_files(const std::filesystem::path& store, const PageFiles& pages) {
  std::vector<File> files;
  for (const std::string& name : pages.files) {
    const std::filesystem::path file = store / name;  // a stripe has a path of its own
    if (std::filesystem::path(name).is_absolute() && !std::filesystem::exists(file))
      throw BadInputError("{}: stripe {} of the store is missing; is its disk mounted?", store.string(), name);
    files.push_back(open_part(file));
  }
  return files;
}

}  // namespace

Store Store::open(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "manifest.json"))
    throw BadInputError(
        "{}: not a store (no manifest.json in it); make one with 'millrace import' or 'millrace generate'",
        path.string());
  Store store;
  store.path_ = path;
  store.manifest_ = Manifest::load(path / "manifest.json");
  for (std::size_t o = 0; o < 2; ++o) {
    const auto& pages = store.manifest_.orientations[o];
    if (!pages) continue;
    std::vector<std::uint64_t> file_bytes;
    for (const File& file : open_files(path, *pages)) file_bytes.push_back(file.size());
    const auto name = path / pages->table;
    const File table = open_part(name);
    std::vector<std::byte> bytes(table.size());
    table.read(bytes, 0);
    store.tables_[o] = PageTable::parse(bytes, name, store.num_vertices(), file_bytes);
    if (store.tables_[o].size() != pages->pages || store.tables_[o].num_edges() != store.num_edges())
      throw BadInputError("{}: {} pages with {} edges, but the manifest says {} with {}; the store is damaged",
                          name.string(), store.tables_[o].size(), store.tables_[o].num_edges(), pages->pages,
                          store.num_edges());
  }
  return store;
}

std::size_t Store::slot(Orientation orientation) const {
  if (!has(orientation)) throw InternalError("{} has no {} pages", path_.string(), orientation_name(orientation));
  return manifest_.directed ? static_cast<std::size_t>(orientation) : 0;
}

const PageTable& Store::table(Orientation orientation) const { return tables_[slot(orientation)]; }

std::vector<std::filesystem::path> Store::page_paths(Orientation orientation) const {
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : manifest_.orientations[slot(orientation)]->files) paths.push_back(path_ / name);
  return paths;
}

std::uint64_t Store::page_memory(Orientation orientation, With with) const {
  return with == With::weights ? table(orientation).page_memory() : table(orientation).topology_memory();
}

PageReader::PageReader(const std::filesystem::path& store, const PageFiles& pages, const PageTable& table, Into into)
    : files_(open_files(store, pages)), table_(table) {
  for (const std::string& name : pages.files) paths_.push_back(store / name);
  for (std::size_t i = 0; i < files_.size() && into == Into::aligned; ++i)
    if (!files_[i].cached()) files_[i] = File::open_direct(paths_[i]);
}

void PageReader::read(std::uint32_t page, std::span<std::byte> into) const {
  const PageEntry& entry = table_[page];
  const File& file = files_[entry.file];
  if (!file.direct())
    file.read(into, entry.offset);
  else if (file.read_up_to({into.data(), align_page(into.size())}, entry.offset) < into.size())
    throw BadInputError("{}: ends within page {}; the store is damaged", paths_[entry.file].string(), page);
  const bool weights_match =
      into.size() == entry.topology_bytes || crc32c(into.subspan(entry.topology_bytes)) == entry.weight_crc;
  if (crc32c(into.first(entry.topology_bytes)) != entry.topology_crc || !weights_match)
    throw BadInputError("{}: checksum mismatch in page {} (offset {}); the store is damaged",
                        paths_[entry.file].string(), page, entry.offset);
}

PageReader Store::page_reader(Orientation orientation, PageReader::Into into) const {
  return PageReader(path_, *manifest_.orientations[slot(orientation)], table(orientation), into);
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
  File::open(path_ / manifest_.orientations[slot(orientation)]->files[entry.file]).read(bytes, entry.offset);
  return bytes;
}

template <class T>
Array<T> Store::load_column(const Column& column, std::uint64_t size, Budget& budget) const {
  const File file = open_part(path_ / column.file);
  const std::string name = (path_ / column.file).string();
  if (file.size() != size * sizeof(T))
    throw BadInputError("{}: {} bytes, expected {}; the store is damaged", name, file.size(), size * sizeof(T));
  Array<T> values(size, budget, column.file);
  const auto bytes = std::as_writable_bytes(std::span<T>(values));
  constexpr std::uint64_t chunk = 4u << 20;
  const auto part = [&](std::uint64_t i) {
    return bytes.subspan(i * chunk, std::min(chunk, bytes.size() - i * chunk));
  };
  std::vector<std::uint32_t> crcs((bytes.size() + chunk - 1) / chunk);
  parallel_for_each(crcs.size(), [&](std::uint64_t i) {
    file.read(part(i), i * chunk);
    crcs[i] = crc32c(part(i));
  });
  std::uint32_t crc = 0;
  for (std::uint64_t i = 0; i < crcs.size(); ++i) crc = crc32c_combine(crc, crcs[i], part(i).size());
  if (crc != column.crc) throw BadInputError("{}: checksum mismatch; the store is damaged", name);
  return values;
}

Store Store::with_pages(const std::function<bool(Orientation, std::uint32_t)>& keep) const {
  Store some = *this;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!has(o)) continue;
    std::vector<PageEntry> entries;  // of an undirected graph these are the same twice
    for (std::uint32_t p = 0; p < table(o).size(); ++p)
      if (keep(o, p)) entries.push_back(table(o)[p]);
    some.tables_[slot(o)] = PageTable(std::move(entries));
  }
  return some;
}

Array<std::uint32_t> Store::load_degrees(Orientation orientation, Budget& budget) const {
  const auto& column = manifest_.degrees[manifest_.directed ? static_cast<std::size_t>(orientation) : 0];
  if (!column)
    throw BadInputError("{}: has no {} degrees; make the store again", path_.string(), orientation_name(orientation));
  return load_column<std::uint32_t>(*column, num_vertices(), budget);
}

IdMap Store::load_ids(Budget& budget) const {
  if (manifest_.ids == IdColumn::identity || num_vertices() == 0) return IdMap(num_vertices());
  if (manifest_.ids == IdColumn::u32)
    return IdMap(load_column<std::uint32_t>(*manifest_.id_column, num_vertices(), budget));
  return IdMap(load_column<OriginalId>(*manifest_.id_column, num_vertices(), budget));
}

std::uint64_t Store::id_memory() const {
  if (manifest_.ids == IdColumn::identity) return 0;
  return buffer_memory(num_vertices() * (manifest_.ids == IdColumn::u32 ? sizeof(std::uint32_t) : sizeof(OriginalId)));
}

std::uint64_t Store::order_memory() const {
  return manifest_.ids == IdColumn::identity ? 0 : buffer_memory(num_vertices() * sizeof(VertexId));
}

std::uint64_t Store::name_memory() const { return has_names() ? open_part(path_ / manifest_.names->file).size() : 0; }

CountedNames Store::load_names(Budget& budget) const {
  if (!has_names()) return {};
  Charge charge(name_memory(), budget, "the names of vertices");
  return {read_names_file(path_, *manifest_.names, num_vertices()), std::move(charge)};
}

std::optional<VertexId> IdMap::find(OriginalId id) const {
  if (identity()) return id < num_vertices_ ? std::optional(static_cast<VertexId>(id)) : std::nullopt;
  std::atomic<VertexId> found = no_vertex;
#pragma omp parallel for schedule(static) if (num_vertices_ >= small_loop)
  for (std::uint64_t v = 0; v < num_vertices_; ++v)
    if (original(static_cast<VertexId>(v)) == id) found = static_cast<VertexId>(v);
  return found == no_vertex ? std::nullopt : std::optional(found.load());
}

Array<VertexId> IdMap::ascending(Budget& budget) const {
  if (identity()) return {};
  bool sorted = true;
#pragma omp parallel for schedule(static) reduction(&& : sorted) if (num_vertices_ >= small_loop)
  for (std::uint64_t v = 1; v < num_vertices_; ++v)
    sorted = sorted && original(static_cast<VertexId>(v - 1)) < original(static_cast<VertexId>(v));
  if (sorted) return {};
  OriginalId highest = 0;
#pragma omp parallel for schedule(static) reduction(max : highest) if (num_vertices_ >= small_loop)
  for (std::uint64_t v = 0; v < num_vertices_; ++v) highest = std::max(highest, original(static_cast<VertexId>(v)));

  Array<VertexId> vertices(num_vertices_, budget, "the order of the results");
  if (highest == num_vertices_ - 1) {  // distinct ids below n: each is a place
#pragma omp parallel for schedule(static) if (num_vertices_ >= small_loop)
    for (std::uint64_t v = 0; v < num_vertices_; ++v)
      vertices[original(static_cast<VertexId>(v))] = static_cast<VertexId>(v);
  } else {
    std::iota(vertices.begin(), vertices.end(), VertexId{0});
    parallel_sort(std::span<VertexId>(vertices), [this](VertexId a, VertexId b) { return original(a) < original(b); });
  }
  return vertices;
}

}  // namespace millrace
