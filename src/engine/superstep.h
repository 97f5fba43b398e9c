// What one superstep did: for reports.
#pragma once

#include <algorithm>
#include <cstdint>

#include "millrace/engine/superstep_plan.h"
#include "millrace/stream/page_cache.h"
#include "millrace/stream/pass_times.h"

namespace millrace {

// For how many seconds each resource was busy; they overlap. Of several devices, which work at the same time, what the
// busiest one has.
struct Phases {
  double compute = 0;   // all of the superstep, less `wait`
  double help = 0;      // of the cpu beside a GPU: the mean over its threads
  double copy = 0;      // pages were copied over the link
  double disk = 0;      // reads of pages were pending
  double exchange = 0;  // of several devices: from the end of the slowest one's computation to that of the exchange
  double wait = 0;      // no device computed, as pages had not arrived, or during the exchange

  // With the next superstep.
  Phases& operator+=(const Phases& next) {
    compute += next.compute;
    help += next.help;
    copy += next.copy;
    disk += next.disk;
    exchange += next.exchange;
    wait += next.wait;
    return *this;
  }
  // With another device.
  void add_device(const Phases& other) {
    compute = std::max(compute, other.compute);
    help = std::max(help, other.help);
    copy = std::max(copy, other.copy);
    disk = std::max(disk, other.disk);
  }
};

struct Superstep {
  Direction direction = Direction::pull;
  Method method = Method::pages;
  std::uint64_t active = 0;           // vertices in the frontier it started from
  std::uint64_t edges = 0;            // looked at
  std::uint64_t bytes = 0;            // of topology read; not counted where a GPU walks single rows
  std::uint64_t loaded_bytes = 0;     // of pages copied over the link to the device
  std::uint64_t cached_bytes = 0;     // of needed pages found in its memory
  std::uint64_t disk_bytes = 0;       // of pages read from disk
  std::uint64_t helped_bytes = 0;     // of pages that the cpu computed on beside a GPU, where they were
  std::uint64_t exchanged_bytes = 0;  // of messages and joined bits between devices; none in a push on one GPU
  std::uint64_t pages = 0;            // that it went over, where they had to be chosen
  int threads = 0;                    // of a cpu; with several, the most that one has; 0 on a GPU
  double expected_seconds = 0;        // by its plan; 0: not known
  double seconds = 0;                 // the mean, where several were done in one launch
  std::uint64_t host_memory = 0;      // counted when it ended, of all devices together
  std::uint64_t device_memory = 0;    // the same of GPUs
  Phases phases = {};

  // With what another device did for it at the same time.
  Superstep& operator+=(const Superstep& other) {
    edges += other.edges;
    bytes += other.bytes;
    loaded_bytes += other.loaded_bytes;
    cached_bytes += other.cached_bytes;
    disk_bytes += other.disk_bytes;
    helped_bytes += other.helped_bytes;
    pages += other.pages;
    threads = std::max(threads, other.threads);
    expected_seconds = std::max(expected_seconds, other.expected_seconds);
    seconds = std::max(seconds, other.seconds);
    phases.add_device(other.phases);
    return *this;
  }
  // Pages that it went over came from disk, or were in memory.
  void add(const PageTraffic& traffic) {
    disk_bytes += traffic.load_bytes;
    cached_bytes += traffic.hit_bytes;
  }
  // It took so many seconds; `times` are those of its passes.
  void end(double took, const PassTimes& times) {
    seconds = took;
    phases.copy = times.copy;
    phases.disk = times.disk;
    phases.wait = std::clamp(times.wait + phases.exchange, 0.0, took);
    phases.compute = took - phases.wait;
  }
  // The same, if it has the values of each device. Time before and after their work, except the exchange, counts as
  // computation.
  void end_together(double took, double exchange) {
    phases.compute = std::min(took, phases.compute + std::max(0.0, took - exchange - seconds));
    phases.exchange = exchange;
    phases.wait = took - phases.compute;
    seconds = took;
  }
};

}  // namespace millrace
