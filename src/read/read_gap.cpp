#include "millrace/read/read_gap.h"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "millrace/core/parallel.h"
#include "millrace/read/binary_input.h"
#include "millrace/read/mirror_sums.h"

namespace millrace {
namespace {

constexpr std::uint64_t header_bytes = 17;
constexpr std::uint64_t batch_entries = std::uint64_t{1} << 20;
constexpr std::uint64_t most_vertices = std::uint64_t{1} << 31;  // neighbours are signed numbers of 32 bits

struct GapHeader {
  bool directed = false;
  std::uint64_t entries = 0;  // entries of all lists: an undirected edge has two
  std::uint64_t num_vertices = 0;
};

// The size of a complete file; 0 if the numbers make no sense.
std::uint64_t expected_bytes(const GapHeader& header, bool has_weights) {
  if (header.num_vertices > most_vertices || header.entries > std::uint64_t{1} << 58) return 0;
  const std::uint64_t lists = 8 * (header.num_vertices + 1) + (has_weights ? 8 : 4) * header.entries;
  return header_bytes + (header.directed ? 2 : 1) * lists;
}

class GapEdges : public EdgeReader {
 public:
  GapEdges(std::unique_ptr<TextSource> source, bool has_weights, bool weighted)
      : input_(std::move(source)), weighted_(weighted), numbers_per_entry_(has_weights ? 2 : 1) {
    read_header(has_weights);
    read_offsets();
    shape_ = {.weighted = weighted,
              .undirected = !header_.directed,
              .vertices = std::make_shared<IdIndex>(header_.num_vertices),
              .reader_bytes = offsets_.size() * sizeof(offsets_[0]),
              .format = has_weights ? "wsg" : "sg"};
  }

  GraphShape shape() const override { return shape_; }
  void ask_weights(WeightType type) override { shape_.weight_type = type; }

  std::optional<EdgeBatch> next() override {
    while (done_ < header_.entries) {
      const std::uint64_t count = std::min(batch_entries, header_.entries - done_);
      if (entries_.empty()) reserve(count);
      first_byte_ = input_.at();
      input_.read(std::span(entries_.data(), count * numbers_per_entry_), "the neighbours");
      EdgeBatch batch = expand(count);
      done_ += count;
      if (batch.num_edges() > 0) return batch;
    }
    check_end();
    std::vector<std::uint64_t>().swap(offsets_);  // frees its memory for others
    return {};
  }

 private:
  // A part of a batch that one thread expands.
  struct Part {
    std::uint64_t begin = 0, end = 0;  // entries of the batch
    std::uint64_t edges = 0;           // written to the scratch memory from entry `begin` on
    std::uint64_t place = 0;           // position in the batch that is returned
    MirrorSums sums;
    WeightChoice weight_choice;
  };

  void read_header(bool has_weights) {
    const auto directed = input_.read_one<std::uint8_t>("the header");
    std::int64_t numbers[2];
    input_.read(std::span<std::int64_t>(numbers), "the header");
    if (directed > 1 || numbers[0] < 0 || numbers[1] < 0)
      throw BadInputError("{}: byte 0 to 16: directed {}, {} entries, {} vertices; this is not a GAP graph",
                          input_.name(), directed, numbers[0], numbers[1]);
    header_ = {directed == 1, static_cast<std::uint64_t>(numbers[0]), static_cast<std::uint64_t>(numbers[1])};
    const std::uint64_t expected = expected_bytes(header_, has_weights);
    if (expected == 0 || (input_.size() > 0 && input_.size() != expected))
      throw BadInputError(
          "{}: byte 1 to 16: {} entries of {} vertices do not make a file of {} bytes; expected {} (a .wsg has "
          "weights, "
          "a .sg has none)",
          input_.name(), header_.entries, header_.num_vertices, input_.size(), expected);
  }

  // In pieces: if the size of the file is unknown, the header alone must not decide how much memory is allocated.
  void read_offsets() {
    constexpr std::uint64_t piece = 1 << 20;
    const std::uint64_t count = header_.num_vertices + 1;
    while (offsets_.size() < count) {
      const std::uint64_t first = offsets_.size();
      offsets_.resize(std::min(count, first + piece));
      input_.read(std::span(offsets_).subspan(first), "the offsets");
    }
    for (std::uint64_t v = 0; v < count; ++v)
      if (offsets_[v] < (v == 0 ? 0 : offsets_[v - 1]) || offsets_[v] > header_.entries || (v == 0 && offsets_[0] != 0))
        throw BadInputError("{}: byte {}: the offset of vertex {} is {}; expected offsets that ascend from 0 to {}",
                            input_.name(), header_bytes + 8 * v, v, offsets_[v], header_.entries);
    if (offsets_.back() != header_.entries)
      throw BadInputError("{}: byte {}: the last offset is {}; expected {}, the number of entries", input_.name(),
                          header_bytes + 8 * (count - 1), offsets_.back(), header_.entries);
  }

  void reserve(std::uint64_t count) {
    entries_ = Array<std::int32_t>(count * numbers_per_entry_, unlimited_budget(), "neighbours as they were read");
    scratch_ids_ = Array<OriginalId>(2 * count, unlimited_budget(), "edges on their way");
    if (weighted_) scratch_weights_ = Array<double>(count, unlimited_budget(), "weights on their way");
  }

  EdgeBatch expand(std::uint64_t count) {
    const auto num_parts = std::min<std::uint64_t>(4 * static_cast<std::uint64_t>(omp_get_max_threads()), count);
    std::vector<Part> parts(num_parts);
    for (std::uint64_t i = 0; i < num_parts; ++i)
      parts[i].begin = count * i / num_parts, parts[i].end = count * (i + 1) / num_parts;
    parallel_for_each(num_parts, [&](std::uint64_t i) { expand(parts[i]); });
    std::uint64_t num_edges = 0;
    EdgeBatch batch;
    for (Part& part : parts) {
      part.place = num_edges;
      num_edges += part.edges;
      sums_.merge(part.sums);
      batch.weight_choice.merge(part.weight_choice);
    }
    batch.endpoints = Array<OriginalId>(2 * num_edges, unlimited_budget(), "edges as they were read");
    if (weighted_) batch.weights = Array<double>(num_edges, unlimited_budget(), "weights as they were read");
    parallel_for_each(num_parts, [&](std::uint64_t i) {
      const Part& part = parts[i];
      std::copy_n(scratch_ids_.data() + 2 * part.begin, 2 * part.edges, batch.endpoints.data() + 2 * part.place);
      if (weighted_) std::copy_n(scratch_weights_.data() + part.begin, part.edges, batch.weights.data() + part.place);
    });
    return batch;
  }

  void expand(Part& part) {
    // The vertex whose list has the first entry: the last one whose list begins at or before it.
    auto vertex =
        static_cast<std::uint64_t>(std::ranges::upper_bound(offsets_, done_ + part.begin) - offsets_.begin()) - 1;
    for (std::uint64_t entry = part.begin; entry < part.end; ++entry) {
      while (offsets_[vertex + 1] <= done_ + entry) ++vertex;
      const std::int32_t* const numbers = entries_.data() + entry * numbers_per_entry_;
      const auto neighbour = static_cast<std::uint32_t>(numbers[0]);
      if (neighbour >= header_.num_vertices)
        throw BadInputError("{}: byte {}: neighbour {} of vertex {}; expected 0 to {}", input_.name(),
                            first_byte_ + 4 * numbers_per_entry_ * entry, numbers[0], vertex, header_.num_vertices - 1);
      const std::int32_t weight = numbers_per_entry_ == 2 ? numbers[1] : 0;
      if (!header_.directed && !part.sums.take(vertex, neighbour, static_cast<std::uint32_t>(weight))) continue;
      const std::uint64_t place = part.begin + part.edges++;
      scratch_ids_[2 * place] = vertex;
      scratch_ids_[2 * place + 1] = neighbour;
      if (weighted_) {
        if (!accepts(shape_.weight_type, {.value = static_cast<double>(weight)}))
          throw BadInputError("{}: byte {}: the weight {}: {}", input_.name(),
                              first_byte_ + 4 * numbers_per_entry_ * entry + 4, weight,
                              explain_refused_weight(shape_.weight_type));
        scratch_weights_[place] = weight;
        part.weight_choice.look_at(weight);
      }
    }
  }

  void check_end() {
    if (header_.directed) return;  // the inverse adds nothing and is not read
    if (!sums_.mirrored())
      throw BadInputError(
          "{}: byte 0 says undirected, but {} entries name a higher vertex and {} a lower one; expected every edge in "
          "the lists of both its ends, with the same weight",
          input_.name(), sums_.up_edges, sums_.down_edges);
    char more;
    if (input_.read_some(std::span<char>(&more, 1)) > 0)
      throw BadInputError("{}: byte {}: there is more behind the last neighbour; is this a .wsg or a .sg?",
                          input_.name(), input_.at() - 1);
  }

  BinaryInput input_;
  bool weighted_;
  std::uint64_t numbers_per_entry_;  // 2: neighbour and weight
  GapHeader header_;
  GraphShape shape_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t done_ = 0;        // entries that were read
  std::uint64_t first_byte_ = 0;  // of the entries that are being read
  Array<std::int32_t> entries_;
  Array<OriginalId> scratch_ids_;
  Array<double> scratch_weights_;
  MirrorSums sums_;
};

}  // namespace

std::unique_ptr<EdgeReader> open_gap(std::unique_ptr<TextSource> source, bool has_weights, bool weighted) {
  return std::make_unique<GapEdges>(std::move(source), has_weights, weighted);
}

bool looks_like_gap(std::string_view head, std::uint64_t file_bytes, bool has_weights) {
  if (head.size() < header_bytes || static_cast<unsigned char>(head[0]) > 1) return false;
  GapHeader header{.directed = head[0] == 1};
  std::memcpy(&header.entries, head.data() + 1, 8);
  std::memcpy(&header.num_vertices, head.data() + 9, 8);
  return file_bytes > 0 && expected_bytes(header, has_weights) == file_bytes;
}

}  // namespace millrace
