#include "millrace/cli/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "millrace/cli/print.h"
#include "millrace/core/text.h"
#include "millrace/core/timeline.h"
#include "millrace/report/report_page.h"
#include "millrace/report/trace_file.h"

namespace millrace {
namespace {

std::string quoted_for_shell(const std::string& argument) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_./=:,+-%@").find(c) != std::string_view::npos;
  };
  if (!argument.empty() && std::ranges::all_of(argument, is_plain)) return argument;
  std::string quoted = "'";
  for (const char c : argument) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

std::vector<PageInput::Plan> plans_for_page(const Plans& plans) {
  std::vector<PageInput::Plan> shown;
  for (std::size_t i = 0; i < plans.choices.size(); ++i) {
    const PlanChoice& choice = plans.choices[i];
    shown.push_back({.device = choice.devices,
                     .strategy = std::string(strategy_name(choice.strategy)),
                     .fits = choice.fits,
                     .chosen = i == plans.chosen,
                     .predicted = choice.predicted,
                     .problem = with_options(choice.problem)});
  }
  return shown;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> machine_lines() {
  const Hardware hardware = this_hardware();
  std::vector<std::pair<std::string, std::string>> lines{
      {"cpu", fmt::format("{}, {} cores", hardware.processor, hardware.cores)},
      {"memory", format_size(hardware.memory)}};
  for (const Hardware::Gpu& gpu : hardware.gpus)
    lines.emplace_back(fmt::format("cuda:{}", gpu.ordinal), fmt::format("{}, {}", gpu.name, format_size(gpu.memory)));
  const auto add_rate = [&](const std::string& name, double rate) {
    if (rate > 0) lines.emplace_back(name, fmt::format("{:.1f} GB/s", rate * 1e-9));
  };
  if (const std::optional<Calibration> calibration = load_calibration()) {
    add_rate("host memory, read", calibration->host.read_bandwidth);
    add_rate("disk, read", calibration->host.disk);
    for (std::size_t i = 0; i < std::min(calibration->gpus.size(), hardware.gpus.size()); ++i) {
      const std::string name = fmt::format("cuda:{}", hardware.gpus[i].ordinal);
      add_rate("link to " + name, calibration->gpus[i].to_device);
      add_rate("memory of " + name, calibration->gpus[i].copy);
    }
  }
  return lines;
}

std::string this_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string command = "millrace";
  for (std::size_t at = text.find('\0') + 1; at > 0 && at < text.size();) {
    const std::string argument = text.substr(at, text.find('\0', at) - at);
    command += " " + quoted_for_shell(argument);
    at += argument.size() + 1;
  }
  return command;
}

std::vector<Option> RunFiles::options() {
  return {{.name = "report",
           .field = &report_,
           .value = "FILE.html",
           .help = "Write a page to look at in a browser: the answer, the plan, what was predicted and measured, every "
                   "superstep, and a timeline",
           .use = PathUse::output,
           .uses = file_of_page},
          {.name = "trace",
           .field = &trace_,
           .value = "FILE.json",
           .help = "Write a trace of disk reads, copies, kernels, threads and exchange, for Perfetto "
                   "(ui.perfetto.dev) or chrome://tracing",
           .use = PathUse::output,
           .uses = file_of_json}};
}

Timeline* RunFiles::start() {
  if (wanted()) timeline_ = std::make_unique<Timeline>();
  return timeline_.get();
}

void RunFiles::write(const RunReport& report, const std::optional<Plans>& plans) const {
  if (!report_.empty()) {
    PageInput input{.command = this_command(), .machine = machine_lines()};
    if (plans) input.plans = plans_for_page(*plans);
    write_page(report_, report, *timeline_, input);
    note_finished(report_);
  }
  if (trace_.empty()) return;
  write_trace(trace_, *timeline_, report);
  note_finished(trace_);
}

}  // namespace millrace
