#include "millrace/pages/page_builder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "millrace/pages/crc32c.h"

namespace millrace {
namespace {

// Appends 32 values of `width` bits.
void pack_column(const std::uint32_t* values, std::uint32_t width, std::vector<std::uint32_t>& words) {
  const std::size_t start = words.size();
  words.resize(start + width);
  std::uint32_t* out = words.data() + start;
  std::uint64_t pending = 0;
  std::uint32_t filled = 0;
  for (std::uint32_t l = 0; l < lanes; ++l) {
    pending |= std::uint64_t{values[l]} << filled;
    filled += width;
    if (filled >= 32) {
      *out++ = static_cast<std::uint32_t>(pending);
      pending >>= 32;
      filled -= 32;
    }
  }
}

std::uint32_t column_width(const std::uint32_t* values) {
  std::uint32_t all = 0;
  for (std::uint32_t l = 0; l < lanes; ++l) all |= values[l];
  return static_cast<std::uint32_t>(std::bit_width(all));
}

// Appends one column in as few bits as its values need and returns that number of bits.
std::uint8_t append_column(const std::uint32_t* values, std::vector<std::uint32_t>& words) {
  const std::uint32_t width = column_width(values);
  pack_column(values, width, words);
  return static_cast<std::uint8_t>(width);
}

// Reserves words for the width bytes of `columns` columns and returns where they are.
std::size_t append_widths(std::uint32_t columns, std::vector<std::uint32_t>& words) {
  const std::size_t at = words.size();
  words.resize(at + width_words(columns), 0);
  return at;
}

void append_tile(const std::uint32_t* tile, std::uint32_t columns, std::size_t widths_at,
                 std::vector<std::uint32_t>& words) {
  for (std::uint32_t j = 0; j < columns; ++j) {
    const std::uint32_t width = append_column(tile + std::size_t{j} * lanes, words);
    words[widths_at + j / 4] |= width << (8 * (j % 4));
  }
}

}  // namespace

void PageBuilder::clear() {
  slices_.clear();
  extents_.clear();
  words_.clear();
  weight_words_.clear();
}

void PageBuilder::add_slice(const Rows& rows, std::span<const Lane> lane) {
  const std::uint32_t columns = lane[0].length;
  SliceHeader header{.word = static_cast<std::uint32_t>(words_.size()),
                     .first_slot = ~0u,
                     .first_neighbour = ~0u,
                     .columns = static_cast<std::uint16_t>(columns),
                     .slot_bits = 0,
                     .length_bits = 0};
  Extent extent{.weight_word = static_cast<std::uint32_t>(weight_words_.size()),
                .edges = 0,
                .min_neighbour = 0,
                .max_neighbour = 0};
  for (const Lane& l : lane) {
    if (l.length == 0) continue;
    header.first_slot = std::min(header.first_slot, l.slot);
    header.first_neighbour = std::min(header.first_neighbour, rows.neighbours[l.first]);
    extent.max_neighbour = std::max(extent.max_neighbour, rows.neighbours[l.first + l.length - 1]);
    extent.edges += l.length;
  }
  extent.min_neighbour = header.first_neighbour;

  const std::size_t widths_at = append_widths(columns, words_);
  std::array<std::uint32_t, lanes> slots{}, shortfalls;
  shortfalls.fill(columns);
  for (std::size_t l = 0; l < lane.size(); ++l) {
    slots[l] = lane[l].length > 0 ? lane[l].slot - header.first_slot : 0;
    shortfalls[l] = columns - lane[l].length;
  }
  header.slot_bits = append_column(slots.data(), words_);
  header.length_bits = append_column(shortfalls.data(), words_);
  fill_gaps(rows, lane, columns, header.first_neighbour);
  append_tile(tile_.data(), columns, widths_at, words_);
  if (options_.weight_type != WeightType::none) add_weights(rows, lane, columns);
  slices_.push_back(header);
  extents_.push_back(extent);
}

// tile[j][l] = the gap before neighbour j of lane l; zero past the lane's end.
void PageBuilder::fill_gaps(const Rows& rows, std::span<const Lane> lane, std::uint32_t columns,
                            std::uint32_t first_neighbour) {
  tile_.resize(std::size_t{columns} * lanes);
  const std::uint32_t step = options_.keep_parallel_edges ? 0 : 1;
  for (std::uint32_t l = 0; l < lanes; ++l) {
    const std::uint32_t length = l < lane.size() ? lane[l].length : 0;
    std::uint32_t* out = tile_.data() + l;
    if (length > 0) {
      const VertexId* row = rows.neighbours + lane[l].first;
      out[0] = row[0] - first_neighbour;
      for (std::uint32_t j = 1; j < length; ++j) out[std::size_t{j} * lanes] = row[j] - row[j - 1] - step;
    }
    for (std::uint32_t j = length; j < columns; ++j) out[std::size_t{j} * lanes] = 0;
  }
}

void PageBuilder::add_weights(const Rows& rows, std::span<const Lane> lane, std::uint32_t columns) {
  const std::uint32_t parts = weight_columns(options_.weight_type);
  tile_.assign(std::size_t{columns} * parts * lanes, 0);
  for (std::uint32_t l = 0; l < lane.size(); ++l)
    for (std::uint32_t j = 0; j < lane[l].length; ++j)
      for (std::uint32_t part = 0; part < parts; ++part)
        tile_[(std::size_t{j} * parts + part) * lanes + l] =
            static_cast<std::uint32_t>(rows.weights[lane[l].first + j] >> (32 * part));
  const std::size_t widths_at = append_widths(columns * parts, weight_words_);
  append_tile(tile_.data(), columns * parts, widths_at, weight_words_);
}

void PageBuilder::remove_last_slice() {
  words_.resize(slices_.back().word);
  weight_words_.resize(extents_.back().weight_word);
  slices_.pop_back();
  extents_.pop_back();
}

std::uint64_t PageBuilder::topology_bytes() const {
  return align_section(sizeof(PageHeader) + slices_.size() * sizeof(SliceHeader) + words_.size() * 4 +
                       read_ahead_bytes);
}

std::uint64_t PageBuilder::bytes() const {
  const std::uint64_t topology = topology_bytes();
  if (options_.weight_type == WeightType::none) return topology;
  return topology + align_section((slices_.size() + weight_words_.size()) * 4 + read_ahead_bytes);
}

EncodedPage PageBuilder::finish(PageKind kind, const Rows& rows, std::uint32_t num_rows,
                                std::uint32_t hub_slices) const {
  PageHeader header{};
  header.magic = page_magic;
  header.version = page_version;
  header.kind = kind;
  header.flags = options_.keep_parallel_edges ? page_flag_parallel : 0;
  header.first_vertex = rows.first_vertex;
  header.vertex_count = rows.vertex_count();
  header.rows = num_rows;
  header.slices = num_slices();
  header.hub_slices = hub_slices;
  header.min_neighbour = ~0u;
  for (const Extent& extent : extents_) {
    header.edges += extent.edges;
    header.min_neighbour = std::min(header.min_neighbour, extent.min_neighbour);
    header.max_neighbour = std::max(header.max_neighbour, extent.max_neighbour);
  }
  header.words = static_cast<std::uint32_t>(words_.size());
  header.topology_bytes = static_cast<std::uint32_t>(topology_bytes());
  header.weight_words = static_cast<std::uint32_t>(weight_words_.size());
  header.bytes = static_cast<std::uint32_t>(bytes());
  header.weight_type = options_.weight_type;

  EncodedPage page;
  page.bytes.resize(header.bytes);
  std::byte* at = page.bytes.data();
  const auto append = [&at](const auto* values, std::size_t count) {
    if (count > 0) std::memcpy(at, values, count * sizeof(*values));
    at += count * sizeof(*values);
  };
  append(&header, 1);
  append(slices_.data(), slices_.size());
  append(words_.data(), words_.size());
  if (options_.weight_type != WeightType::none) {
    at = page.bytes.data() + header.topology_bytes;
    for (const Extent& extent : extents_) append(&extent.weight_word, 1);
    append(weight_words_.data(), weight_words_.size());
  }
  page.entry = describe_page(page.bytes);
  return page;
}

PageEntry describe_page(std::span<const std::byte> page) {
  PageHeader header;
  std::memcpy(&header, page.data(), sizeof(header));
  const auto topology = page.first(header.topology_bytes);
  const auto weights = page.subspan(header.topology_bytes);
  return {.offset = 0,
          .bytes = header.bytes,
          .topology_bytes = header.topology_bytes,
          .topology_crc = crc32c(topology),
          .weight_crc = weights.empty() ? 0 : crc32c(weights),
          .first_vertex = header.first_vertex,
          .vertex_count = header.vertex_count,
          .rows = header.rows,
          .edges = header.edges,
          .slices = header.slices,
          .min_neighbour = header.min_neighbour,
          .max_neighbour = header.max_neighbour,
          .file = 0,
          .kind = header.kind,
          .flags = header.flags,
          .segment = 0,
          .hub_slices = header.hub_slices};
}

}  // namespace millrace
