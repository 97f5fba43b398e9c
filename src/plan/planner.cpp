#include "millrace/plan/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/store/async_reads.h"

namespace millrace {
namespace {

// Devices and strategies that can be told apart.
struct Way {
  std::string devices;
  Strategy strategy;
};

// Those of the settings or, where the device is open or the others are to be compared, all.
std::vector<std::string> devices_of(const RunSettings& settings, bool compare) {
  const bool open = leaves_device_open(settings.on.device);
  if (!open && !compare) return {settings.on.device};
  const std::vector<CudaInfo> gpus = cuda_devices();
  const auto named = [&](const CudaInfo& gpu) {
    return gpus.size() == 1 && gpu.ordinal == 0 ? std::string("cuda") : fmt::format("cuda:{}", gpu.ordinal);
  };
  std::vector<std::string> devices;
  std::string all;
  for (const CudaInfo& gpu : gpus) {
    devices.push_back(named(gpu));
    devices.push_back(fmt::format("cpu,{}", named(gpu)));
    all += fmt::format("{}{}", all.empty() ? "" : ",", named(gpu));
  }
  if (gpus.size() > 1) {
    devices.push_back(all);
    devices.push_back("cpu," + all);
  }
  devices.push_back("cpu");
  if (!open && std::ranges::find(devices, settings.on.device) == devices.end())
    devices.insert(devices.begin(), settings.on.device);
  return devices;
}

std::vector<Way> ways_of(const RunSettings& settings, bool compare) {
  std::vector<Way> ways;
  for (const std::string& one : devices_of(settings, compare)) {
    const bool several = one.find(',') != std::string::npos, helps = sampled_device(one) == "cpu,cuda";
    if (settings.strategy != Strategy::automatic) {
      ways.push_back({one, settings.strategy});
      continue;
    }
    ways.push_back({one, Strategy::performance});
    if (several && !helps) ways.push_back({one, Strategy::partitioned});
    if (!helps) ways.push_back({one, Strategy::chunked});
  }
  return ways;
}

RunSettings settings_for(const Way& way, RunSettings settings) {
  // It limits GPUs; where there are none, or none is asked for, it is a mistake.
  if (settings.on.device != way.devices && sampled_device(way.devices) == "cpu" && !cuda_devices().empty())
    settings.on.device_memory.clear();
  settings.on.device = way.devices;
  settings.strategy = way.strategy;
  return settings;
}

std::size_t different_gpus(const std::vector<ChosenDevice>& devices) {
  std::set<int> ordinals;
  for (const ChosenDevice& one : devices)
    if (one.cuda()) ordinals.insert(one.cuda()->info().ordinal);
  return std::max<std::size_t>(1, ordinals.size());
}

RunToPredict to_predict(const Plans& plans, const Algorithm& algorithm, const PlanChoice& choice,
                        const GraphNeeds& needs, const std::vector<ChosenDevice>& devices) {
  const bool helped = choice.where.helped;
  const std::string device = sampled_device(choice.devices);
  RunToPredict run{.algorithm = algorithm.info().name,
                   .graph = plans.graph,
                   .units = plans.units,
                   .device = device == "cpu,cuda" && !helped ? "cuda" : device,
                   .threads = devices[0].threads() * (devices[0].cuda() ? 1 : static_cast<int>(devices.size())),
                   .gpu = devices[0].cuda() ? devices[0].cuda()->info().ordinal : 0,
                   .gpus = different_gpus(devices),
                   .placement = choice.where.placement,
                   .message_bytes = static_cast<double>(needs.supersteps.message_bytes),
                   .first = true};
  if (keeps_far(choice.strategy)) {
    run.passes = static_cast<double>(choice.where.chunks);
    run.far_bytes = 2 * static_cast<double>(choice.where.far_bytes) / std::max(plans.graph.vertices, 1.0);
  }
  return run;
}

PlanChoice look_at(const Way& way, const Store& store, const Algorithm& algorithm, const RunSettings& asked,
                   const Calibration* calibration, const Plans& plans, bool wants_output) {
  PlanChoice choice{.devices = way.devices, .strategy = way.strategy};
  std::vector<ChosenDevice> devices;
  GraphNeeds needs;
  try {
    const RunSettings settings = settings_for(way, asked);
    devices = open_devices(settings.on, way.strategy);
    const HelpOptions help = parse_help(settings.on, way.strategy);
    const Direction direction = direction_of(algorithm, store, way.strategy, settings.direction);
    needs = needs_of_run(algorithm, store, direction, wants_output);
    require_pages(store, needs, way.strategy, settings.direction, direction);
    const LoadedSets sets = choose_sets(store, needs);
    choice.pages = sets.orientations;
    const auto has = [&](Orientation o) { return sets.index[static_cast<std::size_t>(o)] >= 0; };
    choice.direction = !has(Orientation::in)    ? Direction::push
                       : !has(Orientation::out) ? Direction::pull
                                                : settings.direction;
    std::vector<Device*> all;
    for (const ChosenDevice& one : devices) all.push_back(&*one);
    choice.limit = all[0]->memory().limit();
    if (!keeps_far(way.strategy)) choice.needed = least_memory(store, needs, all[0]->kind()).bytes;
    choice.where = plan_placement(store, needs, all, way.strategy, help, algorithm.input_memory(store));
    if (help.threads > 0 && !choice.where.helped && asked.on.device != way.devices) {
      choice.fits = false;  // it would be the GPU alone
      choice.problem = choice.where.placement.resident
                           ? "all pages fit the GPU, and the cpu has nothing to take off the link"
                           : "the cpu helps where pages stream from host memory, and there is room for what it needs";
    }
  } catch (const InterruptedError&) {
    throw;
  } catch (const Error& error) {
    choice.fits = false;
    choice.error = std::current_exception();
    choice.too_large = error.code() == ExitCode::does_not_fit;
    choice.problem = error.marked();
  }
  if (choice.fits && calibration)
    choice.predicted = predict(*calibration, to_predict(plans, algorithm, choice, needs, devices));
  return choice;
}

// To sort by: those that fit first, then those with values near (a prediction of far ones is rough), then those that
// were predicted, the fastest first; without predictions GPUs first.
std::tuple<bool, bool, bool, double> rank_of(const PlanChoice& choice) {
  const double unknown = choice.devices == "cpu" ? 1 : 0;
  // By how much help has to be faster: a GPU alone is simpler.
  const double doubt = sampled_device(choice.devices) == "cpu,cuda" ? 1.02 : 1;
  return {!choice.fits, keeps_far(choice.strategy), !choice.predicted,
          choice.predicted ? choice.predicted->seconds * doubt : unknown};
}

}  // namespace

void require_sound(const RunSettings& settings) {
  const DeviceOptions& on = settings.on;
  parse_devices(on.device);
  parse_help(on, choose_strategy(settings.strategy));
  reader_from_environment();
  if (!leaves_device_open(on.device)) return;  // opening the devices throws
  if (cuda_devices().empty()) {
    open_devices(on, choose_strategy(settings.strategy));
    return;
  }
  for (const std::string& size : {on.device_memory, on.host_memory})
    if (!size.empty()) parse_size(size);
  if (!on.device_memory.empty() && parse_size(on.device_memory) == 0)
    throw UsageError("@device-memory@ 0: a run needs some");
}

std::string PlanChoice::name() const {
  const bool several = devices.find(',') != std::string::npos && sampled_device(devices) != "cpu,cuda";
  return several || keeps_far(strategy) ? fmt::format("{} {}", devices, strategy_name(strategy)) : devices;
}

const PlanChoice& Plans::best() const {
  const PlanChoice& choice = choices[chosen];
  if (choice.fits) return choice;
  const bool one_device =
      std::ranges::all_of(choices, [&](const PlanChoice& c) { return c.devices == choice.devices; });
  const bool other_reason = std::ranges::none_of(choices, &PlanChoice::too_large);
  if (choice.error && (asked || one_device || other_reason)) std::rethrow_exception(choice.error);
  const auto excess = [](const PlanChoice& one) {
    return one.needed > one.limit
               ? static_cast<double>(one.needed) / static_cast<double>(std::max<std::uint64_t>(one.limit, 1))
               : std::numeric_limits<double>::max();
  };
  const PlanChoice& nearest = *std::ranges::min_element(choices, {}, excess);
  throw DoesNotFitError("no plan fits; the nearest is {}: {}", nearest.name(), nearest.problem);
}

Plans make_plans(const std::shared_ptr<const Store>& store, const Algorithm& algorithm, const RunSettings& settings,
                 const Calibration* calibration, bool wants_output, bool compare) {
  require_sound(settings);
  Plans plans{.graph = size_of_graph(*store, algorithm.needs(*store, settings.direction)),
              .units = algorithm.expected_units(*store),
              .unit = algorithm.info().bench ? algorithm.info().bench->unit : "run"};
  plans.asked = !leaves_device_open(settings.on.device);
  for (const Way& way : ways_of(settings, compare))
    plans.choices.push_back(look_at(way, *store, algorithm, settings, calibration, plans, wants_output));
  std::ranges::stable_sort(plans.choices, {}, rank_of);
  if (plans.asked)
    for (std::size_t i = plans.choices.size(); i-- > 0;)
      if (plans.choices[i].devices == settings.on.device &&
          (settings.strategy != Strategy::automatic || plans.choices[i].strategy == Strategy::performance))
        plans.chosen = i;
  return plans;
}

RunSettings settings_of(const PlanChoice& choice, RunSettings settings) {
  return settings_for({choice.devices, choice.strategy}, std::move(settings));
}

}  // namespace millrace
