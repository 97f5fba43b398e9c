// Exports a SciPy sparse matrix, in the form of scipy.sparse.save_npz(compressed=False).
#pragma once

#include "millrace/core/output_file.h"
#include "millrace/store/store.h"

namespace millrace {

// CSR with a row for each source, in ascending order of original ids. The data are the weights, or ones (f8, SciPy's
// default). Indices have 4 bytes if that is enough, as SciPy would choose.
void write_npz(const Store& store, bool weighted, OutputFile& file, Budget& budget);

}  // namespace millrace
