// Runs algorithms on a generated graph, to predict runs on others.
#pragma once

#include <memory>

#include "millrace/plan/calibration.h"

namespace millrace {

// A generated graph.
struct SampleGraph {
  GraphKind kind = GraphKind::skewed;
  std::shared_ptr<const Store> store;
};

// The algorithms that can be sampled: those that `bench` measures on an engine.
std::vector<std::string> sampled_algorithms();

// How long an algorithm takes on one device with all pages there; `device` is "cpu" or "cuda:N".
RunSample take_sample(const std::string& algorithm, const SampleGraph& graph, const std::string& device);
// The same with room for some of the pages, compared with `resident`: a sample for little room and one for more.
// `device` may be "cpu,cuda:N"; then `alone` are the samples of the GPU alone, which stand for those in which the cpu
// finds nothing to gain. None where the graph is too small for pages to stream, or the cpu cannot help.
std::vector<RunSample> take_streamed_samples(const RunSample& resident, const SampleGraph& graph,
                                             const std::string& device, const Calibration& rates,
                                             const std::vector<RunSample>& alone = {});

}  // namespace millrace
