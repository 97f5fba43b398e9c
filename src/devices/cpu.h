// The cpu device: some threads and a memory budget.
#pragma once

#include <omp.h>

#include "millrace/devices/device.h"

namespace millrace {

struct CpuOptions {
  int threads = 0;  // 0: as many as OpenMP would use
  std::uint64_t memory = Budget::unlimited;
  std::uint64_t devices = 1;  // that the value of --host-memory was shared out to
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const CpuOptions& options = {})
      : threads_(options.threads > 0 ? options.threads : omp_get_max_threads()),
        memory_(options.memory, {setting("host-memory"), options.devices}) {}

  std::string name() const override { return "cpu"; }
  int threads() const { return threads_; }
  Budget& memory() override { return memory_; }
  Budget& host_memory() override { return memory_; }
  Budget& far_memory() override { return far_memory_; }

  template <class T>
  Array<T> allocate(std::uint64_t size, const std::string& what) {
    return Array<T>(size, memory_, what);
  }

 private:
  int threads_;
  Budget memory_;
  Budget far_memory_{Budget::unlimited, "the disk", Keep::in_file};
};

}  // namespace millrace
