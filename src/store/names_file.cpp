#include "millrace/store/names_file.h"

#include <algorithm>
#include <array>
#include <span>

#include "millrace/core/error.h"
#include "millrace/core/parallel.h"
#include "millrace/pages/crc32c.h"
#include "millrace/store/files.h"

namespace millrace {
namespace {

constexpr std::uint64_t chunk_bytes = 4u << 20;

// The checksum of a large range of memory, by all threads.
std::uint32_t parallel_crc(std::span<const std::byte> bytes) {
  const auto part = [&](std::uint64_t i) {
    return bytes.subspan(i * chunk_bytes, std::min(chunk_bytes, bytes.size() - i * chunk_bytes));
  };
  std::vector<std::uint32_t> crcs((bytes.size() + chunk_bytes - 1) / chunk_bytes);
  parallel_for_each(crcs.size(), [&](std::uint64_t i) { crcs[i] = crc32c(part(i)); });
  std::uint32_t crc = 0;
  for (std::uint64_t i = 0; i < crcs.size(); ++i) crc = crc32c_combine(crc, crcs[i], part(i).size());
  return crc;
}

bool is_sound(std::string_view name) {
  return !name.empty() &&
         std::none_of(name.begin(), name.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == 0; });
}

}  // namespace

void demand_sound_names(const Names& names, const std::string& where) {
  parallel_for_each((names.size() + 0xffff) >> 16, [&](std::uint64_t block) {
    for (std::uint64_t id = block << 16; id < std::min(names.size(), (block + 1) << 16); ++id)
      demand_sound_name(names[id], id, where);
  });
}

void demand_sound_name(std::string_view name, std::uint64_t id, const std::string& where) {
  if (!is_sound(name))
    throw BadInputError("{}: name {} (counted from 0) is {}; results could not be told apart", where, id,
                        name.empty() ? "empty" : "one with a tab, a line break or a NUL in it");
}

NameColumns columns_of(const Names& names) {
  return {.count = names.size(),
          .offsets = [&names](const NameColumns::Piece& piece) { piece(bytes_of(names.offsets)); },
          .bytes = [&names](const NameColumns::Piece& piece) { piece(bytes_of(names.bytes)); }};
}

Column write_names_file(const std::filesystem::path& store, const NameColumns& names) {
  const File file = File::create(store / "names");
  const std::array count{names.count};
  Column column{.file = "names"};
  std::uint64_t end = 0;
  const auto write = [&](std::span<const std::byte> part) {
    file.write(part, end);
    column.crc = crc32c_combine(column.crc, parallel_crc(part), part.size());
    end += part.size();
  };
  write(bytes_of(count));
  names.offsets(write);
  names.bytes(write);
  file.sync();
  return column;
}

Names read_names_file(const File& file, std::uint32_t expected, std::uint64_t count) {
  const std::string name = file.path().string();
  const std::uint64_t size = file.size(), head = (count + 2) * sizeof(std::uint64_t);
  std::array<std::uint64_t, 1> counted{};
  file.read(std::as_writable_bytes(std::span(counted)), 0);
  if (counted[0] != count)
    throw DamagedStoreError("{}: {} names, expected one for each of {} vertices; the store is damaged", name,
                            counted[0], count);
  if (size < head)
    throw DamagedStoreError("{}: {} bytes, expected at least {}; the store is damaged", name, size, head);
  Names names{.bytes = std::vector<char>(size - head), .offsets = std::vector<std::uint64_t>(count + 1)};
  std::uint64_t end = 0;
  std::uint32_t crc = 0;
  const auto read = [&](std::span<std::byte> part) {
    file.read(part, end);
    crc = crc32c_combine(crc, parallel_crc(part), part.size());
    end += part.size();
  };
  read(std::as_writable_bytes(std::span(counted)));
  read(std::as_writable_bytes(std::span(names.offsets)));
  read(std::as_writable_bytes(std::span(names.bytes)));
  if (crc != expected) throw DamagedStoreError("{}: checksum mismatch; the store is damaged", name);
  if (names.offsets.front() != 0 || names.offsets.back() != names.bytes.size() ||
      !std::is_sorted(names.offsets.begin(), names.offsets.end()))
    throw DamagedStoreError("{}: offsets that do not ascend from 0 to {}; the store is damaged", name,
                            names.bytes.size());
  demand_sound_names(names, name);
  return names;
}

}  // namespace millrace
