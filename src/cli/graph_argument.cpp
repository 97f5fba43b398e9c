#include "millrace/cli/graph_argument.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/nearest.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/text.h"
#include "millrace/ingest/graph_cache.h"
#include "millrace/store/store.h"

namespace millrace {

namespace fs = std::filesystem;

void GraphArgument::add_to(Command& command) {
  command.options.push_back({.name = "GRAPH",
                             .field = &given_,
                             .value = {},
                             .help = "A store, or a graph file in any format that import reads: it is imported once, "
                                     "and the store is kept in a cache (millrace cache)",
                             .argument = true,
                             .required = true});
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(command.options, [&](const Option& option) { return option.name == name; });
  };
  const std::string group = "Options for a graph file";
  std::vector<Option> options;
  if (!taken("store"))  // some algorithms write one
    options.push_back({.name = "store",
                       .field = &kept_at_,
                       .value = "PATH",
                       .help = "Import the file to this store instead of the cache, or use the store if it is there "
                               "and newer than the file",
                       .group = group});
  for (const auto& some : {read_options(import_), layout_options(import_)})
    for (Option option : some) {
      if (taken(option.name)) continue;
      order_.push_back(option.name);
      option.group = group;
      if (!option.excludes.empty() && taken(option.excludes)) option.excludes.clear();
      if (const auto* const flag = std::get_if<bool*>(&option.field))
        flags_[option.name] = *flag;
      else
        option.field = [this, option](const std::string& text) {
          assign(option, text);
          texts_[option.name] = text;
        };
      options.push_back(std::move(option));
    }
  command.options.insert(command.options.end(), options.begin(), options.end());
}

std::string GraphArgument::options_text() const {
  std::string text;
  for (const std::string& name : order_) {
    const auto flag = flags_.find(name);
    const auto given = texts_.find(name);
    if (flag != flags_.end() && *flag->second) text += fmt::format("{}--{}", text.empty() ? "" : " ", name);
    if (given != texts_.end()) text += fmt::format("{}--{} {}", text.empty() ? "" : " ", name, given->second);
  }
  return text;
}

// Files that the import may read too.
std::vector<fs::path> GraphArgument::files_beside() const {
  std::vector<fs::path> files;
  if (!import_.read.vertices.empty()) files.push_back(import_.read.vertices);
  for (const char* const suffix : {".v", ".e", ".properties"}) {
    fs::path other = given_;
    if (other.replace_extension(suffix) != given_) files.push_back(std::move(other));
  }
  return files;
}

void GraphArgument::import_to(const fs::path& store) {
  import_.file = given_;
  import_.output = store;
  const BuildSummary made = import_file(import_, true);
  if (quiet) return;
  say("imported {} in {}: {} vertices, {} edges\n", given_.string(), format_seconds(made.seconds),
      format_count(made.num_vertices), format_count(made.num_edges));
}

std::shared_ptr<const Store> GraphArgument::open_kept() {
  if (path_exists(kept_at_)) {
    Store store = Store::open(kept_at_);
    const bool older =
        fs::is_regular_file(given_) && fs::last_write_time(kept_at_ / "manifest.json") < fs::last_write_time(given_);
    if (older || !options_text().empty())
      throw UsageError(
          "@store@ {} exists already{}: remove it, run on it alone, or choose another path", kept_at_.string(),
          older ? fmt::format(", and {} is newer", given_.string()) : ", so it cannot be imported with other options");
    return std::make_shared<const Store>(std::move(store));
  }
  import_to(kept_at_);
  return std::make_shared<const Store>(Store::open(kept_at_));
}

std::shared_ptr<const Store> GraphArgument::open_cached() {
  GraphCache cache;
  import_.build.replace = true;
  const GraphCache::Found found =
      cache.find(given_, options_text(), files_beside(), [&](const fs::path& store) { import_to(store); });
  auto store = std::make_shared<const Store>(Store::open(found.store).called(given_));
  if (found.too_large) {  // the open files stay readable
    cache.forget(found.store);
    if (!quiet)
      say("the store is larger than the limit of the cache, {}, and is not kept (millrace cache --limit, or --store)\n",
          format_size(cache.limit()));
  }
  return store;
}

std::shared_ptr<const Store> GraphArgument::open(const std::string& memory) {
  std::error_code unknown;
  const fs::file_status status = fs::status(given_, unknown);
  if (!fs::exists(status)) {
    Nearest nearest(given_.filename().string());
    const fs::path folder = given_.has_parent_path() ? given_.parent_path() : fs::path(".");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown))
      nearest.show(entry.path().filename().string());
    if (const std::string question = nearest.question(); !question.empty())
      throw BadInputError("there is no store or graph file {}{}", given_.string(), question);
  }
  if (!fs::exists(status) || fs::is_directory(status)) {
    Store store = Store::open(given_);
    if (const std::string text = options_text(); !text.empty() || !kept_at_.empty())
      throw UsageError("{} is a store: {} is for graph files", given_.string(),
                       kept_at_.empty() ? text : setting("store"));
    return std::make_shared<const Store>(std::move(store));
  }
  import_.memory = memory;
  import_.build.memory_option = setting(memory.empty() ? "memory" : "host-memory");
  return kept_at_.empty() ? open_cached() : open_kept();
}

}  // namespace millrace
