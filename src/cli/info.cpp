// millrace info, millrace verify: describe and check stores.
#include <fmt/core.h>

#include <memory>

#include "millrace/checks/check_before_use.h"
#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/report/describe.h"
#include "millrace/run/device_options.h"
#include "millrace/store/counted_edges.h"
#include "millrace/store/known_stores.h"

namespace millrace {

Command info_command() {
  struct Options {
    std::filesystem::path store;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  return {.name = "info",
          .help = "Show what is in a store",
          .options = {store_argument(options->store), json_option(options->json, "One JSON object instead of a table")},
          .run =
              [options] {
                const Store store = Store::open(options->store);
                print_text(options->json ? describe_json(store) + "\n" : describe_text(store));
              },
          .examples = {"millrace info g.store", "millrace info g.store --json"}};
}

namespace {

void run_verify(const std::filesystem::path& path) {
  const Store store = Store::open(path);
  Budget budget(available_memory(), LimitOption("the available memory"));
  const std::string identity = identity_of(store.files());
  const StoreVerdict verdict = verify_store(store, Verify::everything, budget);
  demand_sound(store, verdict);
  remember(store.files(), identity);
  print("{}: whole; {}, {}, {} checked\n", path.string(), format_counted(verdict.pages, "page"), edges_of(store).text(),
        format_size(verdict.bytes));
  for (const std::string& note : verdict.notes) print("note: {}\n", printable_text(note));
}

}  // namespace

Command verify_command() {
  const auto path = std::make_shared<std::filesystem::path>();
  return {.name = "verify",
          .help = "Check a store: checksums, structure of every page, counts",
          .options = {store_argument(*path), threads_option()},
          .run = [path] { run_verify(*path); },
          .examples = {"millrace verify g.store"}};
}

}  // namespace millrace
