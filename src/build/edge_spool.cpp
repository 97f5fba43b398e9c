#include "millrace/build/edge_spool.h"

#include <algorithm>
#include <future>
#include <utility>

#include "millrace/build/packed.h"
#include "millrace/core/parallel.h"
#include "millrace/core/progress.h"
#include "millrace/store/direct_reads.h"

namespace millrace {
namespace {

// The largest id among the sources (0) or targets (1) of edges [first, last).
OriginalId largest_of(const EdgeBatch& batch, std::uint64_t which, std::uint64_t first, std::uint64_t last) {
  return parallel_max(last - first, [&](std::uint64_t i) { return batch.endpoints[2 * (first + i) + which]; });
}

// Packs a column in parallel and returns where it ends.
template <class Value>
std::byte* pack_column(std::byte* at, std::uint64_t count, std::uint32_t width, Value value) {
  constexpr std::uint64_t chunk = 1 << 16;
  const auto pack_chunk = [&](std::uint64_t c) {
    const std::uint64_t first = c * chunk;
    pack(at + first * width, std::min(chunk, count - first), width, [&](std::uint64_t i) { return value(first + i); });
  };
  parallel_for((count + chunk - 1) / chunk, pack_chunk, chunk);
  return at + count * width;
}

}  // namespace

void EdgeSpool::add(EdgeBatch batch) {
  throw_if_interrupted();
  num_edges_ += batch.num_edges();
  weight_choice_.merge(batch.weight_choice);
  if (file_) return write(batch);
  largest_ =
      std::max({largest_, largest_of(batch, 0, 0, batch.num_edges()), largest_of(batch, 1, 0, batch.num_edges())});
  const std::uint64_t bytes =
      buffer_memory(batch.endpoints.size() * sizeof(OriginalId)) + buffer_memory(batch.weights.size() * sizeof(double));
  const bool fits = memory_ + bytes <= most_in_memory_ && budget_.has_room(bytes);
  if (fits) batch.kept = Charge(bytes, budget_, "the edges as they were read");
  memory_ += bytes;
  batches_.push_back(std::move(batch));
  if (!fits) open_file();
}

void EdgeSpool::open_file() {
  for (EdgeBatch& kept : batches_) kept.kept = {};  // they leave memory now, and what writes them needs some
  file_ = std::make_unique<AppendFile>(make_directory_() / "edges", budget_);
  for (EdgeBatch& kept : batches_) {
    write(kept);
    kept = {};
  }
  batches_.clear();
}

void EdgeSpool::go_to_disk() {
  open_file();
  finish();
}

void EdgeSpool::write(const EdgeBatch& batch) {
  for (std::uint64_t first = 0; first < batch.num_edges(); first += most_block_edges)
    write(batch, first, std::min(first + most_block_edges, batch.num_edges()));
}

void EdgeSpool::write(const EdgeBatch& batch, std::uint64_t first, std::uint64_t last) {
  const OriginalId largest[2] = {largest_of(batch, 0, first, last), largest_of(batch, 1, first, last)};
  largest_ = std::max({largest_, largest[0], largest[1]});
  Block block{.edges = last - first,
              .source_bytes = bytes_for(largest[0]),
              .target_bytes = bytes_for(largest[1]),
              .whole_weights = batch.weight_choice.all_whole};
  if (!batch.weights.empty())
    block.weight_bytes = block.whole_weights ? std::max(1u, bytes_for(batch.weight_choice.largest)) : 8;
  if (packed_.size() < block.bytes()) {
    packed_ = Buffer();
    packed_ = Buffer(block.bytes(), budget_, "edges on their way to disk");
    most_packed_ = std::max(most_packed_, buffer_memory(block.bytes()));
  }
  const OriginalId* const endpoints = batch.endpoints.data() + 2 * first;
  const double* const weights = batch.weights.data() + (batch.weights.empty() ? 0 : first);
  std::byte* at = packed_.data();
  at = pack_column(at, block.edges, block.source_bytes, [&](std::uint64_t i) { return endpoints[2 * i]; });
  at = pack_column(at, block.edges, block.target_bytes, [&](std::uint64_t i) { return endpoints[2 * i + 1]; });
  if (block.whole_weights)
    pack_column(at, block.edges, block.weight_bytes,
                [&](std::uint64_t i) { return static_cast<std::uint64_t>(weights[i]); });
  else
    pack_column(at, block.edges, block.weight_bytes,
                [&](std::uint64_t i) { return std::bit_cast<std::uint64_t>(weights[i]); });
  block.offset = file_->append({packed_.data(), block.bytes()});
  blocks_.push_back(block);
}

std::uint64_t EdgeSpool::replay_memory() const {
  std::uint64_t packed = 0, unpacked = 0;
  for (const Block& block : blocks_) {
    packed = std::max(packed, block.bytes());
    unpacked = std::max(unpacked, buffer_memory(block.edges * 2 * sizeof(OriginalId)) +
                                      (block.weight_bytes > 0 ? buffer_memory(block.edges * sizeof(double)) : 0));
  }
  return blocks_.empty() ? 0 : 2 * buffer_memory(RangeReader::memory(packed, 1)) + unpacked;
}

std::uint64_t EdgeSpool::most_replay_memory(std::uint64_t edges, bool weighted) {
  edges = std::min(edges, most_block_edges);
  const std::uint64_t bytes = edges * (2 * sizeof(OriginalId) + (weighted ? sizeof(double) : 0));
  return 2 * buffer_memory(RangeReader::memory(bytes, 1)) + buffer_memory(bytes) + 4096;
}

void EdgeSpool::finish() {
  if (file_) file_->finish();
  packed_ = Buffer();
}

EdgeBatch EdgeSpool::read(const Block& block, const std::byte* bytes) const {
  EdgeBatch batch;
  batch.endpoints = Array<OriginalId>(2 * block.edges, *reading_budget_, "edges from disk");
  if (block.weight_bytes > 0) batch.weights = Array<double>(block.edges, *reading_budget_, "weights from disk");
  const std::byte* const sources = bytes;
  const std::byte* const targets = sources + block.edges * block.source_bytes;
  const std::byte* const weights = targets + block.edges * block.target_bytes;
  parallel_for(block.edges, [&](std::uint64_t i) {
    batch.endpoints[2 * i] = unpack(sources, i, block.source_bytes);
    batch.endpoints[2 * i + 1] = unpack(targets, i, block.target_bytes);
    if (block.weight_bytes == 0) return;
    const std::uint64_t bits = unpack(weights, i, block.weight_bytes);
    batch.weights[i] = block.whole_weights ? static_cast<double>(bits) : std::bit_cast<double>(bits);
  });
  return batch;
}

void EdgeSpool::replay(const std::function<void(const EdgeBatch&)>& visit) const {
  for (const EdgeBatch& batch : batches_) visit(batch);
  if (blocks_.empty()) return;
  const RangeReader reader(file_->path());
  std::uint64_t largest = 0;
  for (const Block& block : blocks_) largest = std::max(largest, block.bytes());
  Buffer room[2];  // one is read while the other is used
  for (Buffer& buffer : room) buffer = Buffer(RangeReader::memory(largest, 1), *reading_budget_, "edges from disk");
  const auto start = [&](std::size_t b) {
    // Deferred, in case the system refuses another thread: then it is read when it is wanted.
    return std::async(std::launch::async | std::launch::deferred, [&, b] {
      return reader.read(blocks_[b].offset, blocks_[b].bytes(), {room[b % 2].data(), room[b % 2].size()});
    });
  };
  auto coming = start(0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    throw_if_interrupted();
    const std::span<const std::byte> bytes = coming.get();
    if (b + 1 < blocks_.size()) coming = start(b + 1);
    visit(read(blocks_[b], bytes.data()));
  }
}

void SpoolSupply::replay(const std::function<void(const Window&)>& visit) {
  constexpr std::uint64_t chunk = 2048;
  spool_.replay([&](const EdgeBatch& batch) {
    const std::uint64_t count = batch.num_edges();
    Array<Edge> edges(count, unlimited_budget(), "numbered edges");
    Array<std::uint64_t> weights(batch.weights.size(), unlimited_budget(), "weights");
    const auto number_chunk = [&](std::uint64_t c) {
      const std::uint64_t first = c * chunk, size = std::min(chunk, count - first);
      VertexId numbers[2 * chunk];
      index_.find({batch.endpoints.data() + 2 * first, 2 * size}, numbers);
      for (std::uint64_t i = 0; i < size; ++i) edges[first + i] = {numbers[2 * i], numbers[2 * i + 1]};
      if (!weights.empty())
        for (std::uint64_t i = first; i < first + size; ++i) weights[i] = weight_bits(weight_type_, batch.weights[i]);
    };
    parallel_for((count + chunk - 1) / chunk, number_chunk, chunk);
    visit({edges, weights});
  });
}

}  // namespace millrace
