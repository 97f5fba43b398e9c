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
  // Where the cpu helps: seconds until it begins, and vertices whose bits are brought to it.
  double help_start = 100e-6;
  double helped_vertices = 60e9;
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
