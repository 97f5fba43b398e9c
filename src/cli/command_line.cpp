// Parses the command line: the only file that includes CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>

#include "millrace/catalogue/plugin.h"
#include "millrace/cli/about.h"
#include "millrace/cli/command.h"
#include "millrace/cli/misspelt.h"
#include "millrace/cli/option_text.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/pages/decode.h"
#include "millrace/run/named_paths.h"
#include "millrace/version.h"

namespace millrace {
namespace {

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

// As the option is named in messages.
std::string shown_name(const Option& option) { return option.argument ? option.name : "--" + option.name; }
template <class T>
constexpr bool is_number = std::is_arithmetic_v<std::remove_pointer_t<T>>;
template <class T>
constexpr bool is_number<std::optional<T>*> = std::is_arithmetic_v<T>;

std::string flags_of(const Option& option) {
  if (option.argument) return option.name;
  return (option.letter ? fmt::format("-{},", option.letter) : "") + "--" + option.name;
}

// A plain CLI11 flag would set the field to false if it is not given.
CLI::Option* add_flag(CLI::App& command, const Option& option, std::optional<bool>* field) {
  return command.add_flag_function(
      fmt::format("{},!--no-{}", flags_of(option), option.name), [field](std::int64_t count) { *field = count > 0; },
      with_options(help_as_typed(option)));
}
CLI::Option* add_flag(CLI::App& command, const Option& option, bool* field) {
  return command.add_flag(flags_of(option), *field, with_options(help_as_typed(option)));
}

CLI::Option* add_value(CLI::App& command, const Option& option) {
  const std::string flags = flags_of(option);
  return std::visit(
      [&]<class Field>(const Field& field) -> CLI::Option* {
        if constexpr (std::is_same_v<Field, bool*> || std::is_same_v<Field, std::optional<bool>*>)
          return add_flag(command, option, field);
        else if constexpr (is_number<Field>)  // CLI11 would take -1 and 2^64 for other numbers
          return command.add_option_function<std::string>(
              flags, [option](const std::string& text) { assign(option, text); }, with_options(option.help));
        else if constexpr (std::is_pointer_v<Field>) {
          CLI::Option* const added = command.add_option(flags, *field, with_options(help_as_typed(option)));
          if constexpr (is_list<std::remove_pointer_t<Field>>)
            if (!option.argument) added->allow_extra_args(false);
          return added;
        } else
          return command.add_option_function<std::string>(flags, field, with_options(help_as_typed(option)));
      },
      option.field);
}

// CLI11's own ranges write their ends digit by digit, 301 of them for 1e300, let a NaN pass, and say of 1.5 that it is
// not in a range of whole numbers. `allowed` is what allows(value) allows, in words.
template <class Allows>
CLI::Validator number_that(const std::string& allowed, Allows allows, const char* kind = "a number",
                           const char* type = "FLOAT") {
  const auto problem = [allowed, allows, kind](const std::string& text) {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && allows(value)) return std::string();
    return fmt::format("{} is not {} {}", text, kind, allowed);
  };
  return {problem, fmt::format("{} {}", type, allowed)};
}

void limit(CLI::Option& added, const Option& option) {
  const bool real =
      std::holds_alternative<double*>(option.field) || std::holds_alternative<std::optional<double>*>(option.field);
  if (option.range) {
    const auto [from, to] = *option.range;
    if (real)
      added.check(number_that(range_text(*option.range), [from, to](double v) { return v >= from && v <= to; }));
    else
      added.check(number_that(
          range_text(*option.range), [from, to](double v) { return v >= from && v <= to && v == std::floor(v); },
          "a whole number", "INT"));
  }
  if (option.above_zero) added.check(number_that("above 0", [](double value) { return value > 0; }));
  if (!option.choices.empty()) added.check(CLI::IsMember(option.choices).description(""));
  if (real)  // without a range, a NaN would pass
    added.each([name = option.name](const std::string& text) {
      if (std::isnan(std::strtod(text.c_str(), nullptr))) throw UsageError("--{} {} is not a number", name, text);
    });
}

// An option whose value is a path has to say what the path is for; an empty value is refused.
void demand_use(const Option& option, CLI::Option& added) {
  const bool path = std::holds_alternative<std::filesystem::path*>(option.field) ||
                    std::holds_alternative<std::vector<std::filesystem::path>*>(option.field);
  if (path && (option.use == PathUse::none || option.use == PathUse::prints))
    throw InternalError("the option {} has a path, and does not say what for", option.name);
  if (option.use != PathUse::none && option.use != PathUse::prints)
    added.each([name = shown_name(option)](const std::string& text) {
      if (text.empty()) throw UsageError("{} is empty, and so names no file", name);
    });
  else if (!option.value.empty() || option.argument)
    added.each([name = shown_name(option), required = option.required](const std::string& text) {
      if (text.empty()) throw UsageError("{} is empty{}", name, required ? "" : "; leave it out, or give it a value");
    });
}

// As it is used, before anything else looks at it.
void change_value(const Option& option, CLI::Option& added) {
  if (option.use == PathUse::store)
    added.transform([option](const std::string& given) { return value_of(option, given); });
}

// All files, stores and folders that were given to the command.
std::vector<NamedPath> named_paths(const Command& command, const CLI::App& parsed) {
  std::vector<NamedPath> named;
  for (const Option& option : command.options) {
    const CLI::Option* const given = parsed.get_option(shown_name(option));
    if (option.use == PathUse::none || given->count() == 0) continue;
    for (const std::string& value : given->results())
      for (NamedPath& path : paths_of(option, shown_name(option), value)) named.push_back(std::move(path));
  }
  return named;
}

// A command has options only if its name is among the words: to make those of all algorithms takes longer than many a
// command.
void add_command(CLI::App& app, const Command& command, std::span<char* const> words) {
  CLI::App* const added = app.add_subcommand(command.name, with_options(command.help));
  if (std::ranges::find(words, command.name) == words.end()) return;
  added->footer(help_end(command.footer, command.examples));
  for (const Option& option : command.options) {
    CLI::Option* const flag = add_value(*added, option);
    if (!option.value.empty() || option.argument) flag->type_name(option.value);
    if (option.required) flag->required();
    if (!option.group.empty()) flag->group(option.group);
    if (option.commas) flag->delimiter(',');
    change_value(option, *flag);
    demand_use(option, *flag);
    limit(*flag, option);
  }
  for (const Option& option : command.options) {
    if (!option.excludes.empty()) added->get_option("--" + option.name)->excludes("--" + option.excludes);
    if (!option.needs.empty()) added->get_option("--" + option.name)->needs("--" + option.needs);
  }
  for (const Command& below : command.commands) add_command(*added, below, words);
  if (!command.commands.empty()) added->require_subcommand(command.run ? 0 : 1, 1);
  if (command.run)
    added->callback([&command, added] {
      demand_apart(named_paths(command, *added));
      command.run();
    });
}

// The command that the arguments name.
const CLI::App& deepest(const CLI::App& app) {
  const std::vector<CLI::App*> below = app.get_subcommands();
  return below.empty() ? app : deepest(*below.front());
}

std::string command_path(const CLI::App& app) {
  std::string path = "millrace";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    path += " " + at->get_name();
  }
  return path;
}

// The arguments with a "--" moved behind the names of commands that follow it: what it is for are the names of files.
std::vector<std::string> with_commands_first(const std::vector<Command>& commands, std::vector<std::string> arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  const std::vector<Command>* choices = &commands;
  auto word = arguments.begin();
  const auto names_command = [&] {
    const auto named = std::ranges::find(*choices, *word, &Command::name);
    if (named == choices->end()) return false;
    choices = &named->commands;
    return true;
  };
  for (; word != dashes; ++word) names_command();
  if (dashes == arguments.end()) return arguments;
  for (++word; word != arguments.end() && names_command();) ++word;
  std::rotate(dashes, dashes + 1, word);
  return arguments;
}

bool needs_command(const CLI::App& app) { return deepest(app).get_require_subcommand_min() > 0; }

std::vector<std::string> names_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const below : deepest(app).get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(below->get_name());
  return names;
}

}  // namespace

// Not named "store": newer versions of CLI11 would take that for the option --store.
Option store_argument(std::filesystem::path& store) {
  return {.name = "STORE",
          .field = &store,
          .value = {},
          .help = {},
          .argument = true,
          .required = true,
          .use = PathUse::input};
}

Option json_option(bool& json, const std::string& help) {
  return {.name = "json", .field = &json, .value = {}, .help = help, .use = PathUse::prints};
}

void load_plugins(int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--plugin="))
      load_plugin(word.substr(word.find('=') + 1));
    else if (word == "--plugin" && i + 1 < argc)  // without a file CLI11 complains
      load_plugin(argv[++i]);
  }
}

int run_command_line(const std::vector<Command>& commands, int argc, char** argv) {
  CLI::App app(fmt::format("Millrace: {}.", summary), "millrace");
  app.set_version_flag("--version", fmt::format("millrace {} (decoder: {})", MILLRACE_VERSION, chosen_decoder().name));
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag_callback(
      "-q,--quiet", [] { Progress::set_enabled(false); }, "No progress bars");
  app.add_option_function<std::vector<std::string>>(
         "--plugin", [](const std::vector<std::string>&) {},  // loaded already
         "A shared library with more algorithms; may be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.footer(help_end(exit_codes_line(), main_examples()));
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  for (const Command& command : commands) add_command(app, command, words);
  if (argc < 2) {
    print_text(app.help());
    return static_cast<int>(ExitCode::ok);
  }
  // CLI11 would print texts itself, and ignore failures to write them.
  std::ostringstream text;
  try {
    std::vector<std::string> arguments = with_commands_first(commands, {argv + 1, argv + argc});
    std::ranges::reverse(arguments);  // the last one first, as CLI11 takes them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked, text, text);
    print_text(text.str());
  } catch (const CLI::ParseError& error) {
    if (const auto problem = misspelt_word(commands, words)) throw UsageError("{} (--help lists them)", *problem);
    std::vector<std::string> unknown = app.remaining(true);
    std::erase(unknown, "--");
    if (!unknown.empty()) throw UsageError("'{}' is not understood; see {} --help", unknown[0], command_path(app));
    if (dynamic_cast<const CLI::RequiredError*>(&error) && needs_command(app))
      throw UsageError("{} needs one of: {}", command_path(app), fmt::join(names_below(app), ", "));
    throw UsageError("{}; see {} --help", error.what(), command_path(app));
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace millrace
