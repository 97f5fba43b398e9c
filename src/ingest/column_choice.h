// Which columns of a table are the endpoints and the weight: by --columns, or by default.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Whether a column of this name is taken for a source or a target; upper and lower case are the same.
bool is_usual_source(std::string_view name);
bool is_usual_target(std::string_view name);

// Counted from 0.
struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
};

// Whether --columns has names, which need a header: "src,dst". Numbers are "1,2" or "1,2,4".
bool names_columns(const std::string& option);

// The columns that `option` names or numbers. If it is empty: source, src or from and target, dst or to if the header
// has them, else the first two; the weight is the column called weight, or without a header the third. `header` is
// empty if there is none. A third column in the option is a weight unless `weighted` is false. Throws UsageError.
Columns choose_columns(const std::string& option, const std::vector<std::string>& header, std::optional<bool> weighted);

}  // namespace millrace
