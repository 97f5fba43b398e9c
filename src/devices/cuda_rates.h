// What a GPU does in a second: the choice between push and pull, and whether the cpu helps, are made from these.
#pragma once

#include <initializer_list>

namespace millrace {

// The defaults were measured on an H200 with PCIe 5. In units a second.
struct CudaRates {
  double scanned_rows = 60e9;     // slices opened to ask whether their rows want a message
  double scanned_parts = 100e9;   // the same where rows have parts in several segments
  double asked_vertices = 400e9;  // asked the same in order
  double lone_rows = 10e9;        // opened alone
  double lone_looks = 40e9;       // at the sources of lone rows
  double decoded_edges = 250e9;   // of whole slices
  double edges_of_a_warp = 64e6;  // that reads one row
  double looks = 120e9;           // at the frontier's bitmap
  // Looks that read a message too, and pushed edges, which read at random and write by atomics: where the cache serves
  // them, where it does not, and in segments.
  double pulled_near = 360e9, pulled_far = 25e9, pulled_blocked = 60e9;
  double pushed_near = 30e9, pushed_far = 6e9;
  // Bytes of pages, from host memory and from disk.
  double link = 50e9;
  double disk = 4e9;
  bool link_known = false;  // it was measured: by a calibration, or by the passes of this run
  // Rows read alone where they lie in host memory: what the link could carry instead of one row, and of one edge, in
  // bytes; and seconds of a superstep that reads a few of them.
  double far_row = 512, far_edge = 64;
  double far_start = 40e-6;
  // Instead, seconds that it takes to find the pages of a superstep, and to compute on pages that lie side by side.
  double finding_pages = 200e-6, run_of_pages = 30e-6;
  // Where the cpu helps: seconds until it begins, and vertices whose bits are brought to it.
  double help_start = 100e-6;
  double helped_vertices = 60e9;
  // Bytes of pages that one thread of the cpu does: in a search, where it sums values of all sources, and else. A run
  // learns what it is for each program.
  double searched_by_thread = 3e9, summed_by_thread = 0.5e9, helped_by_thread = 0.2e9;
};

// The same for a GPU with so many times the memory bandwidth of an H200, and so many times its random reads.
inline CudaRates scaled_rates(double bandwidth, double random_reads) {
  CudaRates rates;
  for (double* rate : {&rates.scanned_rows, &rates.scanned_parts, &rates.asked_vertices, &rates.decoded_edges})
    *rate *= bandwidth;
  for (double* rate : {&rates.lone_rows, &rates.lone_looks, &rates.looks, &rates.pulled_near, &rates.pulled_far,
                       &rates.pulled_blocked, &rates.pushed_near, &rates.pushed_far})
    *rate *= random_reads;
  return rates;
}

}  // namespace millrace
