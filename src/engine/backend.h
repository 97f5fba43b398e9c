// What an engine does its work with: one device (one_device.h), several devices that share the edges
// (several_devices.h), or attributes that are far (far_attributes.h).
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "millrace/engine/copies.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/executor.h"
#include "millrace/engine/run_log.h"

namespace millrace {

class Backend {
 public:
  virtual ~Backend() = default;
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  virtual Executor& first() = 0;
  virtual std::uint64_t growths() const = 0;
  virtual Copies allocate(std::uint64_t bytes, const std::string& what, Contents contents) = 0;
  // Calls task(executor, i) for each device that has a copy of the attributes. `work`: vertices or bytes it is about.
  virtual void each_copy(std::uint64_t work, const std::function<void(Executor&, std::size_t)>& task) = 0;
  // The frontiers that task(executor, i) makes on each device.
  virtual Frontier each_frontier(std::uint64_t work, const std::function<Frontier(Executor&, std::size_t)>& task) = 0;

  // One superstep, or where it may go on some; the caller's frontier is used up then.
  virtual Frontier edge_map(const Frontier& frontier, const BoundProgram& program, Along along, bool go_on) = 0;
  virtual Frontier filter(const BoundPredicate& predicate, Along along) = 0;
  virtual Frontier filter_in(const Frontier& frontier, const BoundPredicate& predicate) = 0;
  virtual void vertex_map(const BoundBody& body) = 0;
  virtual void reduce(const BoundReduction& reduction, void* result) = 0;
  // The copies of several memories become what their values combine to.
  virtual void agree(const Copies& copies, const AgreementTable& table) = 0;
  // For rows (rows.h). Calls task(executor, i) for each device, which has whole rows of some vertices
  // (DevicePart::rows).
  virtual void each_device(std::uint64_t work, const std::function<void(Executor&, std::size_t)>& task) = 0;
  // A program for the i-th device, and where that device has what the first one has there.
  virtual ValueCopy copy_for(std::size_t i, const void* value, const ValueType& type) const = 0;
  virtual void* copy_of(const void* of_first, std::size_t i) const = 0;
  // Each device has written the values of the vertices whose rows it has: now all memories have them. Returns how many
  // bytes went from one memory to another.
  virtual std::uint64_t share_rows(const void* of_first, std::uint64_t value_bytes) = 0;
  // After a failure: no device does anything any more, and their scratch memory is as it is between supersteps.
  virtual void reset() noexcept = 0;
};

// Work on a backend: if it ends by an exception, the backend is reset.
class ResetOnFailure {
 public:
  explicit ResetOnFailure(Backend& backend) : backend_(backend) {}
  ~ResetOnFailure() {
    if (std::uncaught_exceptions() > before_) backend_.reset();
  }
  ResetOnFailure(const ResetOnFailure&) = delete;
  ResetOnFailure& operator=(const ResetOnFailure&) = delete;

 private:
  Backend& backend_;
  int before_ = std::uncaught_exceptions();
};

std::unique_ptr<Backend> make_backend(const std::vector<DevicePart>& parts, RunLog& log);

}  // namespace millrace
