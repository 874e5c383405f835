// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Process groups: who is a member, who gets what is sent to one, and who hears of changes.

#define BOOST_TEST_MODULE groups
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/error.hpp>
#include <smarm/monitor.hpp>
#include <smarm/process_group.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/send.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/stop.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::group_change;
using smarm::member_choice;
namespace this_actor = smarm::this_actor;

namespace {

struct worker;
constexpr smarm::process_group<worker> pool("pool"); // before the type is complete
constexpr smarm::process_group<worker> other("other");

// Takes numbers until it is told to go, by 0.
struct worker {
  using message = int;
  void run(smarm::receiver<int>& inbox) {
    while (auto n = inbox.recv()) {
      if (*n == 0) {
        return;
      }
      seen.push_back(*n);
    }
  }
  std::vector<int>& seen;
};

struct clerk { // takes the same, and is something else
  using message = int;
  void run(smarm::receiver<int>& inbox) { (void)inbox.recv(); }
};

struct both {
  using message = smarm::messages<int, std::string>;
  void run(smarm::receiver<int>& numbers, smarm::receiver<std::string>& texts) {
    got = texts.recv().value() + std::to_string(numbers.recv().value());
  }
  std::string& got;
};

using workers = std::vector<smarm::actor_handle<worker>>;
using pids = std::vector<smarm::typed_pid<worker>>;

// So many members of the pool, each with a list of what it got.
struct crew {
  std::vector<std::vector<int>> seen;
  workers all;
  explicit crew(std::size_t count, bool joins = true) : seen(count) {
    for (auto& list : seen) {
      all.push_back(smarm::spawn_actor<worker>(std::ref(list)));
      if (joins) {
        pool.join(all.back().id()).value();
      }
    }
  }
  smarm::typed_pid<worker> operator[](std::size_t i) const { return all[i].id(); }
  void end(std::size_t i) {
    (void)smarm::send(all[i].id(), 0);
    (void)all[i].join();
  }
  void end() {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].joinable()) {
        end(i);
      }
    }
  }
};

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(pids)

BOOST_AUTO_TEST_SUITE(groups_suite, *boost::unit_test::timeout(120))

// ---- members

// The text is gone, or is another one, when the group is used again.
BOOST_AUTO_TEST_CASE(a_name_may_be_one_of_run_time) {
  constexpr smarm::group_scope topics("topics");
  std::vector<int> seen;
  std::size_t told = 0, others = 0, after = 0;
  strings names;
  smarm::run([&] {
    auto w = smarm::spawn_actor<worker>(std::ref(seen));
    for (int i = 0; i < 100; ++i) {
      std::string text = "topic " + std::to_string(i);
      smarm::process_group<worker>(text, topics).join(w.id()).value();
      text.assign(text.size(), 'x');
    }
    names = topics.which_groups();
    const std::string text = "topic 7";
    const smarm::process_group<worker> seventh(text, topics);
    told = seventh.broadcast(7);
    const std::string_view part_of_a_text = std::string_view("topic 77x").substr(0, 8);
    others = smarm::process_group<worker>(part_of_a_text, topics).size();
    (void)seventh.leave(w.id());
    after = seventh.broadcast(8);
    (void)smarm::send(w.id(), 0);
    (void)w.join();
  });
  BOOST_TEST(names.size() == 100U);
  BOOST_TEST(names.front() == "topic 0");
  BOOST_TEST(told == 1U);
  BOOST_TEST(others == 1U);
  BOOST_TEST(after == 0U);
  BOOST_TEST((seen == std::vector<int>{7}));
}

BOOST_AUTO_TEST_CASE(join_then_members_lists_a_live_member) {
  bool empty = false;
  pids members;
  std::optional<smarm::typed_pid<worker>> picked;
  smarm::typed_pid<worker> who;
  smarm::run([&] {
    empty = pool.members().empty() && !pool.pick() && pool.size() == 0;
    crew c(1);
    who = c[0];
    members = pool.members();
    picked = pool.pick();
    c.end();
  });
  BOOST_TEST(empty);
  BOOST_TEST((members == pids{who}));
  BOOST_TEST((picked == who));
}

BOOST_AUTO_TEST_CASE(joins_are_counted_and_who_joined_twice_is_one_member) {
  std::vector<std::size_t> sizes;
  std::vector<bool> left;
  std::size_t copies = 0;
  smarm::run([&] {
    crew c(1);
    pool.join(c[0]).value();
    sizes.push_back(pool.size());
    copies = pool.broadcast(1);
    for (int i = 0; i < 3; ++i) {
      left.push_back(pool.leave(c[0]));
      sizes.push_back(pool.size());
    }
    c.end();
  });
  BOOST_TEST(copies == 1u);
  BOOST_TEST((left == std::vector<bool>{true, true, false}));
  CHECK_LIST(sizes, {1u, 1u, 0u, 0u});
}

BOOST_AUTO_TEST_CASE(a_dead_actor_vanishes_from_every_group_before_its_end_is_heard_of) {
  int wrong = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    crew c(1);
    other.join(c[0]).value();
    auto m = smarm::monitor(c[0]);
    (void)smarm::request_stop(c[0]);
    (void)m.recv();
    wrong += pool.size() != 0 || other.size() != 0 || pool.pick() || !other.members().empty() ||
             !smarm::group_scope().which_groups().empty();
    wrong += pool.leave(c[0]); // it has left already
  });
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(live_members_survive_a_peers_death_and_its_leave) {
  pids after_death;
  pids after_leave;
  pids expected;
  smarm::run([&] {
    crew c(3);
    c.end(0);
    after_death = pool.members();
    (void)pool.leave(c[1]);
    after_leave = pool.members();
    expected = {c[1], c[2]};
    c.end();
  });
  BOOST_TEST((after_death == expected));
  expected.erase(expected.begin());
  BOOST_TEST((after_leave == expected));
}

BOOST_AUTO_TEST_CASE(who_has_ended_cannot_join_and_leaves_no_group_behind) {
  std::vector<boost::system::error_code> codes;
  std::size_t size = 1;
  std::vector<std::string> groups;
  smarm::run([&] {
    crew c(1, false);
    c.end();
    codes.push_back(pool.join(c[0]).error());
    codes.push_back(pool.join(smarm::typed_pid<worker>()).error());
    codes.push_back(pool.join().error()); // not a worker
    size = pool.size();
    groups = smarm::group_scope().which_groups();
  });
  CHECK_LIST(codes, {make_error_code(errc::no_process), make_error_code(errc::no_process),
                     make_error_code(errc::no_channel)});
  BOOST_TEST(size == 0u);
  BOOST_TEST(groups.empty());
}

BOOST_AUTO_TEST_CASE(an_actor_that_publishes_itself_as_a_worker_joins_and_leaves_by_itself) {
  int got = 0;
  bool left = false;
  std::size_t size = 9;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto self = smarm::publish_as<worker>(std::move(tx));
    pool.join().value();
    (void)pool.dispatch(6).value();
    got = rx.recv().value();
    left = pool.members() == pids{self} && pool.leave();
    size = pool.size();
  });
  BOOST_TEST(got == 6);
  BOOST_TEST(left);
  BOOST_TEST(size == 0u);
}

BOOST_AUTO_TEST_CASE(groups_are_told_apart_by_name_by_scope_and_by_type) {
  constexpr smarm::group_scope north("north");
  constexpr smarm::process_group<worker> pool_in_north("pool", north);
  constexpr smarm::process_group<clerk> clerks("pool");
  std::vector<std::size_t> sizes;
  strings here, there;
  smarm::run([&] {
    crew c(2);
    auto k = smarm::spawn_actor<clerk>();
    clerks.join(k.id()).value();
    pool_in_north.join(c[0]).value();
    other.join(c[0]).value();
    sizes = {pool.size(), pool_in_north.size(), clerks.size()};
    here = smarm::group_scope().which_groups();
    there = north.which_groups();
    (void)clerks.dispatch(0);
    c.end();
  });
  CHECK_LIST(sizes, {2u, 1u, 1u});
  CHECK_LIST(here, {"other", "pool"});
  CHECK_LIST(there, {"pool"});
}

// ---- one of them

BOOST_AUTO_TEST_CASE(round_robin_gives_each_its_turn) {
  crew* c = nullptr;
  std::vector<std::vector<int>> seen;
  smarm::run([&] {
    crew mine(3);
    c = &mine;
    for (int i = 1; i <= 6; ++i) {
      (void)pool.dispatch(i).value();
    }
    mine.end();
    seen = mine.seen;
  });
  CHECK_LIST(seen[0], {1, 4});
  CHECK_LIST(seen[1], {2, 5});
  CHECK_LIST(seen[2], {3, 6});
}

BOOST_AUTO_TEST_CASE(random_choice_reaches_everybody_also_where_many_have_left) {
  std::unordered_set<smarm::pid> picked;
  std::size_t members = 0;
  smarm::run([&] {
    crew c(40);
    for (std::size_t i = 0; i < 20; ++i) {
      c.end(i);
    }
    members = pool.size();
    while (picked.size() < members) { // hangs if one is never chosen
      picked.insert(pool.pick(member_choice::random).value());
    }
    c.end();
  });
  BOOST_TEST(members == 20u);
}

namespace {
struct taker {
  using message = std::unique_ptr<int>;
  void run(smarm::receiver<message>& in) { got = **in.recv(); }
  int& got;
};
} // namespace

BOOST_AUTO_TEST_CASE(dispatch_says_whom_it_reached_and_without_members_keeps_the_message) {
  constexpr smarm::process_group<taker> takers("takers");
  int got = 0;
  bool same = false;
  bool kept = false;
  boost::system::error_code code;
  smarm::run([&] {
    auto message = std::make_unique<int>(3);
    code = takers.dispatch(std::move(message)).error();
    kept = message != nullptr;
    auto t = smarm::spawn_actor<taker>(std::ref(got));
    takers.join(t.id()).value();
    same = takers.dispatch(std::move(message)).value() == t.id();
    (void)t.join();
  });
  BOOST_TEST((code == errc::no_member));
  BOOST_TEST(kept);
  BOOST_TEST(same);
  BOOST_TEST(got == 3);
}

BOOST_AUTO_TEST_CASE(dispatch_passes_over_those_that_have_given_up_their_inbox) {
  std::vector<smarm::typed_pid<worker>> reached;
  boost::system::error_code alone;
  smarm::typed_pid<worker> good;
  smarm::run([&] {
    auto deaf = waiting([] {
      {
        auto [tx, rx] = smarm::channel<int>();
        (void)smarm::publish_as<worker>(std::move(tx));
      }
      pool.join().value();
      this_actor::sleep_for(24h);
    });
    alone = pool.dispatch(1).error();
    crew c(1);
    good = c[0];
    for (int i = 0; i < 4; ++i) {
      reached.push_back(pool.dispatch(1).value());
    }
    c.end();
  });
  BOOST_TEST((alone == errc::closed));
  BOOST_TEST((reached == pids(4, good)));
}

BOOST_AUTO_TEST_CASE(try_dispatch_goes_to_whoever_has_room) {
  std::vector<boost::system::error_code> codes;
  std::vector<int> seen;
  std::size_t copies = 9;
  bool to_the_one_with_room = false;
  smarm::run([&] {
    // Takes one message for each that comes through its gate.
    const auto member = [&](smarm::receiver<int>& gate) {
      return waiting([&] {
        auto [tx, rx] = smarm::channel<int>(smarm::bounded{1});
        (void)smarm::publish_as<worker>(std::move(tx));
        pool.join().value();
        while (gate.recv()) {
          seen.push_back(rx.recv().value());
        }
      });
    };
    auto [open_a, gate_a] = smarm::channel<int>();
    auto [open_b, gate_b] = smarm::channel<int>();
    auto a = member(gate_a);
    auto b = member(gate_b);
    for (int i = 1; i <= 3; ++i) {
      codes.push_back(pool.try_dispatch(i).error());
    }
    copies = pool.broadcast(9); // they are full, and it waits for nobody
    (void)open_b.send(0);
    until([&] { return seen.size() == 1; });
    for (int i = 4; i <= 5; ++i) {
      to_the_one_with_room = pool.try_dispatch(i).value() == b.id();
      (void)open_b.send(0);
      until([&] { return seen.size() == static_cast<std::size_t>(i - 2); });
    }
    open_a = {};
    open_b = {};
    (void)a.join();
    (void)b.join();
  });
  CHECK_LIST(codes, {boost::system::error_code(), boost::system::error_code(),
                     make_error_code(errc::queue_full)});
  BOOST_TEST(copies == 0u);
  BOOST_TEST(to_the_one_with_room);
  CHECK_LIST(seen, {2, 4, 5});
}

BOOST_AUTO_TEST_CASE(dispatch_waits_where_the_inbox_blocks) {
  std::vector<int> seen;
  smarm::run([&] {
    const smarm::pid sender = this_actor::self();
    auto slow = smarm::spawn([&] {
      auto [tx, rx] = smarm::channel<int>(smarm::bounded{1});
      (void)smarm::publish_as<worker>(std::move(tx));
      pool.join().value();
      until([&] { return parked(sender); });
      for (int i = 0; i < 3; ++i) {
        seen.push_back(rx.recv().value());
      }
    });
    until([&] { return pool.size() == 1; });
    for (int i = 1; i <= 3; ++i) {
      (void)pool.dispatch(i).value();
    }
    (void)slow.join();
  });
  CHECK_LIST(seen, {1, 2, 3});
}

BOOST_AUTO_TEST_CASE(each_type_of_message_has_its_inbox) {
  constexpr smarm::process_group<both> mixed("mixed");
  std::string got;
  smarm::run([&] {
    auto b = smarm::spawn_actor<both>(std::ref(got));
    mixed.join(b.id()).value();
    (void)mixed.dispatch(std::string("n")).value();
    (void)mixed.dispatch(1).value();
    (void)b.join();
  });
  BOOST_TEST(got == "n1");
}

BOOST_AUTO_TEST_CASE(an_inbox_that_takes_the_place_of_another_one_is_the_one_that_is_sent_to) {
  int got = 0;
  bool old_one_closed = false;
  smarm::run([&] {
    auto [a, old_inbox] = smarm::channel<int>();
    (void)smarm::publish_as<worker>(std::move(a));
    pool.join().value();
    auto [b, inbox] = smarm::channel<int>();
    (void)smarm::publish_as<worker>(std::move(b));
    (void)pool.dispatch(1).value();
    got = inbox.recv().value();
    old_one_closed = old_inbox.closed();
    (void)pool.leave();
  });
  BOOST_TEST(got == 1);
  BOOST_TEST(old_one_closed);
}

// ---- all of them

BOOST_AUTO_TEST_CASE(broadcast_gives_every_member_one_copy) {
  std::vector<std::vector<int>> seen;
  std::vector<std::size_t> counts;
  smarm::run([&] {
    counts.push_back(pool.broadcast(1));
    crew c(100);
    for (std::size_t i = 0; i < 30; ++i) {
      c.end(i * 2);
    }
    counts.push_back(pool.broadcast(5));
    c.end();
    seen = c.seen;
  });
  CHECK_LIST(counts, {0u, 70u});
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::size_t expected = i % 2 == 0 && i < 60 ? 0 : 1;
    BOOST_TEST(seen[i].size() == expected);
  }
}

namespace {
struct fragile {
  int* copies;
  explicit fragile(int& count) : copies(&count) {}
  fragile(const fragile& from) : copies(from.copies) {
    if (++*copies == 2) {
      throw std::runtime_error("enough");
    }
  }
  fragile(fragile&&) noexcept = default;
};
struct keeper {
  using message = fragile;
  void run(smarm::receiver<fragile>& in) { (void)in.recv(); }
};
} // namespace

BOOST_AUTO_TEST_CASE(what_copying_throws_leaves_a_broadcast_half_done) {
  constexpr smarm::process_group<keeper> keepers("keepers");
  int copies = 0;
  bool thrown = false;
  smarm::run([&] {
    for (int i = 0; i < 3; ++i) {
      auto k = smarm::spawn_actor<keeper>();
      keepers.join(k.id()).value();
      k.detach();
    }
    try {
      keepers.broadcast(fragile(copies));
    } catch (const std::runtime_error&) {
      thrown = true;
    }
  });
  BOOST_TEST(thrown);
  BOOST_TEST(copies == 2);
}

// ---- monitors

BOOST_AUTO_TEST_CASE(a_monitor_begins_with_who_is_there_and_then_tells_each_change) {
  pids there;
  std::vector<std::pair<group_change, smarm::pid>> events, expected;
  smarm::run([&] {
    crew c(2);
    auto [watch, now] = pool.monitor();
    there = now;
    crew d(1);
    pool.join(d[0]).value(); // once more, which tells nobody
    (void)pool.leave(c[1]);
    (void)pool.leave(d[0]);
    c.end(0);
    (void)pool.leave(d[0]);
    expected = {{group_change::joined, d[0]},
                {group_change::left, c[1]},
                {group_change::left, c[0]},
                {group_change::left, d[0]}};
    while (auto e = watch.try_recv()) {
      events.emplace_back(e->what, e->member);
    }
    BOOST_TEST_CHECKPOINT("monitored");
    there.erase(std::remove(there.begin(), there.end(), c[0]), there.end());
    there.erase(std::remove(there.begin(), there.end(), c[1]), there.end());
    c.end();
    d.end();
  });
  BOOST_TEST(there.empty());
  BOOST_TEST((events == expected));
}

BOOST_AUTO_TEST_CASE(a_monitor_is_woken_also_of_a_group_without_members_and_as_an_arm) {
  smarm::typed_pid<worker> who, heard;
  std::size_t which = 9;
  smarm::member_identity identity;
  smarm::run([&] {
    auto watcher = waiting([&] {
      auto [watch, now] = pool.monitor();
      auto [tx, rx] = smarm::channel<int>();
      which = smarm::select(rx, watch.inbox());
      const auto event = watch.recv().value();
      heard = event.member;
      identity = event.identity();
    });
    crew c(1);
    who = c[0];
    (void)watcher.join();
    c.end();
  });
  BOOST_TEST(which == 1u);
  BOOST_TEST((heard == who));
  BOOST_TEST((identity == smarm::member_identity{who.untyped(), 0, 1}));
}

BOOST_AUTO_TEST_CASE(after_demonitor_no_event_arrives_and_nothing_is_left) {
  bool closed = false;
  bool gone = false;
  smarm::run([&] {
    auto [watch, now] = pool.monitor();
    gone = smarm::group_scope().which_groups().empty(); // nobody is in it
    watch.demonitor();
    crew c(1);
    closed = watch.try_recv().error() == errc::closed;
    auto [dropped, who] = pool.monitor();
    c.end();
  });
  BOOST_TEST(closed);
  BOOST_TEST(gone);
}

BOOST_AUTO_TEST_CASE(a_monitor_outlives_its_runtime_and_is_closed_by_its_end) {
  smarm::group_monitor<worker> watch;
  std::vector<errc> codes;
  {
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      watch = pool.monitor().first;
      crew c(1);
      c.end();
    });
    BOOST_TEST((watch.try_recv().value().what == group_change::joined));
  }
  BOOST_TEST((watch.try_recv().value().what == group_change::left));
  BOOST_TEST((watch.recv().error() == errc::closed));
}

// The runtime's parts are held by one who still waits for a member's inbox.
BOOST_AUTO_TEST_CASE(who_monitors_a_group_of_a_runtime_that_goes_is_told_that_nothing_will_come) {
  std::optional<smarm::runtime> rt(quiet(1));
  const smarm::runtime_handle there = rt->handle();
  std::optional<smarm::receiver<int>> inbox;
  errc before{}, late{};
  bool sent = false;
  rt->start();
  auto member = there.spawn([&] {
    auto [to, from] = smarm::channel<int>(smarm::bounded{1});
    (void)to.send(1);
    pool.join(smarm::publish_as<worker>(std::move(to))).value();
    inbox = std::move(from);
    this_actor::sleep_for(24h);
  });
  smarm::runtime here(quiet(1));
  here.run([&] {
    until([&] { return pool.in(there).size() == 1; });
    auto h = waiting([&] { sent = pool.in(there).dispatch(2).has_value(); });
    auto watch = pool.in(there).monitor().first;
    (void)there.request_stop(member.id());
    rt.reset();
    (void)watch.recv(); // it has left
    before = watch.recv().error() == errc::closed ? errc::closed : errc{};
    auto too_late = pool.in(there).monitor().first;
    const auto got = too_late.recv_for(1ms);
    late = got.error() == errc::closed ? errc::closed : errc{};
    (void)inbox->recv();
    (void)h.join();
  });
  BOOST_TEST((before == errc::closed));
  BOOST_TEST((late == errc::closed));
  BOOST_TEST(sent);
}

// The member has a great many groups to leave after the one that is watched.
BOOST_AUTO_TEST_CASE(a_name_is_free_when_a_group_tells_that_its_holder_has_left) {
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    texts.push_back("group " + std::to_string(i));
  }
  const auto group = [&](std::size_t i) { return smarm::process_group<worker>(texts[i]); };
  smarm::runtime rt(quiet(1));
  const smarm::runtime_handle outside = rt.handle();
  rt.start();
  int still_there = 0;
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> ready{false};
    smarm::typed_pid<worker> who;
    auto member = outside.spawn([&] {
      auto [to, inbox] = smarm::channel<int>();
      who = smarm::publish_as<worker>(std::move(to));
      smarm::register_name("member", who).value();
      for (std::size_t i = 0; i < texts.size(); ++i) {
        group(i).join().value();
      }
      ready = true;
      (void)inbox.recv();
    });
    wait_until([&] { return ready.load(); });
    auto watch = group(0).in(outside).monitor().first;
    (void)outside.send(who, 0);
    (void)watch.recv();
    still_there += outside.whereis("member").has_value();
    (void)member.join();
  }
  rt.wait();
  BOOST_TEST(still_there == 0);
}

// ---- from elsewhere

BOOST_AUTO_TEST_CASE(plain_threads_use_the_runtimes_handle) {
  BOOST_TEST((refusal([] { (void)pool.dispatch(1); }) == errc::not_in_actor));
  BOOST_TEST((refusal([] { (void)pool.members(); }) == errc::not_in_actor));
  BOOST_TEST((refusal([] { (void)pool.join(); }) == errc::not_in_actor));
  smarm::runtime_handle handle;
  BOOST_TEST((pool.in(handle).dispatch(1).error() == errc::runtime_down));
  std::vector<int> seen;
  {
    smarm::runtime rt(quiet(1));
    handle = rt.handle();
    rt.start();
    std::atomic<bool> ready{false};
    smarm::typed_pid<worker> who;
    auto host = handle.spawn([&] {
      auto w = smarm::spawn_actor<worker>(std::ref(seen));
      who = w.id();
      ready = true;
      (void)w.join();
    });
    wait_until([&] { return ready.load(); });
    const auto there = pool.in(handle);
    auto [watch, nobody] = there.monitor();
    BOOST_TEST(nobody.empty());
    BOOST_TEST(there.join(who).has_value());
    BOOST_TEST((watch.recv().value().member == who)); // a thread waits
    BOOST_TEST(there.size() == 1u);
    BOOST_TEST((there.members() == pids{who}));
    BOOST_TEST((there.pick() == who));
    BOOST_TEST(there.dispatch(1).has_value());
    BOOST_TEST(there.try_dispatch(2).has_value());
    BOOST_TEST(there.broadcast(3) == 1u);
    CHECK_LIST(smarm::group_scope().which_groups(handle), {"pool"});
    BOOST_TEST(there.leave(who));
    BOOST_TEST(!there.leave(who));
    (void)there.join(who).value();
    BOOST_TEST(there.dispatch(0).has_value());
    rt.wait();
  }
  CHECK_LIST(seen, {1, 2, 3});
  BOOST_TEST(pool.in(handle).members().empty());
  BOOST_TEST(pool.in(handle).broadcast(1) == 0u);
  BOOST_TEST((pool.in(handle).monitor().first.recv().error() == errc::closed));
  BOOST_TEST(smarm::group_scope().which_groups(handle).empty());
}

BOOST_AUTO_TEST_CASE(membership_keeps_no_actor_and_no_channel_alive) {
  recorder seen;
  bool closed_after_the_end = false;
  smarm::run([&] {
    auto [to_parent, inboxes] = smarm::channel<smarm::receiver<int>>();
    auto h = smarm::spawn([&, to_parent = std::move(to_parent)] {
      auto [tx, rx] = smarm::channel<int>();
      (void)smarm::publish_as<worker>(std::move(tx));
      pool.join().value();
      (void)to_parent.send(std::move(rx));
    });
    auto inbox = inboxes.recv().value();
    (void)h.join();
    closed_after_the_end = inbox.recv().error() == errc::closed;
  });
  BOOST_TEST(closed_after_the_end);
}

BOOST_AUTO_TEST_SUITE_END()
