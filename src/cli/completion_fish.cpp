#include <fmt/format.h>

#include "millrace/cli/completion.h"
#include "millrace/cli/option_text.h"

namespace millrace {
namespace {

constexpr const char* head = R"(# Completes millrace in fish; made by: millrace completion fish

# Whether the words before the cursor lead to this command.
function __millrace_at
    set -l command ''
    for word in (commandline -opc)[2..]
        contains -- "$command $word" $__millrace_commands; and set command "$command $word"
    end
    test "$command" = "$argv[1]"
end

complete -c millrace -f
)";

std::string quoted(const std::string& text) { return "'" + escaped(text, "\\'") + "'"; }

// The flags of `complete` for what is offered.
std::string offered(const Option& option) {
  switch (offer_of(option)) {
    case Offer::words:
      return fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(offered_words(option), " "))));
    case Offer::files:
      return " -r -F";
    case Offer::directories:
      return " -x -a '(__fish_complete_directories (commandline -ct))'";
    case Offer::nothing:
      break;
  }
  return " -x";
}

std::string condition(const std::string& path) { return fmt::format("__millrace_at {}", quoted(path)); }

std::string lines_of(const std::string& path, const Command& command) {
  const std::string here = fmt::format("complete -c millrace -n {}", quoted(condition(path)));
  std::string lines;
  for (const Command& below : command.commands)
    lines += fmt::format("{} -a {} -d {}\n", here, below.name, quoted(brief(below.help)));
  for (const Option& option : command.options) {
    if (!option.argument || offer_of(option) == Offer::nothing) continue;
    const std::string words = fmt::format("{}", fmt::join(offered_words(option), " "));
    if (offer_of(option) == Offer::files)
      lines += here + " -F\n";
    else if (words.empty())
      lines += here + offered(option).substr(3) + "\n";
    else  // one of them, as long as none is there
      lines += fmt::format("complete -c millrace -n {} -a {}\n",
                           quoted(condition(path) + "; and not __fish_seen_subcommand_from " + words), quoted(words));
  }
  for (const Option& option : offered_options(path, command)) {
    const std::string description = fmt::format(" -d {}", quoted(brief(help_as_typed(option))));
    const std::string value = takes_value(option) ? offered(option) : "";
    const std::string letter = option.letter ? fmt::format(" -s {}", option.letter) : "";
    lines += here + letter + " -l " + option.name + value + description + "\n";
    if (std::holds_alternative<std::optional<bool>*>(option.field))
      lines += here + " -l no-" + option.name + description + "\n";
  }
  return lines;
}

}  // namespace

std::string fish_completion(const std::vector<Command>& commands) {
  std::string script = head, paths, lines;
  visit_commands(commands, [&](const std::string& path, const Command& command) {
    if (!path.empty()) paths += " " + quoted(path);
    lines += lines_of(path, command);
  });
  return script + "set -g __millrace_commands" + paths + "\n\n" + lines;
}

}  // namespace millrace
