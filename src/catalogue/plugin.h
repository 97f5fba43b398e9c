// Plug-ins: shared libraries that add algorithms to the catalogue of the program that loads them. A plug-in has no
// engine of its own; it calls the one of this program. So it has to be compiled against the headers of this program.
//
//   class Hops final : public millrace::Algorithm { ... };
//   MILLRACE_PLUGIN(Hops)   // the last line of the file; millrace_add_program(hops PLUGIN hops.cpp) compiles it
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "millrace/catalogue/catalogue.h"
#include "millrace/interface.h"

namespace millrace {

// Loads the plug-in and returns the names of its algorithms; if it is loaded already, nothing changes. Throws
// UsageError if it is none, was compiled against other headers, or has the name of an algorithm that is there.
std::vector<std::string> load_plugin(const std::filesystem::path& path);

namespace plugin_detail {

template <class T>
std::unique_ptr<Described> make_one() {
  return std::make_unique<T>();
}

// Ends with null.
template <class... T>
const MakeAlgorithm* makers() {
  static constexpr MakeAlgorithm all[] = {make_one<T>..., nullptr};
  return all;
}

}  // namespace plugin_detail
}  // namespace millrace

#define MILLRACE_EXPORTED extern "C" __attribute__((visibility("default")))
// Outside of all namespaces; the arguments are classes of algorithms (catalogue/algorithm.h).
#define MILLRACE_PLUGIN(...)                                                               \
  MILLRACE_EXPORTED const char* millrace_plugin_interface() { return MILLRACE_INTERFACE; } \
  MILLRACE_EXPORTED const millrace::MakeAlgorithm* millrace_plugin_algorithms() {          \
    return millrace::plugin_detail::makers<__VA_ARGS__>();                                 \
  }
