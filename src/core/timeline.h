// When everything happened during a run: for reports and traces. Nothing is recorded unless a timeline is in force for
// the calling thread; then an event costs some tens of nanoseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

class Timeline {
 public:
  enum class Kind { step, superstep, kernel, copy, disk, cpu, exchange };
  using Clock = std::chrono::steady_clock;

  struct Event {
    double begin = 0;  // seconds since the timeline began
    double end = 0;
    std::string_view name = {};  // a literal
    std::uint64_t bytes = 0;     // that were read, copied or computed on; 0 if that has no meaning
    std::uint32_t first = 0;     // of `count` pages, if there are any
    std::uint32_t count = 0;
  };
  // Events in the order of their begin. Those of a track do not overlap.
  struct Track {
    std::string name;
    Kind kind;
    std::vector<Event> events;
  };

  // So many are kept, which take 6 MB, beside whatever budget. Where there are more, neighbours of a track that lie
  // within a short time are joined, then within twice as long, and so on: all of the run stays in it.
  static constexpr std::size_t most_events = std::size_t{1} << 17;
  // That time; 0 where every event is kept as it was.
  double joined_within() const { return joined_within_; }
  // Events that were left out: there was no memory.
  std::uint64_t lost() const { return lost_; }

  // Joins neighbours among events in the order of their begin that lie within so many seconds.
  static void join_neighbours(std::vector<Event>& events, double within);

  // Adds events to the track of that name and kind. Of `lanes`, overlapping events go to several tracks, "NAME 1",
  // "NAME 2" and so on.
  void add(const std::string& track, Kind kind, const Event& event, bool lanes = false) noexcept;
  // Adds an event to the track of the calling thread, "cpu thread 1" and so on.
  void add_here(const Event& event) noexcept;
  double now() const { return seconds_at(Clock::now()); }
  double seconds_at(Clock::time_point time) const { return std::chrono::duration<double>(time - start_).count(); }

  // To be called when nothing is recorded any more. Tracks in the order of their kind and name; overlapping events of
  // lanes are put apart, and of others an event that begins too early is cut.
  std::vector<Track> tracks() const;

  // The timeline of the calling thread; null: nothing is to be recorded.
  static Timeline* current() noexcept;

  // Puts a timeline in force for the calling thread, and for threads that work for it.
  class InForce {
   public:
    explicit InForce(Timeline* timeline) noexcept;
    ~InForce();
    InForce(const InForce&) = delete;
    InForce& operator=(const InForce&) = delete;

   private:
    Timeline* before_;
  };

  // Records what the calling thread does while this object lives, unless no timeline is in force.
  class Span {
   public:
    explicit Span(std::string_view name) noexcept : timeline_(current()), event_{.name = name} {
      if (timeline_) event_.begin = timeline_->now(), open_before_ = open_span(this);
    }
    ~Span();
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    // The innermost span of the calling thread is not recorded: what happens in it is, one by one.
    static void leave_out() noexcept;

   private:
    static Span* open_span(Span* span) noexcept;
    Timeline* timeline_;
    Event event_;
    Span* open_before_ = nullptr;
    bool left_out_ = false;
  };

  // Records a step of the run, such as loading, while this object lives, unless no timeline is in force.
  class Step {
   public:
    explicit Step(std::string_view name) noexcept : timeline_(current()), event_{.name = name} {
      if (timeline_) event_.begin = timeline_->now();
    }
    ~Step() {
      if (!timeline_) return;
      event_.end = timeline_->now();
      timeline_->add("steps", Kind::step, event_);
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Timeline* timeline_;
    Event event_;
  };

 private:
  struct Recorded {
    std::string name;
    Kind kind;
    bool lanes = false;
    std::mutex mutex = {};
    std::vector<Event> events = {};
  };
  Recorded& track(const std::string& name, Kind kind, bool lanes);
  void add_to(Recorded& track, const Event& event);
  void make_room();

  const Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;     // of the list; each track has its own
  std::deque<Recorded> tracks_;  // never moved
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<double> joined_within_{0};
};

}  // namespace millrace
