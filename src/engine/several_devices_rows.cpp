// Whole rows on several devices (rows.h).
#include "millrace/engine/several_devices.h"

namespace millrace {

void SeveralDevices::each_device(std::uint64_t work, const std::function<void(Executor&, std::size_t)>& task) {
  team_.each(work, [&](Executor& on, std::size_t i) {
    task(on, i);
    on.device().synchronize();
  });
}

std::uint64_t SeveralDevices::share_rows(const void* of_first, std::uint64_t value_bytes) {
  if (one_memory()) return 0;
  team_.each(num_vertices(), [&](Executor& on, std::size_t i) {
    if (!team_.leads(i)) return;
    for (std::size_t j = 0; j < team_.size(); ++j) {
      if (team_.leader(j) == i) continue;
      const std::uint64_t first = log_.parts[j].rows.first * value_bytes;
      on.device().copy_on_device(static_cast<std::byte*>(copy_of(of_first, i)) + first,
                                 static_cast<const std::byte*>(copy_of(of_first, j)) + first,
                                 log_.parts[j].rows.size() * value_bytes);
    }
    on.device().synchronize();
  });
  return (num_memories_ - 1) * num_vertices() * value_bytes;
}

}  // namespace millrace
