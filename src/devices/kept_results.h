// Results that stay on a GPU: what attributes had there, beside the copies that went to the host.
#pragma once

#include <vector>

#include "millrace/devices/device.h"

namespace millrace {

class KeptResults {
 public:
  struct Kept {
    Device* device = nullptr;  // must outlive the memory
    std::shared_ptr<DeviceMemory> memory = {};
  };

  // The one that was made for the calling thread, or null.
  static KeptResults* current();
  // While this lives, what the calling thread takes from the near memory of GPUs stays there as well.
  class InForce {
   public:
    explicit InForce(KeptResults* results);
    ~InForce();
    InForce(const InForce&) = delete;
    InForce& operator=(const InForce&) = delete;

   private:
    KeptResults* before_;
  };

  void add(const void* on_host, Kept kept) { all_.push_back({on_host, std::move(kept)}); }
  // What the values at this place of the host were copied from; nothing where that was no GPU.
  Kept find(const void* on_host) const;

 private:
  struct Entry {
    const void* on_host;
    Kept kept;
  };
  std::vector<Entry> all_;
};

}  // namespace millrace
