// NAME.properties of LDBC Graphalytics: what a graph is, and what to run on it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace millrace {

// Lines "graph.NAME.KEY = VALUE" by their KEY, which is found by its end since a NAME may have dots.
class LdbcProperties {
 public:
  explicit LdbcProperties(const std::filesystem::path& file);

  const std::string& name() const { return name_; }
  // Empty where it is absent.
  std::string value(const std::string& key) const;
  // Throws BadInputError where it is absent.
  std::string required(const std::string& key) const;
  // Values separated by commas.
  std::vector<std::string> list(const std::string& key) const;
  bool directed() const;
  // A file named here, which lies beside this one, perhaps compressed.
  std::filesystem::path file(const std::string& key) const;
  // The column of the weight, from 1; 0 where edges have none.
  std::size_t weight_column() const;

 private:
  std::string name_;
  std::map<std::string, std::string> values_;
};

}  // namespace millrace
