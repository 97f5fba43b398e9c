// Answers in JSON. Apart from answer.h, since programs that use the library may not have the JSON headers.
#pragma once

#include <nlohmann/json.hpp>

#include "millrace/core/error.h"
#include "millrace/report/answer.h"

namespace millrace {

inline nlohmann::ordered_json rows_json(const std::vector<Answer::Row>& rows) {
  auto array = nlohmann::ordered_json::array();
  for (const Answer::Row& row : rows) array.push_back({{"name", row.name}, {"text", row.text}, {"number", row.number}});
  return array;
}

inline nlohmann::ordered_json answer_json(const Answer& answer) {
  using Json = nlohmann::ordered_json;
  Json json{{"tops", Json::array()}, {"charts", Json::array()}};
  for (const Answer::Top& top : answer.tops)
    json["tops"].push_back({{"title", top.title}, {"value", top.value}, {"of", top.of}, {"rows", rows_json(top.rows)}});
  for (const Answer::Chart& chart : answer.charts)
    json["charts"].push_back(
        {{"title", chart.title}, {"x", chart.x}, {"y", chart.y}, {"log", chart.log}, {"bars", rows_json(chart.bars)}});
  if (!answer.missing.empty()) json["missing"] = with_settings(answer.missing, "");
  return json;
}

}  // namespace millrace
