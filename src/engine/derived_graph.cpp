#include "millrace/engine/derived_graph.h"

#include "millrace/core/parallel.h"

namespace millrace {
namespace {

Budget& host_memory(const Engine& engine) { return engine.parts()[0].device->host_memory(); }

std::vector<Device*> devices_of(const Engine& engine) {
  std::vector<Device*> devices;
  for (const DevicePart& part : engine.parts()) devices.push_back(part.device);
  return devices;
}

std::unique_ptr<GraphParts> load(const Store& store, const GraphNeeds& needs, const Engine& on) {
  const std::vector<Device*> devices = devices_of(on);
  const bool far = on.parts()[0].chunk > 0;
  try {
    return std::make_unique<GraphParts>(store, needs, devices, Strategy::performance);
  } catch (const DoesNotFitError&) {
    if (!far) throw;
  }
  return std::make_unique<GraphParts>(store, needs, devices, Strategy::chunked);
}

// Where the store has another order, `number` gets the numbers that vertices have there.
void follow_order(const Store& store, Numbering& numbering, Budget& memory) {
  const IdMap ids = store.load_ids(memory);
  if (ids.identity()) return;
  Array<VertexId> place(ids.size(), memory, "new numbers of vertices");
  parallel_for(ids.size(),
               [&](std::uint64_t v) { place[ids.original(static_cast<VertexId>(v))] = static_cast<VertexId>(v); });
  if (numbering.number.empty()) {
    numbering.number = std::move(place);
    return;
  }
  parallel_for(numbering.number.size(), [&](std::uint64_t v) {
    VertexId& number = numbering.number[v];
    if (number != no_vertex) number = place[number];
  });
}

// The labels in host memory: where a cpu computes they are there.
struct Labels {
  Array<VertexId> copied = {};
  std::span<const VertexId> all;

  Labels(const Engine& engine, const Attribute<VertexId>& label) {
    Device& device = *engine.parts()[0].device;
    const std::uint64_t n = engine.num_vertices();
    const std::byte* const values = label.copies().first();
    if (device.kind() == DeviceKind::cpu) {
      all = {reinterpret_cast<const VertexId*>(values), n};
      return;
    }
    copied = Array<VertexId>(n, device.host_memory(), "labels of vertices");
    device.select();
    device.copy_to_host(copied.data(), values, n * sizeof(VertexId));
    all = copied;
  }
};

DerivedGraph derive(Engine& engine, Numbering numbering, const DerivedGraph::Needs& needs,
                    const DeriveOptions& options) {
  Budget& memory = host_memory(engine);
  Store store = derive_hidden_store(engine.store(), numbering, options, memory);
  follow_order(store, numbering, memory);
  return DerivedGraph(engine, std::move(store), std::move(numbering), needs);
}

}  // namespace

DerivedGraph::DerivedGraph(Engine& on, Store store, Numbering numbering, const Needs& needs)
    : store_(std::make_unique<Store>(std::move(store))),
      numbering_(std::move(numbering)),
      graph_(load(*store_, needs(available_in(*store_)), on)),
      engine_(std::make_unique<Engine>(graph_->parts(), on.direction())) {}

DerivedGraph contract(Engine& engine, const Attribute<VertexId>& label, const DerivedGraph::Needs& needs,
                      const DeriveOptions& options) {
  return derive(engine, number_by_label(Labels(engine, label).all, host_memory(engine)), needs, options);
}

DerivedGraph reversed(Engine& engine, const DerivedGraph::Needs& needs) {
  return DerivedGraph(engine, engine.store().reversed(), {}, needs);
}

DerivedGraph symmetrised(Engine& engine, const DerivedGraph::Needs& needs, DeriveOptions options) {
  options.symmetrised = true;
  return derive(engine, {}, needs, options);
}

}  // namespace millrace
