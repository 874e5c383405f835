// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Joining a group against the end of the actor that joins, or is made to, and against leaving: when
// an end is heard of its actor is in no group, and none is in a group twice or after its leave. The
// roster is the library's own; the locks and the mark of the ending are the explorer's.

#include "explorer.hpp"
#include "mc_atomic.hpp"
#include "suite.hpp"

#include <smarm/detail/group_roster.hpp>

#include <cstdint>
#include <mutex>

namespace {

struct explored_lock {
  mc::atomic<int> word{0};
  void lock() {
    word.block_until_and_store([](int held) { return held == 0; }, 1);
  }
  void unlock() { word.store(0); }
};

struct member {
  int who = 1;
  std::size_t place = 0;
};

enum class joins { right, looks_before_the_lock, puts_it_in_after_the_lock, in_group_only };
enum class leaves { right, goes_from_the_group_after_the_lock };
enum class ends { right, marks_after_the_lock, tells_first };

template <joins Joins = joins::right, ends Ends = ends::right, leaves Leaves = leaves::right>
struct place {
  explored_lock record_lock;
  mc::atomic<int> ending{0};
  mc::atomic<int> in_record{0}; // how many memberships, and of how many joins the one is
  mc::atomic<int> count{0};
  member one;

  explored_lock part_lock; // of the group
  smarm::detail::group_roster<member> roster;
  mc::atomic<int> in_group{0}; // what is in there, for those who only look

  mc::atomic<int> heard{0};
  mc::atomic<int> joined{0};
  mc::atomic<int> left{0};

  void enter_group() {
    const std::lock_guard guard(part_lock);
    mc::require(roster.empty(), "nobody is in there twice");
    roster.add(one);
    in_group.store(1);
  }
  void leave_group() {
    const std::lock_guard guard(part_lock);
    mc::require(!roster.empty(), "who leaves is in there");
    roster.remove(one);
    in_group.store(0);
  }

  void join() {
    bool fresh = false;
    if (Joins == joins::looks_before_the_lock && ending.load() != 0) {
      return;
    }
    {
      const std::lock_guard guard(record_lock);
      if (Joins != joins::looks_before_the_lock && ending.load() != 0) {
        return;
      }
      joined.fetch_add(1);
      if (in_record.load() != 0) {
        count.fetch_add(1);
        return;
      }
      if (Joins != joins::in_group_only) {
        in_record.store(1);
        count.store(1);
      }
      fresh = true;
      if (Joins != joins::puts_it_in_after_the_lock) {
        enter_group();
      }
    }
    if (fresh && Joins == joins::puts_it_in_after_the_lock) {
      enter_group();
    }
  }

  void leave() {
    {
      const std::lock_guard guard(record_lock);
      if (in_record.load() == 0) {
        return;
      }
      left.fetch_add(1);
      if (count.fetch_sub(1) != 1) {
        return;
      }
      in_record.store(0);
      if (Leaves == leaves::right) {
        leave_group();
      }
    }
    if (Leaves != leaves::right) {
      leave_group();
    }
  }

  void end() {
    if (Ends == ends::tells_first) {
      heard.store(1);
    }
    int mine = 0;
    {
      const std::lock_guard guard(record_lock);
      if (Ends != ends::marks_after_the_lock) {
        ending.store(1);
      }
      mine = in_record.exchange(0);
    }
    if (Ends == ends::marks_after_the_lock) {
      ending.store(1);
    }
    if (mine != 0) {
      leave_group();
    }
    heard.store(1);
  }

  // One who has heard of the end looks for the actor.
  void look() {
    mc::block([this] { return heard.load() != 0; });
    mc::require(in_group.load() == 0, "of whom the end was heard is in no group");
  }
};

template <joins Joins = joins::right, ends Ends = ends::right>
void a_join_meets_the_end(mc::world& world) {
  auto& p = world.make<place<Joins, Ends>>();
  world.thread([&p] { p.end(); });
  world.thread([&p] { p.join(); });
  world.thread([&p] { p.look(); });
  world.finally([&p] { mc::require(p.roster.empty(), "nobody is left behind"); });
}

template <class Place>
void joins_and_leaves_are_counted(mc::world& world) {
  auto& p = world.make<Place>();
  world.thread([&p] { p.join(); });
  world.thread([&p] { p.join(); });
  world.thread([&p] { p.leave(); });
  world.finally([&p] {
    const bool is_in = p.joined.load() != p.left.load();
    mc::require(p.roster.size() == (is_in ? 1u : 0u), "in it while it has joined more often");
  });
}

void a_leave_meets_the_end(mc::world& world) {
  auto& p = world.make<place<>>();
  p.join();
  world.thread([&p] { p.end(); });
  world.thread([&p] { p.leave(); });
  world.thread([&p] { p.join(); });
  world.finally([&p] { mc::require(p.roster.empty(), "nobody is left behind"); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.store_buffers = true, .reduced = true};
  mc::suite suite("group", argc, argv);

  suite.model("a_join_meets_the_end", all, &a_join_meets_the_end<>);
  suite.mutation("looks_before_the_lock", all, &a_join_meets_the_end<joins::looks_before_the_lock>);
  suite.mutation("puts_it_in_after_the_lock", all,
                 &a_join_meets_the_end<joins::puts_it_in_after_the_lock>);
  suite.mutation("is_in_the_group_only", all, &a_join_meets_the_end<joins::in_group_only>,
                 "is in no group");
  suite.mutation("marks_after_the_lock", all,
                 &a_join_meets_the_end<joins::right, ends::marks_after_the_lock>);
  suite.mutation("tells_first", all, &a_join_meets_the_end<joins::right, ends::tells_first>,
                 "is in no group");

  suite.model("joins_and_leaves_are_counted", all, &joins_and_leaves_are_counted<place<>>);
  suite.mutation("counts_in_the_group_only", all,
                 &joins_and_leaves_are_counted<place<joins::in_group_only>>);
  suite.mutation("goes_from_the_group_after_the_lock", all,
                 &joins_and_leaves_are_counted<
                     place<joins::right, ends::right, leaves::goes_from_the_group_after_the_lock>>,
                 "nobody is in there twice");
  suite.model("a_leave_meets_the_end", all, &a_leave_meets_the_end);
  return suite.result();
}
