// Runs and explains algorithms, and keeps sessions.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>

#include "errors.h"
#include "graph.h"
#include "jobs.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/core/error.h"
#include "millrace/core/nearest.h"
#include "millrace/core/progress.h"
#include "millrace/plan/explain.h"
#include "millrace/run/ready_run.h"
#include "options.h"
#include "result.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

// A vector for spmv: contiguous, on the host.
using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// What a caller asks for.
struct Asked {
  std::string algorithm;
  Given options;
  Given settings;
  std::vector<std::string> columns;
  bool check = false;
  bool record = false;
  bool keep_on_device = false;
  int threads = 0;
  std::optional<AnyVector> x;  // for spmv
};

std::unique_ptr<Algorithm> product_with(const AnyVector& x) {
  const std::size_t size = x.shape(0);
  if (x.dtype() == nb::dtype<float>()) return make_spmv_of(std::span(static_cast<const float*>(x.data()), size));
  if (x.dtype() == nb::dtype<double>()) return make_spmv_of(std::span(static_cast<const double*>(x.data()), size));
  throw UsageError("@x@ is neither of float32 nor of float64");
}

// `paths` gets what the options name.
std::shared_ptr<Described> make_described(const Asked& asked, std::vector<NamedPath>* paths = nullptr) {
  std::shared_ptr<Described> made;
  for (const std::unique_ptr<Described>& one : all_algorithms())
    if (python_name(one->info().name) == python_name(asked.algorithm)) made = find_algorithm(one->info().name);
  if (!made) {
    Nearest nearest(asked.algorithm);
    for (const std::unique_ptr<Described>& one : all_algorithms()) nearest.show(python_name(one->info().name));
    throw UsageError("there is no algorithm {}{}", asked.algorithm, nearest.question());
  }
  std::vector<Option> options = made->options();
  if (asked.x) {
    made = product_with(*asked.x);
    options = made->options();
    std::erase_if(options, [](const Option& option) { return option.name == "x"; });
  }
  assign_all(options, asked.options, asked.algorithm);
  if (paths) std::ranges::move(paths_given(options, asked.options), std::back_inserter(*paths));
  return made;
}

// Remarks of a run are about a graph that is there: one of arrays got its weights, or none, in another way than a file.
std::string remark_for_python(const std::string& marked) {
  return with_settings(marked, [](std::string_view name) {
    return name == "weighted" ? "weighted=True, and from arrays with weight=..." : python_name(name);
  });
}

RunSettings settings_from(const Given& given, std::vector<std::string>* remarks) {
  RunSettings settings;
  assign_all(setting_options(settings), given, "run");
  settings.progress = true;
  if (remarks) settings.remark = [remarks](const std::string& text) { remarks->push_back(remark_for_python(text)); };
  return settings;
}

// Columns of vertices that are other numbers until now.
void finish_columns(Outcome& outcome, const Store& store, Budget& budget) {
  if (std::ranges::none_of(outcome.columns, [](const ValueColumn& column) { return bool(column.finish); })) return;
  const Array<VertexId> order = store.load_ids(budget).ascending(budget);
  for (ValueColumn& column : outcome.columns)
    if (column.finish) {
      std::exchange(column.finish, nullptr)(order, budget);
      column.changed = true;
    }
}

// What stayed on a GPU has the values of the columns.
void renew_kept(Outcome& outcome) {
  for (ValueColumn& column : outcome.columns)
    if (std::exchange(column.changed, false))
      std::visit(
          [&](auto values) {
            const KeptResults::Kept kept = outcome.kept.find(values.data());
            if (!kept.memory) return;
            kept.device->select();
            kept.device->copy_to_device(kept.memory->data(), values.data(), values.size_bytes());
          },
          column.values);
}

// A store on devices, with pages that stay between runs. One run at a time.
struct KeptSession {
  std::shared_ptr<const Store> store;
  RunSettings settings;
  int threads = 0;
  std::vector<std::string> remarks = {};
  std::timed_mutex mutex = {};
  bool closed = false;                    // read and written while the mutex is held, as all below
  std::shared_ptr<Session> session = {};  // made by the first run, which may choose the device

  // For jobs: Ctrl-C is heeded while another one goes on.
  std::unique_lock<std::timed_mutex> lock() {
    std::unique_lock held(mutex, std::defer_lock);
    while (!held.try_lock_for(std::chrono::milliseconds(50))) throw_if_interrupted();
    return held;
  }
  void close() {
    run_job([&] {
      const auto held = lock();
      closed = true;
      if (session) session->keep_pages(false);  // a result may own the session: its values are on the device
      session.reset();
    });
  }
};

void run_on_host(FinishedRun& run, HostAlgorithm& algorithm, const Asked& asked, const KeptSession* kept) {
  const RunSettings settings = kept ? kept->settings : settings_from(asked.settings, nullptr);
  parse_devices(settings.on.device);  // throws for a bad name, although no device is used
  const ChosenDevice cpu(DeviceOptions{.device = "cpu", .device_memory = {}, .host_memory = settings.on.host_memory});
  run.host = algorithm.run(*run.store, asked.check, cpu->host_memory(), [](const auto&) {});
}

// Whether a GPU has one of the columns, beside the host.
bool has_kept(const Outcome& outcome) {
  return std::ranges::any_of(outcome.columns, [&](const ValueColumn& column) {
    return std::visit([&](auto values) { return outcome.kept.find(values.data()).memory != nullptr; }, column.values);
  });
}

void run_on_engine(FinishedRun& run, Algorithm& algorithm, const Asked& asked, KeptSession* kept) {
  Wanted wanted{.columns = {asked.columns.begin(), asked.columns.end()},
                .check = asked.check,
                .keep_on_device = asked.keep_on_device};
  std::vector<std::string> names;
  for (const ColumnInfo& column : algorithm.info().columns) names.push_back(column.name);
  for (const std::string& column : asked.columns)
    if (std::ranges::find(names, column) == names.end())
      throw UsageError("{} has no column {}{}", asked.algorithm, column, did_you_mean(column, names));
  if (asked.record) run.timeline = std::make_shared<Timeline>();
  const Timeline::InForce in_force(run.timeline.get());
  std::shared_ptr<Session> session = kept ? kept->session : nullptr;
  if (!session) {
    ReadyRun ready =
        ready_run(run.store, algorithm, wanted, kept ? kept->settings : settings_from(asked.settings, &run.remarks));
    wanted.prepared = true;
    session = std::move(ready.session);
    run.plans = std::move(ready.plan.plans);
    if (kept) {
      session->keep_pages(true);
      kept->session = session;
    }
  } else {
    session->expect({});
  }
  run.outcome = session->run(algorithm, wanted);
  std::erase_if(run.outcome.columns, [&](const ValueColumn& column) { return !wanted.has(column.name); });
  if (kept) run.remarks = std::exchange(kept->remarks, {});
  finish_columns(run.outcome, *run.store, session->host_memory());
  renew_kept(run.outcome);
  run.asked_to_keep = asked.keep_on_device;
  if (has_kept(run.outcome)) run.session = session;
  run.report = session->report(run.outcome);
  run.report.note = with_arguments(run.report.note);
}

// A graph file has its store in the cache; one that is damaged there would be found again and again.
void name_damaged(const Store& store, const DamagedStoreError& error) {
  std::error_code unknown;
  if (std::filesystem::is_regular_file(store.path(), unknown))
    throw BadInputError(
        "{}; its store in the cache is damaged: millrace cache clear {} removes it, then open the file again",
        error.marked(), store.path().string());
}

std::unique_ptr<FinishedRun> run_asked(std::shared_ptr<const Store> store, const Asked& asked, KeptSession* kept) {
  auto run = std::make_unique<FinishedRun>();
  run->store = std::move(store);
  std::vector<NamedPath> paths{{"the graph", {run->store->path(), PathUse::input}}};
  run->algorithm = make_described(asked, &paths);
  const auto work = [&] {
    const auto held = kept ? kept->lock() : std::unique_lock<std::timed_mutex>();
    if (kept && kept->closed) throw UsageError("the session is closed");
    if (auto* const on_host = dynamic_cast<HostAlgorithm*>(run->algorithm.get()))
      run_on_host(*run, *on_host, asked, kept);
    else
      run_on_engine(*run, dynamic_cast<Algorithm&>(*run->algorithm), asked, kept);
  };
  run_job(
      [&] {
        if (paths.size() > 1) demand_apart(paths);
        try {
          work();
        } catch (const DamagedStoreError& error) {
          name_damaged(*run->store, error);
          throw;
        }
      },
      kept ? kept->threads : asked.threads);
  return run;
}

std::string explain(const OpenStore& open, const Asked& asked, bool json) {
  const std::shared_ptr<Described> described = make_described(asked);
  auto* const algorithm = dynamic_cast<Algorithm*>(described.get());
  if (!algorithm) throw UsageError("{} reads a store on the host: there are no plans to explain", asked.algorithm);
  return run_for(
      [&] {
        const Wanted wanted{.columns = {asked.columns.begin(), asked.columns.end()}, .check = asked.check};
        algorithm->prepare(*open.store, wanted);
        const Plans plans =
            explained_plans(open.store, *algorithm, settings_from(asked.settings, nullptr), !wanted.columns.empty());
        return (json ? explain_json : explain_text)(plans, *algorithm, *open.store);
      },
      asked.threads);
}

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<Asked>(module, "Asked")
      .def(
          "__init__",
          [](Asked* self, std::string algorithm, Given options, Given settings, std::vector<std::string> columns,
             bool check, bool record, bool keep_on_device, int threads, std::optional<AnyVector> x) {
            new (self) Asked{std::move(algorithm),
                             std::move(options),
                             std::move(settings),
                             std::move(columns),
                             check,
                             record,
                             keep_on_device,
                             threads,
                             std::move(x)};
          },
          nb::arg("algorithm"), nb::arg("options"), nb::arg("settings"), nb::arg("columns"), nb::arg("check") = false,
          nb::arg("record") = false, nb::arg("keep_on_device") = false, nb::arg("threads") = 0,
          nb::arg("x") = nb::none());
  nb::class_<KeptSession>(module, "Session")
      .def(
          "__init__",
          [](KeptSession* self, const OpenStore& open, const Given& settings, int threads) {
            parse_devices(settings_from(settings, nullptr).on.device);  // throws for bad ones before there is an object
            new (self) KeptSession{.store = open.store, .settings = {}, .threads = threads};
            self->settings = settings_from(settings, &self->remarks);
          })
      .def("run", [](KeptSession& self, const Asked& asked) { return run_asked(self.store, asked, &self); })
      .def("close", &KeptSession::close);
  module.def("run", [](const OpenStore& open, const Asked& asked) { return run_asked(open.store, asked, nullptr); });
  module.def("explain", explain);
}

}  // namespace millrace::python
