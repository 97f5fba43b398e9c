// Progress that Python draws: where stderr is no terminal.
#pragma once

#include <nanobind/nanobind.h>

#include "millrace/core/progress.h"

namespace millrace::python {

// Draws the progress of one job by an object of Python, made once there is something to draw. To be used, and
// destroyed, with the GIL.
class DrawnProgress {
 public:
  // Shows what the watch sees, if there is something. Throws what signal handlers raise meanwhile; other faults of
  // drawing are reported as unraisable, once, and end the drawing but not the work.
  void draw(const ProgressWatch& watch);
  // Removes what was drawn.
  void close();

 private:
  template <class Work>
  void guarded(Work work);

  nanobind::object bar_;
  bool failed_ = false;
};

// Adds set_bar_maker: what is called to make a bar, which has show(label, share or None, text) and close(). None: no
// bars.
void bind_progress(nanobind::module_& module);

}  // namespace millrace::python
