// An engine's backend where attributes are far: in host memory for GPUs, in a file for CPUs, one copy for all devices.
// Each device does the vertex work of its own vertices: it reaches their values where they are, one after the other, at
// the speed of the link or the disk. Messages cannot wait there: they come in random order. So they wait in the memory
// of the device that owns the target, for as many targets as there is room at a time (GStream):
//   A push takes a pass over the pages for every chunk of targets. Devices have chunks side by side in one pass, which
// gives each page to all of them (the scalability strategy of GTS).
//   A pull needs the messages of sources at hand too: for every chunk of targets it goes through chunks of sources. A
// page whose rows are in the one and whose neighbours are in the other is needed once, in a blocked store.
//
// A chunk is absorbed before messages are sent to the next one, so that a source may send a newer value to later
// targets: as it may in a pull, where rows are absorbed while others are still gathered.
#pragma once

#include "millrace/engine/backend.h"
#include "millrace/engine/device_team.h"
#include "millrace/operators/chunk_pull.h"

namespace millrace {

class FarAttributes final : public Backend {
 public:
  // Throws UsageError where pulls are asked for and no sources were planned for.
  FarAttributes(const std::vector<DevicePart>& parts, RunLog& log);

  Executor& first() override { return team_[0]; }
  std::uint64_t growths() const override { return team_.growths(); }
  Copies allocate(std::uint64_t bytes, const std::string& what, Contents contents) override;
  void each_copy(std::uint64_t work, const std::function<void(Executor&, std::size_t)>& task) override;
  Frontier each_frontier(std::uint64_t work, const std::function<Frontier(Executor&, std::size_t)>& task) override;
  Frontier edge_map(const Frontier& frontier, const BoundProgram& program, Along along, bool go_on) override;
  Frontier filter(const BoundPredicate& predicate, Along along) override;
  Frontier filter_in(const Frontier& frontier, const BoundPredicate& predicate) override;
  void vertex_map(const BoundBody& body) override;
  void reduce(const BoundReduction& reduction, void* result) override;
  void agree(const Copies&, const AgreementTable&) override {}
  void each_device(std::uint64_t, const std::function<void(Executor&, std::size_t)>& task) override;
  ValueCopy copy_for(std::size_t, const void* value, const ValueType& type) const override;
  void* copy_of(const void* of_first, std::size_t) const override { return const_cast<void*>(of_first); }
  std::uint64_t share_rows(const void*, std::uint64_t) override { return 0; }
  void reset() noexcept override { team_.reset(); }

 private:
  std::uint64_t num_vertices() const { return team_[0].graph().num_vertices(); }
  bool on_gpus() const { return team_[0].device().kind() == DeviceKind::cuda; }
  bool several() const { return team_.size() > 1; }
  const PageTable& table(std::size_t set) const;
  // Of all CPUs together; 0 for GPUs.
  int threads();
  // The number of rounds until all chunks are done, and the vertices of a device's chunk in a round.
  std::uint64_t num_chunks() const;
  VertexRange chunk(std::size_t device, std::uint64_t round) const;
  std::vector<VertexRange> chunks(std::uint64_t round) const;
  // The given pages that have neighbours in a chunk of this round, of any device.
  std::vector<std::uint32_t> reaching(const std::vector<std::uint32_t>& pages, const PageTable& table,
                                      std::uint64_t round) const;
  // Those with rows of some of these targets and neighbours among the sources.
  std::vector<std::uint32_t> meeting(const PageTable& table, VertexRange sources,
                                     const std::vector<VertexRange>& targets) const;
  PassCounts push(const Frontier& frontier, const BoundProgram& program, Frontier& next, Superstep& step);
  void pull(const BoundProgram& program, Superstep& step);
  // Lets rows on pages of a segment gather: one chunk of targets on each device.
  void gather(const BoundProgram& program, const std::vector<ChunkRoom>& chunks, std::uint32_t segment,
              const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon, Superstep& step);

  RunLog& log_;
  DeviceTeam team_;
  std::vector<std::uint64_t> chunk_;  // by device: vertices that can have messages at a time
  std::uint64_t sources_;             // whose messages are there at a time, where they are pulled; else 0
};

}  // namespace millrace
