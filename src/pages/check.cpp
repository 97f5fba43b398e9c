#include "millrace/pages/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "millrace/core/error.h"
#include "millrace/pages/crc32c.h"
#include "millrace/pages/decode.h"
#include "millrace/pages/page_builder.h"
#include "millrace/pages/page_view.h"

namespace millrace {
namespace {

// Thrown by the check functions with what is wrong; never leaves this file.
struct Problem {
  std::string text;
};

template <class... Args>
void demand(bool holds, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) throw Problem{fmt::format(text, std::forward<Args>(args)...)};
}

std::uint32_t column_bits(const std::uint32_t* values) {
  std::uint32_t all = 0;
  for (std::uint32_t l = 0; l < lanes; ++l) all |= values[l];
  return static_cast<std::uint32_t>(std::bit_width(all));
}

// Reads columns one after another from an array of words, never past its end.
class ColumnReader {
 public:
  ColumnReader(const std::uint32_t* words, std::uint64_t count) : at_(words), left_(count) {}

  const std::uint8_t* take_widths(std::uint32_t columns, const char* what) {
    const std::uint32_t words = width_words(columns);
    demand(words <= left_, "the widths of {} run past the section", what);
    const auto* widths = reinterpret_cast<const std::uint8_t*>(at_);
    for (std::uint32_t j = columns; j < words * 4; ++j) demand(widths[j] == 0, "bytes after the widths of {}", what);
    skip(words);
    return widths;
  }

  // Columns must be as narrow as their values allow.
  void take_column(std::uint32_t width, std::uint32_t* values, const char* what) {
    demand(width <= 32, "a {} column is {} bits wide", what, width);
    demand(width <= left_, "a {} column runs past the section", what);
    available_decoders()[0]->unpack(at_, width, values);
    demand(column_bits(values) == width, "a {} column is {} bits wide but needs {}", what, width, column_bits(values));
    skip(width);
  }

  std::uint64_t left() const { return left_; }

 private:
  void skip(std::uint32_t words) {
    at_ += words;
    left_ -= words;
  }
  const std::uint32_t* at_;
  std::uint64_t left_;
};

class PageCheck {
 public:
  PageCheck(std::span<const std::byte> page, std::uint64_t num_vertices) : page_(page), num_vertices_(num_vertices) {}

  void run() {
    check_header();
    const PageView view(page_.data());
    ColumnReader topology(view.words(), header_.words);
    ColumnReader weights(nullptr, 0);
    const std::uint32_t* weight_table = nullptr;
    if (header_.weight_type != WeightType::none) {
      weight_table = reinterpret_cast<const std::uint32_t*>(page_.data() + header_.topology_bytes);
      weights = ColumnReader(weight_table + header_.slices, header_.weight_words);
    }
    for (std::uint32_t s = 0; s < header_.slices; ++s) {
      const SliceHeader& slice = view.slices()[s];
      hub_ = s < header_.hub_slices;
      demand(slice.word == header_.words - topology.left(), "slice {} starts at word {}, expected {}", s, slice.word,
             header_.words - topology.left());
      check_slice(slice, s, topology);
      if (!weight_table) continue;
      demand(weight_table[s] == header_.weight_words - weights.left(), "weights of slice {} start at word {}", s,
             weight_table[s]);
      check_weights(slice, weights);
    }
    demand(topology.left() == 0 && weights.left() == 0, "words after the last slice");
    check_totals();
  }

 private:
  void check_header() {
    demand(page_.size() >= sizeof(PageHeader), "{} bytes are no page", page_.size());
    std::memcpy(&header_, page_.data(), sizeof(header_));
    demand(header_.magic == page_magic, "not a page (magic {:#x})", header_.magic);
    demand(header_.version == page_version, "page version {}; this program reads {}", header_.version, page_version);
    demand(header_.kind == PageKind::small || header_.kind == PageKind::large, "unknown kind of page");
    demand((header_.flags & ~page_flag_parallel) == 0, "unknown flags {:#x}", header_.flags);
    demand(static_cast<int>(header_.weight_type) < num_weight_types, "unknown type of weights");
    demand(std::all_of(std::begin(header_.reserved), std::end(header_.reserved), [](auto b) { return b == 0; }),
           "reserved bytes are not zero");
    demand(header_.bytes == page_.size(), "page says {} bytes, {} are here", header_.bytes, page_.size());
    demand(header_.slices > 0, "a page without slices");
    demand(header_.hub_slices <= header_.slices, "{} hub slices of {}", header_.hub_slices, header_.slices);
    demand(header_.vertex_count > 0 && std::uint64_t{header_.first_vertex} + header_.vertex_count <= num_vertices_,
           "vertices {} + {} lie beyond the graph's {}", header_.first_vertex, header_.vertex_count, num_vertices_);
    if (header_.kind == PageKind::large)
      demand(header_.vertex_count == 1 && header_.hub_slices == header_.slices, "a large page with more than one row");
    const std::uint64_t topology_end =
        sizeof(PageHeader) + std::uint64_t{header_.slices} * sizeof(SliceHeader) + std::uint64_t{header_.words} * 4;
    check_section(topology_end, header_.topology_bytes, "topology");
    if (header_.weight_type == WeightType::none) {
      demand(header_.bytes == header_.topology_bytes && header_.weight_words == 0, "weights in an unweighted page");
    } else {
      const std::uint64_t weights_end =
          header_.topology_bytes + (std::uint64_t{header_.slices} + header_.weight_words) * 4;
      check_section(weights_end, header_.bytes, "weight");
    }
  }

  // A section whose contents end at `used` must end, padded, at `end`, and be zero in between.
  void check_section(std::uint64_t used, std::uint64_t end, const char* what) {
    const std::uint64_t padded =
        (used + read_ahead_bytes + section_alignment - 1) / section_alignment * section_alignment;
    demand(padded == end && end <= page_.size(), "the {} section ends at {}, expected {}", what, end, padded);
    demand(std::all_of(page_.begin() + static_cast<std::ptrdiff_t>(used),
                       page_.begin() + static_cast<std::ptrdiff_t>(end), [](std::byte b) { return b == std::byte{0}; }),
           "padding of the {} section is not zero", what);
  }

  void check_slice(const SliceHeader& slice, std::uint32_t index, ColumnReader& words) {
    demand(slice.columns > 0 && slice.columns <= max_slice_columns, "slice {} has {} columns", index, slice.columns);
    const std::uint8_t* widths = words.take_widths(slice.columns, "gap columns");
    std::uint32_t slots[lanes], shortfalls[lanes];
    words.take_column(slice.slot_bits, slots, "slot");
    words.take_column(slice.length_bits, shortfalls, "length");
    check_lanes(slice, index, slots, shortfalls);
    check_neighbours(slice, widths, words);
  }

  void check_lanes(const SliceHeader& slice, std::uint32_t index, const std::uint32_t* slots,
                   const std::uint32_t* shortfalls) {
    std::uint64_t edges = 0;
    std::uint32_t lowest = ~0u;
    for (std::uint32_t l = 0; l < lanes; ++l) {
      demand(shortfalls[l] <= slice.columns, "lane {} of slice {} has a negative length", l, index);
      length_[l] = slice.columns - shortfalls[l];
      edges += length_[l];
      demand(l == 0 || length_[l] <= length_[l - 1], "lanes of slice {} do not fall in length", index);
      if (length_[l] == 0) {
        demand(slots[l] == 0, "an empty lane of slice {} names a vertex", index);
        continue;
      }
      const std::uint64_t slot = std::uint64_t{slice.first_slot} + slots[l];
      demand(slot < header_.vertex_count, "slice {} names vertex {} of {}", index, slot, header_.vertex_count);
      lowest = std::min(lowest, slots[l]);
      if (!hub_) check_row_order(static_cast<std::uint32_t>(slot), length_[l], index);
    }
    demand(length_[0] == slice.columns, "slice {} has no lane as long as its columns", index);
    demand(lowest == 0, "first_slot of slice {} is not its lowest", index);
    edges_ += edges;
    if (hub_) {
      check_hub(slice, index, edges);
    } else {
      demand(length_[lanes - 1] > 0 || index + 1 == header_.slices, "slice {} has empty lanes but is not the last",
             index);
    }
  }

  // Rows that take one lane are sorted by falling length, rows of equal length by vertex; no vertex has two of them.
  void check_row_order(std::uint32_t slot, std::uint32_t length, std::uint32_t index) {
    demand(length < last_length_ || (length == last_length_ && slot > last_slot_),
           "rows of slice {} are not in order of length and vertex", index);
    last_length_ = length;
    last_slot_ = slot;
    ++rows_;
    rows_seen_.resize(header_.vertex_count);
    demand(!rows_seen_[slot], "vertex {} has two rows", slot);
    rows_seen_[slot] = true;
  }

  void check_hub(const SliceHeader& slice, std::uint32_t index, std::uint64_t edges) {
    demand(slice.slot_bits == 0, "hub slice {} has several vertices", index);
    for (std::uint32_t l = 0; l < lanes; ++l) {
      const std::uint64_t start = std::min<std::uint64_t>(std::uint64_t{l} * slice.columns, edges);
      demand(length_[l] == std::min<std::uint64_t>(slice.columns, edges - start), "hub slice {} is cut unevenly",
             index);
    }
    demand(index == 0 || slice.first_slot >= last_slot_, "hub slices are not in order of vertex");
    if (index == 0 || slice.first_slot != last_slot_) {
      last_slot_ = slice.first_slot;
      hub_last_ = -1;
      ++rows_;
      rows_seen_.resize(header_.vertex_count);
      rows_seen_[slice.first_slot] = true;
    }
    if (index + 1 == header_.hub_slices) last_length_ = ~0u;
  }

  void check_neighbours(const SliceHeader& slice, const std::uint8_t* widths, ColumnReader& words) {
    const std::uint64_t step = (header_.flags & page_flag_parallel) ? 0 : 1;
    std::uint64_t last[lanes];
    std::uint64_t first[lanes];
    std::uint32_t gaps[lanes];
    std::fill(last, last + lanes, std::uint64_t{slice.first_neighbour});
    for (std::uint32_t j = 0; j < slice.columns; ++j) {
      words.take_column(widths[j], gaps, "gap");
      for (std::uint32_t l = 0; l < lanes; ++l) {
        if (j >= length_[l]) {
          demand(gaps[l] == 0, "a gap past the end of its row");
          continue;
        }
        last[l] += gaps[l] + (j == 0 ? 0 : step);
        if (j == 0) first[l] = last[l];
        demand(last[l] < num_vertices_, "neighbour {} lies beyond the graph's {} vertices", last[l], num_vertices_);
        max_neighbour_ = std::max(max_neighbour_, static_cast<std::uint32_t>(last[l]));
      }
      if (j == 0)
        demand(*std::min_element(first, first + active_lanes()) == slice.first_neighbour,
               "first_neighbour is not the lowest of its slice");
    }
    min_neighbour_ = std::min(min_neighbour_, slice.first_neighbour);
    if (!hub_) return;
    // The lanes of a hub hold consecutive parts of its row, over slices too.
    for (std::uint32_t l = 0; l < active_lanes(); ++l) {
      demand(static_cast<std::int64_t>(first[l]) >= hub_last_ + static_cast<std::int64_t>(hub_last_ < 0 ? 1 : step),
             "the segments of a hub overlap");
      hub_last_ = static_cast<std::int64_t>(last[l]);
    }
  }

  void check_weights(const SliceHeader& slice, ColumnReader& words) {
    const std::uint32_t parts = weight_columns(header_.weight_type);
    const std::uint8_t* widths = words.take_widths(slice.columns * parts, "weight columns");
    const std::uint32_t most = header_.weight_type == WeightType::u8    ? 8
                               : header_.weight_type == WeightType::u16 ? 16
                                                                        : 32;
    std::uint32_t values[lanes];
    for (std::uint32_t j = 0; j < slice.columns * parts; ++j) {
      words.take_column(widths[j], values, "weight");
      demand(widths[j] <= most, "a weight too large for its type");
      for (std::uint32_t l = 0; l < lanes; ++l)
        demand(values[l] == 0 || j / parts < length_[l], "a weight past the end of its row");
    }
  }

  void check_totals() const {
    demand(edges_ == header_.edges, "page says {} edges, it has {}", header_.edges, edges_);
    demand(rows_ == header_.rows, "page says {} rows, it has {}", header_.rows, rows_);
    demand(min_neighbour_ == header_.min_neighbour && max_neighbour_ == header_.max_neighbour,
           "neighbours {}..{} are not the {}..{} of the header", min_neighbour_, max_neighbour_, header_.min_neighbour,
           header_.max_neighbour);
  }

  std::uint32_t active_lanes() const {
    return static_cast<std::uint32_t>(std::count_if(length_, length_ + lanes, [](auto n) { return n > 0; }));
  }

  std::span<const std::byte> page_;
  std::uint64_t num_vertices_;
  PageHeader header_{};

  // The current slice.
  bool hub_ = false;
  std::uint32_t length_[lanes] = {};

  // Since the start of the page.
  std::vector<bool> rows_seen_;
  std::uint32_t last_length_ = ~0u;
  std::uint32_t last_slot_ = 0;
  std::int64_t hub_last_ = -1;  // last neighbour of the current hub, -1 before its first
  std::uint64_t edges_ = 0;
  std::uint32_t rows_ = 0;
  std::uint32_t min_neighbour_ = ~0u;
  std::uint32_t max_neighbour_ = 0;
};

}  // namespace

std::optional<std::string> check_page(std::span<const std::byte> page, std::uint64_t num_vertices) {
  try {
    PageCheck(page, num_vertices).run();
    return std::nullopt;
  } catch (const Problem& problem) {
    return problem.text;
  }
}

std::optional<std::string> check_page(std::span<const std::byte> page, const PageEntry& entry,
                                      std::uint64_t num_vertices) {
  // First what a failing disk does.
  if (page.size() != entry.bytes || entry.topology_bytes > page.size()) return "size differs from the page table's";
  if (crc32c(page.first(entry.topology_bytes)) != entry.topology_crc ||
      crc32c(page.subspan(entry.topology_bytes)) != entry.weight_crc)
    return "checksum differs from the page table's";
  if (auto problem = check_page(page, num_vertices)) return problem;
  PageEntry found = describe_page(page);
  found.offset = entry.offset;
  found.file = entry.file;
  found.segment = entry.segment;
  if (std::memcmp(&found, &entry, sizeof(entry)) != 0) return "header differs from the page table's entry";
  return std::nullopt;
}

}  // namespace millrace
