// Reads headers that are a few numbers on a line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "millrace/read/text_source.h"

namespace millrace {

// The words of a line, separated by blanks.
std::vector<std::string> words_of(const std::string& line);

// The next line that is not blank and does not start with `comment`; false at the end.
bool read_header_line(TextSource& source, char comment, std::string& line);

// A whole number from a header. Throws BadInputError, naming what it should be and the last line read.
std::uint64_t header_number(const TextSource& source, const std::string& word, const std::string& what);

// Throws DoesNotFitError if a store cannot hold so many vertices.
void check_num_vertices(const TextSource& source, std::uint64_t num_vertices);

}  // namespace millrace
