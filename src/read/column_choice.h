// Which columns of a table are the endpoints and the weight: by --columns, or by default.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Whether a line of fields is a header: it names a column for the source and one for the target. Upper and lower case
// are the same. Where ids are names, "u v" may as well be an edge: then only names that nobody gives a vertex count.
bool names_both_ends(const std::vector<std::string>& fields, bool ids_are_names);
// Whether a name of a vertex could make such a line of an edge.
bool is_name_of_end(std::string_view name);

// The names of columns that are known, by what is in them; in lower case.
struct UsualNames {
  std::vector<std::string_view> source, target, weight;
};
UsualNames usual_names();

// Counted from 0.
struct Columns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
};

// Whether --columns has names, which need a header: "src,dst". Numbers are "1,2" or "1,2,4".
bool names_columns(const std::string& option);

// The columns that `option` names or numbers. If it is empty: those that the header names (source and target, src and
// dst, from and to, u and v, start and end, tail and head), else the first two, unless a name contradicts that; the
// weight is the column called weight, weights, w, value, val or cost, or without a header the third. `header` is empty
// if there is none. A third column in the option is a weight unless `weighted` is false. Throws UsageError.
Columns choose_columns(const std::string& option, const std::vector<std::string>& header, std::optional<bool> weighted);

// What was chosen, for people: "columns: source 'a', target 'b', weight 'w'". If weights were neither requested nor
// refused, also that a column called weight was left; settings are marked.
std::string describe_columns(const Columns& columns, const std::vector<std::string>& header,
                             std::optional<bool> weighted);

}  // namespace millrace
