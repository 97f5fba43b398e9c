#include "drawn_progress.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace millrace::python {
namespace {

// Null or None: there are no bars.
nb::object& bar_maker() {
  static nb::object* const maker = new nb::object;  // never destroyed: the interpreter ends before static objects do
  return *maker;
}

}  // namespace

template <class Work>
void DrawnProgress::guarded(Work work) {
  try {
    work();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;  // KeyboardInterrupt
    error.discard_as_unraisable("the progress of Millrace");
    failed_ = true;
  }
}

void DrawnProgress::draw(const ProgressWatch& watch) {
  if (failed_ || !bar_maker().is_valid() || bar_maker().is_none()) return;
  const std::optional<ProgressState> state = watch.look();
  if (!state) return;
  guarded([&] {
    if (!bar_.is_valid()) bar_ = bar_maker()();
    bar_.attr("show")(state->label, state->share, state->text);
  });
}

void DrawnProgress::close() {
  if (bar_.is_valid()) guarded([&] { bar_.attr("close")(); });
  bar_.reset();
}

void bind_progress(nb::module_& module) {
  module.def("show_progress", &Progress::set_enabled);
  module.def(
      "set_bar_maker", [](nb::object maker) { bar_maker() = std::move(maker); }, nb::arg("maker").none());
}

}  // namespace millrace::python
