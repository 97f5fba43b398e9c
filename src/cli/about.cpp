#include "millrace/cli/about.h"

#include <fmt/format.h>

#include "millrace/core/error.h"

namespace millrace {
namespace {

struct CodeName {
  ExitCode code;
  const char* name;
  const char* text;
};
constexpr CodeName codes[] = {
    {ExitCode::ok, "ok", "The command did what was asked."},
    {ExitCode::failure, "failure",
     "A file could not be read or written, a result failed its check or diverged, or there is a fault in Millrace."},
    {ExitCode::usage, "usage", "The arguments make no sense: an unknown option, a value that is not allowed."},
    {ExitCode::bad_input, "bad input", "A graph file or a store is malformed or damaged."},
    {ExitCode::does_not_fit, "does not fit",
     "The graph or the run exceeds the memory that may be used, or a limit of the format."},
    {ExitCode::device, "device", "There is no such device, or it failed."},
    {ExitCode::interrupted, "interrupted", "By Ctrl-C, SIGTERM or SIGHUP; unfinished files were removed."},
};

}  // namespace

std::vector<std::string> main_examples() {
  return {"millrace generate rmat -o g.store --scale 20 --edge-factor 16",
          "millrace import edges.txt -o g.store",
          "millrace export g.store -o edges.txt.gz",
          "millrace partition g.store --parts 4 --method metis -o g4.store",
          "millrace run pagerank g.store -o ranks.txt",
          "millrace run bfs g.store --source 0 --check",
          "millrace run pagerank g.store --device cuda --device-memory 8G"};
}

std::vector<std::string> main_description() {
  return {
      "Millrace runs graph algorithms on CPUs and on NVIDIA GPUs. A graph is kept in a store, a directory of "
      "compressed "
      "pages, which millrace import or millrace generate makes. millrace run computes on the pages as they are. Pages "
      "that do not fit in the memory that a run may use are streamed, from the host to a GPU or from disk.",
      "Results go to stdout or to files; messages, and progress bars on a terminal, go to stderr. Output files appear "
      "when they are complete. The command prints no colours, so NO_COLOR has nothing to change."};
}

std::vector<ManualEntry> exit_codes() {
  std::vector<ManualEntry> entries;
  for (const auto& [code, name, text] : codes) entries.push_back({fmt::format("{}", static_cast<int>(code)), text});
  return entries;
}

std::string exit_codes_line() {
  std::string line;
  for (const auto& [code, name, text] : codes)
    line += fmt::format("{}{} {}", line.empty() ? "Exit codes: " : ", ", static_cast<int>(code), name);
  return line + ".";
}

std::vector<ManualEntry> environment() {
  return {
      {"MILLRACE_DECODER", "How a CPU unpacks pages: portable, avx2 or avx512. Default: the best that it has."},
      {"MILLRACE_READER", "How pages are read from disk: uring or threads. Default: io_uring if the kernel has it."},
      {"MILLRACE_DISK_GBPS", "Slows reads from disk down to this many GB/s, to see what such a disk would give."},
      {"MILLRACE_LINK_GBPS", "Slows copies between host and GPU down to this many GB/s."},
      {"MILLRACE_TRUST", "1 reads stores that were not made here without a check, like --trust. Default: 0."},
      {"TMPDIR", "The folder for temporary files that have no other place. Default: /tmp."},
      {"XDG_CACHE_HOME", "The folder in which millrace/ keeps what was measured. Default: .cache in HOME."},
      {"HOME", "Where .cache is, if XDG_CACHE_HOME is not set."},
      {"OMP_NUM_THREADS", "Threads of the host where --threads is not given, as for every OpenMP program."},
      {"CUDA_VISIBLE_DEVICES", "Which GPUs there are, and their numbers, as for every CUDA program."},
  };
}

std::vector<ManualEntry> kept_files() {
  return {
      {"$XDG_CACHE_HOME/millrace/machine-*.json",
       "The calibration of this machine: millrace calibrate makes it, and runs and millrace explain use it."},
      {"$XDG_CACHE_HOME/millrace/last-run.json", "The report of the last run, for millrace explain --after."},
      {"STORE.partial, STORE.lock",
       "Beside a store that is being written. Those of a killed command are removed by the next one that writes "
       "there."},
      {"FILE.partial-*", "The same beside an output file."},
  };
}

std::string help_end(const std::string& footer, const std::vector<std::string>& examples) {
  std::string text = footer;
  if (examples.empty()) return text;
  text += text.empty() ? "Examples:" : "\n\nExamples:";
  for (const std::string& example : examples) text += "\n  " + example;
  return text;
}

}  // namespace millrace
