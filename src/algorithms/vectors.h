// Vectors over the vertices: the few steps that iterative algorithms share. For float and double.
#pragma once

#include "millrace/algorithms/vectors_programs.h"  // Affine
#include "millrace/engine/engine.h"

namespace millrace {

// What a power iteration keeps: its vector, and the products that vertices gather.
template <class Real>
struct Iterated {
  explicit Iterated(Registry& registry, Real start = 0)
      : x(registry.attribute<Real>("centrality", start)), gathered(registry.attribute<Real>("gathered")) {}
  Attribute<Real> x, gathered;
};

template <class Real>
double sum(Engine& engine, View<const Real> x);

// The square root of the sum of squares.
template <class Real>
double norm(Engine& engine, View<const Real> x);

// The same of x + y.
template <class Real>
double norm_of_sum(Engine& engine, View<const Real> x, View<const Real> y);

template <class Real>
void scale(Engine& engine, View<Real> x, double factor);

// x = a.x * x + a.y * y + a.constant; returns by how much x changed, summed over vertices.
template <class Real>
double update(Engine& engine, const Affine& a, View<Real> x, View<const Real> y);

}  // namespace millrace
