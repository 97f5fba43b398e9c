#include <fmt/format.h>

#include "millrace/cli/completion.h"
#include "millrace/cli/option_text.h"

namespace millrace {
namespace {

// The functions after the table. A word such as --direction=pu is three words for bash, unless COMP_WORDBREAKS was
// changed: --direction, = and pu.
constexpr const char* functions = R"(
# Offers what a value may be, $1 from the table, if it begins with $2; $3 is put before it.
_millrace_offer() {
  local values=()
  case $1 in
    FILE) compopt -o filenames 2>/dev/null; mapfile -t values < <(compgen -f -- "$2") ;;
    DIR) compopt -o filenames 2>/dev/null; mapfile -t values < <(compgen -d -- "$2") ;;
    *) mapfile -t values < <(compgen -W "${1//|/ }" -- "$2") ;;
  esac
  COMPREPLY+=("${values[@]/#/$3}")
}

_millrace() {
  local follows word token command='' awaited='' given=0 position=0 names='' flags='' before='' i
  follows=$(_millrace_follows '')
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue
    elif [[ $awaited ]]; then
      awaited=''
    elif [[ $word == -* ]]; then
      [[ " $follows" == *" $word="* ]] && awaited=$word
    elif [[ " $follows " == *" $word "* ]]; then
      command+=" $word" given=0
      follows=$(_millrace_follows "$command")
    else
      given=$((given + 1))
    fi
  done
  word=${COMP_WORDS[COMP_CWORD]}
  if [[ $word == '=' ]]; then
    word=''
  elif [[ ! $awaited && $word == --*=* ]]; then
    awaited=${word%%=*} before=${word%%=*}= word=${word#*=}
  fi
  for token in $follows; do
    if [[ $awaited ]]; then
      [[ $token == "$awaited="* ]] && _millrace_offer "${token#*=}" "$word" "$before"
    elif [[ $token == :* ]]; then  # an argument; the last one may take all that follow
      if [[ $word != -* && ($position -eq $given || ($token == *... && $position -lt $given)) ]]; then
        token=${token#:}
        _millrace_offer "${token%...}" "$word"
      fi
      position=$((position + 1))
    elif [[ $token == -* ]]; then
      flags+=" ${token%%=*}"
    else
      names+=" $token"
    fi
  done
  [[ $awaited ]] && return
  [[ $word == -* ]] || _millrace_offer "$names" "$word"
  [[ ${#COMPREPLY[@]} -gt 0 ]] || _millrace_offer "$flags" "$word"
}

complete -F _millrace millrace
)";

std::string offered(const Option& option) {
  switch (offer_of(option)) {
    case Offer::words:
      return fmt::format("{}", fmt::join(offered_words(option), "|"));
    case Offer::files:
      return "FILE";
    case Offer::directories:
      return "DIR";
    case Offer::nothing:
      break;
  }
  return {};
}

// What may follow a command, in words without blanks.
std::string follows(const std::string& path, const Command& command) {
  std::string words;
  for (const Command& below : command.commands) words += below.name + " ";
  for (const Option& option : command.options)
    if (option.argument) words += fmt::format(":{}{} ", offered(option), takes_several(option) ? "..." : "");
  for (const Option& option : offered_options(path, command))
    for (const std::string& flag : flags_of_option(option))
      words += flag + (takes_value(option) ? "=" + offered(option) : "") + " ";
  words.pop_back();
  return words;
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  std::string script =
      "# Completes millrace in bash; made by: millrace completion bash\n\n"
      "# What may follow a command: subcommands; arguments, after a colon; options, with = if they take a value. What\n"
      "# a value may be: FILE, DIR or the words to choose from.\n"
      "_millrace_follows() {\n"
      "  case $1 in\n";
  visit_commands(commands, [&](const std::string& path, const Command& command) {
    script += fmt::format("    '{}') echo '{}' ;;\n", path, follows(path, command));
  });
  return script + "  esac\n}\n" + functions;
}

}  // namespace millrace
