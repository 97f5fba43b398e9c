// Items grouped by bucket on disk: added a window at a time, read a bucket at a time, in the order in which they came.
#pragma once

#include <future>
#include <memory>
#include <vector>

#include "millrace/build/buckets.h"
#include "millrace/build/items.h"
#include "millrace/build/packed.h"
#include "millrace/store/append_file.h"
#include "millrace/store/direct_reads.h"

namespace millrace {

// The layout of items on disk: a column of keys, minus the first key of their bucket, and a column of weights.
struct PackedWidths {
  std::uint32_t key = 0, weight = 0;
  std::uint32_t bytes() const { return key + weight; }
};

// The most memory that a piece of a bucket takes beside its bytes.
inline constexpr std::uint64_t piece_padding = 3 * file_alignment + range_slack;

// One bucket in memory, with the layout that it has on disk.
template <class Item>
class PackedItems {
 public:
  struct Piece {
    const std::byte* bytes;
    std::uint64_t first, count;  // range of the bucket's items
  };
  std::uint64_t count() const { return pieces_.empty() ? 0 : pieces_.back().first + pieces_.back().count; }

  // Calls visit(item) for the items with indices in [first, last).
  template <class Visit>
  void visit(std::uint64_t first, std::uint64_t last, Visit visit) const {
    for (const Piece& piece : pieces_) {
      const std::uint64_t begin = std::max(first, piece.first), end = std::min(last, piece.first + piece.count);
      const std::byte* const weights = piece.bytes + piece.count * widths_.key;
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::uint64_t at = i - piece.first;
        const std::uint64_t key = first_key_ + unpack(piece.bytes, at, widths_.key);
        if constexpr (std::is_same_v<Item, WeightedItem>)
          visit(WeightedItem{key, unpack(weights, at, widths_.weight)});
        else
          visit(key);
      }
    }
  }

 private:
  template <class>
  friend class Spill;
  Buffer memory_;
  std::vector<Piece> pieces_;
  std::uint64_t first_key_ = 0;
  PackedWidths widths_;
};

template <class Item>
class Spill {
 public:
  ~Spill() {
    std::error_code ignored;  // removed with its directory at the latest
    std::filesystem::remove(file_.path(), ignored);
  }
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  // Bucket b has the keys from first_keys[b] up to first_keys[b + 1].
  Spill(const std::filesystem::path& file, std::vector<std::uint64_t> first_keys, WeightType weight_type,
        Budget& budget)
      : file_(file, budget), first_keys_(std::move(first_keys)), chunks_(first_keys_.size() - 1), budget_(budget) {
    widths_ = widths(first_keys_, weight_type);
  }

  static PackedWidths widths(std::span<const std::uint64_t> first_keys, WeightType weight_type) {
    static constexpr std::uint32_t weight_bytes[] = {0, 1, 2, 4, 4, 8};
    std::uint32_t widest = 1;
    for (std::size_t b = 0; b + 1 < first_keys.size(); ++b)
      widest = std::max(widest, bytes_for(first_keys[b + 1] - first_keys[b] - 1));
    return {widest, weight_bytes[static_cast<int>(weight_type)]};
  }

  // Appends the items of a window to their buckets.
  void add(Buckets<Item>& window) {
    const std::uint64_t bytes = window.num_items() * widths_.bytes();
    if (packed_.size() < bytes) {
      packed_ = Buffer();
      packed_ = Buffer(bytes, budget_, "edges on their way to disk");
    }
    parallel_drawn(chunks_.size(), 1, [&](std::uint64_t b) {
      const std::span<Item> items = window.bucket(b);
      std::byte* const at = packed_.data() + window.offsets[b] * widths_.bytes();
      pack(at, items.size(), widths_.key, [&](std::uint64_t i) { return key_of(items[i]) - first_keys_[b]; });
      if constexpr (std::is_same_v<Item, WeightedItem>)
        pack(at + items.size() * widths_.key, items.size(), widths_.weight,
             [&](std::uint64_t i) { return items[i].weight; });
    });
    const std::uint64_t start = file_.append({packed_.data(), bytes});
    for (std::size_t b = 0; b < chunks_.size(); ++b)
      if (!window.bucket(b).empty())
        chunks_[b].push_back({start + window.offsets[b] * widths_.bytes(), window.bucket(b).size()});
  }

  // To be called once all items are added; buckets can be loaded afterwards.
  void finish() {
    file_.finish();
    packed_ = Buffer();
    reader_ = std::make_unique<RangeReader>(file_.path());
  }

  std::uint64_t disk_bytes() const { return file_.size(); }
  std::uint64_t num_buckets() const { return chunks_.size(); }

  // Reads a bucket in the background.
  std::future<PackedItems<Item>> load(std::uint64_t b) const {
    std::uint64_t bytes = 0;
    for (const Chunk& chunk : chunks_[b]) bytes += room_for(chunk);
    PackedItems<Item> items;
    items.memory_ = Buffer(bytes, budget_, "edges from disk");
    items.first_key_ = first_keys_[b];
    items.widths_ = widths_;
    // Deferred, in case the system refuses another thread: then it is read when it is wanted.
    return std::async(std::launch::async | std::launch::deferred, [this, b, items = std::move(items)]() mutable {
      std::byte* at = items.memory_.data();
      std::uint64_t first = 0;
      for (const Chunk& chunk : chunks_[b]) {
        throw_if_interrupted();
        const auto range = reader_->read(chunk.offset, chunk.count * widths_.bytes(), {at, room_for(chunk)});
        items.pieces_.push_back({range.data(), std::exchange(first, first + chunk.count), chunk.count});
        at += room_for(chunk);
      }
      return std::move(items);
    });
  }

 private:
  struct Chunk {
    std::uint64_t offset, count;
  };
  // Aligned, so that the next chunk can begin where it ends.
  std::uint64_t room_for(const Chunk& chunk) const {
    const std::uint64_t bytes = RangeReader::memory(chunk.count * widths_.bytes(), 1);
    return (bytes + file_alignment - 1) / file_alignment * file_alignment;
  }

  AppendFile file_;
  std::unique_ptr<RangeReader> reader_;
  std::vector<std::uint64_t> first_keys_;
  std::vector<std::vector<Chunk>> chunks_;  // by bucket
  PackedWidths widths_;
  Budget& budget_;
  Buffer packed_;
};

}  // namespace millrace
