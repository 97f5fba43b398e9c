// Predicts how long a run takes, from samples of the same algorithm on other graphs and from rates of the machine.
//
// Resident pages: the time of a unit per edge and vertex, interpolated between the sampled graphs of the same kind (a
// power of the number of vertices). Streamed pages: a group of supersteps takes as long as the slowest of computing,
// copying over the link and reading from disk, as in the equations of GTS; the cpu that helps takes its share of the
// bytes off the link. docs/papers/cost-models.md has the reasons.
#pragma once

#include "millrace/engine/placement.h"
#include "millrace/plan/calibration.h"
#include "millrace/report/prediction.h"

namespace millrace {

// What streams, and how fast.
struct StreamInputs {
  double link = 0, disk = 0;  // bytes a second; 0: nothing comes that way
  double page_bytes = 0;      // of all pages
  double uncached = 0;        // share of the pages that the device has no room for
  double from_disk = 0;       // share of the pages that no memory has room for
};
StreamInputs stream_inputs(const Calibration& rates, bool cuda, const Placement& placement, int gpu = 0);

// One unit of as many supersteps as the sample has, times a factor, whose pages stream; it computes for so long with
// all of them resident.
Prediction predict_streamed(const StreamedSample& sample, double resident_seconds, double times_supersteps,
                            const StreamInputs& inputs);

struct RunToPredict {
  std::string algorithm;
  GraphSize graph;
  double units = 1;
  std::string device;  // "cpu", "cuda" or "cpu,cuda"
  int threads = 1;
  int gpu = 0;           // number of the first
  std::size_t gpus = 1;  // that are not the same
  Placement placement;
  double message_bytes = 0;  // of a vertex, between devices
  bool first = false;        // pages that will be cached are on disk yet
  double passes = 1;         // over the pages, in each superstep: chunks of far attributes
  double far_bytes = 0;      // of a vertex, in each superstep, over the link or from a file
};
// Empty where the algorithm was not sampled on this kind of device.
std::optional<Prediction> predict(const Calibration& calibration, const RunToPredict& run);

}  // namespace millrace
