// millrace cache: the stores of graph files that were used directly.
#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/run/graph_cache.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

std::string time_text(std::filesystem::file_time_type time) {
  const auto system = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(time));
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(system)));
}

std::string list_json(const GraphCache& cache) {
  Json stores = Json::array();
  for (const GraphCache::Entry& entry : cache.entries())
    stores.push_back({{"name", entry.name},
                      {"store", entry.store.string()},
                      {"file", entry.source.string()},
                      {"options", entry.options},
                      {"bytes", entry.bytes},
                      {"used", time_text(entry.used)},
                      {"stale", entry.stale}});
  return Json{{"schema_version", 1}, {"folder", cache.folder().string()}, {"limit", cache.limit()}, {"stores", stores}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string list_text(const GraphCache& cache) {
  const std::vector<GraphCache::Entry> entries = cache.entries();
  std::uint64_t bytes = 0;
  for (const GraphCache::Entry& entry : entries) bytes += entry.bytes;
  std::string text = fmt::format("{}: {} store{}, {} of at most {}\n", cache.folder().string(), entries.size(),
                                 entries.size() == 1 ? "" : "s", format_size(bytes), format_size(cache.limit()));
  for (const GraphCache::Entry& entry : entries)
    text += fmt::format("  {}\n    {} of {}{}{}, last used {}\n", entry.name, format_size(entry.bytes),
                        printable_text(entry.source.string()),
                        entry.options.empty() ? "" : " " + printable_text(entry.options),
                        entry.stale ? " (which has changed since)" : "", time_text(entry.used));
  return text;
}

void say_what_stays(const GraphCache::Removed& removed) {
  for (const std::string& name : removed.left)
    say("{} stays: another process is making it, or it cannot be removed\n", name);
}

void clear(const std::vector<std::string>& names) {
  GraphCache cache;
  std::vector<GraphCache::Entry> chosen;
  for (const std::string& name : names) {
    const std::filesystem::path file = std::filesystem::weakly_canonical(name);
    bool known = false;
    for (const GraphCache::Entry& entry : cache.entries()) {
      if (entry.name != name && entry.source != file) continue;
      known = true;
      if (std::ranges::find(chosen, entry.name, &GraphCache::Entry::name) == chosen.end()) chosen.push_back(entry);
    }
    if (!known) throw UsageError("the cache has no store {}, and none of a file with that name", name);
  }
  const GraphCache::Removed removed = names.empty() ? cache.clear() : cache.remove(chosen);
  say_what_stays(removed);
  print("removed {} store{}, {}\n", removed.stores, removed.stores == 1 ? "" : "s", format_size(removed.bytes));
}

}  // namespace

Command cache_command() {
  struct Options {
    bool json = false, done = false;
    std::string limit;
    std::vector<std::string> names;
  };
  const auto options = std::make_shared<Options>();
  Command cache{.name = "cache",
                .help = "List or clear the stores of graph files that were given to run",
                .options = {json_option(options->json),
                            {.name = "limit",
                             .field = &options->limit,
                             .value = "SIZE",
                             .help = "From now on keep at most so many bytes (default 64G): stores that were not used "
                                     "for the longest time are removed"}},
                .run =
                    [options] {
                      if (options->done) return;  // by a subcommand
                      GraphCache kept;
                      if (!options->limit.empty()) {
                        const GraphCache::Removed removed = kept.set_limit(parse_size(options->limit));
                        say_what_stays(removed);
                        if (removed.stores > 0)
                          say("removed {} store{}\n", removed.stores, removed.stores == 1 ? "" : "s");
                      }
                      print_text(options->json ? list_json(kept) : list_text(kept));
                    },
                .examples = {"millrace cache", "millrace cache --limit 200G"}};
  cache.commands.push_back({.name = "clear",
                            .help = "Remove these stores, or all of them; your graph files stay",
                            .options = {{.name = "NAME",
                                         .field = &options->names,
                                         .value = {},
                                         .help = "A store as it is listed, or a graph file",
                                         .argument = true}},
                            .run =
                                [options] {
                                  options->done = true;
                                  if (options->json || !options->limit.empty())
                                    throw UsageError("cache clear takes neither --limit nor --json");
                                  clear(options->names);
                                },
                            .examples = {"millrace cache clear"}});
  return cache;
}

}  // namespace millrace
