#include "millrace/store/store_files.h"

#include <sys/resource.h>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// Many stripes need more descriptors than the 1,024 that a process usually starts with; most systems allow more.
void allow_descriptors(std::uint64_t files) {
  constexpr std::uint64_t few = 200;
  rlimit limit{};
  if (files < few || getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

File open_part(const File& directory, const std::string& name) {
  std::optional<File> file = File::open_in(directory, name);
  if (!file) throw DamagedStoreError("{} is missing; the store is damaged", (directory.path() / name).string());
  return std::move(*file);
}

File open_page_file(const File& directory, const std::string& name) {
  if (!std::filesystem::path(name).is_absolute()) return open_part(directory, name);
  std::optional<File> file = File::open_in(directory, name);
  if (!file)
    throw BadInputError("{}: stripe {} of the store is missing; is its disk mounted?", directory.path().string(), name);
  return std::move(*file);
}

File open_of_size(const File& directory, const std::string& name, std::uint64_t bytes) {
  File file = open_part(directory, name);
  if (file.size() != bytes)
    throw DamagedStoreError("{}: {} bytes, expected {}; the store is damaged", file.path().string(), file.size(),
                            bytes);
  return file;
}

}  // namespace

StoreFiles::StoreFiles(const File& directory, File manifest_file, const Manifest& described)
    : manifest(std::move(manifest_file)) {
  const std::uint64_t n = described.num_vertices;
  for (std::size_t o = 0; o < 2; ++o) {
    if (const auto& set = described.orientations[o]) {
      allow_descriptors(set->files.size());
      for (const std::string& name : set->files) pages[o].push_back(open_page_file(directory, name));
      tables[o] = open_of_size(directory, set->table, set->table_bytes);
    }
    if (const auto& column = described.degrees[o])
      degrees[o] = open_of_size(directory, column->file, n * sizeof(std::uint32_t));
  }
  if (described.id_column)
    ids = open_of_size(directory, described.id_column->file, n * (described.ids == IdColumn::u32 ? 4 : 8));
  if (described.names) names = open_part(directory, described.names->file);
}

std::uint64_t StoreFiles::bytes() const {
  std::uint64_t sum = 0;
  const auto add = [&](const File& file) {
    if (file.descriptor() >= 0) sum += file.size();
  };
  for (std::size_t o = 0; o < 2; ++o) {
    for (const File& file : pages[o]) add(file);
    add(tables[o]);
    add(degrees[o]);
  }
  for (const File* file : {&manifest, &ids, &names}) add(*file);
  return sum;
}

}  // namespace millrace
