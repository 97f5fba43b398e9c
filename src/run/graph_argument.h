// The graph of a run: a store, or a graph file that is imported once into a cache of stores.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "millrace/checks/check_before_use.h"
#include "millrace/plan/run_settings.h"
#include "millrace/run/import_options.h"

namespace millrace {

// Reads a store that was not made here without a check.
Option trust_option(bool& trust);
// Opens a store to read its pages; it is checked first if it was not made here.
std::shared_ptr<const Store> open_to_use(const std::filesystem::path& store, const BeforeUse& how);
// Opens a store or a graph file, with the memory, the trust and the remarks of a run.
std::shared_ptr<const Store> open_to_run(const std::filesystem::path& graph, const RunSettings& settings);

class GraphArgument {
 public:
  explicit GraphArgument(const std::filesystem::path& graph = {}, bool trust = false) : given_(graph), trust_(trust) {}
  GraphArgument(const GraphArgument&) = delete;  // its options point to it

  // Called with remarks for the user, such as what was imported; empty: nothing is said.
  std::function<void(const std::string&)> remark = {};

  // The graph, @trust@, @store@ and the options of an import, but for those whose names others have.
  std::vector<Option> options(const std::vector<Option>& others = {});
  // The store to open: imports the file if it has to; a store that was not made here is checked. Throws UsageError if
  // import options are given for a store. `memory`, if not empty, is the most that the import or the check may take.
  std::shared_ptr<const Store> open(const std::string& memory);
  // For a caller that was told DamagedStoreError: if the store is in the cache, and damaged, it is removed, so that
  // open() makes it again. Returns whether.
  bool forget_damaged();
  // Whether import options ask for weights.
  bool asks_for_weights() const;
  // As the user wrote it.
  const std::filesystem::path& given() const { return given_; }

 private:
  std::shared_ptr<const Store> open_or_import(const std::string& memory);
  std::string marked_options() const;
  std::string options_text() const;
  std::shared_ptr<const Store> open_kept();
  std::shared_ptr<const Store> open_cached();
  void import_to(const std::filesystem::path& store);
  // Throws BadInputError: there is nothing of that name.
  [[noreturn]] void say_missing() const;

  std::filesystem::path given_;
  std::filesystem::path kept_at_;  // @store@
  std::filesystem::path cached_;   // the store in the cache that was opened
  std::string memory_;             // of open()
  bool trust_ = false;
  ImportOptions import_;
  std::vector<std::string> order_;            // names of the import options
  std::map<std::string, bool*> flags_;        // those without a value
  std::map<std::string, std::string> texts_;  // those that were given, with their values
};

}  // namespace millrace
