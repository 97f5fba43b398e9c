// What must hold for any bytes given as a page; shared by the libFuzzer target and a short run in the normal tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/core/hash.h"
#include "millrace/pages/check.h"
#include "support/pages.h"

namespace millrace::test {

struct Examination {
  bool passed = false;                // the structural check found nothing
  std::optional<std::string> broken;  // a property that does not hold: a bug of ours
};

// Whether every neighbour and vertex lies in the graph and every row ascends.
inline const char* problem_of(const PageHeader& header, const PageParts& parts, std::uint64_t num_vertices) {
  const std::uint64_t step = (header.flags & page_flag_parallel) ? 0 : 1;
  std::uint64_t edges = 0;
  for (const SliceParts& slice : parts)
    for (const LanePart& part : slice) {
      edges += part.neighbours.size();
      if (part.neighbours.empty()) continue;
      if (part.vertex < header.first_vertex || part.vertex - header.first_vertex >= header.vertex_count)
        return "a row lies outside of its page";
      for (std::size_t j = 0; j < part.neighbours.size(); ++j) {
        const VertexId neighbour = part.neighbours[j];
        if (neighbour >= num_vertices) return "a neighbour lies outside of the graph";
        if (neighbour < header.min_neighbour || neighbour > header.max_neighbour)
          return "a neighbour lies outside of the header's bounds";
        if (j > 0 && neighbour < part.neighbours[j - 1] + step) return "a row does not ascend";
      }
    }
  return edges == header.edges ? nullptr : "the header's edges are not those of the lanes";
}

// A page that passes the check must be safe to decode, give the same values with every decoder, and be the only
// encoding of its lanes. A page that does not pass only has to be refused; sanitizers check how.
inline Examination examine_page(std::span<const std::byte> bytes, std::uint64_t num_vertices) {
  const std::vector<std::byte> page(bytes.begin(), bytes.end());  // of exactly this size, to detect reads past it
  if (check_page(page, num_vertices)) return {};
  const PageView view(page.data());
  const PageHeader& header = view.header();
  const bool weighted = header.weight_type != WeightType::none;
  const PageParts parts = decode_by_lanes(view, weighted);
  Examination result{.passed = true, .broken = {}};
  if (const char* problem = problem_of(header, parts, num_vertices)) result.broken = problem;
  for (const Decoder* decoder : available_decoders())
    if (decode_by_columns(view, *decoder, weighted, 7) != parts)
      result.broken = std::string(decoder->name) + " decodes differently";
  if (rebuild_page(header, parts) != page) result.broken = "its lanes have another encoding";
  if (check_page(page, describe_page(page), num_vertices)) result.broken = "its own table entry does not fit it";
  return result;
}

// Numbers taken one after another from a fuzzer's bytes; zero once they run out.
class FuzzInput {
 public:
  explicit FuzzInput(std::span<const std::uint8_t> data) : data_(data) {}
  template <class T>
  T take() {
    T value{};
    const std::size_t bytes = std::min(sizeof(T), data_.size());
    if (bytes > 0) std::memcpy(&value, data_.data(), bytes);
    data_ = data_.subspan(bytes);
    return value;
  }
  bool empty() const { return data_.empty(); }
  std::span<const std::uint8_t> rest() const { return data_; }

 private:
  std::span<const std::uint8_t> data_;
};

// A few rows drawn from a few bytes: lengths one by one, neighbours from a seed and a spread.
inline Csr fuzz_rows(FuzzInput& input, std::uint64_t num_vertices, const PageOptions& options) {
  Csr csr{.first_vertex = static_cast<VertexId>(input.take<std::uint16_t>() % (num_vertices / 2))};
  const std::uint32_t vertex_count = 1 + input.take<std::uint8_t>() % 48;
  const std::uint64_t spread = 1 + (std::uint64_t{1} << (input.take<std::uint8_t>() % 12));
  std::uint64_t draw = input.take<std::uint32_t>();
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    const std::uint32_t code = input.take<std::uint8_t>();
    const std::uint32_t length = code < 224 ? code % 7 : code < 254 ? code : hub_row_length - 1 + (code - 254) * 700;
    std::vector<VertexId> row;
    std::uint64_t next = mix(++draw) % spread;
    for (std::uint32_t j = 0; j < length && next < num_vertices; ++j) {
      row.push_back(static_cast<VertexId>(next));
      next += mix(++draw) % spread + (options.keep_parallel_edges ? 0 : 1);
    }
    csr.add_row(row);
  }
  add_weights(csr, options.weight_type, draw);
  return csr;
}

// One change, as a failing disk or a user with a hex editor would make it.
inline void mutate(FuzzInput& input, std::vector<std::byte>& page) {
  const auto kind = input.take<std::uint8_t>();
  const auto at = input.take<std::uint16_t>() % page.size();
  const auto value = input.take<std::uint8_t>();
  switch (kind % 6) {
    case 0:
      page[at] ^= static_cast<std::byte>(1u << (value % 8));
      break;
    case 1:
      page[at] = static_cast<std::byte>(value);
      break;
    case 2: {  // a number one up or down
      const std::size_t word = at / 4 * 4;
      std::uint32_t number = 0;
      if (word + 4 > page.size()) break;
      std::memcpy(&number, &page[word], 4);
      number += value % 2 ? 1 : -1;
      std::memcpy(&page[word], &number, 4);
      break;
    }
    case 3: {  // one slice header over another
      const std::size_t from = sizeof(PageHeader) + value * sizeof(SliceHeader);
      const std::size_t to = at / sizeof(SliceHeader) * sizeof(SliceHeader);
      if (std::max(from, to) + sizeof(SliceHeader) <= page.size())
        std::memmove(&page[to], &page[from], sizeof(SliceHeader));
      break;
    }
    case 4:
      page.resize(at);
      break;
    default:
      page.resize(page.size() + value);
  }
}

// The bytes themselves, or (if the first byte is odd) rows made from them, encoded and then changed a little.
inline Examination fuzz_page(std::span<const std::uint8_t> data) {
  FuzzInput input(data);
  const auto mode = input.take<std::uint8_t>();
  const std::uint64_t num_vertices = 2 + input.take<std::uint16_t>();
  if (mode % 2 == 0) return examine_page(std::as_bytes(input.rest()), num_vertices);

  const PageOptions options{.page_bytes = mode & 4 ? default_page_bytes : min_page_bytes,
                            .weight_type = static_cast<WeightType>((mode >> 3) % num_weight_types),
                            .keep_parallel_edges = (mode & 2) != 0};
  const Csr csr = fuzz_rows(input, num_vertices, options);
  if (csr.first_vertex + csr.vertex_count() > num_vertices) return {};
  std::vector<EncodedPage> pages = encode_pages(csr, options);
  if (pages.empty()) return {};
  EncodedPage& page = pages[input.take<std::uint8_t>() % pages.size()];
  std::vector<std::byte> changed = page.bytes;
  for (int i = 0; i < 4 && !input.empty() && !changed.empty(); ++i) mutate(input, changed);

  Examination result = examine_page(changed, num_vertices);
  const bool same = changed == page.bytes;
  if (same && !result.passed) result.broken = "a page of the encoder does not pass the check";
  if (!same && !check_page(changed, page.entry, num_vertices)) result.broken = "the table entry fits a changed page";
  return result;
}

}  // namespace millrace::test
