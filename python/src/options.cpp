#include "options.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "errors.h"
#include "millrace/catalogue/plugin.h"
#include "millrace/core/error.h"
#include "millrace/core/nearest.h"
#include "millrace/read/column_choice.h"
#include "millrace/run/device_options.h"
#include "millrace/run/graph_argument.h"
#include "millrace/run/store_options.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

template <class T>
const char* type_name() {
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_integral_v<T>)
    return "int";
  else if constexpr (std::is_floating_point_v<T>)
    return "float";
  else if constexpr (std::is_same_v<T, std::filesystem::path>)
    return "path";
  else
    return "str";
}

// The type and the default of an option, from the field that it sets.
struct AddField {
  nb::dict& to;
  template <class Field>
  void operator()(const Field& field) const {
    if constexpr (std::is_same_v<Field, std::function<void(const std::string&)>>) {
      to["type"] = "str";
    } else {
      using T = std::remove_pointer_t<Field>;
      if constexpr (is_list<T>) {
        to["type"] = type_name<typename T::value_type>();
        to["list"] = true;
      } else if constexpr (is_optional<T>) {
        to["type"] = type_name<typename T::value_type>();
      } else {
        to["type"] = type_name<T>();
        if constexpr (std::is_arithmetic_v<T>)
          to["default"] = *field;
        else if (const std::string text(*field); !text.empty())
          to["default"] = text;
      }
    }
  }
};

std::string text_for_people(const std::string& text) { return with_arguments(mark_settings(text)); }

nb::dict describe(const Described& algorithm, std::vector<Option> options) {
  const AlgorithmInfo& info = algorithm.info();
  nb::list columns;
  for (const ColumnInfo& column : info.columns) {
    nb::dict one;
    one["name"] = column.name;
    one["main"] = column.option == "output";
    columns.append(one);
  }
  nb::dict described;
  described["name"] = info.name;
  described["method"] = python_name(info.name);
  described["help"] = text_for_people(info.help);
  described["finds"] = info.finds;
  described["columns"] = columns;
  described["on_host"] = dynamic_cast<const HostAlgorithm*>(&algorithm) != nullptr;
  described["has_direction"] = info.has_direction;
  described["has_check"] = info.has_check;
  described["options"] = describe_options(options);
  return described;
}

}  // namespace

void assign_all(const std::vector<Option>& options, const Given& given, const std::string& whose) {
  const auto named = [](const std::string& name) {
    return [&](const Option& option) { return python_name(option.name) == name; };
  };
  for (const auto& [name, text] : given) {
    const auto found = std::ranges::find_if(options, named(name));
    if (found == options.end()) {
      Nearest nearest(name);
      for (const Option& option : options) nearest.show(python_name(option.name));
      throw UsageError("{} has no option {}{}", whose, name, nearest.question());
    }
    assign(*found, text);
    for (const auto& [other, wrong] : {std::pair(found->excludes, true), {found->needs, false}}) {
      const bool is_given =
          std::ranges::any_of(given, [&](const auto& one) { return one.first == python_name(other); });
      if (!other.empty() && is_given == wrong)
        throw UsageError("{} {} {}", setting(found->name), wrong ? "cannot be given with" : "needs", setting(other));
    }
  }
  for (const Option& option : options)
    if (option.required &&
        std::ranges::none_of(given, [&](const auto& one) { return one.first == python_name(option.name); }))
      throw UsageError("{} needs {}", whose, setting(option.name));
}

std::vector<NamedPath> paths_given(const std::vector<Option>& options, const Given& given) {
  std::vector<NamedPath> paths;
  for (const auto& [name, text] : given)
    for (const Option& option : options) {
      if (option.use == PathUse::none || python_name(option.name) != name) continue;
      std::istringstream values(text);
      for (std::string value; std::getline(values, value, option.commas ? ',' : '\0');)
        for (NamedPath& path : paths_of(option, setting(option.name), value)) paths.push_back(std::move(path));
    }
  return paths;
}

std::vector<Option> layout_of_store(StoreOptions& store) {
  std::vector<Option> options = store_options(store);
  std::erase_if(options, [](const Option& o) { return o.name == "output" || o.name == "threads"; });
  return options;
}

std::vector<Option> setting_options(RunSettings& settings) {
  static const std::map<std::string, Direction> directions{
      {"auto", Direction::automatic}, {"push", Direction::push}, {"pull", Direction::pull}};
  std::vector<Option> options = device_options(settings.on, true);
  std::erase_if(options, [](const Option& option) { return option.name == "threads"; });
  for (Option& option : help_options(settings.on)) options.push_back(std::move(option));
  options.push_back(strategy_option(settings.strategy));
  options.push_back(choice("direction", settings.direction, directions, "Force a direction (default auto)"));
  return options;
}

nb::list describe_options(const std::vector<Option>& options) {
  nb::list described;
  for (const Option& option : options) {
    nb::dict one;
    one["name"] = python_name(option.name);
    one["value"] = option.value;
    one["help"] = text_for_people(option.help);
    one["required"] = option.required;
    one["output"] = (option.use == PathUse::output);
    one["commas"] = option.commas || option.value.find("[,") != std::string::npos;
    std::visit(AddField{one}, option.field);
    if (option.range) one["range"] = nb::make_tuple(option.range->first, option.range->second);
    if (option.above_zero) one["above_zero"] = true;
    nb::list choices;
    for (const std::string& choice : option.choices) choices.append(choice);
    one["choices"] = choices;
    described.append(one);
  }
  return described;
}

void bind_catalogue(nb::module_& module) {
  module.def("catalogue", [] {
    nb::list all;
    for (const std::unique_ptr<Described>& algorithm : all_algorithms())
      all.append(describe(*algorithm, algorithm->options()));
    return all;
  });
  module.def("load_plugin", [](const std::string& path) {
    nb::list all;
    for (const std::string& name : load_plugin(path)) {
      const std::unique_ptr<Described> algorithm = find_algorithm(name);
      all.append(describe(*algorithm, algorithm->options()));
    }
    return all;
  });
  module.def("usual_names", [] {
    const UsualNames names = usual_names();
    nb::dict roles;
    for (const auto& [role, some] :
         {std::pair("source", &names.source), {"target", &names.target}, {"weight", &names.weight}}) {
      nb::list listed;
      for (const std::string_view name : *some) listed.append(std::string(name));
      roles[role] = listed;
    }
    return roles;
  });
  module.def("run_settings", [] {
    RunSettings settings;
    return describe_options(setting_options(settings));
  });
  module.def("import_options", [] {
    GraphArgument graph;
    std::vector<Option> options = graph.options();
    std::erase_if(options, [](const Option& option) { return option.argument || option.name == "store"; });
    return describe_options(options);
  });
  module.def("store_options", [] {
    StoreOptions store;
    return describe_options(layout_of_store(store));
  });
}

}  // namespace millrace::python
