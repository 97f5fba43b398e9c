#include "millrace/cli/option_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/cli/print.h"

namespace millrace {
namespace {

constexpr std::size_t most_brief = 72;  // beside a name, a line of a terminal

template <class T>
bool has(const Option& option) {
  return std::holds_alternative<T>(option.field);
}

}  // namespace

bool takes_value(const Option& option) { return !has<bool*>(option) && !has<std::optional<bool>*>(option); }

bool takes_several(const Option& option) {
  return has<std::vector<std::string>*>(option) || has<std::vector<std::filesystem::path>*>(option);
}

std::string placeholder(const Option& option) { return option.value.empty() ? option.name : option.value; }

std::vector<std::string> offered_words(const Option& option) {
  if (!option.choices.empty()) return option.choices;
  const std::string& value = option.value;
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos) return words;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    const std::string word = value.substr(begin, end - begin);
    const bool literal = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (literal) words.push_back(word);
    begin = end + 1;
  }
  return words;
}

Offer offer_of(const Option& option) {
  if (!takes_value(option)) return Offer::nothing;
  if (!offered_words(option).empty()) return Offer::words;
  const std::string value = placeholder(option);
  if (value.starts_with("DIR") || value.starts_with("STORE")) return Offer::directories;
  const bool path = has<std::filesystem::path*>(option) || has<std::vector<std::filesystem::path>*>(option);
  return path || value.starts_with("FILE") || value.starts_with("PATH") ? Offer::files : Offer::nothing;
}

std::vector<std::string> flags_of_option(const Option& option) {
  std::vector<std::string> flags;
  if (option.letter) flags.push_back(fmt::format("-{}", option.letter));
  flags.push_back("--" + option.name);
  if (has<std::optional<bool>*>(option)) flags.push_back("--no-" + option.name);
  return flags;
}

std::string brief(const std::string& help) {
  const std::string text = with_options(help);
  if (text.size() <= most_brief) return text;
  std::size_t end = text.size();
  for (const char* const mark : {": ", "; ", ". ", " ("}) end = std::min(end, text.find(mark));
  if (end <= most_brief) return text.substr(0, end);
  if (const std::size_t comma = text.rfind(", ", most_brief); comma != std::string::npos) return text.substr(0, comma);
  return text.substr(0, text.rfind(' ', most_brief - 3)) + "...";
}

std::string sentence(const std::string& help) {
  const std::string text = with_options(help);
  return text.empty() || text.back() == '.' ? text : text + ".";
}

std::string help_as_typed(const Option& option) { return option.help + option.typed; }

std::string full_help(const Option& option) {
  std::string text = sentence(help_as_typed(option));
  if (option.range && has_upper_end(*option.range))
    text += fmt::format(" From {} to {}.", option.range->first, option.range->second);
  else if (option.range && !option.above_zero)
    text += fmt::format(" At least {}.", option.range->first);
  if (option.above_zero) text += " Above 0.";
  if (!option.excludes.empty()) text += fmt::format(" Not together with --{}.", option.excludes);
  if (!option.needs.empty()) text += fmt::format(" Needs --{}.", option.needs);
  return text.starts_with(' ') ? text.substr(1) : text;
}

std::string subcommand_word(const Command& command) {
  return command.name == "run" || command.name == "explain" ? "ALGORITHM" : "COMMAND";
}

std::string usage(const std::string& full_name, const Command& command) {
  std::string text = full_name;
  for (const Option& option : command.options)
    if (option.argument) text += " " + placeholder(option);
  for (const Option& option : command.options)
    if (option.required && !option.argument)
      text += fmt::format(" {} {}", flags_of_option(option)[0], placeholder(option));
  const std::string below = subcommand_word(command);
  if (!command.commands.empty()) text += command.run ? " [" + below + "]" : " " + below;
  return text + " [OPTION...]";
}

std::vector<Option> common_options() {
  static bool unused = false;  // they have handlers of their own
  static std::vector<std::filesystem::path> no_files;
  return {{.name = "plugin",
           .field = &no_files,
           .value = "FILE",
           .help = "A shared library with more algorithms (docs/own-programs.md); may be given several times",
           .use = PathUse::input},
          {.name = "quiet", .field = &unused, .value = {}, .help = "No progress bars", .letter = 'q'},
          {.name = "help", .field = &unused, .value = {}, .help = "Explain the command, and exit", .letter = 'h'}};
}

}  // namespace millrace
