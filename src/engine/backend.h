// The backends of an engine: one device, several devices that share the edges, or attributes that are far.
#pragma once

#include <variant>

#include "millrace/engine/engine.h"
#include "millrace/engine/far_attributes.h"
#include "millrace/engine/one_device.h"
#include "millrace/engine/several_devices.h"

namespace millrace {

struct Engine::Backend {
  std::variant<std::monostate, OneDevice, SeveralDevices, FarAttributes> is;
};

template <class Task>
decltype(auto) Engine::with_backend(const Task& task) const {
  if (auto* const one = std::get_if<OneDevice>(&backend_->is)) return task(*one);
  if (auto* const several = std::get_if<SeveralDevices>(&backend_->is)) return task(*several);
  return task(std::get<FarAttributes>(backend_->is));
}

}  // namespace millrace
