#include "millrace/catalogue/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "millrace/core/error.h"

namespace millrace {
namespace {

// A plug-in finds the functions of the program that loads it. Those of a module of Python are hidden from other
// libraries until the module is opened in this way.
void show_own_functions() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&load_plugin), &own) != 0 && own.dli_fname)
    dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

// A library that is closed unless it is kept.
class Library {
 public:
  Library(const std::filesystem::path& path, int mode) : path_(path), handle_(dlopen(path.c_str(), mode)) {
    if (handle_) return;
    const std::string why = dlerror();
    // The name of the file is part of it.
    throw UsageError("the plug-in cannot be loaded: {}{}", why,
                     why.find("undefined symbol") != std::string::npos
                         ? "; compile it against the headers of this version of Millrace"
                         : "");
  }
  ~Library() {
    if (handle_) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Calls the function of that name, which takes nothing.
  template <class T>
  T call(const char* name) const {
    void* const found = dlsym(handle_, name);
    if (!found)
      throw UsageError("{} is no plug-in of Millrace: it has no function {}, which MILLRACE_PLUGIN makes",
                       path_.string(), name);
    return reinterpret_cast<T (*)()>(found)();
  }
  void* keep() { return std::exchange(handle_, nullptr); }

 private:
  std::filesystem::path path_;
  void* handle_;
};

// As a word of a command line, and as the name of a method in Python.
void require_name(const std::string& name, const std::filesystem::path& path) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (name.empty() || name[0] < 'a' || name[0] > 'z' || !std::ranges::all_of(name, allowed))
    throw UsageError("{}: '{}' cannot be the name of an algorithm: it consists of a-z, 0-9 and -, and begins with a-z",
                     path.string(), name);
  if (find_algorithm(name)) throw UsageError("{}: there is an algorithm {} already", path.string(), name);
}

std::vector<std::string> add_algorithms(const MakeAlgorithm* makers, const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::vector<MakeAlgorithm> all;
  for (; *makers; ++makers) {
    const std::string name = (*makers)()->info().name;
    require_name(name, path);
    if (std::ranges::find(names, name) != names.end())
      throw UsageError("{} has two algorithms called {}", path.string(), name);
    names.push_back(name);
    all.push_back(*makers);
  }
  add_to_catalogue(all);
  return names;
}

}  // namespace

std::vector<std::string> load_plugin(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::vector<std::string>> loaded;
  const std::lock_guard lock(mutex);
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::canonical(path, failed);  // a bare name would be searched for
  if (failed) throw UsageError("cannot load the plug-in {}: {}", path.string(), failed.message());
  if (!std::filesystem::is_regular_file(file)) throw UsageError("{} is no file, and so no plug-in", path.string());
  if (const auto found = loaded.find(file); found != loaded.end()) return found->second;

  show_own_functions();
  // What is missing is missed here, and not during a run.
  Library library(file, RTLD_NOW | RTLD_LOCAL);
  const char* const interface = library.call<const char*>("millrace_plugin_interface");
  if (std::strcmp(interface, MILLRACE_INTERFACE) != 0)
    throw UsageError("{} was compiled against other headers of Millrace ({}) than this program ({}): compile it again",
                     path.string(), interface, MILLRACE_INTERFACE);
  std::vector<std::string> names =
      add_algorithms(library.call<const MakeAlgorithm*>("millrace_plugin_algorithms"), path);
  library.keep();
  return loaded.emplace(file, std::move(names)).first->second;
}

}  // namespace millrace
