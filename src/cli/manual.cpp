#include "millrace/cli/manual.h"

#include <filesystem>
#include <memory>

#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/output_file.h"

namespace millrace {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  write_output(path, text);
  note_finished(path);
}

struct ManualOptions {
  std::filesystem::path man, markdown;
};

std::vector<UsedPath> pages_in(const std::filesystem::path& folder, const std::vector<Command>& commands) {
  std::vector<UsedPath> files{{folder, PathUse::below}};
  for (const ManPage& page : man_pages(commands)) files.push_back({folder / (page.name + ".1"), PathUse::output});
  return files;
}

void write_manual(const ManualOptions& options, const std::vector<Command>& commands) {
  if (options.man.empty() && options.markdown.empty()) throw UsageError("give @man@ DIR or @markdown@ FILE");
  if (!options.man.empty()) {
    std::filesystem::create_directories(options.man);
    for (const ManPage& page : man_pages(commands)) write(options.man / (page.name + ".1"), page.text);
  }
  if (!options.markdown.empty()) write(options.markdown, markdown_manual(commands));
}

}  // namespace

Command manual_command(const std::vector<Command>& commands) {
  const auto options = std::make_shared<ManualOptions>();
  return {.name = "manual",
          .help = "Write the manual of all commands",
          .options = {{.name = "man",
                       .field = &options->man,
                       .value = "DIR",
                       .help = "Write man pages into this folder, which is made if it is not there: millrace.1, "
                               "millrace-import.1, ...",
                       .use = PathUse::below,
                       .uses = [&commands](const std::filesystem::path& folder) { return pages_in(folder, commands); }},
                      {.name = "markdown",
                       .field = &options->markdown,
                       .value = "FILE",
                       .help = "Write one Markdown document, as docs/commands.md; - is stdout",
                       .use = PathUse::output}},
          .run = [options, &commands] { write_manual(*options, commands); },
          .footer = "make install and packages bring the man pages: man millrace, man millrace-run-bfs.",
          .examples = {"millrace manual --man man1", "millrace manual --markdown commands.md"}};
}

}  // namespace millrace
