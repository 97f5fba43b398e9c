// The catalogue: every algorithm, described once, for `run`, `bench`, `graphalytics` and the tests. To add an
// algorithm, add its files, a declaration here and a line in catalogue.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "millrace/catalogue/algorithm.h"

namespace millrace {

// A new object of each algorithm, with default options, in the order of help.
std::vector<std::unique_ptr<Described>> all_algorithms();
// The algorithm of that name; null if there is none.
std::unique_ptr<Described> find_algorithm(const std::string& name);
// An algorithm that runs on an engine, with options by name: make_algorithm("pagerank", {{"damping", "0.9"}}). Throws
// UsageError.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;
std::unique_ptr<Algorithm> make_algorithm(const std::string& name, const OptionTexts& options = {});
void set_option(Described& algorithm, const std::string& name, const std::string& text);
// Adds algorithms of others behind those of the library; their names have to be new (plugin.h).
using MakeAlgorithm = std::unique_ptr<Described> (*)();
void add_to_catalogue(std::span<const MakeAlgorithm> makers);

// One function per algorithm, each in a file of its name.
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
std::unique_ptr<Described> make_mis();
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

// spmv of a vector in memory, by vertex of the store, instead of a file. It must outlive the runs and their results.
using VectorInMemory = std::variant<std::span<const float>, std::span<const double>>;
std::unique_ptr<Algorithm> make_spmv_of(const VectorInMemory& x);

}  // namespace millrace
