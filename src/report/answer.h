// What a run found, for people: the highest values, and how values or groups are distributed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace millrace {

struct Answer {
  struct Row {
    std::string name;  // of a vertex, a group or a range of values
    std::string text;  // the number as people read it
    double number = 0;
  };
  struct Top {
    std::string title;  // "highest rank"
    std::string value;  // "rank"
    std::string of;     // "vertex"
    std::vector<Row> rows;
  };
  struct Chart {
    std::string title;  // "vertices by level"
    std::string x;      // "level"
    std::string y;      // "vertices"
    std::vector<Row> bars;
    bool log = false;  // bars are drawn on a logarithmic scale
  };
  std::vector<Top> tops = {};
  std::vector<Chart> charts = {};
  std::string missing = {};  // what is left out, and why, settings marked (core/error.h); mostly empty

  bool empty() const { return tops.empty() && charts.empty() && missing.empty(); }
};

// A chart of counts; decides about the scale.
Answer::Chart chart_of(std::string x, std::string y, std::vector<Answer::Row> bars);

// How many numbers are 0, 1, 2 to 3, 4 to 7 and so on; counts[i] is for those of i bits. Ranges without
// any are left out.
std::vector<Answer::Row> rows_by_powers_of_two(std::span<const std::uint64_t> counts);

// Lines for a terminal, indented by two; `blocks`: bars of block characters, else of '#'.
std::string answer_text(const Answer& answer, bool blocks);

// Whether the texts of this process are UTF-8, by LC_ALL, LC_CTYPE or LANG.
bool prints_utf8();

}  // namespace millrace
