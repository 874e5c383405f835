// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tree of a list of actors, without any runtime.

#define BOOST_TEST_MODULE actor_tree
#include <boost/test/unit_test.hpp>

#include <smarm/introspect.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using smarm::actor_info;
using smarm::actor_tree;
using smarm::pid;
using smarm::runtime_snapshot;
using smarm::introspect::tree_of;

namespace {

actor_info child_of(pid parent, pid actor) {
  actor_info a;
  a.actor = actor;
  a.parent = parent;
  return a;
}

using places = std::vector<std::size_t>;

std::vector<std::pair<pid, std::size_t>> walked(const actor_tree& t) {
  std::vector<std::pair<pid, std::size_t>> all;
  t.walk([&](const smarm::actor_tree_node& n, std::size_t depth) {
    all.emplace_back(n.info.actor, depth);
  });
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(children_are_below_their_parents_and_orphans_are_roots_that_are_flagged) {
  runtime_snapshot from;
  from.actors = {child_of(pid::root(), pid(0, 1)), child_of(pid(0, 1), pid(1, 1)),
                 child_of(pid(99, 1), pid(2, 1))};
  const actor_tree t = tree_of(std::move(from));
  BOOST_TEST(t.format_version == smarm::snapshot_format_version);
  BOOST_TEST(t.nodes.size() == 3U);
  BOOST_TEST((t.roots == places{0, 2}));
  BOOST_TEST(!t.nodes[0].orphaned);
  BOOST_TEST((t.nodes[0].children == places{1}));
  BOOST_TEST(t.nodes[0].parent == smarm::actor_tree_node::none);
  BOOST_TEST(!t.nodes[1].orphaned);
  BOOST_TEST(t.nodes[1].parent == 0U);
  BOOST_TEST(t.nodes[2].orphaned);
  BOOST_TEST(t.nodes[2].children.empty());
}

BOOST_AUTO_TEST_CASE(a_parent_is_one_incarnation) {
  runtime_snapshot from;
  from.actors = {child_of(pid::root(), pid(0, 2)), child_of(pid(0, 1), pid(1, 1))};
  const actor_tree t = tree_of(std::move(from));
  BOOST_TEST((t.roots == places{0, 1}));
  BOOST_TEST(t.nodes[1].orphaned);
}

BOOST_AUTO_TEST_CASE(a_child_may_come_before_its_parent_and_the_order_of_the_list_is_kept) {
  runtime_snapshot from;
  const pid root(7, 1);
  from.actors = {child_of(root, pid(1, 1)), child_of(pid(1, 1), pid(2, 1)),
                 child_of(root, pid(3, 1)), child_of(pid::root(), root)};
  const actor_tree t = tree_of(std::move(from));
  BOOST_TEST((t.roots == places{3}));
  BOOST_TEST((t.nodes[3].children == places{0, 2}));
  const auto all = walked(t);
  const std::vector<std::pair<pid, std::size_t>> wanted{
      {root, 0}, {pid(1, 1), 1}, {pid(2, 1), 2}, {pid(3, 1), 1}};
  BOOST_TEST((all == wanted));
}

BOOST_AUTO_TEST_CASE(nothing_makes_no_tree) {
  const actor_tree t = tree_of({});
  BOOST_TEST(t.nodes.empty());
  BOOST_TEST(t.roots.empty());
  BOOST_TEST(walked(t).empty());
}

BOOST_AUTO_TEST_CASE(rings_are_broken_so_that_each_actor_appears_once) {
  runtime_snapshot from;
  from.actors = {child_of(pid(0, 1), pid(0, 1)), // its own parent
                 child_of(pid(2, 1), pid(1, 1)), child_of(pid(1, 1), pid(2, 1)),
                 child_of(pid(2, 1), pid(3, 1)), child_of(pid::root(), pid(4, 1))};
  const actor_tree t = tree_of(std::move(from));
  BOOST_TEST(walked(t).size() == 5U);
  BOOST_TEST((t.roots == places{0, 4, 1}));
  BOOST_TEST(t.nodes[0].orphaned);
  BOOST_TEST(t.nodes[1].orphaned);
  BOOST_TEST((t.nodes[1].children == places{2}));
  BOOST_TEST((t.nodes[2].children == places{3}));
}

BOOST_AUTO_TEST_CASE(what_is_said_of_an_actor_is_kept) {
  runtime_snapshot from;
  actor_info a = child_of(pid::root(), pid(5, 6));
  a.label = "it";
  a.names = {"a name"};
  a.inbox_depth = 12;
  from.actors = {a};
  from.taken_at += std::chrono::seconds(5);
  const auto when = from.taken_at;
  const actor_tree t = tree_of(std::move(from));
  BOOST_TEST(t.nodes.at(0).info.label == "it");
  BOOST_TEST(t.nodes.at(0).info.names.size() == 1U);
  BOOST_TEST(t.nodes.at(0).info.inbox_depth == 12U);
  BOOST_TEST((t.taken_at == when));
}

BOOST_AUTO_TEST_CASE(a_chain_of_100000_asks_for_no_recursion) {
  constexpr std::uint32_t length = 100'000;
  runtime_snapshot from;
  from.actors.push_back(child_of(pid::root(), pid(0, 1)));
  for (std::uint32_t i = 1; i < length; ++i) {
    from.actors.push_back(child_of(pid(i - 1, 1), pid(i, 1)));
  }
  const actor_tree t = tree_of(std::move(from));
  BOOST_TEST(t.roots.size() == 1U);
  std::size_t deepest = 0;
  std::size_t seen = 0;
  t.walk([&](const smarm::actor_tree_node&, std::size_t depth) {
    deepest = std::max(deepest, depth);
    ++seen;
  });
  BOOST_TEST(deepest == length - 1);
  BOOST_TEST(seen == length);
}

BOOST_AUTO_TEST_CASE(load_is_what_is_not_idle) {
  smarm::scheduler_info earlier;
  earlier.read_at = 1000;
  earlier.idle_cycles = 100;
  smarm::scheduler_info later = earlier;
  later.read_at = 2000;
  later.idle_cycles = 350;
  BOOST_TEST(smarm::load_between(earlier, later) == 0.75, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(smarm::load_between(later, earlier) == 0.0);
  BOOST_TEST(smarm::load_between(earlier, earlier) == 0.0);
  later.idle_cycles = 5000; // it was read in between
  BOOST_TEST(smarm::load_between(earlier, later) == 0.0);
}
