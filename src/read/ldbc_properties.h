// The file NAME.properties of LDBC Graphalytics: what a graph is, and what to run on it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace millrace {

// The lines "graph.NAME.KEY = VALUE" by KEY. The KEY is looked for at the end, since NAME may contain dots.
class LdbcProperties {
 public:
  explicit LdbcProperties(const std::filesystem::path& file);

  const std::string& name() const { return name_; }
  // Empty if the key is absent.
  std::string value(const std::string& key) const;
  // Throws BadInputError if the key is absent.
  std::string required(const std::string& key) const;
  // A value that is a list separated by commas.
  std::vector<std::string> list(const std::string& key) const;
  bool directed() const;
  // The path of a file that the properties name; it is in the same directory, perhaps compressed.
  std::filesystem::path file(const std::string& key) const;
  // The column of the weight, from 1; 0 if edges have none.
  std::size_t weight_column() const;

 private:
  std::string name_;
  std::map<std::string, std::string> values_;
};

}  // namespace millrace
