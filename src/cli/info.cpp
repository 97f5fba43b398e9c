// millrace info, millrace verify: looking at stores.
#include <fmt/core.h>

#include <memory>

#include "millrace/checks/verify_store.h"
#include "millrace/cli/commands.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/report/describe.h"

namespace millrace {

void add_info_command(CLI::App& app) {
  struct Options {
    std::filesystem::path store;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("info", "Show what is in a store");
  add_store_argument(*command, options->store);
  command->add_flag("--json", options->json, "One JSON object instead of a table");
  command->callback([options] {
    const Store store = Store::open(options->store);
    print_text(options->json ? describe_json(store) + "\n" : describe_text(store));
  });
}

void add_verify_command(CLI::App& app) {
  const auto path = std::make_shared<std::filesystem::path>();
  CLI::App* command = app.add_subcommand("verify", "Check a store: checksums, structure of every page, counts");
  add_store_argument(*command, *path);
  add_threads_option(*command);
  command->callback([path] {
    const Store store = Store::open(*path);
    const StoreVerdict verdict = verify_store(store);
    if (!verdict.problems.empty()) {
      std::string text;
      for (const std::string& problem : verdict.problems) text += "\n  " + problem;
      throw BadInputError("{} is damaged:{}", path->string(), text);
    }
    print("{}: whole; {} pages, {} edges, {} checked\n", path->string(), format_count(verdict.pages),
          format_count(verdict.edges), format_size(verdict.bytes));
    for (const std::string& note : verdict.notes) print("note: {}\n", note);
  });
}

}  // namespace millrace
