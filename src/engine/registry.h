// What an algorithm keeps for every vertex, under names that differ. An algorithm registers its attributes in the
// constructor of a struct that has them:
//
//   struct Kept {
//     explicit Kept(Registry& registry)
//         : level(registry.attribute<Level>("level", unreached)), parent(registry.vertex_numbers("parent", no_vertex))
//         {}
//     Attribute<Level> level;
//     Attribute<VertexId> parent;
//   };
//
// An engine makes the attributes. A dry run (needs_of) only adds up their memory, so that a run is planned from the
// same lines that it carries out.
#pragma once

#include <set>
#include <span>
#include <string>

#include "millrace/engine/attribute.h"
#include "millrace/engine/vertex_needs.h"

namespace millrace {

// An attribute before it is made.
struct AttributeInfo {
  std::string name;
  std::uint64_t value_bytes = 0;
  // Values are numbers of vertices, or marks that are no vertex.
  bool vertex_numbers = false;
};

class Registry {
 public:
  // A new attribute, all zero or all `value`. An attribute that exists may not have the same name.
  template <class T>
  Attribute<T> attribute(const std::string& name) {
    return Attribute<T>(make({name, sizeof(T)}, nullptr));
  }
  template <class T>
  Attribute<T> attribute(const std::string& name, T value) {
    return Attribute<T>(make({name, sizeof(T)}, &value));
  }
  // One with these values, in the order of vertices.
  template <class T>
  Attribute<T> attribute_from(const std::string& name, std::span<const T> values) {
    return Attribute<T>(make_from({name, sizeof(T)}, values.data(), values.size()));
  }
  // The same for attributes whose values are numbers of vertices.
  Attribute<VertexId> vertex_numbers(const std::string& name) {
    return Attribute<VertexId>(make({name, sizeof(VertexId), true}, nullptr));
  }
  Attribute<VertexId> vertex_numbers(const std::string& name, VertexId value) {
    return Attribute<VertexId>(make({name, sizeof(VertexId), true}, &value));
  }

 protected:
  Registry() = default;
  ~Registry() = default;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  // `value`: of all vertices; null: zeros.
  virtual Copies make(const AttributeInfo& info, const void* value) = 0;
  virtual Copies make_from(const AttributeInfo& info, const void* values, std::uint64_t count) = 0;
};

// Makes nothing, and adds up what there would be.
class DryRun final : public Registry {
 public:
  const AttributeNeeds& needs() const { return needs_; }

 private:
  Copies make(const AttributeInfo& info, const void*) override {
    if (!names_.insert(info.name).second) throw_name_taken(info.name);
    needs_ = needs_ + AttributeNeeds{info.value_bytes, 1};
    return {};
  }
  Copies make_from(const AttributeInfo& info, const void*, std::uint64_t) override { return make(info, nullptr); }
  [[noreturn]] static void throw_name_taken(const std::string& name);

  AttributeNeeds needs_;
  std::set<std::string> names_;
};

// What the attributes take that Kept(registry, given...) registers.
template <class Kept, class... Given>
AttributeNeeds needs_of(const Given&... given) {
  DryRun dry;
  const Kept kept(dry, given...);
  return dry.needs();
}

}  // namespace millrace
