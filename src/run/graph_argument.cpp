#include "millrace/run/graph_argument.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "millrace/checks/verify_store.h"
#include "millrace/core/cache_folder.h"
#include "millrace/core/error.h"
#include "millrace/core/nearest.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/text.h"
#include "millrace/read/source_state.h"
#include "millrace/run/graph_cache.h"
#include "millrace/store/store.h"

namespace millrace {

namespace fs = std::filesystem;

Option trust_option(bool& trust) {
  return {.name = "trust",
          .field = &trust,
          .value = {},
          .help =
              "Read a store that was not made here without a check: a damaged or crafted one may crash the command "
              "or give wrong results (MILLRACE_TRUST=1 does the same)"};
}

std::shared_ptr<const Store> open_to_use(const fs::path& path, const BeforeUse& how) {
  auto store = std::make_shared<const Store>(Store::open(path));
  check_before_use(*store, how);
  return store;
}

std::shared_ptr<const Store> open_to_run(const fs::path& path, const RunSettings& settings) {
  GraphArgument graph(path, settings.trust);
  graph.remark = settings.remark;
  return graph.open(settings.on.host_memory);
}

std::vector<Option> GraphArgument::options(const std::vector<Option>& others) {
  std::vector<Option> options{{.name = "GRAPH",
                               .field = &given_,
                               .value = {},
                               .help = "A store, or a graph file in any format that import reads: it is imported once, "
                                       "and the store is kept in a cache (millrace cache)",
                               .argument = true,
                               .required = true,
                               .use = PathUse::input,
                               .uses = files_of_input},
                              trust_option(trust_)};
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(others, [&](const Option& option) { return option.name == name; });
  };
  const std::string group = "Options for a graph file";
  if (!taken("store"))  // some algorithms write one
    options.push_back({.name = "store",
                       .field = &kept_at_,
                       .value = "PATH",
                       .help = "Import the file to this store instead of the cache; a store that was made there from "
                               "the same file in the same way is used again",
                       .use = PathUse::store,
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
  return options;
}

std::string GraphArgument::marked_options() const {
  std::string text;
  for (const std::string& name : order_) {
    const auto flag = flags_.find(name);
    const auto given = texts_.find(name);
    if (flag != flags_.end() && *flag->second) text += fmt::format("{}{}", text.empty() ? "" : " ", setting(name));
    if (given != texts_.end()) text += fmt::format("{}{} {}", text.empty() ? "" : " ", setting(name), given->second);
  }
  return text;
}

// As the command takes them, whoever asks: stores in the cache and in manifests are known by this text.
std::string GraphArgument::options_text() const { return with_settings(marked_options(), "--"); }

bool GraphArgument::asks_for_weights() const {
  const auto flag = flags_.find("weighted");
  return (flag != flags_.end() && *flag->second) || texts_.contains("weights");
}

void GraphArgument::import_to(const fs::path& store) {
  import_.file = given_;
  import_.output = store;
  import_.remark = remark;
  const BuildSummary made = import_file(import_);
  if (!remark) return;
  remark(fmt::format("imported {} in {}: {}, {}{}", printable_text(given_.string()), format_seconds(made.seconds),
                     format_counted(made.num_vertices, "vertex"), made.edges().text(), changes_text(made)));
}

// The manifest names what the store was made from: the state of the files, and the options.
std::shared_ptr<const Store> GraphArgument::open_kept() {
  const bool regular = fs::is_regular_file(given_);
  const std::vector<fs::path> files = files_of_graph(given_, import_.read.vertices);
  const std::string options = escape_bytes(options_text());
  if (path_exists(kept_at_)) {
    Store store = Store::open(kept_at_);
    const auto same = regular ? same_files(store.manifest().source, files) : std::nullopt;
    if (!same || same->rest != options)
      throw UsageError(
          "@store@ {} exists already, and was made from another file, from an older state of it, or with other "
          "options: remove it, run on it alone, or choose another path",
          kept_at_.string());
    return std::make_shared<const Store>(std::move(store));
  }
  import_.build.source = regular ? state_of_files(files) + options : given_.filename().string();
  import_to(kept_at_);
  return std::make_shared<const Store>(Store::open(kept_at_));
}

std::shared_ptr<const Store> GraphArgument::open_cached() try {
  if (cache_folder().empty())
    throw UsageError("there is no folder for a cache: set HOME or XDG_CACHE_HOME, or give @store@ a path");
  GraphCache cache;
  const auto waiting = [&] {
    if (remark) remark(fmt::format("another process imports {}: waiting for it", printable_text(given_.string())));
  };
  const GraphCache::Found found = cache.find({.file = given_,
                                              .options = options_text(),
                                              .files = files_of_graph(given_, import_.read.vertices),
                                              .make = [&](const fs::path& store) { import_to(store); },
                                              .waiting = waiting});
  if (!found.kept && remark)
    remark(marked_text(
        "the store is larger than the limit of the cache, {}, and is not kept (millrace cache @limit@, or @store@)",
        format_size(cache.limit())));
  if (found.kept) cached_ = found.place;
  return std::make_shared<const Store>(found.store.called(given_));
} catch (const IoError& error) {
  throw IoError("{}; @store@ PATH keeps the store elsewhere", error.marked());
} catch (const fs::filesystem_error& error) {
  throw IoError("cannot use {}: {}; @store@ PATH keeps the store elsewhere", error.path1().string(),
                error.code().message());
}

bool GraphArgument::forget_damaged() {
  if (cached_.empty()) return false;
  try {
    Budget budget(memory_.empty() ? available_memory() : parse_size(memory_));
    if (verify_store(Store::open(cached_), Verify::everything, budget).problems.empty()) return false;
  } catch (const BadInputError&) {
  } catch (const OverBudgetError&) {  // what the caller was told has to do
  }
  GraphCache::Entry entry;
  entry.name = cached_.filename().string();
  entry.store = cached_;
  return GraphCache().remove({entry}).left.empty();
}

void GraphArgument::say_missing() const {
  Nearest nearest(given_.filename().string());
  const fs::path folder = given_.has_parent_path() ? given_.parent_path() : fs::path(".");
  std::error_code unknown;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unknown))
    if (entry.path().filename() != given_.filename()) nearest.show(entry.path().filename().string());
  throw BadInputError("there is no store or graph file {}{}", printable_text(given_.string()), nearest.question());
}

std::shared_ptr<const Store> GraphArgument::open(const std::string& memory) {
  memory_ = memory;
  const BeforeUse how{.trust = trust_, .memory = memory, .remark = remark};
  std::shared_ptr<const Store> store = open_or_import(memory);
  try {
    check_before_use(*store, how);
  } catch (const DamagedStoreError&) {
    if (!forget_damaged()) throw;
    store = open_or_import(memory);
    check_before_use(*store, how);
  }
  return store;
}

std::shared_ptr<const Store> GraphArgument::open_or_import(const std::string& memory) {
  std::error_code unknown;
  const fs::file_status status = fs::status(given_, unknown);
  if (status.type() == fs::file_type::not_found) say_missing();
  if (!fs::exists(status) || fs::is_directory(status)) {
    Store store = Store::open(given_);
    if (const std::string text = marked_options(); !text.empty() || !kept_at_.empty())
      throw UsageError("{} is a store: {} is for graph files", given_.string(),
                       kept_at_.empty() ? text : setting("store"));
    return std::make_shared<const Store>(std::move(store));
  }
  if (fs::is_regular_file(status) && access(given_.c_str(), R_OK) != 0) throw_system_error("read", given_);
  import_.memory = memory;
  import_.build.memory_option = setting(memory.empty() ? "memory" : "host-memory");
  return kept_at_.empty() ? open_cached() : open_kept();
}

}  // namespace millrace
