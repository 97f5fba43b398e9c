// The engine where attributes are far: in host memory for GPUs, in a file for CPUs, one copy for all devices. What
// vertices do by themselves, each device does for its own; it reaches them where they are, one after the other, at the
// speed of the link or the disk. Messages cannot wait there: they come in random order. So they wait in the memory of
// the device that sees to the target, for as many targets as there is room at a time, and every chunk of targets takes
// a pass over the pages (GStream). Devices have chunks side by side in one pass, which gives each page to all of them
// (the scalability strategy of GTS). Included by engine.h.
//
// A chunk is absorbed before the next one is sent to, so that a source may say something newer to later targets: as it
// may in a pull, where rows are absorbed while others are still gathered.
#pragma once

#include "millrace/engine/engine.h"
#include "millrace/engine/on_gpu.h"

namespace millrace {

template <class Program>
Frontier Engine::run_far(const Frontier& frontier, const Program& program, Along along) {
  const Stopwatch watch;
  Superstep step{.direction = Direction::push, .active = frontier.size()};
  Frontier next = each_frontier(num_vertices(), [&](Engine& on, std::size_t) {
    on.go_along(along);
    Frontier made =
        on.cuda_ ? on.cuda_->make_frontier(Frontier::Form::bitmap) : on.cpu_->make_frontier(Frontier::Form::bitmap);
    made.along_ = along;
    return made;
  });
  PassCounts counts;
  if (!frontier.empty()) {
    if (workers()[0]->cuda_) {
      MILLRACE_ON_GPU(counts = push_far_on_gpus(frontier, program, next, step));
    } else {
      counts = push_far_on_cpus(frontier, program, next, step);
    }
  }
  if (can_join<Program>) {
    gather_bits(next);
    step.exchanged_bytes = (workers().size() - 1) * ((num_vertices() + 7) / 8);
  }
  next.size_ = counts.joined;
  next.num_edges_ = counts.joined_edges;
  for (Frontier& other : next.others_) other.size_ = next.size_, other.num_edges_ = next.num_edges_;
  step.edges = counts.edges;
  step.bytes = counts.bytes;
  step.seconds = watch.seconds();
  supersteps_.push_back(step);
  note_progress();
  return next;
}

template <class Program>
PassCounts Engine::push_far_on_cpus(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step) {
  const std::vector<Engine*> all = workers();
  const std::size_t set = all[0]->graph_.set(all[0]->cpu_->pushed());
  int threads = 0;
  for (Engine* on : all) threads += on->cpu_->device().threads();
  PassCounts counts;
  const std::vector<std::uint32_t> active = all[0]->cpu_->push_pages(frontier);
  for (std::uint64_t round = 0; round < num_chunks(); ++round) {
    std::vector<PushScratch<Program>> parts;
    for (Engine* on : all) parts.push_back(on->cpu_->template open_chunk<Program>(on->chunk(round)));
    const std::vector<std::uint32_t> needed = reaching(active, all[0]->graph_.streamed()->table(set), round);
    counts += all[0]->cpu_->send_to_chunks(frontier, program, needed, parts, threads, step);
    for (std::size_t i = 0; i < all.size(); ++i)
      counts += all[i]->cpu_->close_chunk(program, parts[i], i == 0 ? next : next.others_[i - 1]);
  }
  return counts;
}

#ifdef __CUDACC__
template <class Program>
PassCounts Engine::push_far_on_gpus(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step) {
  const std::vector<Engine*> all = workers();
  CudaPages& pages = all[0]->graph_.cuda_pages();
  const std::size_t set = all[0]->graph_.set(all[0]->cuda_->pushed());
  all[0]->select_device();
  std::vector<std::uint32_t> active(pages.num_pages(set));
  for (std::uint32_t p = 0; p < active.size(); ++p) active[p] = p;
  std::vector<const std::uint32_t*> bits(all.size(), nullptr);  // who speaks; null: all do
  if (frontier.form() != Frontier::Form::all) {
    active = all[0]->cuda_->push_pages(frontier);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->select_device();
      bits[i] = all[i]->cuda_->bitmap_of(frontier.on(i));
    }
  }
  for (std::uint64_t round = 0; round < num_chunks(); ++round) {
    std::vector<cuda::PushBuffers<Program>> buffers;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->select_device();
      buffers.push_back(
          all[i]->cuda_->template open_chunk<Program>(all[i]->chunk(round), i == 0 ? next : next.others_[i - 1]));
    }
    const std::vector<std::uint32_t> needed = reaching(active, pages.table(set), round);
    CudaPages::Traffic traffic;
    try {
      traffic = pages.for_some_on_all(set, needed, [&](std::size_t i, const PageSpan& span, CUstream_st* stream) {
        all[i]->cuda_->send(span, stream, program, bits[i], buffers[i]);
      });
    } catch (...) {
      // What they were given still runs, on memory that may be about to go. The first error is the one to tell.
      for (Engine* on : all) try {
          on->select_device();
          on->wait();
        } catch (const Error&) {
        }
      throw;
    }
    step.loaded_bytes += traffic.loaded_bytes;
    step.cached_bytes += traffic.cached_bytes;
    step.disk_bytes += traffic.disk_bytes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->select_device();
      all[i]->cuda_->close_chunk(program, buffers[i]);
      if (writes_to_others<Program>) all[i]->wait();
    }
  }
  PassCounts counts;
  for (Engine* on : all) {
    on->select_device();
    counts += on->cuda_->await_counts();
    on->wait();
  }
  all[0]->select_device();
  return counts;
}
#endif

}  // namespace millrace
