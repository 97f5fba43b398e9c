// An engine's backend for one device with its attributes at hand.
#pragma once

#include "millrace/engine/backend.h"

namespace millrace {

class OneDevice final : public Backend {
 public:
  OneDevice(const DevicePart& part, RunLog& log);

  Executor& first() override { return *executor_; }
  std::uint64_t growths() const override { return executor_->growths(); }
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
  void reset() noexcept override;

 private:
  std::unique_ptr<Executor> executor_;
  RunLog& log_;
};

}  // namespace millrace
