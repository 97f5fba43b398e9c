// The extension module millrace._core: what the package in python/millrace is made of.
#include <nanobind/nanobind.h>

#include "arrow_in.h"
#include "drawn_progress.h"
#include "errors.h"
#include "graph.h"
#include "jobs.h"
#include "millrace/devices/cuda.h"
#include "millrace/version.h"
#include "options.h"
#include "result.h"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace millrace::python;
  // Objects that live until the end of the process are no leaks: other libraries, such as PyArrow, hold results till
  // then.
  nb::set_leak_warnings(false);
  watch_forks();
  register_errors();
  bind_catalogue(module);
  bind_graph(module);
  bind_edges(module);
  bind_adjacency(module);
  bind_matrix(module);
  bind_result(module);
  bind_run(module);
  bind_arrow(module);
  bind_arrow_in(module);
  bind_progress(module);
  module.def("is_forked", is_forked, "Whether this process was forked after Millrace was used, and cannot use it");
  module.attr("version") = MILLRACE_VERSION;
  module.attr("with_cuda") = MILLRACE_WITH_CUDA != 0;
}
