// A progress bar on stderr for long work, the flag that Ctrl-C sets, and requests to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace millrace {

class Progress;
struct ProgressPart;

// What a bar shows, for programs that draw it themselves.
struct ProgressState {
  std::string label;
  std::optional<double> share;  // what is done, from 0 to 1, if the total is known
  std::string text;             // "1.2 G/s  superstep 7, 1,024 active  disk 2.1 GB/s  3 s left"
};

// Shows the bars of one thread's work to another thread, also where stderr is no terminal: in a notebook.
class ProgressWatch {
 public:
  // The outermost bar of the work that is under way, if there is one. Thread-safe.
  std::optional<ProgressState> look() const;

  // Lets a watch see the bars that the calling thread makes from now on.
  class InForce {
   public:
    explicit InForce(std::shared_ptr<ProgressWatch> watch) noexcept;
    ~InForce();
    InForce(const InForce&) = delete;
    InForce& operator=(const InForce&) = delete;

   private:
    std::shared_ptr<ProgressWatch> before_;
  };

 private:
  friend class Progress;
  mutable std::mutex mutex_;
  const Progress* shown_ = nullptr;
};

// Shows "label  [#####.....]  42%  1.2 G/s  superstep 7, 1,024 active  disk 2.1 GB/s  3 s left" in one line of the
// terminal, or what there is room for. Draws only where stderr is a terminal, at most ten times a second; add() is
// thread-safe and cheap enough to call once per page or megabyte.
class Progress {
 public:
  enum class Unit { items, bytes };

  // `total` 0 means unknown: the bar then shows the count alone.
  Progress(std::string label, std::uint64_t total, Unit unit = Unit::items);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Advances, redraws when due, and throws InterruptedError once Ctrl-C was pressed. Threads inside a
  // parallel region must use advance() instead, which does not throw.
  void add(std::uint64_t amount);
  void advance(std::uint64_t amount) noexcept;
  // Sets the superstep that the bar shows; nothing is drawn before the next advance.
  void at_superstep(std::uint64_t number, std::uint64_t active) noexcept { superstep_ = number, active_ = active; }

  // Pages came from disk, or were sent to a GPU: the bar that is shown, if any, is redrawn when due, with these rates.
  // Cheap, and thread-safe.
  static void count_disk(std::uint64_t bytes) noexcept;
  static void count_link(std::uint64_t bytes) noexcept;

  ProgressState state() const;

  // Silences all bars (for --quiet and tests).
  static void set_enabled(bool enabled);

 private:
  bool due() noexcept;
  std::optional<double> share() const noexcept;
  std::vector<ProgressPart> details(bool last) const;
  void draw(bool last) noexcept;
  static void redraw_shown() noexcept;
  std::string label_;
  std::uint64_t total_;
  Unit unit_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> superstep_{0}, active_{0};
  std::atomic<std::int64_t> next_draw_ns_{0};
  std::chrono::steady_clock::time_point start_;
  std::atomic<bool> drawn_{false};
  std::uint64_t disk_before_, link_before_;  // the counts at the start
  std::shared_ptr<ProgressWatch> watch_;     // that of the thread that made the bar; may be null
};

// Stops the work of one caller and of nobody else: for programs in which several runs may go on at once. Work heeds it
// wherever it heeds Ctrl-C.
class StopRequest {
 public:
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  // The request in force for the calling thread; null: none.
  static const StopRequest* current() noexcept;

  // Puts a request in force for the calling thread, and for threads that work for it.
  class InForce {
   public:
    explicit InForce(const StopRequest* request) noexcept;
    ~InForce();
    InForce(const InForce&) = delete;
    InForce& operator=(const InForce&) = delete;

   private:
    const StopRequest* before_;
  };

 private:
  std::atomic<bool> stopped_{false};
};

// Makes Ctrl-C, SIGTERM and the SIGHUP of a lost terminal set a flag instead of ending the process, unless they are
// ignored; a second Ctrl-C or SIGTERM ends it at once.
void catch_interrupts();
// Whether that flag is set, or the work of the calling thread is to stop; or that for which a request is in force.
bool interrupted() noexcept;
bool interrupted(const StopRequest* request) noexcept;
// While this lives, the first of these signals ends the process at once: for long work that leaves nothing behind and
// does not look at the flag.
class EndsAtOnce {
 public:
  EndsAtOnce();
  ~EndsAtOnce();
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;
};
// Throws InterruptedError once interrupted() is true.
void throw_if_interrupted();

}  // namespace millrace
