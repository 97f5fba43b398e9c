// Keeps edges as they were read, with their original ids, until all are known: in memory while they fit, then on disk.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "millrace/build/edge_reader.h"
#include "millrace/build/edge_supply.h"
#include "millrace/store/append_file.h"

namespace millrace {

class EdgeSpool {
 public:
  // The most edges of a block on disk: when they are replayed, two blocks are in memory, and one of them also unpacked.
  static constexpr std::uint64_t most_block_edges = 1u << 19;
  // Keeps up to `most_in_memory` bytes in memory; `make_directory` returns where to put the file, if there has to be
  // one.
  EdgeSpool(std::uint64_t most_in_memory, std::function<std::filesystem::path()> make_directory, Budget& budget)
      : most_in_memory_(most_in_memory),
        make_directory_(std::move(make_directory)),
        budget_(budget),
        reading_budget_(&budget) {}

  void add(EdgeBatch batch);
  // To be called once all edges are added.
  void finish();
  // Writes the edges in memory to disk too.
  void go_to_disk();
  // The same, where more may be added.
  void leave_memory() {
    if (!file_) open_file();
  }

  bool on_disk() const { return file_ != nullptr; }
  std::uint64_t num_edges() const { return num_edges_; }
  std::uint64_t num_batches() const { return batches_.size() + blocks_.size(); }
  OriginalId largest_id() const { return largest_; }
  const WeightChoice& weight_choice() const { return weight_choice_; }
  std::uint64_t disk_bytes() const { return file_ ? file_->size() : 0; }

  // The batches, if they are in memory.
  std::vector<EdgeBatch> take() { return std::move(batches_); }
  // The memory that replay() needs, and the most that add() needs.
  std::uint64_t replay_memory() const;
  static std::uint64_t most_replay_memory(std::uint64_t edges, bool weighted);
  std::uint64_t adding_memory(std::uint64_t limit) const { return AppendFile::memory(limit, 1) + most_packed_; }
  static std::uint64_t most_adding_memory() {
    return AppendFile::memory(Budget::unlimited, 1) + buffer_memory(3 * sizeof(OriginalId) * most_block_edges);
  }
  // From now on the memory of replay() is not charged.
  void stop_counting() { reading_budget_ = &unlimited_budget(); }
  // Passes all batches to `visit` again, in order.
  void replay(const std::function<void(const EdgeBatch&)>& visit) const;

 private:
  // A batch on disk: columns of sources, targets and weights, packed.
  struct Block {
    std::uint64_t offset = 0;
    std::uint64_t edges = 0;
    std::uint32_t source_bytes = 0, target_bytes = 0, weight_bytes = 0;
    bool whole_weights = false;  // weights are whole numbers; else the bits of doubles
    std::uint64_t bytes() const { return edges * (source_bytes + target_bytes + weight_bytes); }
  };
  void open_file();
  void write(const EdgeBatch& batch);
  void write(const EdgeBatch& batch, std::uint64_t first, std::uint64_t last);
  EdgeBatch read(const Block& block, const std::byte* bytes) const;

  std::uint64_t most_in_memory_;
  std::function<std::filesystem::path()> make_directory_;
  Budget& budget_;
  Budget* reading_budget_;
  std::uint64_t num_edges_ = 0;
  std::uint64_t memory_ = 0;
  OriginalId largest_ = 0;
  WeightChoice weight_choice_;
  std::vector<EdgeBatch> batches_;
  std::unique_ptr<AppendFile> file_;
  std::vector<Block> blocks_;
  Buffer packed_;
  std::uint64_t most_packed_ = 0;
};

// The edges of a spool on disk, numbered by an index as they are replayed.
class SpoolSupply final : public EdgeSupply {
 public:
  SpoolSupply(EdgeSpool& spool, IdIndex& index, WeightType weight_type)
      : spool_(spool), index_(index), weight_type_(weight_type) {}
  std::uint64_t num_vertices() const override { return index_.size(); }
  std::uint64_t num_edges() const override { return spool_.num_edges(); }
  WeightType weight_type() const override { return weight_type_; }
  std::uint64_t num_windows() const override { return spool_.num_batches(); }
  void replay(const std::function<void(const Window&)>& visit) override;
  Array<OriginalId> take_ids(Budget& budget) override { return index_.take_ids(budget); }
  std::uint64_t replay_memory() const override { return spool_.replay_memory(); }
  void stop_counting() override { spool_.stop_counting(); }
  std::uint64_t id_memory() const override { return buffer_memory(8 * index_.size()); }

 private:
  EdgeSpool& spool_;
  IdIndex& index_;
  WeightType weight_type_;
};

}  // namespace millrace
