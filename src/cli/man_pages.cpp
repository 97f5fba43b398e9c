// The pages for man(1). They have no date, so that the same version makes the same pages.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "millrace/cli/about.h"
#include "millrace/cli/completion.h"
#include "millrace/cli/manual.h"
#include "millrace/cli/print.h"
#include "millrace/version.h"

namespace millrace {
namespace {

// Text that roff shows as it is: no requests, no typographic quotes or hyphens. Lines may break after a bar.
std::string roff(const std::string& text) {
  std::string done = text.starts_with('.') ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        done += "\\e";
        break;
      case '-':
        done += "\\-";
        break;
      case '\'':
        done += "\\(aq";
        break;
      case '"':
        done += "\\(dq";
        break;
      case '`':
        done += "\\(ga";
        break;
      case '^':
        done += "\\(ha";
        break;
      case '~':
        done += "\\(ti";
        break;
      case '|':
        done += "|\\:";
        break;
      default:
        done += c;
    }
  }
  return done;
}
std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string page_name(const std::string& path) {
  std::string name = "millrace" + path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}
std::string reference(const std::string& path) { return bold(page_name(path)) + "(1)"; }

std::string entry(const std::string& head, const std::string& text) { return ".TP\n" + head + "\n" + text + "\n"; }

std::string option_entry(const Option& option) {
  std::string head;
  for (const std::string& flag : flags_of_option(option)) head += (head.empty() ? "" : ", ") + bold(flag);
  if (takes_value(option)) head += " " + italic(placeholder(option));
  return entry(head, roff(full_help(option)));
}

std::string argument_entries(const Command& command) {
  std::string text;
  for (const Option& option : command.options)
    if (option.argument)
      text += entry(
          italic(placeholder(option)),
          roff(option.help.empty() ? "A store, made by millrace import or millrace generate." : full_help(option)));
  return text;
}

std::string section(const std::string& name, const std::string& text) {
  return text.empty() ? "" : ".SH " + name + "\n" + text;
}

std::string entries(const std::vector<ManualEntry>& listed) {
  std::string text;
  for (const ManualEntry& e : listed) text += entry(bold(e.term), roff(e.text));
  return text;
}

std::string examples(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = ".EX\n";
  for (const std::string& line : lines) text += roff(line) + "\n";
  return text + ".EE\n";
}

// "millrace run bfs" in bold, placeholders in italics.
std::string synopsis(const std::string& path, const Command& command) {
  const std::string name = "millrace" + path;
  return bold(name) + roff(usage(name, command).substr(name.size())) + "\n";
}

// Subcommands with their pages. Those of a command that is the same as another one are described there.
std::string subcommands(const std::string& path, const Command& command) {
  std::string text;
  for (const Command& below : command.commands) {
    const std::string page = command.same_as.empty() ? path : " " + command.same_as;
    text +=
        entry(bold(below.name), roff(sentence(brief(below.help))) + " See " + reference(page + " " + below.name) + ".");
  }
  return text;
}

ManPage page_of(const std::string& path, const Command& command) {
  std::string description;
  for (const std::string& paragraph :
       path.empty() ? main_description() : std::vector{sentence(command.help), sentence(command.footer)})
    if (!paragraph.empty()) description += (description.empty() ? "" : ".PP\n") + roff(paragraph) + "\n";
  std::string options;
  for (const Option& option : offered_options(path, command)) options += option_entry(option);
  std::string title = page_name(path);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      fmt::format(".TH {} 1 \"\" \"Millrace {}\" \"Millrace\"\n.nh\n.ad l\n", roff(title), MILLRACE_VERSION);
  text += section("NAME", fmt::format("{} \\- {}\n", roff(page_name(path)), roff(brief(command.help))));
  text += section("SYNOPSIS", synopsis(path, command));
  text += section("DESCRIPTION", description);
  text += section("ARGUMENTS", argument_entries(command));
  text += section(subcommand_word(command) + "S", subcommands(path, command));
  text += section("OPTIONS", options);
  if (path.empty()) {
    text += section("\"EXIT STATUS\"", entries(exit_codes()));
    text += section("ENVIRONMENT", entries(environment()));
    text += section("FILES", entries(kept_files()));
  }
  text += section("EXAMPLES", examples(path.empty() ? main_examples() : command.examples));
  if (!path.empty()) {
    const std::string above = path.substr(0, path.rfind(' '));
    text += section("\"SEE ALSO\"", (above.empty() ? "" : reference(above) + ",\n") + reference({}) + "\n");
  }
  return {page_name(path), text};
}

}  // namespace

std::vector<ManPage> man_pages(const std::vector<Command>& commands) {
  std::vector<ManPage> pages;
  std::string described_elsewhere = "/";  // the path of a command whose subcommands have no pages
  visit_commands(commands, [&](const std::string& path, const Command& command) {
    if (path.starts_with(described_elsewhere + " ")) return;
    pages.push_back(page_of(path, command));
    if (!command.same_as.empty()) described_elsewhere = path;
  });
  return pages;
}

}  // namespace millrace
