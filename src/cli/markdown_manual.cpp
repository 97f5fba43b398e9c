// docs/commands.md. Options that most subcommands of a command share are described once, before them.
#include <fmt/format.h>

#include <algorithm>

#include "millrace/cli/about.h"
#include "millrace/cli/completion.h"
#include "millrace/cli/manual.h"

namespace millrace {
namespace {

// Text as it is: outside of code, Markdown would take these characters for marks.
std::string plain(const std::string& text) { return escaped(text, "\\`*_[]<>|"); }
// In a table; a bar would end the cell.
std::string code_cell(const std::string& text) { return "`" + escaped(text, "|") + "`"; }

std::string row(const std::string& term, const std::string& text) {
  return fmt::format("| {} | {} |\n", code_cell(term), plain(text));
}
constexpr const char* table_head = "| | |\n| --- | --- |\n";

std::string option_row(const Option& option) {
  if (option.argument)
    return row(placeholder(option),
               option.help.empty() ? "A store, made by millrace import or millrace generate." : full_help(option));
  std::string term = fmt::format("{}", fmt::join(flags_of_option(option), ", "));
  if (takes_value(option)) term += " " + placeholder(option);
  return row(term, full_help(option));
}

std::string table(const std::vector<Option>& options) {
  std::string rows;
  for (const Option& option : options) rows += option_row(option);
  return rows.empty() ? rows : table_head + rows + "\n";
}

std::string code(const std::vector<std::string>& lines) {
  return lines.empty() ? "" : fmt::format("```\n{}\n```\n\n", fmt::join(lines, "\n"));
}

// The options that more than half of the subcommands have, with the same words.
std::vector<Option> shared_options(const Command& command) {
  std::vector<Option> shared;
  for (const Command& first : command.commands)
    for (const Option& option : first.options) {
      const auto same = [&](const Option& other) { return option_row(other) == option_row(option); };
      const auto has_it = [&](const Command& other) {
        return std::any_of(other.options.begin(), other.options.end(), same);
      };
      const auto count = std::count_if(command.commands.begin(), command.commands.end(), has_it);
      if (2 * static_cast<std::size_t>(count) > command.commands.size() &&
          std::none_of(shared.begin(), shared.end(), same))
        shared.push_back(option);
    }
  return shared;
}

std::string section(const std::string& path, const Command& command, const std::vector<Option>& shared) {
  const std::string name = "millrace" + path;
  std::string text = fmt::format("{} {}\n\n", path.find(' ', 1) == std::string::npos ? "##" : "###", name);
  text += plain(sentence(command.help)) + "\n\n" + code({usage(name, command)});
  std::vector<Option> own;
  std::string names;
  for (const Option& option : command.options) {
    const auto same = [&](const Option& other) { return option_row(other) == option_row(option); };
    if (std::none_of(shared.begin(), shared.end(), same))
      own.push_back(option);
    else if (!option.argument)
      names += fmt::format("{}`--{}`", names.empty() ? "" : ", ", option.name);
  }
  text += table(own);
  if (!names.empty()) text += fmt::format("And of the [shared options](#shared-options): {}.\n\n", names);
  if (!command.footer.empty()) text += plain(sentence(command.footer)) + "\n\n";
  return text + code(command.examples);
}

std::string list(const std::string& path, const Command& command) {
  std::string text;
  const std::string of = command.same_as.empty() ? path : " " + command.same_as;
  for (const Command& below : command.commands) {
    std::string anchor = "millrace" + of + " " + below.name;
    std::replace(anchor.begin(), anchor.end(), ' ', '-');
    text += fmt::format("- [{}](#{}): {}\n", below.name, anchor, plain(brief(below.help)));
  }
  return text.empty() ? text : text + "\n";
}

std::string entries(const std::string& title, const std::vector<ManualEntry>& listed) {
  std::string text = fmt::format("## {}\n\n{}", title, table_head);
  for (const ManualEntry& entry : listed) text += row(entry.term, entry.text);
  return text + "\n";
}

void add_commands(std::string& text, const std::string& above, const Command& of) {
  const std::vector<Option> shared = above.empty() ? std::vector<Option>{} : shared_options(of);
  for (const Command& command : of.commands) {
    const std::string path = above + " " + command.name;
    text += section(path, command, shared) + list(path, command);
    if (!command.same_as.empty() || command.commands.empty()) continue;
    if (const std::vector<Option> below = shared_options(command); !below.empty())
      text += "### Shared options\n\n" + table(below);
    add_commands(text, path, command);
  }
}

}  // namespace

std::string markdown_manual(const std::vector<Command>& commands) {
  std::string text =
      "# Commands\n\n"
      "Every command, from the descriptions that `--help`, the man pages and the completion of shells are made from.\n"
      "Made by `millrace manual --markdown docs/commands.md`: change the descriptions in `src/`, not this file.\n\n";
  for (const std::string& paragraph : main_description()) text += plain(paragraph) + "\n\n";
  const Command whole{.name = "millrace", .help = summary, .options = {}, .run = {}, .commands = commands};
  text += code(main_examples()) + list({}, whole) + "Options of every command:\n\n" + table(offered_options({}, whole));
  add_commands(text, {}, whole);
  text += entries("Exit codes", exit_codes()) + entries("Environment", environment()) + entries("Files", kept_files());
  text.pop_back();
  return text;
}

}  // namespace millrace
