// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The observer answers what direct reads answer.

#define BOOST_TEST_MODULE observer
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/introspect.hpp>
#include <smarm/observer.hpp>
#include <smarm/start_server.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::actor_info;
using smarm::actor_state;
using smarm::observer;
using smarm::pid;

namespace {

template <class Actors>
std::optional<actor_info> in_list(const Actors& actors, pid actor) {
  for (const actor_info& a : actors) {
    if (a.actor == actor) {
      return a;
    }
  }
  return std::nullopt;
}

// A parked worker, and the observer.
void observed(const std::function<void(pid, const smarm::server_ref<observer>&)>& body) {
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [open, wait] = smarm::channel<int>();
    auto worker = smarm::spawn({.label = "worker"}, [in = std::move(wait)]() mutable {
      (void)in.recv();
    });
    auto o = smarm::start_server<observer>().value();
    until([&] { return parked(worker.id()); });
    body(worker.id(), o);
    (void)open.send(1);
    (void)worker.join();
  });
}

} // namespace

BOOST_AUTO_TEST_SUITE(observer_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(it_answers_snapshots_trees_and_single_actors) {
  std::optional<actor_info> worker, itself, in_tree, one, direct;
  std::uint16_t snapshot_version = 0, tree_version = 0;
  observed([&](pid w, const smarm::server_ref<observer>& o) {
    const auto all = o.call(observer::snapshot{}).value();
    snapshot_version = all.format_version;
    worker = in_list(all.actors, w);
    itself = in_list(all.actors, o.id());
    const auto tree = o.call(observer::tree{}).value();
    tree_version = tree.format_version;
    tree.walk([&](const smarm::actor_tree_node& n, std::size_t) {
      if (n.info.actor == w) {
        in_tree = n.info;
      }
    });
    one = o.call(observer::actor_info{w}).value();
    direct = smarm::introspect::actor_info(w);
  });
  BOOST_TEST(snapshot_version == smarm::snapshot_format_version);
  BOOST_TEST(tree_version == smarm::snapshot_format_version);
  BOOST_REQUIRE(worker && itself && in_tree && one && direct);
  BOOST_TEST((itself->state == actor_state::running));
  BOOST_TEST((itself->behaviour == smarm::behaviour_kind::gen_server));
  for (const auto& a : {worker, in_tree, one}) {
    BOOST_TEST(a->label == direct->label);
    BOOST_TEST((a->state == direct->state));
    BOOST_TEST((a->waits_for == direct->waits_for));
    BOOST_TEST((a->parent == direct->parent));
    BOOST_TEST((a->state == actor_state::parked));
  }
}

BOOST_AUTO_TEST_CASE(a_forged_pid_is_nobody) {
  bool found = true;
  observed([&](pid, const smarm::server_ref<observer>& o) {
    found = o.call(observer::actor_info{pid(0xffff'fffe, 0)}).value().has_value();
  });
  BOOST_TEST(!found);
}

BOOST_AUTO_TEST_CASE(schedulers_and_statistics_are_those_of_its_runtime) {
  std::size_t schedulers = 0;
  std::uint64_t spawned = 0;
  pid running, itself;
  observed([&](pid, const smarm::server_ref<observer>& o) {
    const auto all = o.call(observer::schedulers{}).value();
    schedulers = all.size();
    running = all.at(0).running;
    itself = o.id();
    spawned = o.call(observer::statistics{}).value().spawned;
  });
  BOOST_TEST(schedulers == 1U);
  BOOST_TEST((running == itself));
  BOOST_TEST(spawned == 3U);
}

BOOST_AUTO_TEST_CASE(it_can_be_looked_at_itself) {
  std::string state;
  observed([&](pid, const smarm::server_ref<observer>& o) { state = smarm::sys::state(o).value(); });
  BOOST_TEST(state == "observes its runtime");
}

BOOST_AUTO_TEST_SUITE_END()
