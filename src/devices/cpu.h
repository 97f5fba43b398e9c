// The cpu device: some threads and a memory budget.
#pragma once

#include <omp.h>

#include "millrace/devices/device.h"

namespace millrace {

struct CpuOptions {
  int threads = 0;  // 0: as many as OpenMP would use
  std::uint64_t memory = Budget::unlimited;
  std::uint64_t devices = 1;  // that the value of --host-memory was shared out to
  // Several cpu devices each have a copy of the attributes, as those of several sockets would; unless told otherwise.
  bool shares_memory = false;
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const CpuOptions& options = {})
      : threads_(options.threads > 0 ? options.threads : omp_get_max_threads()),
        shares_memory_(options.shares_memory),
        memory_(options.memory, {setting("host-memory"), options.devices}) {}

  std::string name() const override { return "cpu"; }
  DeviceKind kind() const override { return DeviceKind::cpu; }
  std::uint64_t memory_number() const override { return shares_memory_ ? 0 : reinterpret_cast<std::uintptr_t>(this); }
  int threads() const { return threads_; }
  Budget& memory() override { return memory_; }
  Budget& host_memory() override { return memory_; }
  Budget& far_memory() override { return far_memory_; }
  Budget& landing_memory(Where where) override { return where == Where::far ? far_memory_ : memory_; }

  std::unique_ptr<DeviceMemory> allocate_memory(std::uint64_t bytes, const std::string& what, Contents contents,
                                                Where where) override;
  std::unique_ptr<DeviceMemory> adopt(Buffer values, const std::string& what, Where where) override;
  void copy_to_host(void* to, const void* from, std::uint64_t bytes) override;
  void copy_to_device(void* to, const void* from, std::uint64_t bytes) override;
  void copy_on_device(void* to, const void* from, std::uint64_t bytes) override;
  void fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count) override;

  template <class T>
  Array<T> allocate(std::uint64_t size, const std::string& what) {
    return Array<T>(size, memory_, what);
  }

 private:
  int threads_;
  bool shares_memory_;
  Budget memory_;
  Budget far_memory_{Budget::unlimited, "the disk", Keep::in_file};
};

}  // namespace millrace
