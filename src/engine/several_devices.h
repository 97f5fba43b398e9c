// An engine's backend for several devices that share the edges of a graph. Each memory has all attributes. Devices that
// compute in the same memory divide the vertices: each does the vertex work of its own. With several memories, each
// does the work of all vertices: reading an attribute in the same memory takes less than bringing results from another.
//
// A superstep: each device sends messages along its own edges, and keeps them, one for each target. Where there is one
// memory, the owner of a target combines what all devices keep for it, and absorbs that. Between memories the messages
// are exchanged first. A pull in one memory keeps none, unless some rows are on two devices: a row is on one device,
// which absorbs what it gathers. Pushes in the memory of one GPU keep no messages either: all devices send to one inbox
// (push_together.h).
#pragma once

#include <map>
#include <optional>

#include "millrace/engine/backend.h"
#include "millrace/engine/device_team.h"

namespace millrace {

class SeveralDevices final : public Backend {
 public:
  SeveralDevices(const std::vector<DevicePart>& parts, RunLog& log);

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
  void agree(const Copies& copies, const AgreementTable& table) override;
  void each_device(std::uint64_t work, const std::function<void(Executor&, std::size_t)>& task) override;
  // Views of the copy are of that device's attributes.
  ValueCopy copy_for(std::size_t i, const void* value, const ValueType& type) const override;
  void* copy_of(const void* of_first, std::size_t i) const override;
  std::uint64_t share_rows(const void* of_first, std::uint64_t value_bytes) override;
  void reset() noexcept override;

 private:
  // How the messages of a superstep get from the devices that keep them to those that absorb them.
  struct Delivery {
    bool identity;   // vertices without a message are absorbed too, or added to: they have to hold the identity
    bool exchanged;  // the messages of all devices are combined and given to all of them; else whoever absorbs combines
    bool replaces;   // the next superstep of this kind needs no identity: it finds messages emptied, or overwrites them
  };

  std::uint64_t num_vertices() const { return team_[0].graph().num_vertices(); }
  bool one_memory() const { return num_memories_ == 1; }
  // Whether some devices compute in the same memory: what one writes, another reads.
  bool share_memory() const { return num_memories_ < team_.size(); }
  void written();
  void note_copies(std::vector<void*> copies) { copies_[copies[0]] = std::move(copies); }
  // The first device of each memory has made a frontier: now the others have it too.
  void copy_to_others(std::vector<Frontier>& made);

  // The first device's plan is given where it had to choose the direction.
  Frontier pull_rows(const std::optional<SuperstepPlan>& of_first, const Frontier& frontier,
                     const BoundProgram& program, Along along);
  Frontier push_to_one(const std::optional<SuperstepPlan>& of_first, const Frontier& frontier,
                       const BoundProgram& program, Along along);
  // The i-th device's part of a superstep. `keep`: see BoundProgram.
  Frontier carry_out_on(std::size_t i, Direction direction, const std::optional<SuperstepPlan>& of_first,
                        const Frontier& frontier, const BoundProgram& program, Along along, void* keep,
                        Superstep& part);
  void make_kept();
  Delivery plan_delivery(const ProgramFacts& facts, const Frontier& frontier, Direction direction, Along along) const;
  // Room for the messages of a program on each device, or for each the identity, where it has to be there.
  Messages prepare_messages(const ProgramFacts& facts, bool identity);
  Frontier absorb(const BoundProgram& program, const Messages& messages, bool exchanged, bool few, Along along,
                  std::vector<Frontier>& targets);
  template <class Table>
  void exchange(const Messages& messages, const Table& table);

  RunLog& log_;
  DeviceTeam team_;  // those that compute in the same memory share the vertex work
  std::size_t num_memories_ = 0;
  bool rows_overlap_ = false;  // some pages are on two devices (DevicePart::rows), with rows that both would absorb
  std::map<const void*, std::vector<void*>> copies_;  // where each device has what the first has there
  std::vector<DeviceArray<std::uint64_t>> kept_;      // messages, by device
  // The program, along these edges, whose messages need nothing done to them before its next superstep.
  const std::type_info* kept_program_ = nullptr;
  Along kept_along_ = Along::out;
};

}  // namespace millrace
