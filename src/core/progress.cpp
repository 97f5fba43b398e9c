#include "millrace/core/progress.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/progress_line.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

std::atomic<bool> bars_enabled{true};
std::atomic<std::uint64_t> disk_bytes{0}, link_bytes{0};
std::mutex shown_mutex;     // of the two below, and while the bar that is shown is drawn from outside
Progress* shown = nullptr;  // the outermost bar on a terminal
std::atomic<bool> any_shown{false};
std::atomic<int> interrupt_flag{0};  // lock-free, so a signal handler may set it
std::atomic<int> ends_at_once{0};    // how many ask for that
thread_local const StopRequest* request_in_force = nullptr;
thread_local std::shared_ptr<ProgressWatch> watch_in_force;

void on_signal(int signal) {
  // A terminal that closes sends SIGHUP more than once, from the kernel and from the shell; only other signals end the
  // process at once.
  if ((interrupt_flag && signal != SIGHUP) || ends_at_once > 0) _exit(static_cast<int>(ExitCode::interrupted));
  interrupt_flag = signal;
}

std::int64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Progress::Progress(std::string label, std::uint64_t total, Unit unit)
    : label_(std::move(label)), total_(total), unit_(unit), start_(std::chrono::steady_clock::now()) {
  // Work that ends within a fifth of a second shows no bar.
  const bool draws = bars_enabled && isatty(STDERR_FILENO);
  next_draw_ns_ = draws ? 200'000'000 : INT64_MAX;
  disk_before_ = disk_bytes;
  link_before_ = link_bytes;
  if (bars_enabled) watch_ = watch_in_force;
  if (watch_) {
    const std::lock_guard lock(watch_->mutex_);
    if (!watch_->shown_) watch_->shown_ = this;
  }
  const std::lock_guard lock(shown_mutex);
  if (draws && !shown) shown = this, any_shown = true;
}

Progress::~Progress() {
  if (watch_) {
    const std::lock_guard lock(watch_->mutex_);
    if (watch_->shown_ == this) watch_->shown_ = nullptr;
  }
  {
    const std::lock_guard lock(shown_mutex);
    if (shown == this) shown = nullptr, any_shown = false;
  }
  if (drawn_) draw(true);
}

void Progress::add(std::uint64_t amount) {
  advance(amount);
  throw_if_interrupted();
}

void Progress::advance(std::uint64_t amount) noexcept {
  done_.fetch_add(amount, std::memory_order_relaxed);
  if (due()) draw(false);
}

// For one of the threads that ask.
bool Progress::due() noexcept {
  const std::int64_t now = nanoseconds_since(start_);
  std::int64_t due = next_draw_ns_.load(std::memory_order_relaxed);
  return now >= due && next_draw_ns_.compare_exchange_strong(due, now + 100'000'000);
}

void Progress::redraw_shown() noexcept {
  if (!any_shown.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(shown_mutex, std::try_to_lock);
  if (lock && shown && shown->due()) shown->draw(false);
}

void Progress::count_disk(std::uint64_t bytes) noexcept {
  disk_bytes.fetch_add(bytes, std::memory_order_relaxed);
  redraw_shown();
}

void Progress::count_link(std::uint64_t bytes) noexcept {
  link_bytes.fetch_add(bytes, std::memory_order_relaxed);
  redraw_shown();
}

std::optional<double> Progress::share() const noexcept {
  if (total_ == 0) return {};
  return std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
}

// Counts, rates and what is left. The time is what people wait for; rates are left out first where there is little
// room.
std::vector<ProgressPart> Progress::details(bool last) const {
  enum Rank { time, count, superstep, rate, moved };
  const double seconds = std::max(static_cast<double>(nanoseconds_since(start_)) * 1e-9, 1e-6);
  const std::uint64_t done = done_;
  const double per_second = static_cast<double>(done) / seconds;
  const bool bytes = unit_ == Unit::bytes;
  std::vector<ProgressPart> parts{{bytes ? format_size(done) : format_count(done), count}};
  if (bytes)
    parts.push_back({fmt::format("{}/s", format_size(static_cast<std::uint64_t>(per_second))), rate});
  else if (per_second >= 1e3)  // a few large items have no rate
    parts.push_back({format_rate(per_second), rate});
  if (superstep_ > 0)
    parts.push_back(
        {fmt::format("superstep {}, {} active", format_count(superstep_), format_count(active_)), superstep});
  for (const auto& [name, bytes] : {std::pair("disk", disk_bytes - disk_before_), {"link", link_bytes - link_before_}})
    if (bytes > 0)
      parts.push_back(
          {fmt::format("{} {}, {:.1f} GB/s", name, format_size(bytes), static_cast<double>(bytes) / seconds * 1e-9),
           moved});
  if (last)
    parts.push_back({format_duration(seconds), time});
  else if (total_ > done && per_second > 0)
    parts.push_back({format_duration(static_cast<double>(total_ - done) / per_second) + " left", time});
  return parts;
}

ProgressState Progress::state() const { return {.label = label_, .share = share(), .text = joined(details(false))}; }

void Progress::draw(bool last) noexcept {
  drawn_ = true;
  // Asked for every time, since a window may change its size. The last column stays free: some terminals begin a new
  // line as soon as it is filled.
  const std::string text =
      "\r\033[K" + fit_progress(label_, share(), details(last), terminal_width() - 1) + (last ? "\n" : "");
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

std::optional<ProgressState> ProgressWatch::look() const {
  const std::lock_guard lock(mutex_);
  if (!shown_) return {};
  return shown_->state();
}

ProgressWatch::InForce::InForce(std::shared_ptr<ProgressWatch> watch) noexcept
    : before_(std::exchange(watch_in_force, std::move(watch))) {}
ProgressWatch::InForce::~InForce() { watch_in_force = std::move(before_); }

void Progress::set_enabled(bool enabled) { bars_enabled = enabled; }

void catch_interrupts() {
  // Signals that are ignored stay ignored: nohup ignores SIGHUP, and a shell SIGINT for background jobs.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

EndsAtOnce::EndsAtOnce() {
  throw_if_interrupted();
  ++ends_at_once;
}
EndsAtOnce::~EndsAtOnce() { --ends_at_once; }

const StopRequest* StopRequest::current() noexcept { return request_in_force; }
StopRequest::InForce::InForce(const StopRequest* request) noexcept
    : before_(std::exchange(request_in_force, request)) {}
StopRequest::InForce::~InForce() { request_in_force = before_; }

bool interrupted() noexcept { return interrupted(request_in_force); }
bool interrupted(const StopRequest* request) noexcept { return interrupt_flag != 0 || (request && request->stopped()); }

void throw_if_interrupted() {
  if (interrupted()) throw InterruptedError("interrupted; nothing was left behind");
}

}  // namespace millrace
