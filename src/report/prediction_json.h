// A prediction as JSON, in reports of runs and of plans.
#pragma once

#include <nlohmann/json.hpp>

#include "millrace/report/prediction.h"

namespace millrace {

nlohmann::ordered_json prediction_json(const Prediction& prediction);

}  // namespace millrace
