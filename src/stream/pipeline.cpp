#include "millrace/stream/pipeline.h"

#include "millrace/core/error.h"

namespace millrace {
namespace {

void give_copies(PageRun run, std::uint32_t queue, HostPages& host, Queues& queues) {
  while (run.count > 0) {
    const HostRun part = host.pages_of(run);
    queues.copy(queue, {run.first, part.pages, run.place, part.bytes}, part.data);
    host.given(queue, run, part);
    run = {run.first + part.pages, run.count - part.pages, run.place + part.bytes, run.bytes - part.bytes};
  }
}

void give_step(const Step& step, std::uint32_t queue, HostPages& host, Queues& queues, const Compute& compute) {
  queues.wait(queue, step.slot);
  if (step.load)
    for (const PageRun& run : step.runs) give_copies(run, queue, host, queues);
  for (const PageRun& run : step.runs) compute(queue, run);
  queues.mark(queue, step.slot);
}

// The step with its first `pages` pages.
Step first_of(Step step, std::uint64_t pages, std::span<const std::uint32_t> page_bytes) {
  std::vector<PageRun> runs;
  for (PageRun run : step.runs) {
    if (pages == 0) break;
    if (run.count > pages) {
      run.count = static_cast<std::uint32_t>(pages);
      run.bytes = 0;
      for (std::uint32_t page = run.first; page < run.first + run.count; ++page) run.bytes += page_bytes[page];
    }
    pages -= run.count;
    runs.push_back(run);
  }
  step.runs = std::move(runs);
  return step;
}

// Gives a step if the pool still has some of its pages; else false.
bool give_if_left(const Step& step, std::uint32_t queue, HostPages& host, Queues& queues, const Compute& compute,
                  const Helped& helped) {
  std::uint64_t pages = 0;
  for (const PageRun& run : step.runs) pages += run.count;
  const std::uint64_t left = helped.pool->take_front(pages).size();
  if (left == 0) return false;
  give_step(left == pages ? step : first_of(step, left, helped.page_bytes), queue, host, queues, compute);
  return true;
}

void give_all(const Pass& pass, HostPages& host, Queues& queues, const Compute& compute, const Helped& helped) {
  const std::uint32_t count = queues.count();
  if (count == 0) throw InternalError("a device without queues cannot stream");
  // The held pages are submitted in between, evenly: so copies are submitted without delay, and few kernels run at the
  // same time, which seems to slow copies down.
  std::size_t held = 0;
  const auto give_held = [&](std::size_t until) {
    for (; held < until; ++held) compute(static_cast<std::uint32_t>(held % count), pass.held[held]);
  };
  const std::size_t steps = pass.steps.size();
  // With help, no more is taken from the pool than keeps the copies going: what is left there, both may still take. And
  // the held pages come earlier, as not all of the steps may.
  constexpr std::size_t ahead = 2;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto queue = static_cast<std::uint32_t>(i % count);
    if (helped.pool && i >= ahead) queues.await(pass.steps[i - ahead].slot);
    if (!helped.pool || !pass.steps[i].load)
      give_step(pass.steps[i], queue, host, queues, compute);
    else if (!give_if_left(pass.steps[i], queue, host, queues, compute, helped))
      break;
    if (i + 1 < count) continue;
    const std::size_t parts = helped.pool ? (3 * (steps + 1 - count) + 3) / 4 : steps + 1 - count;
    give_held(std::min(pass.held.size(), (pass.held.size() * (i + 2 - count) + parts - 1) / parts));
  }
  give_held(pass.held.size());
}

}  // namespace

void run_pass(const Pass& pass, HostPages& host, Queues& queues, const Compute& compute, const Helped& helped) {
  try {
    queues.fork();
    give_all(pass, host, queues, compute, helped);
  } catch (...) {
    // Submitted work still uses memory that the caller may free next, so wait for it. Only the first error is thrown.
    try {
      queues.join();
    } catch (...) {
    }
    throw;
  }
  queues.join();
}

}  // namespace millrace
