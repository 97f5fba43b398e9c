// The queues of several devices as one: a pipeline submits each copy to all of them. So a page is read from disk once
// and passes through host memory once, however many devices compute on it. The devices have slot regions of the same
// layout; pages that a device does not need are not copied to it.
#pragma once

#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "millrace/stream/pipeline.h"

namespace millrace {

class FannedQueues final : public Queues {
 public:
  struct Branch {
    Queues* queues = nullptr;
    // By page: whether the device needs it. Stays the same while the device may hold pages of earlier passes.
    const std::vector<bool>* takes = nullptr;
    std::function<void()> select = [] {};  // makes this device the current one of the calling thread
  };

  // `page_bytes`: the sizes of all pages. All arguments must outlive this object.
  FannedQueues(std::vector<Branch> branches, std::span<const std::uint32_t> page_bytes)
      : branches_(std::move(branches)), page_bytes_(page_bytes) {}

  // For every device, calls visit(branch, part) for the parts of a run that it needs, with that device selected.
  template <class Visit>
  void for_parts(const PageRun& run, const Visit& visit) const {
    for (std::size_t b = 0; b < branches_.size(); ++b) {
      branches_[b].select();
      const std::vector<bool>& takes = *branches_[b].takes;
      PageRun part{run.first, 0, run.place, 0};
      for (std::uint32_t p = run.first; p < run.first + run.count; ++p) {
        if (takes[p]) {
          ++part.count;
          part.bytes += page_bytes_[p];
          continue;
        }
        if (part.count > 0) visit(b, part);
        part = {p + 1, 0, part.place + part.bytes + page_bytes_[p], 0};
      }
      if (part.count > 0) visit(b, part);
    }
  }
  // The sum over all devices.
  std::uint64_t copied_bytes() const { return copied_; }

  std::uint32_t count() const override { return branches_[0].queues->count(); }
  void fork() override {
    for_all([](Queues& queues) { queues.fork(); });
  }
  // Joins the queues of all devices, even if some of them fail.
  void join() override {
    std::exception_ptr error;
    for_all([&](Queues& queues) {
      try {
        queues.join();
      } catch (...) {
        if (!error) error = std::current_exception();
      }
    });
    if (error) std::rethrow_exception(error);
  }
  void copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) override {
    for_parts(pages, [&](std::size_t b, const PageRun& part) {
      branches_[b].queues->copy(queue, part, from + (part.place - pages.place));
      copied_ += part.bytes;
    });
  }
  void mark(std::uint32_t queue, std::uint32_t slot) override {
    for_all([&](Queues& queues) { queues.mark(queue, slot); });
  }
  void wait(std::uint32_t queue, std::uint32_t slot) override {
    for_all([&](Queues& queues) { queues.wait(queue, slot); });
  }
  void await(std::uint32_t slot) override {
    for_all([&](Queues& queues) { queues.await(slot); });
  }
  void mark_source(std::uint32_t queue, std::uint32_t host_slot) override {
    for_all([&](Queues& queues) { queues.mark_source(queue, host_slot); });
  }
  bool source_free(std::uint32_t host_slot, bool wait) override {
    bool free = true;
    for_all([&](Queues& queues) { free = free && queues.source_free(host_slot, wait); });
    return free;
  }

 private:
  template <class Task>
  void for_all(const Task& task) {
    for (const Branch& branch : branches_) {
      branch.select();
      task(*branch.queues);
    }
  }

  std::vector<Branch> branches_;
  std::span<const std::uint32_t> page_bytes_;
  std::uint64_t copied_ = 0;
};

}  // namespace millrace
