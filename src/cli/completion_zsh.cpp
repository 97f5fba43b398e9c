#include <fmt/format.h>

#include <algorithm>

#include "millrace/cli/completion.h"
#include "millrace/cli/option_text.h"

namespace millrace {
namespace {

std::string quoted(const std::string& text) {
  std::string done = "'";
  for (const char c : text) done += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return done + "'";
}

// Escapes a description, a message or a name for a specification of _arguments or _describe.
std::string plain(const std::string& text) { return escaped(text, "\\[]:"); }

std::string function_name(const std::string& path) {
  std::string name = "_millrace" + path;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// ":message:action", which completes a value.
std::string value_of(const Option& option) {
  std::string action;
  switch (offer_of(option)) {
    case Offer::words:
      action = fmt::format("({})", fmt::join(offered_words(option), " "));
      break;
    case Offer::files:
      action = "_files";
      break;
    case Offer::directories:
      action = "_files -/";
      break;
    case Offer::nothing:
      action = " ";
      break;
  }
  return fmt::format(":{}:{}", plain(placeholder(option)), action);
}

std::vector<std::string> specifications(const Option& option) {
  if (option.argument) return {(takes_several(option) ? "*" : "") + value_of(option)};
  const std::vector<std::string> flags = flags_of_option(option);
  std::vector<std::string> excluded = flags;
  if (!option.excludes.empty()) excluded.push_back("--" + option.excludes);
  const std::string before = takes_several(option) ? "*" : fmt::format("({})", fmt::join(excluded, " "));
  std::vector<std::string> found;
  for (const std::string& flag : flags) {
    const bool joins = takes_value(option) && flag.starts_with("--");  // --name=value and --name value
    found.push_back(fmt::format("{}{}{}[{}]{}", before, flag, joins ? "=" : "", plain(brief(help_as_typed(option))),
                                takes_value(option) ? value_of(option) : ""));
  }
  return found;
}

std::string function_of(const std::string& path, const Command& command) {
  const std::string name = function_name(path);
  std::string text = name + "() {\n";
  if (!command.commands.empty()) {
    text += "  local curcontext=$curcontext state state_descr line\n  typeset -A opt_args\n  local -a commands=(\n";
    for (const Command& below : command.commands)
      text += fmt::format("    {}\n", quoted(plain(below.name) + ":" + plain(brief(below.help))));
    text += "  )\n";
  }
  text += command.commands.empty() ? "  _arguments -s -S" : "  _arguments -C -s -S";
  std::vector<Option> options = offered_options(path, command);
  for (const Option& option : command.options)
    if (option.argument) options.push_back(option);
  for (const Option& option : options)
    for (const std::string& specification : specifications(option)) text += " \\\n    " + quoted(specification);
  if (command.commands.empty()) return text + "\n}\n\n";
  return text +
         " \\\n    '1: :->command' '*:: :->rest' && return\n"
         "  case $state in\n"
         "    command) _describe command commands ;;\n"
         "    rest) (( $+functions[" +
         name + "_$line[1]] )) && " + name +
         "_$line[1] ;;\n"
         "  esac\n"
         "}\n\n";
}

}  // namespace

std::string zsh_completion(const std::vector<Command>& commands) {
  std::string script = "#compdef millrace\n# Completes millrace in zsh; made by: millrace completion zsh\n\n";
  visit_commands(commands,
                 [&](const std::string& path, const Command& command) { script += function_of(path, command); });
  return script +
         "# Read as a file of fpath, this is the function itself; read by source, it is registered.\n"
         "if [[ $funcstack[1] == _millrace ]]; then\n  _millrace \"$@\"\nelse\n  compdef _millrace millrace\nfi\n";
}

}  // namespace millrace
