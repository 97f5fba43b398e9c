#include "millrace/pages/page_table.h"

#include <algorithm>
#include <cstring>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"

namespace millrace {
namespace {

constexpr std::uint32_t table_magic = 0x42544d4d;  // "MMTB"
constexpr std::uint32_t table_version = 2;         // 1 had no hub_slices

struct TableHeader {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t count;
};

// Why an entry must not follow `before` (null: it is the first), or nothing.
const char* problem_with(const PageEntry& entry, const PageEntry* before, std::uint64_t num_vertices,
                         std::uint64_t segment) {
  if (entry.bytes < sizeof(PageHeader) || entry.bytes > max_page_bytes) return "size";
  if (entry.topology_bytes < sizeof(PageHeader) || entry.topology_bytes > entry.bytes) return "topology size";
  if (entry.bytes % section_alignment != 0 || entry.topology_bytes % section_alignment != 0) return "alignment";
  if (entry.offset % page_alignment != 0) return "offset";
  if (entry.kind != PageKind::small && entry.kind != PageKind::large) return "kind";
  if (segment == 0 && entry.segment != 0) return "reserved bytes";
  if (segment > 0 && (entry.min_neighbour / segment != entry.segment || entry.max_neighbour / segment != entry.segment))
    return "segment";
  if (entry.hub_slices > entry.slices) return "hub slices";
  const std::uint64_t end = std::uint64_t{entry.first_vertex} + entry.vertex_count;
  if (entry.vertex_count == 0 || end > num_vertices) return "vertex range";
  if (entry.kind == PageKind::large && entry.vertex_count != 1) return "vertex range";
  if (!before || entry.segment > before->segment) return nullptr;
  if (entry.segment < before->segment) return "order";
  const bool continues_large =
      entry.kind == PageKind::large && before->kind == PageKind::large && entry.first_vertex == before->first_vertex;
  if (!continues_large && entry.first_vertex < before->first_vertex + before->vertex_count) return "order";
  return nullptr;
}

}  // namespace

PageTable::PageTable(std::vector<PageEntry> entries) : entries_(std::move(entries)), first_page_{0} {
  for (std::uint32_t p = 1; p < size(); ++p)
    if (entries_[p].segment != entries_[p - 1].segment) first_page_.push_back(p);
  first_page_.push_back(size());
}

std::uint32_t PageTable::find(VertexId vertex, std::uint32_t segment) const {
  const auto begin = entries_.begin() + first_page_[segment], end = entries_.begin() + first_page_[segment + 1];
  // The first page that ends after `vertex`.
  const auto found = std::partition_point(
      begin, end, [vertex](const PageEntry& entry) { return entry.first_vertex + entry.vertex_count <= vertex; });
  const bool covers = found != end && found->first_vertex <= vertex;
  return covers ? static_cast<std::uint32_t>(found - entries_.begin()) : size();
}

std::uint64_t PageTable::num_edges() const {
  std::uint64_t sum = 0;
  for (const PageEntry& entry : entries_) sum += entry.edges;
  return sum;
}

std::uint64_t PageTable::longest_row() const {
  std::uint64_t sum = 0;
  for (std::uint32_t g = 0; g < num_segments(); ++g) {
    std::uint64_t longest = 0, row = 0;
    for (std::uint32_t p = first_page(g); p < first_page(g + 1); ++p) {
      const PageEntry& page = entries_[p];
      const std::uint64_t most =
          page.hub_slices > 0 ? page.edges : std::min<std::uint64_t>(page.edges, max_slice_columns);
      row = (goes_on(p) ? row : 0) + most;
      longest = std::max(longest, row);
    }
    sum += longest;
  }
  return sum;
}

std::uint64_t PageTable::page_bytes() const {
  std::uint64_t sum = 0;
  for (const PageEntry& entry : entries_) sum += entry.bytes;
  return sum;
}

std::uint64_t PageTable::topology_bytes() const {
  std::uint64_t sum = 0;
  for (const PageEntry& entry : entries_) sum += entry.topology_bytes;
  return sum;
}

std::uint64_t PageTable::page_memory() const {
  std::uint64_t sum = 0;
  for (const PageEntry& entry : entries_) sum += align_page(entry.bytes);
  return sum;
}

std::uint64_t PageTable::topology_memory() const {
  std::uint64_t sum = 0;
  for (const PageEntry& entry : entries_) sum += align_page(entry.topology_bytes);
  return sum;
}

std::vector<std::byte> PageTable::serialise() const {
  const TableHeader header{table_magic, table_version, entries_.size()};
  const std::size_t entry_bytes = entries_.size() * sizeof(PageEntry);
  std::vector<std::byte> bytes(sizeof(header) + entry_bytes + sizeof(std::uint32_t));
  std::memcpy(bytes.data(), &header, sizeof(header));
  if (entry_bytes > 0) std::memcpy(bytes.data() + sizeof(header), entries_.data(), entry_bytes);
  const std::uint32_t crc = crc32c(std::span(bytes).first(sizeof(header) + entry_bytes));
  std::memcpy(bytes.data() + sizeof(header) + entry_bytes, &crc, sizeof(crc));
  return bytes;
}

PageTable PageTable::parse(std::span<const std::byte> bytes, const std::string& name, std::uint64_t num_vertices,
                           std::span<const std::uint64_t> file_bytes, std::uint64_t segment) {
  TableHeader header{};
  if (bytes.size() < sizeof(header) + sizeof(std::uint32_t))
    throw DamagedStoreError("{}: {} bytes are too few for a page table; the store is damaged", name, bytes.size());
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != table_magic) throw BadInputError("{}: not a page table", name);
  if (header.version != table_version)
    throw BadInputError("{}: page table version {}; this program reads version {}", name, header.version,
                        table_version);
  const std::uint64_t room = bytes.size() - sizeof(header) - sizeof(std::uint32_t);
  if (room % sizeof(PageEntry) != 0 || header.count != room / sizeof(PageEntry))
    throw DamagedStoreError("{}: says {} pages in {} bytes; the store is damaged", name, header.count, bytes.size());
  std::uint32_t crc;
  std::memcpy(&crc, bytes.data() + sizeof(header) + room, sizeof(crc));
  if (crc != crc32c(bytes.first(sizeof(header) + room)))
    throw DamagedStoreError("{}: checksum mismatch; the store is damaged", name);

  std::vector<PageEntry> entries(header.count);
  if (room > 0) std::memcpy(entries.data(), bytes.data() + sizeof(header), room);
  std::vector<std::uint64_t> taken(file_bytes.size());  // bytes of each file that earlier pages take
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const PageEntry& entry = entries[i];
    const char* problem = problem_with(entry, i > 0 ? &entries[i - 1] : nullptr, num_vertices, segment);
    if (!problem && entry.file >= file_bytes.size()) problem = "file number";
    if (!problem && entry.offset != (taken[entry.file] + page_alignment - 1) / page_alignment * page_alignment)
      problem = "place";
    if (!problem && (entry.offset > file_bytes[entry.file] || entry.bytes > file_bytes[entry.file] - entry.offset))
      problem = "place (its file is too short)";
    if (!problem) taken[entry.file] = entry.offset + entry.bytes;
    if (problem) throw DamagedStoreError("{}: bad {} in entry {}; the store is damaged", name, problem, i);
  }
  return PageTable(std::move(entries));
}

}  // namespace millrace
