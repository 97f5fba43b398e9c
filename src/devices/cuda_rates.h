// What a GPU does in a second: the choice between push and pull, and whether the cpu helps, are made from these.
#pragma once

#include <initializer_list>

namespace millrace {

// The defaults were measured on an H200 with PCIe 5. Rates are numbers of things in a second.
struct CudaRates {
  double scanned_rows = 60e9;     // rows of opened slices, of which each is tested for whether it wants a message
  double scanned_parts = 100e9;   // the same, where rows have parts in several segments
  double asked_vertices = 400e9;  // vertices that are tested for the same in order, without opening slices
  double lone_rows = 10e9;        // rows that are opened alone
  double lone_looks = 40e9;       // sources of lone rows that are tested, or read
  double decoded_edges = 250e9;   // edges of whole slices
  double edges_of_a_warp = 64e6;  // edges of a long row, which one warp reads
  double looks = 120e9;           // tests of bits of the frontier's bitmap
  // Edges that are pulled with a message, and edges that are pushed, which read at random and write by atomics: if the
  // cache serves the values (near), if it does not (far), and in a blocked store.
  double pulled_near = 360e9, pulled_far = 25e9, pulled_blocked = 60e9;
  double pushed_near = 30e9, pushed_far = 6e9;
  // Bytes of pages, from host memory and from disk.
  double link = 50e9;
  double disk = 4e9;
  bool link_known = false;  // it was measured: by a calibration, or by the passes of this run
  // A GPU may read a row alone in host memory. In that time the link could carry so many bytes, for each row and for
  // each of its edges; a superstep that reads a few such rows takes so many seconds.
  double far_row = 512, far_edge = 64;
  double far_start = 40e-6;
  // Seconds to find the pages that a superstep needs, and to compute on one run of pages, which lie side by side.
  double finding_pages = 200e-6, run_of_pages = 30e-6;
  // If the cpu helps: seconds until it begins, and vertices whose bits are brought to it in a second.
  double help_start = 100e-6;
  double helped_vertices = 60e9;
  // Bytes of pages that one thread of the cpu computes on: in a search, in a sum of the values of all sources, and in
  // other programs. A run learns the rate of each program.
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
