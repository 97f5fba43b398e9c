// Finds the views in a program: programs are aggregates, whose fields structured bindings can name. So a program that
// was made for one device can be copied for another, with every view replaced by one of that device.
#pragma once

#include <tuple>
#include <type_traits>

#include "millrace/core/error.h"
#include "millrace/operators/program.h"

namespace millrace {
namespace fields_detail {

// Converts to the type of any field of Program, but not to a base class: the fields of the base are counted instead.
template <class Program>
struct Anything {
  template <class T>
  requires(!std::is_base_of_v<T, Program>) operator T() const;
};

template <class T, class... Some>
constexpr std::size_t count_fields() {
  if constexpr (requires { T{Some{}..., Anything<T>{}}; })
    return count_fields<T, Some..., Anything<T>>();
  else
    return sizeof...(Some);
}

template <class T>
inline constexpr bool is_view = false;
template <class T>
inline constexpr bool is_view<View<T>> = true;
template <class T>
inline constexpr bool is_writable_view = false;
template <class T>
inline constexpr bool is_writable_view<View<T>> = !std::is_const_v<T>;

// References to the fields of an aggregate.
template <class T>
constexpr auto fields_of(T& value) {
  constexpr std::size_t fields = count_fields<std::remove_const_t<T>>();
  static_assert(fields <= 8, "more fields than are told apart here");
  if constexpr (fields == 1) {
    auto& [a] = value;
    return std::tie(a);
  } else if constexpr (fields == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (fields == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (fields == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (fields == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (fields == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (fields == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (fields == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else {
    return std::tuple<>();
  }
}

template <class T>
inline constexpr bool names_its_views = requires {
  typename T::NamesItsViews;
};
template <class T>
inline constexpr bool has_fields = std::is_class_v<T> && !std::is_empty_v<T> && std::is_aggregate_v<T>;

}  // namespace fields_detail

// Calls visit(view) for every View in `value`: a view itself, the views that value.each_view(visit) names, or the
// fields of an aggregate, at any depth. All fields have to be in one class: that of the value, or one base class.
template <class T, class Visit>
void visit_views(T& value, const Visit& visit) {
  using namespace fields_detail;
  if constexpr (is_view<T>) {
    visit(value);
  } else if constexpr (requires { value.each_view(visit); }) {
    value.each_view(visit);
  } else if constexpr (has_fields<T>) {
    std::apply([&visit](auto&... field) { (visit_views(field, visit), ...); }, fields_of(value));
  } else if constexpr (std::is_class_v<T> && !std::is_empty_v<T>) {
    throw InternalError("a program that is no aggregate cannot be copied for another device");
  }
}

// Whether a program can write to an attribute: one of its views is not const. What is no aggregate, or names its views
// by each_view (and says so by a type NamesItsViews), is taken not to.
template <class T>
constexpr bool has_writable_view() {
  using namespace fields_detail;
  if constexpr (is_writable_view<T>)
    return true;
  else if constexpr (!is_view<T> && has_fields<T> && !names_its_views<T>)
    return []<class... Field>(std::tuple<Field&...>*) {
      return (has_writable_view<std::remove_const_t<Field>>() || ...);
    }(static_cast<decltype(fields_of(std::declval<T&>()))*>(nullptr));
  else
    return false;
}

// The views of a program, as its type tells them: their number, and the bytes of their values for one vertex. Where it
// does not (the views are named by each_view, or it is no aggregate), `known` is false.
struct ViewsOfType {
  bool known = true;
  std::uint64_t count = 0, bytes = 0;
  constexpr ViewsOfType operator+(const ViewsOfType& more) const {
    return {known && more.known, count + more.count, bytes + more.bytes};
  }
};
template <class T>
constexpr ViewsOfType views_of_type() {
  using namespace fields_detail;
  if constexpr (is_view<T>)
    return {.count = 1, .bytes = sizeof(*std::declval<T>().data)};
  else if constexpr (has_fields<T> && !names_its_views<T>)
    return []<class... Field>(std::tuple<Field&...>*) {
      return (views_of_type<std::remove_const_t<Field>>() + ... + ViewsOfType{});
    }(static_cast<decltype(fields_of(std::declval<T&>()))*>(nullptr));
  else
    return {.known = !std::is_class_v<T> || std::is_empty_v<T>};
}

}  // namespace millrace
