// A device made of threads: a region of memory and queues that run in order, at the same time and with random pauses,
// so that a missing wait shows as wrong bytes (and as a race to the thread sanitizer).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "millrace/stream/pipeline.h"

namespace millrace::test {

class SimulatedQueues : public Queues {
 public:
  // The queue of all other work of the device.
  static constexpr std::uint32_t main = ~std::uint32_t{0};

  SimulatedQueues(std::uint32_t count, std::uint64_t region_bytes, std::uint32_t num_slots, std::uint64_t seed)
      : region_(region_bytes, std::byte{0xee}), marks_(num_slots) {
    for (std::uint32_t q = 0; q <= count; ++q) workers_.push_back(std::make_unique<Worker>(seed * 1000 + q));
  }
  // Queues wait for each other, so none may stop before all are done.
  ~SimulatedQueues() override { finish(); }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(workers_.size() - 1); }
  void fork() override {
    const auto given = record(main);
    for (std::uint32_t q = 0; q < count(); ++q) await(q, given);
  }
  void join() override {
    for (std::uint32_t q = 0; q < count(); ++q) await(main, record(q));
  }
  void copy(std::uint32_t queue, const PageRun& pages, const std::byte* from) override {
    const std::uint64_t place = pages.place, bytes = pages.bytes;
    // In two halves, so that other work may see half a copy.
    const std::uint64_t half = bytes / 2;
    give(queue, [=, this] { std::memcpy(region_.data() + place, from, half); });
    give(queue, [=, this] { std::memcpy(region_.data() + place + half, from + half, bytes - half); });
  }
  void mark(std::uint32_t queue, std::uint32_t slot) override { marks_.at(slot) = record(queue); }
  void wait(std::uint32_t queue, std::uint32_t slot) override {
    if (marks_.at(slot)) await(queue, marks_[slot]);
  }

  void await(std::uint32_t slot) override {
    if (marks_.at(slot)) marks_[slot]->await();
  }

  void mark_source(std::uint32_t queue, std::uint32_t host_slot) override {
    source_marks_[{host_slot, queue}] = record(queue);
  }
  bool source_free(std::uint32_t host_slot, bool wait) override {
    for (auto at = source_marks_.lower_bound({host_slot, 0}); at != source_marks_.end() && at->first.first == host_slot;
         ++at) {
      if (wait) at->second->await();
      if (!at->second->reached()) return false;
    }
    return true;
  }

  // Like a kernel launch on a real device.
  void give(std::uint32_t queue, std::function<void()> work) { worker(queue).give(std::move(work)); }
  // Returns once all work of all queues is done.
  void finish() {
    for (std::uint32_t q = 0; q < count(); ++q) record(q)->await();
    record(main)->await();
  }
  const std::byte* region() const { return region_.data(); }

 private:
  class Event {
   public:
    void set() {
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    }
    void await() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return done_; });
    }

    bool reached() {
      const std::lock_guard lock(mutex_);
      return done_;
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
  };

  class Worker {
   public:
    explicit Worker(std::uint64_t seed) : random_(seed), thread_([this] { work(); }) {}
    ~Worker() {
      give({});
      thread_.join();
    }
    void give(std::function<void()> work) {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
      given_.notify_one();
    }

   private:
    void work() {
      for (;;) {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [this] { return !queue_.empty(); });
        const std::function<void()> next = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        if (!next) return;
        if (random_() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
        next();
      }
    }

    std::mt19937_64 random_;
    std::mutex mutex_;
    std::condition_variable given_;
    std::deque<std::function<void()>> queue_;
    std::thread thread_;  // last: it uses the other members
  };

  Worker& worker(std::uint32_t queue) { return *workers_.at(queue == main ? count() : queue); }
  std::shared_ptr<Event> record(std::uint32_t queue) {
    auto event = std::make_shared<Event>();
    give(queue, [event] { event->set(); });
    return event;
  }
  void await(std::uint32_t queue, std::shared_ptr<Event> event) {
    give(queue, [event = std::move(event)] { event->await(); });
  }

  std::vector<std::byte> region_;
  std::vector<std::shared_ptr<Event>> marks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<Event>> source_marks_;  // by host slot and queue
  std::vector<std::unique_ptr<Worker>> workers_;  // the last is the main queue
};

}  // namespace millrace::test
