// Plans for people and for programs; and what was predicted of a run beside what was measured.
#pragma once

#include "millrace/plan/planner.h"
#include "millrace/report/run_report.h"

namespace millrace {

std::string explain_text(const Plans& plans, const Algorithm& algorithm, const Store& store);
std::string explain_json(const Plans& plans, const Algorithm& algorithm, const Store& store);

// The report of the last run, for explain_after(). A folder that cannot be written keeps none; if something is in the
// way there, returns what.
std::string keep_report(const std::string& report_json);
// What a report (JSON of `run`) says was predicted, beside what was measured. Empty path: the last run's. Throws
// BadInputError where there is none.
std::string explain_after(const std::filesystem::path& report, bool json);

}  // namespace millrace
