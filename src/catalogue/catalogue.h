// Every algorithm, described once: what `run`, `bench`, `graphalytics` and the tests are made from. An algorithm is
// added by its own files, a declaration here and a name in catalogue.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "millrace/run/algorithm.h"

namespace millrace {

// A new one of each, with default options, in the order of help.
std::vector<std::unique_ptr<Described>> all_algorithms();
// Of that name; null where there is none.
std::unique_ptr<Described> find_algorithm(const std::string& name);
// One that runs on an engine, with options by name: make_algorithm("pagerank", {{"damping", "0.9"}}). Throws
// UsageError.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;
std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const OptionTexts& options = {});
void set_option(Described& algorithm, const std::string& name, const std::string& text);

// One function an algorithm, in files of their names.
std::unique_ptr<Described> make_pagerank();
std::unique_ptr<Described> make_ppr();
std::unique_ptr<Described> make_hits();
std::unique_ptr<Described> make_katz();
std::unique_ptr<Described> make_eigenvector();
std::unique_ptr<Described> make_bc();
std::unique_ptr<Described> make_closeness();
std::unique_ptr<Described> make_bfs();
std::unique_ptr<Described> make_sssp();
std::unique_ptr<Described> make_wcc();
std::unique_ptr<Described> make_scc();
std::unique_ptr<Described> make_kcore();
std::unique_ptr<Described> make_cdlp();
std::unique_ptr<Described> make_lcc();
std::unique_ptr<Described> make_triangles();
std::unique_ptr<Described> make_radius();
std::unique_ptr<Described> make_degrees();
std::unique_ptr<Described> make_neighbourhood();
std::unique_ptr<Described> make_egonet();
std::unique_ptr<Described> make_subgraph();
std::unique_ptr<Described> make_cross_edges();
std::unique_ptr<Described> make_spmv();

}  // namespace millrace
