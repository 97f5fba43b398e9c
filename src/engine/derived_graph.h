// A graph that an algorithm makes from its graph while it runs, with an engine on the same devices:
//
//   DerivedGraph smaller = contract(engine, label, [](Available a) { return bfs_needs(Direction::automatic, a); });
//   BfsResult found = bfs(smaller.engine(), smaller.number()[source]);
//
// It is built on the host, as a store that nobody sees (derive/derive.h), and loaded like any other graph: in the
// memory that the budgets of the devices have left, or streamed through it. A dry run cannot know how large it will be,
// so its memory is not planned beforehand: where it finds no room, DoesNotFitError says so.
#pragma once

#include <functional>
#include <memory>

#include "millrace/derive/derive.h"
#include "millrace/engine/attribute.h"
#include "millrace/engine/engine.h"
#include "millrace/engine/graph_parts.h"

namespace millrace {

class DerivedGraph {
 public:
  // What an algorithm will need of the new graph.
  using Needs = std::function<GraphNeeds(Available)>;

  // The store on the devices of an engine, whose attributes are far only if they are far there and find no room near.
  DerivedGraph(Engine& on, Store store, Numbering numbering, const Needs& needs);

  Engine& engine() { return *engine_; }
  const Store& store() const { return *store_; }
  // The vertex of this graph that each vertex of the other graph became, or no_vertex; in host memory. Empty: the same.
  std::span<const VertexId> number() const { return numbering_.number; }

 private:
  std::unique_ptr<Store> store_;
  Numbering numbering_;
  std::unique_ptr<GraphParts> graph_;
  std::unique_ptr<Engine> engine_;
};

// Vertices with the same label become one vertex, in ascending order of labels; those labelled no_vertex are left out,
// so that an induced subgraph is made too. Labels are numbers of vertices.
DerivedGraph contract(Engine& engine, const Attribute<VertexId>& label, const DerivedGraph::Needs& needs,
                      const DeriveOptions& options = {});
// All edges turned around. Nothing is built.
DerivedGraph reversed(Engine& engine, const DerivedGraph::Needs& needs);
// Edges lose their direction; parallel ones are combined as the options say.
DerivedGraph symmetrised(Engine& engine, const DerivedGraph::Needs& needs, DeriveOptions options = {});

}  // namespace millrace
