// What the header of an algorithm needs: it names an engine, and says what it will want of a graph.
#pragma once

#include "millrace/core/memory.h"
#include "millrace/engine/direction.h"
#include "millrace/engine/memory_plan.h"

namespace millrace {

class Engine;
template <class T>
class Attribute;
template <class T>
struct View;

}  // namespace millrace
