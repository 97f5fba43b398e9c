// Common to algorithms that iterate until little changes: their options and their reports.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "millrace/catalogue/algorithm.h"
#include "millrace/checks/compare_values.h"

namespace millrace {

class Iterative : public Algorithm {
 public:
  std::uint64_t kept_bytes_per_vertex() const override { return real_bytes(); }
  std::uint64_t expected_edges(const Store& store) const override {
    return tolerance() > 0 ? 0 : edges_an_iteration(store) * iterations();
  }
  double expected_units(const Store&) const override {
    constexpr std::uint32_t typical = 30;  // until hardly anything changes
    return tolerance() > 0 ? std::min(iterations(), typical) : iterations();
  }
  Outcome compute(Engine& engine, const Store& store) override {
    return f64() ? compute_f64(engine, store) : compute_f32(engine, store);
  }
  // A tolerance of 0 is never reached, so that all iterations are done.
  void prepare_measurement(const Store&, const Measured& by) override {
    iterations_ = by.iterations;
    tolerance_ = 0;
  }

 protected:
  virtual Outcome compute_f32(Engine& engine, const Store& store) = 0;
  virtual Outcome compute_f64(Engine& engine, const Store& store) = 0;
  // Used if the options are not given.
  virtual std::uint32_t default_iterations() const = 0;
  virtual double default_tolerance() const = 0;
  virtual std::uint64_t edges_an_iteration(const Store& store) const { return store.num_edges(); }

  std::uint32_t iterations() const { return iterations_.value_or(default_iterations()); }
  double tolerance() const { return tolerance_.value_or(default_tolerance()); }
  bool f64() const { return precision_ == "f64"; }
  std::uint64_t real_bytes() const { return f64() ? sizeof(double) : sizeof(float); }

  // The help texts explain the options and their defaults.
  std::vector<Option> iteration_options(const std::string& iterations_help, const std::string& tolerance_help);
  std::vector<Finding> asked_iterations() const;

  // Without a tolerance, or without an iteration, a result is not one that converged or did not.
  bool is_to_converge() const { return tolerance() > 0 && iterations() > 0; }

  // The outcome without columns and check, from a result with `iterations`, `edges`, `seconds`, `change` and
  // `converged`. A result has converged if the change, summed over vertices, is below `threshold`.
  template <class Result>
  Outcome outcome_of(const std::shared_ptr<Result>& result, double threshold) const {
    Outcome outcome{.seconds = result->seconds,
                    .edges = result->edges,
                    .units = std::max<double>(result->iterations, 1),
                    .result = result};
    const std::string done = fmt::format("{}", result->iterations);
    const bool has_change = result->iterations > 0 && std::isfinite(result->change);
    outcome.findings = {
        {.name = "iterations", .json = done, .shown = is_to_converge() ? "" : done + ", as asked for"},
        {.name = "change",
         .json = has_change ? fmt::format("{:.3e}", result->change) : "null",
         .in_json_alone = !has_change},
        {.name = "converged",
         .json = !is_to_converge()   ? "null"
                 : result->converged ? "true"
                                     : "false",
         .in_json_alone = !is_to_converge()},
    };
    if (is_to_converge() && !result->converged)
      outcome.shortfall =
          fmt::format("NOT converged in {} iterations (the last change is {:.3g}, and not below {:.3g})",
                      result->iterations, result->change, threshold);
    return outcome;
  }

  // The same with the column "centrality" and its check, which compares with the values of reference(pages,
  // orientation).
  template <class Real, class Result, class Reference>
  Outcome centrality_of(const std::shared_ptr<Result>& result, double threshold, Reference reference) const {
    Outcome outcome = outcome_of(result, threshold);
    outcome.columns = {{"centrality", ValueColumn::Kind::numbers, std::span<const Real>(result->centrality)}};
    outcome.check = [result, reference](const PageSet& pages, Orientation orientation) {
      return compare_values<Real>("centrality", result->centrality, reference(pages, orientation),
                                  check_tolerance<Real>(result->iterations));
    };
    return outcome;
  }

  // The relative tolerance of a check. Rounding errors add up over iterations, and a hub sums many values in each.
  template <class Real>
  static constexpr double check_tolerance(std::uint32_t iterations) {
    return sizeof(Real) == 4 ? std::max(1e-4, 5e-6 * iterations) : 1e-9;
  }

  std::optional<std::uint32_t> iterations_;
  std::optional<double> tolerance_;

 private:
  std::string precision_ = "f32";
};

// How `bench` measures most of these algorithms.
inline BenchInfo per_iteration(std::string edges = "all edges") {
  return {.unit = "iteration",
          .explanation = "f32, time per iteration, median of repeats; GTEPS count " + std::move(edges)};
}

}  // namespace millrace
