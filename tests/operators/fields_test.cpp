#include "millrace/operators/fields.h"

#include <gtest/gtest.h>

#include <array>

namespace millrace {
namespace {

struct Inner {
  View<int> a;
  View<const double> b;
};
struct Outer {
  std::uint32_t before;
  Inner inner;
  double between;
  View<int> c;
  bool after;
};
struct Listed {
  std::array<View<int>, 4> views;
  std::size_t count;
  template <class Visit>
  void each_view(const Visit& visit) {
    for (std::size_t i = 0; i < count; ++i) visit(views[i]);
  }
};
struct Derived : Inner {};
struct Nothing {};

template <class T>
std::size_t views_in(T value) {
  std::size_t count = 0;
  visit_views(value, [&](auto&) { ++count; });
  return count;
}

TEST(VisitViews, FindsThemHoweverDeep) {
  EXPECT_EQ(views_in(Outer{}), 3u);
  EXPECT_EQ(views_in(View<int>{}), 1u);
  EXPECT_EQ(views_in(Derived{}), 2u);
  EXPECT_EQ(views_in(Nothing{}), 0u);
  EXPECT_EQ(views_in(7), 0u);
  EXPECT_EQ(views_in(Listed{.views = {}, .count = 3}), 3u);
}

TEST(VisitViews, MayMoveThem) {
  int first[2] = {1, 2}, second[2] = {3, 4};
  Outer program{.before = 1, .inner = {}, .between = 2, .c = {first}, .after = true};
  visit_views(program, [&](auto& view) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(view)>, View<int>>)
      if (view.data) view.data = second;
  });
  EXPECT_EQ(program.c[1], 4);
  EXPECT_EQ(program.inner.a.data, nullptr);
  EXPECT_EQ(program.before, 1u);
  EXPECT_TRUE(program.after);
}

TEST(VisitViews, RefusesWhatItCannotLookInto) {
  int values[1] = {};
  auto body = [view = View<int>{values}](VertexId v) { ++view[v]; };
  EXPECT_THROW(visit_views(body, [](auto&) {}), InternalError);
}

}  // namespace
}  // namespace millrace
