#include "millrace/cli/misspelt.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/cli/option_text.h"
#include "millrace/core/nearest.h"

namespace millrace {
namespace {

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

// The option that `word` names, with or without "no-" before it.
const Option* find_option(const Command& command, const std::string& word) {
  for (const Option& option : command.options) {
    if (option.argument) continue;
    const bool negated = std::holds_alternative<std::optional<bool>*>(option.field) && word == "no-" + option.name;
    if (option.name == word || negated) return &option;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> misspelt_word(const std::vector<Command>& commands, std::span<const char* const> arguments) {
  const std::vector<std::string> everywhere{"help", "version", "quiet", "plugin"};
  const std::vector<Command>* choices = &commands;
  std::vector<const Command*> above;  // the commands named so far: options of the outer ones are known too
  std::string path = "millrace";
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    if (word == "--") return {};
    if (word.starts_with("--")) {
      const std::string name = word.substr(2, word.find('=') - 2);
      if (std::ranges::find(everywhere, name) != everywhere.end()) {
        if (word == "--plugin") ++i;
        continue;
      }
      const Option* option = nullptr;
      for (const Command* const one : above)
        if (const Option* const found = find_option(*one, name)) option = found;
      if (option) {
        if (takes_value(*option) && word.find('=') == std::string::npos) ++i;
        continue;
      }
      std::vector<std::string> names;
      for (const std::string& known : everywhere) names.push_back("--" + known);
      if (!above.empty())
        for (const Option& known : above.back()->options)
          if (!known.argument) names.push_back("--" + known.name);
      return fmt::format("{} has no option --{}{}", path, name, did_you_mean("--" + name, names));
    }
    if (word.size() > 1 && word[0] == '-') {
      const bool value = !above.empty() && std::ranges::any_of(above.back()->options, [&](const Option& option) {
        return option.letter == word[1] && takes_value(option) && word.size() == 2;
      });
      if (value) ++i;
      continue;
    }
    if (choices->empty()) continue;  // an argument
    const auto found = std::ranges::find(*choices, word, &Command::name);
    if (found == choices->end())
      return fmt::format("{} has no {} {}{}", path,
                         path == "millrace run" || path == "millrace explain" ? "algorithm" : "command", word,
                         did_you_mean(word, names_of(*choices)));
    above.push_back(&*found);
    choices = &found->commands;
    path += " " + word;
  }
  return {};
}

}  // namespace millrace
