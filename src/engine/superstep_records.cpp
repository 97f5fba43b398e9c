#include "millrace/engine/superstep_records.h"

#include <algorithm>

namespace millrace {

void SuperstepRecord::join(const SuperstepRecord& next) {
  const double together = seconds + next.seconds;
  // Of all of them, or not known.
  const double expected =
      expected_seconds > 0 && next.expected_seconds > 0 ? expected_seconds + next.expected_seconds : 0;
  Phases sum = phases;
  sum += next.phases;
  Superstep::operator+=(next);  // counts; what follows differs from that of devices that work at the same time
  seconds = together;
  expected_seconds = expected;
  phases = sum;
  active += next.active;
  exchanged_bytes += next.exchanged_bytes;
  host_memory = std::max(host_memory, next.host_memory);
  device_memory = std::max(device_memory, next.device_memory);
  count += next.count;
  pulls += next.pulls;
  for (std::size_t i = 0; i < num_methods; ++i) methods[i] += next.methods[i];
  last_ended = next.last_ended;
}

std::string_view SuperstepRecord::direction_text() const {
  return pulls == count ? direction_name(Direction::pull) : pulls == 0 ? direction_name(Direction::push) : "mixed";
}

std::string_view SuperstepRecord::method_text() const {
  for (const Method method : all_methods)
    if (methods[static_cast<std::size_t>(method)] == count) return method_name(method);
  return "mixed";
}

void SuperstepRecords::add(const SuperstepRecord& next) {
  if (!records_.empty() && records_.back().count < each_) return records_.back().join(next);
  if (records_.size() == most) {
    for (std::size_t i = 0; i < most / 2; ++i) {
      records_[i] = records_[2 * i];
      records_[i].join(records_[2 * i + 1]);
    }
    records_.resize(most / 2);
    each_ *= 2;
  }
  records_.push_back(next);
}

}  // namespace millrace
