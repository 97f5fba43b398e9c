#include "result.h"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.h"
#include "errors.h"
#include "jobs.h"
#include "millrace/core/error.h"
#include "millrace/devices/cuda.h"
#include "millrace/report/answer.h"
#include "millrace/report/report_page.h"
#include "millrace/report/results.h"
#include "millrace/run/find_answer.h"
#include "millrace/run/named_paths.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

const char* kind_name(ValueColumn::Kind kind) {
  switch (kind) {
    case ValueColumn::Kind::levels:
      return "levels";
    case ValueColumn::Kind::distances:
      return "distances";
    case ValueColumn::Kind::vertices:
      return "vertices";
    case ValueColumn::Kind::numbers:
      break;
  }
  return "numbers";
}

const ValueColumn& column_of(const FinishedRun& run, const std::string& name) {
  for (const ValueColumn& column : run.outcome.columns)
    if (column.name == name) return column;
  throw UsageError("there is no column {}", name);
}

// {name: (kind, values)}: the arrays refer to the memory of the run, which lives as long as one of them.
nb::dict columns_of(nb::handle self) {
  const auto& run = nb::cast<const FinishedRun&>(self);
  nb::dict columns;
  for (const ValueColumn& column : run.outcome.columns)
    columns[column.name.c_str()] = nb::make_tuple(
        kind_name(column.kind),
        std::visit([&]<class T>(std::span<const T> values) { return array_of<T>(values, self); }, column.values));
  return columns;
}

// (the number of the GPU, a capsule of DLPack): the values of a column in the memory of that GPU.
nb::tuple on_device(nb::handle self, const std::string& name) {
  const auto& run = nb::cast<const FinishedRun&>(self);
  const ValueColumn& column = column_of(run, name);
  if (!run.asked_to_keep) throw UsageError("the run was not told to keep its results: @keep-on-device@");
  return std::visit(
      [&]<class T>(std::span<const T> values) {
        const KeptResults::Kept kept = run.outcome.kept.find(values.data());
        const auto* const gpu = dynamic_cast<const CudaDevice*>(kept.device);
        if (!gpu) throw UsageError("{} is not in the memory of a GPU: the run was on {}", name, run.report.plan_text());
        const std::size_t size = values.size();
        const int number = gpu->info().ordinal;
        const nb::ndarray<T, nb::ndim<1>, nb::device::cuda> there(kept.memory->data(), 1, &size, self, nullptr,
                                                                  nb::dtype<T>(), nb::device::cuda::value, number);
        return nb::make_tuple(number, nb::cast(there, nb::rv_policy::reference));
      },
      column.values);
}

Answer answer_of(FinishedRun& run, std::uint32_t top) {
  return run_for([&] {
    Answer answer = find_answer(run.algorithm->info(), run.outcome, *run.store, top, unlimited_budget());
    answer.missing = with_arguments(answer.missing);
    return answer;
  });
}

nb::list rows_of(const std::vector<Answer::Row>& rows) {
  nb::list list;
  for (const Answer::Row& row : rows)
    list.append(nb::make_tuple(
        nb::steal(PyUnicode_DecodeUTF8(row.name.data(), static_cast<Py_ssize_t>(row.name.size()), "replace")), row.text,
        row.number));
  return list;
}

// [(title, rows, logarithmic)], and what is missing.
nb::tuple answer(FinishedRun& run, std::uint32_t top) {
  const Answer found = answer_of(run, top);
  nb::list parts;
  for (const Answer::Top& one : found.tops) parts.append(nb::make_tuple(one.title, rows_of(one.rows), false));
  for (const Answer::Chart& one : found.charts) parts.append(nb::make_tuple(one.title, rows_of(one.bars), one.log));
  return nb::make_tuple(parts, found.missing);
}

std::string table(FinishedRun& run, std::uint32_t top, bool verbose) {
  if (!run.host.table.empty()) return run.host.table;
  RunReport report = run.report;
  report.answer = answer_of(run, top);
  return report.table(verbose);
}

// The files may not be what the graph was read from, a part of a store, or a link.
void demand_outputs(const FinishedRun& run, const std::vector<UsedPath>& files) {
  std::vector<NamedPath> paths{{"the graph", {run.store->path(), PathUse::input}}};
  for (const UsedPath& file : files) paths.push_back({"path", file});
  run_job([&] { demand_apart(paths); });
}

void write(FinishedRun& run, const std::string& name, const std::filesystem::path& path) {
  const ValueColumn& column = column_of(run, name);
  demand_outputs(run, files_of_results(path));
  run_job([&] {
    const IdMap ids = run.store->load_ids(unlimited_budget());
    const Array<VertexId> order = ids.ascending(unlimited_budget());
    const CountedNames names = run.store->load_names(unlimited_budget());
    write_column(ResultWriter(ids, order, &names), path, column);
  });
}

// `graph`: what the page calls the graph.
void write_report_page(FinishedRun& run, const std::filesystem::path& path, const std::string& call,
                       const std::string& graph) {
  demand_outputs(run, file_of_page(path));
  PageInput input{.command = call};
  if (run.plans)
    for (std::size_t i = 0; i < run.plans->choices.size(); ++i) {
      const PlanChoice& choice = run.plans->choices[i];
      input.plans.push_back({.device = choice.devices,
                             .strategy = std::string(strategy_name(choice.strategy)),
                             .fits = choice.fits,
                             .chosen = i == run.plans->chosen,
                             .predicted = choice.predicted,
                             .problem = with_arguments(choice.problem)});
    }
  const Hardware hardware = this_hardware();
  input.machine = {{"cpu", fmt::format("{}, {} cores", hardware.processor, hardware.cores)}};
  RunReport report = run.report;
  report.answer = answer_of(run, 10);
  report.store = graph;
  const Timeline nothing;
  run_job([&] { write_page(path, report, run.timeline ? *run.timeline : nothing, input); });
}

}  // namespace

void bind_result(nb::module_& module) {
  nb::class_<FinishedRun>(module, "Run")
      .def_prop_ro("columns", [](nb::handle self) { return columns_of(self); })
      .def("on_device", on_device)
      .def_prop_ro("algorithm", [](const FinishedRun& run) { return run.algorithm->info().name; })
      .def_prop_ro("seconds", [](const FinishedRun& run) { return run.outcome.seconds; })
      .def_prop_ro("plan",
                   [](const FinishedRun& run) { return run.host.table.empty() ? run.report.plan_text() : "cpu"; })
      .def_prop_ro("shortfall", [](const FinishedRun& run) { return run.outcome.shortfall; })
      .def_prop_ro("remarks", [](const FinishedRun& run) { return run.remarks; })
      .def_prop_ro("supersteps", [](const FinishedRun& run) { return run.report.num_supersteps(); })
      .def("json", [](const FinishedRun& run) { return run.host.json.empty() ? run.report.json() : run.host.json; })
      .def("table", table)
      .def("answer", answer)
      .def("write", write)
      .def("write_page", write_report_page);
}

}  // namespace millrace::python
