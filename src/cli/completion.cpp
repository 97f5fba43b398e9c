#include "millrace/cli/completion.h"

#include <map>
#include <memory>

#include "millrace/cli/about.h"
#include "millrace/cli/option_text.h"
#include "millrace/cli/print.h"

namespace millrace {
namespace {

using Script = std::string (*)(const std::vector<Command>&);
const std::map<std::string, Script> scripts{
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

void visit_below(const std::string& path, const std::vector<Command>& commands,
                 const std::function<void(const std::string&, const Command&)>& visit) {
  for (const Command& command : commands) {
    const std::string below = path + " " + command.name;
    visit(below, command);
    visit_below(below, command.commands, visit);
  }
}

}  // namespace

void visit_commands(const std::vector<Command>& commands,
                    const std::function<void(const std::string&, const Command&)>& visit) {
  visit({}, {.name = "millrace", .help = summary, .options = {}, .run = {}, .commands = commands});
  visit_below({}, commands, visit);
}

std::vector<Option> offered_options(const std::string& path, const Command& command) {
  static bool unused = false;
  std::vector<Option> options;
  for (const Option& option : command.options)
    if (!option.argument) options.push_back(option);
  for (Option& option : common_options()) options.push_back(std::move(option));
  if (path.empty())
    options.push_back({.name = "version", .field = &unused, .value = {}, .help = "Print the version, and exit"});
  return options;
}

std::string escaped(const std::string& text, const std::string& characters, const std::string& escape) {
  std::string done;
  for (const char c : text) {
    if (characters.find(c) != std::string::npos) done += escape;
    done += c;
  }
  return done;
}

Command completion_command(const std::vector<Command>& commands) {
  const auto script = std::make_shared<Script>(bash_completion);
  Option shell = choice("shell", *script, scripts, "The shell to complete commands in");
  shell.argument = shell.required = true;
  return {.name = "completion",
          .help = "Print a script that completes commands, options and their values in a shell",
          .options = {shell},
          .run = [script, &commands] { print_text((*script)(commands)); },
          .footer =
              "bash reads it by the first example below, zsh as a file _millrace in a folder of fpath, fish as a file "
              "in ~/.config/fish/completions. make install and packages bring all three.",
          .examples = {"source <(millrace completion bash)", "millrace completion zsh > _millrace",
                       "millrace completion fish > millrace.fish"}};
}

}  // namespace millrace
