// Whole rows: what a program takes from the neighbours of each vertex, as lists (operators/lists.h), and operations on
// these lists that have strategies of their own. They work on one device, and on several: each device has the rows of a
// range of vertices, and gathers their lists in rounds, as many at a time as the memory for lists allows.
#pragma once

#include <vector>

#include "millrace/engine/engine.h"
#include "millrace/engine/list_plan.h"
#include "millrace/operators/triangles.h"

namespace millrace {

class WholeRows {
 public:
  // How much of the memory for lists (GraphNeeds::list_bytes_per_edge) one round may take.
  struct Share {
    std::uint64_t parts = 1, of = 1;
    std::uint64_t most = ~std::uint64_t{0};
  };
  template <ListProgram Program>
  WholeRows(Engine& engine, ListsOf of, const Program& program, Share share)
      : WholeRows(engine, of, list_table<Program>(), &program, share) {}

  std::size_t rounds() const;
  std::size_t devices() const { return plans_.size(); }
  // The vertices whose lists a device gathers in a round, and their number of values; none after its last one.
  ListRange range(std::size_t device, std::size_t round) const;
  // Whether lists of the first round may have values that are vertices of the second one, if vertices list `lower` ones
  // alone.
  bool meet(std::size_t round, std::size_t with, bool lower) const;

  // Memory of all devices for the lists of one round.
  using Room = std::vector<ListRoom>;
  Room room();
  // Gathers the lists of a round and returns them by device; those of devices that have none any more are empty. They
  // stay until the room is used again. `of`: only these vertices have lists; null: all.
  std::vector<Lists<std::uint32_t>> gather(std::size_t round, Room& room, const Frontier* of = nullptr);

  // result[v] becomes the most frequent value in the list of v, the smallest of those equally frequent, for all
  // vertices of a frontier whose list is not empty.
  void most_frequent(const Frontier& of, View<std::uint32_t> result, Room& room);

 private:
  friend class NeighbourRows;
  WholeRows(Engine& engine, ListsOf of, const ListTable& table, const void* program, Share share);
  Lists<std::uint32_t> gather_on(Executor& on, std::size_t device, std::size_t round, ListRoom& room,
                                 const Frontier* of, Superstep& step);
  Backend& backend() const;
  Progress* progress() const;
  void log(std::vector<Superstep>& steps, const Frontier* of, std::uint64_t active, double seconds, double exchange);

  Engine& engine_;
  const ListTable& table_;
  std::vector<ValueCopy> programs_;  // by device, as the plans
  std::vector<ListPlan> plans_;
};

// The lists of neighbours of one round, to count triangles by (operators/triangles.h).
class NeighbourRows {
 public:
  // Lists of `both` rows may have to be united: then `length` has room for their lengths.
  NeighbourRows(WholeRows& rows, bool weighted, View<std::uint32_t> length);

  // `scratch`: as much room as the lists have, where they are united; devices that need none have none.
  void load(std::size_t round, WholeRows::Room& scratch);
  static WholeRows::Room scratch_for(WholeRows& rows);

  // degree[v] += the lists that v is in, and the length of its own.
  void add_degrees(View<std::uint32_t> degree) const;
  // Adds the triangles whose last vertex has a list here and whose second has one in `with`; returns how many. Of
  // several memories, each gets the counts of its own devices: these add up to the counts (Engine::agree).
  std::uint64_t add_triangles(const NeighbourRows& with, const TriangleCounts& counts) const;

 private:
  WholeRows& rows_;
  bool weighted_;
  View<std::uint32_t> length_;
  WholeRows::Room room_;
  std::vector<NeighbourLists> lists_;
};

}  // namespace millrace
