// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What can be seen of actors from outside.

#define BOOST_TEST_MODULE introspect
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/introspect.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/mutex.hpp>
#include <smarm/registry.hpp>
#include <smarm/send.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/stop.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/this_actor.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace introspect = smarm::introspect;
using smarm::actor_info;
using smarm::actor_state;
using smarm::pid;
using smarm::wait_kind;

namespace {

void in_runtime(const std::function<void()>& body, unsigned schedulers = 1) {
  smarm::runtime rt(quiet(schedulers));
  rt.run(body);
}

// Holds actors back until it is opened, or dropped.
struct gate {
  gate() { std::tie(open, wait) = smarm::channel<int>(); }
  smarm::sender<int> open;
  smarm::receiver<int> wait;
};

std::optional<actor_info> in_list(const smarm::runtime_snapshot& all, pid actor) {
  const auto at = std::find_if(all.actors.begin(), all.actors.end(),
                               [&](const actor_info& a) { return a.actor == actor; });
  return at != all.actors.end() ? std::optional(*at) : std::nullopt;
}

actor_info when(pid actor, const std::function<bool(const actor_info&)>& is_so) {
  std::optional<actor_info> seen;
  until([&] { return (seen = introspect::actor_info(actor)) && is_so(*seen); });
  return *seen;
}

constexpr auto is_parked = [](const actor_info& a) { return a.state == actor_state::parked; };
constexpr auto is_idle = [](const actor_info& a) { return a.state == actor_state::idle; };

struct adder : smarm::gen_server<adder> {
  struct add {
    int by;
  };
  struct hold {};
  explicit adder(smarm::receiver<int> until_then = {}) : until(std::move(until_then)) {}
  int handle_call(add a) { return total += a.by; }
  void handle_cast(add a) { total += a.by; }
  void handle_cast(hold) { (void)until.recv(); }
  int total = 0;
  smarm::receiver<int> until;
};

struct asks : smarm::gen_server<asks> {
  struct it {
    smarm::server_ref<adder> who;
  };
  void handle_cast(it i) { (void)i.who.call(adder::add{1}); }
};

enum class light { off, on };
struct lamp : smarm::gen_statem<lamp, light> {
  struct press {};
  using states = smarm::states<light::off, light::on>;
  using events = smarm::events<press>;
  static constexpr light initial = light::off;
  smarm::to<light::on> on(smarm::in<light::off>, press) { return {}; }
  smarm::to<light::off> on(smarm::in<light::on>, press) { return {}; }
};

struct counts_messages {
  using message = int;
  void run(smarm::receiver<int>& inbox) {
    while (inbox.recv()) {
    }
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(introspect_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_snapshot_lists_actors_with_names_parents_and_counts) {
  std::optional<actor_info> worker, root;
  pid root_pid;
  std::uint16_t version = 0;
  in_runtime([&] {
    root_pid = smarm::this_actor::self();
    gate g;
    auto h = smarm::spawn({.label = "worker"}, [in = std::move(g.wait)]() mutable {
      auto [to, from] = smarm::channel<std::uint64_t>();
      (void)smarm::register_name(smarm::name<std::uint64_t>("w"), std::move(to)).value();
      (void)in.recv();
    });
    (void)when(h.id(), is_parked);
    const smarm::runtime_snapshot all = introspect::snapshot();
    version = all.format_version;
    worker = in_list(all, h.id());
    root = in_list(all, root_pid);
    (void)g.open.send(1);
    (void)h.join();
  });
  BOOST_TEST(version == smarm::snapshot_format_version);
  BOOST_REQUIRE(worker.has_value());
  BOOST_TEST(worker->names == std::vector<std::string>{"w"});
  BOOST_TEST(worker->label == "worker");
  BOOST_TEST((worker->parent == root_pid));
  BOOST_TEST(!worker->trap_exit);
  BOOST_TEST(worker->monitors == 0U);
  BOOST_TEST(worker->links == 0U);
  BOOST_TEST(worker->joiners == 0U); // a handle that nobody waits on
  BOOST_TEST((worker->behaviour == smarm::behaviour_kind::none));
  BOOST_REQUIRE(root.has_value());
  BOOST_TEST((root->state == actor_state::running));
  BOOST_TEST((root->scheduler == 0U));
  BOOST_TEST((root->parent == pid::root()));
}

BOOST_AUTO_TEST_CASE(what_an_actor_waits_for_is_seen_with_whom_and_since_when) {
  actor_info sleeps, joins, receives, locks, asks_for, has_no_room;
  pid joined, holder, server, full;
  std::chrono::steady_clock::time_point before, after;
  in_runtime([&] {
    before = std::chrono::steady_clock::now();
    gate g;
    auto stands = smarm::spawn([in = std::move(g.wait)]() mutable { (void)in.recv(); });
    receives = when(stands.id(), is_parked);
    joined = stands.id();
    auto sleeper = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    sleeps = when(sleeper.id(), is_parked);
    auto joiner = smarm::spawn([h = std::move(stands)]() mutable { (void)h.join(); });
    joins = when(joiner.id(), is_parked);

    smarm::mutex m;
    m.lock();
    holder = smarm::this_actor::self();
    auto locker = smarm::spawn([&] { const std::lock_guard guard(m); });
    locks = when(locker.id(), is_parked);
    m.unlock();
    (void)locker.join();

    gate h;
    auto slow = smarm::start_server<adder>(std::move(h.wait)).value();
    server = slow.id();
    (void)slow.cast(adder::hold{});
    auto caller = smarm::spawn([slow] { (void)slow.call(adder::add{1}); });
    asks_for = when(caller.id(), is_parked);
    gate k;
    auto narrow =
        smarm::start_server<adder>(
            smarm::server_options{.inbox = {.capacity = 1, .when_full = smarm::overflow::block}},
            std::move(k.wait))
            .value();
    full = narrow.id();
    (void)narrow.cast(adder::hold{});
    (void)when(full, is_parked);
    (void)narrow.cast(adder::add{1});
    auto blocked = smarm::spawn([narrow] { (void)narrow.cast(adder::add{1}); });
    has_no_room = when(blocked.id(), is_parked);
    after = std::chrono::steady_clock::now();
    (void)k.open.send(1);
    (void)blocked.join();
    (void)h.open.send(1);
    (void)caller.join();
    (void)smarm::request_stop(sleeper.id());
    (void)sleeper.join();
    (void)g.open.send(1);
    (void)joiner.join();
  });
  BOOST_TEST((sleeps.waits_for == wait_kind::sleep));
  BOOST_TEST((receives.waits_for == wait_kind::message));
  BOOST_TEST((receives.waits_on == pid::none()));
  BOOST_TEST((joins.waits_for == wait_kind::join));
  BOOST_TEST((joins.waits_on == joined));
  BOOST_TEST((locks.waits_for == wait_kind::lock));
  BOOST_TEST((locks.waits_on == holder));
  BOOST_TEST(!locks.stoppable); // std::lock_guard: mutex::lock is no stop point
  BOOST_TEST((asks_for.waits_for == wait_kind::reply));
  BOOST_TEST((asks_for.waits_on == server));
  BOOST_TEST(asks_for.stoppable);
  BOOST_TEST((has_no_room.waits_for == wait_kind::room));
  BOOST_TEST((has_no_room.waits_on == full));
  for (const actor_info* a : {&sleeps, &joins, &receives, &locks, &asks_for, &has_no_room}) {
    // A tick of the coarse clock, and what it was behind at the beginning.
    BOOST_TEST((a->since <= after));
    BOOST_TEST((a->since >= before - 1s));
  }
}

BOOST_AUTO_TEST_CASE(an_idle_server_owns_no_stack_and_a_parked_actor_does) {
  actor_info server, actor;
  in_runtime([&] {
    auto s = smarm::start_server<adder>().value();
    server = when(s.id(), is_idle);
    gate g;
    auto h = smarm::spawn([in = std::move(g.wait)]() mutable { (void)in.recv(); });
    actor = when(h.id(), is_parked);
    (void)g.open.send(1);
    (void)h.join();
  });
  BOOST_TEST(server.stack_size == 0U);
  BOOST_TEST(server.stack_used == 0U);
  BOOST_TEST((server.waits_for == wait_kind::message));
  BOOST_TEST((server.behaviour == smarm::behaviour_kind::gen_server));
  BOOST_REQUIRE(server.type != nullptr);
  BOOST_TEST((*server.type == typeid(adder)));
  BOOST_TEST(actor.stack_size != 0U);
  BOOST_TEST(actor.stack_used != 0U);
  BOOST_TEST(actor.stack_used < actor.stack_size);
  BOOST_TEST(actor.stack_high_water >= actor.stack_used);
}

BOOST_AUTO_TEST_CASE(behaviours_are_known) {
  smarm::behaviour_kind machine{}, supervisor{};
  in_runtime([&] {
    auto m = smarm::start_server<lamp>().value();
    machine = when(m.id(), is_idle).behaviour;
    auto sup = smarm::start_supervisor(smarm::supervisor_options{}).value();
    supervisor = when(sup.id(), is_idle).behaviour;
  });
  BOOST_TEST((machine == smarm::behaviour_kind::gen_statem));
  BOOST_TEST((supervisor == smarm::behaviour_kind::supervisor));
}

BOOST_AUTO_TEST_CASE(the_depth_of_published_inboxes_is_exact_right_after_a_send) {
  std::vector<std::size_t> depths, of_server, private_depth;
  std::size_t in_snapshot = 0, bounded = 0;
  in_runtime([&] {
    gate g;
    auto h = smarm::spawn([in = std::move(g.wait)]() mutable {
      auto [to, from] = smarm::channel<std::uint64_t>();
      auto [unseen, also] = smarm::channel<int>();
      auto [few, limited] = smarm::channel<char>(smarm::bounded{8});
      (void)smarm::register_name(smarm::name<std::uint64_t>("svc"), std::move(to)).value();
      smarm::publish(few);
      (void)unseen.send(1);
      (void)in.recv();
      (void)from.recv();
      (void)in.recv();
    });
    (void)when(h.id(), is_parked);
    const auto depth = [&] { return introspect::actor_info(h.id())->inbox_depth; };
    private_depth.push_back(depth()); // of a channel that nobody can reach by the pid
    for (int i = 0; i < 3; ++i) {
      (void)smarm::send(smarm::name<std::uint64_t>("svc"), std::uint64_t{1}).value();
      depths.push_back(depth());
    }
    in_snapshot = in_list(introspect::snapshot(), h.id())->inbox_depth;
    (void)smarm::send_dyn<char>(h.id(), 'x').value();
    bounded = depth();
    (void)g.open.send(1); // it takes one
    (void)when(h.id(), [](const actor_info& a) { return a.messages_received == 2; });
    depths.push_back(depth());
    (void)g.open.send(1);
    (void)h.join();

    gate held;
    auto s = smarm::start_server<adder>(std::move(held.wait)).value();
    (void)s.cast(adder::hold{});
    (void)when(s.id(), is_parked);
    for (int i = 0; i < 3; ++i) {
      of_server.push_back(introspect::actor_info(s.id())->inbox_depth);
      (void)s.cast(adder::add{1});
    }
    of_server.push_back(introspect::actor_info(s.id())->inbox_depth);
    (void)held.open.send(1);
    (void)s.call(adder::add{1});
    of_server.push_back(introspect::actor_info(s.id())->inbox_depth);
  });
  BOOST_TEST(private_depth == std::vector<std::size_t>{0});
  BOOST_TEST(depths == (std::vector<std::size_t>{1, 2, 3, 3}));
  BOOST_TEST(in_snapshot == 3U);
  BOOST_TEST(bounded == 4U);
  BOOST_TEST(of_server == (std::vector<std::size_t>{0, 1, 2, 3, 0}));
}

BOOST_AUTO_TEST_CASE(a_depth_of_more_than_two_to_the_sixteenth_is_exact_too) {
  constexpr std::size_t many = 200'003;
  std::size_t depth = 0, later = 0;
  in_runtime([&] {
    gate held;
    auto s = smarm::start_server<adder>(std::move(held.wait)).value();
    (void)s.cast(adder::hold{});
    (void)when(s.id(), is_parked);
    for (std::size_t i = 0; i < many; ++i) {
      (void)s.cast(adder::add{1});
    }
    depth = introspect::actor_info(s.id())->inbox_depth;
    (void)held.open.send(1);
    (void)s.call(adder::add{0});
    later = introspect::actor_info(s.id())->inbox_depth;
  });
  BOOST_TEST(depth == many);
  BOOST_TEST(later == 0U);
}

BOOST_AUTO_TEST_CASE(monitors_links_traps_and_joiners_are_counted) {
  actor_info before, with, after;
  in_runtime([&] {
    gate g;
    auto h = smarm::spawn([in = std::move(g.wait)]() mutable {
      auto signals = smarm::trap_exit();
      (void)in.recv();
    });
    const pid who = h.id();
    before = when(who, is_parked);
    auto a = std::make_unique<smarm::monitor_ref>(smarm::monitor(who));
    auto b = std::make_unique<smarm::monitor_ref>(smarm::monitor(who));
    smarm::link(who);
    auto joiner = smarm::spawn([h = std::move(h)]() mutable { (void)h.join(); });
    (void)when(joiner.id(), is_parked);
    with = *introspect::actor_info(who);
    a.reset();
    smarm::unlink(who);
    after = *introspect::actor_info(who);
    (void)g.open.send(1);
    (void)joiner.join();
  });
  BOOST_TEST(before.trap_exit);
  BOOST_TEST(before.monitors == 0U);
  BOOST_TEST(before.joiners == 0U);
  BOOST_TEST(with.monitors == 2U);
  BOOST_TEST(with.links == 1U);
  BOOST_TEST(with.joiners == 1U);
  BOOST_TEST(after.monitors == 1U);
  BOOST_TEST(after.links == 0U);
}

BOOST_AUTO_TEST_CASE(stale_and_forged_pids_are_nobody) {
  std::vector<bool> found;
  in_runtime([&] {
    auto h = smarm::spawn([] {});
    const pid who = h.id();
    found.push_back(introspect::actor_info(pid(who.index(), who.generation() + 7)).has_value());
    found.push_back(introspect::actor_info(pid(0xffff'fffe, 0)).has_value());
    found.push_back(introspect::actor_info(pid::none()).has_value());
    found.push_back(introspect::actor_info(pid::root()).has_value());
    (void)h.join();
    found.push_back(introspect::actor_info(who).has_value());
    auto next = smarm::spawn([] {}); // in the same place, most likely
    found.push_back(introspect::actor_info(who).has_value());
    (void)next.join();
  });
  BOOST_TEST(std::count(found.begin(), found.end(), true) == 0);
}

BOOST_AUTO_TEST_CASE(an_actor_that_has_ended_is_seen_as_long_as_somebody_has_its_handle) {
  actor_info done;
  bool in_the_list = false, afterwards = true;
  in_runtime([&] {
    auto h = smarm::spawn({.label = "gone"}, [] {});
    done = when(h.id(), [](const actor_info& a) { return a.state == actor_state::ended; });
    in_the_list = in_list(introspect::snapshot(), h.id()).has_value();
    const pid who = h.id();
    (void)h.join();
    afterwards = in_list(introspect::snapshot(), who).has_value();
  });
  BOOST_TEST((done.parent == pid::root()));
  BOOST_TEST(done.label.empty());
  BOOST_TEST(done.monitors + done.links + done.joiners == 0U);
  BOOST_TEST(in_the_list);
  BOOST_TEST(!afterwards);
}

BOOST_AUTO_TEST_CASE(received_messages_are_counted_for_each_incarnation_and_sends_are_not) {
  std::uint64_t first = 0, second = 0, sender = 0;
  pid one, other;
  in_runtime([&] {
    auto h = smarm::spawn_actor<counts_messages>();
    one = h.id();
    const std::uint64_t before = introspect::actor_info(smarm::this_actor::self())->messages_received;
    for (int i = 0; i < 5; ++i) {
      (void)smarm::send(h.id(), i).value();
    }
    first = when(h.id(), [](const actor_info& a) { return a.messages_received >= 5; })
                .messages_received;
    sender = introspect::actor_info(smarm::this_actor::self())->messages_received - before;
    (void)smarm::request_stop(h.id());
    (void)h.join();
    auto again = smarm::spawn_actor<counts_messages>();
    other = again.id();
    (void)smarm::send(again.id(), 1).value();
    second = when(again.id(), [](const actor_info& a) { return a.messages_received >= 1; })
                 .messages_received;
    (void)smarm::request_stop(again.id());
    (void)again.join();
  });
  BOOST_TEST(one.index() == other.index()); // the same place, so what it counted is not to show
  BOOST_TEST(first == 5U);
  BOOST_TEST(second == 1U);
  BOOST_TEST(sender == 0U);
}

BOOST_AUTO_TEST_CASE(overruns_are_counted_for_the_actor_that_used_up_its_slice) {
  actor_info hog, modest;
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 10'000});
  rt.run([&] {
    gate g;
    auto m = smarm::spawn([in = std::move(g.wait)]() mutable { (void)in.recv(); });
    std::atomic<bool> enough{false};
    auto h = smarm::spawn([&] {
      while (!enough) {
        smarm::this_actor::checkpoint();
      }
    });
    hog = when(h.id(), [](const actor_info& a) { return a.overruns >= 3; });
    modest = *introspect::actor_info(m.id());
    enough = true;
    (void)h.join();
    (void)g.open.send(1);
    (void)m.join();
  });
  BOOST_TEST(hog.overruns >= 3U);
  BOOST_TEST(modest.overruns == 0U);
  BOOST_TEST(hog.budget_cycles + modest.budget_cycles == 0U); // see test/budget
}

BOOST_AUTO_TEST_CASE(a_tree_has_children_below_who_spawned_them) {
  std::vector<bool> right;
  smarm::pid orphan;
  in_runtime([&] {
    const pid me = smarm::this_actor::self();
    gate g;
    auto [tell, hear] = smarm::channel<pid>();
    auto h = smarm::spawn([in = std::move(g.wait), tell = std::move(tell)]() mutable {
      auto below = smarm::spawn([in = std::move(in)]() mutable { (void)in.recv(); });
      (void)tell.send(below.id());
      below.detach();
    });
    const pid child = h.id();
    orphan = hear.recv().value();
    (void)h.join(); // and so its child has lost its parent
    auto other = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    const smarm::actor_tree t = introspect::tree();
    right.push_back(t.format_version == smarm::snapshot_format_version);
    for (const std::size_t root : t.roots) {
      const smarm::actor_tree_node& n = t.nodes[root];
      if (n.info.actor == me) {
        right.push_back(!n.orphaned && n.children.size() == 1 &&
                        t.nodes[n.children[0]].info.actor == other.id());
      } else {
        right.push_back(n.info.actor == orphan && n.orphaned && n.info.parent == child);
      }
    }
    (void)g.open.send(1);
    (void)smarm::request_stop(other.id());
    (void)other.join();
  });
  BOOST_TEST(right == (std::vector<bool>{true, true, true}));
}

BOOST_AUTO_TEST_CASE(restarts_are_those_of_the_supervisors_child) {
  std::vector<std::uint64_t> seen;
  bool supervised = false, plain = true;
  pid parent, supervisor;
  in_runtime([&] {
    auto [fail, failing] = smarm::channel<int>();
    auto shared = std::make_shared<smarm::receiver<int>>(std::move(failing));
    auto sup = smarm::start_supervisor(
                   {.intensity = 10, .period = 1h},
                   {{.id = "frail", .start = [shared] {
                       if (shared->recv()) {
                         throw 1;
                       }
                     }}})
                   .value();
    supervisor = sup.id();
    pid before;
    for (int i = 0; i < 3; ++i) {
      pid now;
      until([&] {
        const auto children = sup.which_children().value();
        now = children.at(0).actor;
        return now.is_valid() && now != before;
      });
      const actor_info a = when(now, is_parked);
      seen.push_back(a.restarts);
      supervised = a.supervised;
      parent = a.parent;
      before = now;
      (void)fail.send(1);
    }
    plain = introspect::actor_info(smarm::this_actor::self())->supervised;
    (void)sup.shutdown(1min);
  });
  BOOST_TEST(seen == (std::vector<std::uint64_t>{0, 1, 2}));
  BOOST_TEST(supervised);
  BOOST_TEST(!plain);
  BOOST_TEST((parent == supervisor));
}

BOOST_AUTO_TEST_CASE(who_was_asked_to_end_and_does_not_is_seen) {
  actor_info before, asked;
  in_runtime([&] {
    gate g;
    auto h = smarm::spawn([in = std::move(g.wait)]() mutable {
      const smarm::disable_stop not_now;
      (void)in.recv();
    });
    before = when(h.id(), is_parked);
    (void)smarm::request_stop(h.id());
    asked = *introspect::actor_info(h.id());
    (void)g.open.send(1);
    (void)h.join();
  });
  BOOST_TEST(!before.asked_to_end);
  BOOST_TEST(!before.stoppable);
  BOOST_TEST(asked.asked_to_end);
  BOOST_TEST((asked.state == actor_state::parked));
}

BOOST_AUTO_TEST_CASE(deep_stacks_are_seen_with_their_shape) {
  actor_info deep, own;
  in_runtime([&] {
    gate g, k;
    auto h = smarm::spawn([in = std::move(g.wait)]() mutable {
      char large[64 * 1024];
      asm volatile("" : : "r"(large) : "memory"); // it is there, says this
      (void)in.recv();
      asm volatile("" : : "r"(large) : "memory");
    });
    deep = when(h.id(), [](const actor_info& a) {
      return a.state == actor_state::parked && a.waits_for == wait_kind::message;
    });
    auto o = smarm::spawn({.stack_size = 1024 * 1024},
                          [in = std::move(k.wait)]() mutable { (void)in.recv(); });
    own = when(o.id(), is_parked);
    (void)g.open.send(1);
    (void)k.open.send(1);
    (void)h.join();
    (void)o.join();
  });
  BOOST_TEST(deep.stack_high_water >= 64U * 1024);
  BOOST_TEST(deep.stack_used >= 64U * 1024);
  BOOST_TEST(deep.stack_high_water <= deep.stack_size);
  BOOST_TEST(own.stack_size > 900U * 1024);
}

BOOST_AUTO_TEST_CASE(the_newest_reports_of_each_kind_can_be_read_afterwards) {
  std::vector<smarm::past_report> inside;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}, .kept_reports = 4});
  const auto fail = [] { throw std::runtime_error("on purpose"); };
  rt.run([&] {
    smarm::this_actor::label("the parent");
    (void)smarm::spawn({.label = "crash"}, fail).join();
    for (int i = 0; i < 10; ++i) {
      auto h = smarm::spawn({.label = std::to_string(i)}, [] { smarm::this_actor::sleep_for(1h); });
      smarm::this_actor::yield();
      (void)smarm::request_stop(h.id());
      (void)h.join();
    }
    inside = smarm::introspect::recent_reports();
  });
  const auto afterwards = smarm::introspect::recent_reports(rt);
  BOOST_REQUIRE(inside.size() == 5u);
  BOOST_TEST(afterwards.size() == 5u);
  BOOST_TEST((inside[0].what.kind == smarm::report_kind::actor_failed));
  BOOST_TEST((inside[0].what.reason == smarm::exit_kind::failed));
  BOOST_TEST((inside[0].what.reason.exception() == nullptr));
  BOOST_TEST(inside[0].what.label == "crash");
  BOOST_TEST(inside[0].parent_label == "the parent");
  BOOST_TEST(inside[0].what.text.find("on purpose") != std::string::npos);
  for (std::size_t i = 1; i < inside.size(); ++i) {
    BOOST_TEST(inside[i].what.label == std::to_string(i + 5)); // the newest four
    BOOST_TEST((inside[i - 1].at <= inside[i].at));
  }
  smarm::runtime forgets({.schedulers = 1, .reports = [](const smarm::report&) {}, .kept_reports = 0});
  forgets.run([&] { (void)smarm::spawn(fail).join(); });
  BOOST_TEST(smarm::introspect::recent_reports(forgets).empty());
}

// What is counted is exact in the end, and never goes back, however often somebody looks meanwhile.
BOOST_AUTO_TEST_CASE(counts_are_exact_under_load) {
  constexpr std::uint64_t senders = 8;
  constexpr std::uint64_t each = 2000;
  constexpr std::uint64_t short_lives = senders * ((each + 63) / 64);
  std::vector<std::uint64_t> received;
  bool went_back = false;
  smarm::runtime rt({.schedulers = 3});
  std::atomic<bool> over{false};
  smarm::runtime_stats at_end;
  rt.run([&] {
    std::vector<smarm::join_handle> receivers;
    std::vector<smarm::join_handle> all;
    std::vector<smarm::sender<int>> gates;
    for (std::uint64_t i = 0; i < senders; ++i) {
      auto [tx, rx] = smarm::channel<int>();
      auto [gate, opens] = smarm::channel<int>();
      gates.push_back(std::move(gate));
      receivers.push_back(smarm::spawn([rx = std::move(rx), opens = std::move(opens)]() mutable {
        while (rx.recv()) {
        }
        (void)opens.recv(); // which never comes
      }));
      all.push_back(smarm::spawn([tx = std::move(tx)] {
        for (std::uint64_t n = 0; n < each; ++n) {
          (void)tx.send(1);
          if (n % 64 == 0) {
            (void)smarm::spawn([] {}).join();
          }
        }
      }));
    }
    std::thread looks([&] {
      std::map<smarm::pid, std::uint64_t> before;
      while (!over) {
        const auto seen = smarm::introspect::snapshot(rt.handle());
        for (const smarm::actor_info& a : seen->actors) {
          std::uint64_t& last = before[a.actor];
          went_back = went_back || a.messages_received < last;
          last = a.messages_received;
        }
      }
    });
    join_all(all);
    until([&] {
      return std::all_of(receivers.begin(), receivers.end(), [](const auto& h) {
        const auto a = smarm::introspect::actor_info(h.id());
        return a->state == actor_state::parked && a->messages_received == each;
      });
    });
    for (const auto& h : receivers) {
      received.push_back(smarm::introspect::actor_info(h.id())->messages_received);
    }
    over = true;
    looks.join();
    until([&] { // a death is counted after its joiner was woken
      at_end = smarm::introspect::statistics();
      return at_end.ended >= senders + short_lives;
    });
    gates.clear();
    join_all(receivers);
  });
  BOOST_TEST(!went_back);
  for (const std::uint64_t n : received) {
    BOOST_TEST(n == each);
  }
  BOOST_TEST(at_end.spawned == 1 + 2 * senders + short_lives);
  BOOST_TEST(at_end.ended == senders + short_lives);
}

BOOST_AUTO_TEST_CASE(plain_threads_look_through_the_runtime_or_a_handle) {
  smarm::runtime rt(quiet(2));
  rt.start();
  auto [open, wait] = smarm::channel<int>();
  auto h = rt.handle().spawn({.label = "seen"}, [in = std::move(wait)]() mutable {
    (void)in.recv();
  });
  const smarm::runtime_handle handle = rt.handle();
  wait_until([&] {
    const auto a = introspect::actor_info(handle, h.id());
    return a && a->state == actor_state::parked;
  });
  BOOST_TEST(in_list(introspect::snapshot(rt), h.id())->label == "seen");
  BOOST_TEST(in_list(introspect::snapshot(handle).value(), h.id())->label == "seen");
  BOOST_TEST((introspect::actor_info(rt, h.id())->parent == pid::root()));
  BOOST_TEST(introspect::tree(rt).roots.size() == 1U);
  BOOST_TEST(introspect::tree(handle).value().nodes.size() == 1U);
  const std::vector<smarm::scheduler_info> schedulers = introspect::schedulers(rt);
  BOOST_TEST(schedulers.size() == 2U);
  BOOST_TEST(schedulers.at(1).id == 1U);
  BOOST_TEST(introspect::statistics(handle).value().schedulers == 2U);
  (void)open.send(1);
  rt.wait();
  h.detach();
  BOOST_TEST(introspect::snapshot(rt).actors.empty());
  BOOST_TEST((refusal([] { (void)introspect::snapshot(); }) == smarm::errc::not_in_actor));
  BOOST_TEST((refusal([] { (void)introspect::actor_info(pid(0, 0)); }) ==
              smarm::errc::not_in_actor));
}

BOOST_AUTO_TEST_CASE(a_runtime_that_is_gone_is_said_to_be) {
  smarm::runtime_handle handle;
  {
    smarm::runtime rt(quiet(1));
    handle = rt.handle();
  }
  BOOST_TEST((introspect::snapshot(handle).error() == smarm::errc::runtime_down));
  BOOST_TEST((introspect::tree(handle).error() == smarm::errc::runtime_down));
  BOOST_TEST((introspect::schedulers(handle).error() == smarm::errc::runtime_down));
  BOOST_TEST((introspect::statistics(handle).error() == smarm::errc::runtime_down));
  BOOST_TEST(!introspect::actor_info(handle, pid(0, 0)).has_value());
  BOOST_TEST((introspect::snapshot(smarm::runtime_handle()).error() == smarm::errc::runtime_down));
}

BOOST_AUTO_TEST_CASE(who_ended_in_a_runtime_that_is_gone_is_not_in_the_next_one) {
  std::vector<smarm::join_handle> kept(200);
  {
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      for (auto& h : kept) {
        h = smarm::spawn([] {});
      }
    });
  }
  std::size_t actors = 0;
  in_runtime([&] {
    std::vector<smarm::join_handle> some;
    for (int i = 0; i < 300; ++i) {
      some.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(1h); }));
    }
    actors = introspect::snapshot().actors.size();
    for (auto& h : some) {
      (void)smarm::request_stop(h.id());
    }
    join_all(some);
  });
  BOOST_TEST(actors == 301U);
  for (auto& h : kept) {
    h.detach();
  }
}

BOOST_AUTO_TEST_CASE(schedulers_say_what_they_run_and_how_long_they_were_idle) {
  smarm::scheduler_info busy, idle_before, idle_after;
  pid me;
  in_runtime(
      [&] {
        me = smarm::this_actor::self();
        const auto at = introspect::schedulers();
        busy = at.at(smarm::this_actor::scheduler());
        const unsigned other = 1 - smarm::this_actor::scheduler();
        until([&] { return !introspect::schedulers().at(other).running.is_valid(); });
        idle_before = introspect::schedulers().at(other);
        until([&] {
          idle_after = introspect::schedulers().at(other);
          return idle_after.idle_cycles > idle_before.idle_cycles;
        });
      },
      2);
  BOOST_TEST((busy.running == me));
  BOOST_TEST(busy.online);
  BOOST_TEST(busy.switches >= 1U);
  BOOST_TEST(idle_after.read_at > idle_before.read_at);
}

BOOST_AUTO_TEST_CASE(what_the_event_loop_does_is_counted) {
  smarm::runtime_stats before, waiting, after;
  in_runtime([&] {
    int ends[2];
    if (::pipe(ends) != 0) {
      return;
    }
    before = introspect::statistics();
    auto h = smarm::spawn([&] { (void)smarm::wait_readable(ends[0]); });
    (void)when(h.id(), is_parked);
    waiting = introspect::statistics();
    (void)!::write(ends[1], "x", 1);
    (void)h.join();
    after = introspect::statistics();
    (void)::close(ends[0]);
    (void)::close(ends[1]);
  });
  BOOST_TEST(before.io.descriptors_waited_for == 0U);
  BOOST_TEST(waiting.io.descriptors_waited_for == 1U);
  BOOST_TEST(after.io.descriptors_waited_for == 0U);
  BOOST_TEST(after.io.polls + after.io.sleeps > 0U);
  BOOST_TEST(after.io.handlers > 0U);
}

BOOST_AUTO_TEST_CASE(a_caller_that_looks_for_long_lets_others_run) {
  std::uint64_t overruns = 0;
  bool ran = false;
  smarm::config settings = quiet(1);
  settings.timeslice_cycles = 10'000;
  smarm::runtime rt(std::move(settings));
  rt.run([&] {
    std::vector<smarm::join_handle> many;
    for (int i = 0; i < 5000; ++i) {
      many.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(1h); }));
    }
    until([&] { return introspect::actor_info(many.back().id())->state == actor_state::parked; });
    auto h = smarm::spawn([&] { ran = true; });
    (void)introspect::snapshot();
    const bool so = ran;
    ran = so;
    overruns = introspect::actor_info(smarm::this_actor::self())->overruns;
    for (auto& one : many) {
      (void)smarm::request_stop(one.id());
    }
    join_all(many);
    (void)h.join();
  });
  BOOST_TEST(ran);
  BOOST_TEST(overruns >= 1U);
}

BOOST_AUTO_TEST_SUITE_END()
