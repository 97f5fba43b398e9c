#include "millrace/read/header_numbers.h"

#include <charconv>

#include "millrace/core/error.h"
#include "millrace/core/types.h"
#include "millrace/read/parse_line.h"

namespace millrace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(" \t\r", end);
    if (begin == std::string::npos) return words;
    end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
}

bool read_header_line(TextSource& source, char comment, std::string& line) {
  while (source.read_line(line)) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos && line[begin] != comment) return true;
  }
  return false;
}

std::uint64_t header_number(const TextSource& source, const std::string& word, const std::string& what) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size())
    throw BadInputError("{}:{}: \"{}\" is not {}; expected a whole number", source.name(), source.lines_read(),
                        printable(word), what);
  return number;
}

void check_num_vertices(const TextSource& source, std::uint64_t num_vertices) {
  if (num_vertices > max_vertices)
    throw DoesNotFitError("{}: announces {} vertices; a store can hold {}", source.name(), num_vertices, max_vertices);
}

}  // namespace millrace
