// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looking at actors while they are born, wait, talk and die: what is said of one is of one incarnation,
// and of one wait.

#define BOOST_TEST_MODULE introspect_stress
#include <boost/test/unit_test.hpp>

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/introspect.hpp>
#include <smarm/monitor.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

using smarm::actor_info;
using smarm::actor_state;
using smarm::pid;
using smarm::wait_kind;

namespace {

std::string label_for(pid who) {
  return std::to_string(who.index()) + '.' + std::to_string(who.generation());
}

// Its label, its name and its wait say who it is: a mixture would show.
void live_once(smarm::receiver<int>& in) {
  const pid me = smarm::this_actor::self();
  smarm::this_actor::label(label_for(me));
  (void)smarm::register_name(label_for(me), me);
  if (me.generation() % 3 == 0) {
    smarm::this_actor::sleep_for(std::chrono::microseconds(1));
  } else {
    (void)in.recv();
  }
  if (me.generation() % 5 == 0) {
    throw std::uint64_t{1};
  }
}

struct echo : smarm::gen_server<echo> {
  struct ask {
    int value;
  };
  int handle_call(ask a) { return a.value; }
};

struct verdict {
  std::atomic<std::uint64_t> looked{0}, mixed{0};

  void check(const actor_info& a) {
    ++looked;
    const bool labelled = a.label.empty() || a.label == "server" || a.label == "root" ||
                          a.label == "churn" || a.label == label_for(a.actor);
    bool named = true;
    for (const std::string& name : a.names) {
      named = named && name == label_for(a.actor);
    }
    const bool waits = a.state == actor_state::parked || a.state == actor_state::idle
                           ? a.waits_for != wait_kind::nothing
                           : a.waits_for == wait_kind::nothing;
    const bool ended = a.state != actor_state::ended || (a.label.empty() && a.monitors == 0);
    if (!labelled || !named || !waits || !ended || a.inbox_depth > 1'000'000 ||
        a.messages_received > 1'000'000'000) {
      ++mixed;
    }
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(no_two_incarnations_and_no_two_waits_are_mixed,
                     *boost::unit_test::timeout(240)) {
  constexpr int rounds = 2000;
  constexpr int at_once = 16;
  verdict seen;
  std::atomic<bool> over{false};
  smarm::runtime rt({.schedulers = 3, .reports = [](const smarm::report&) {}});
  const smarm::runtime_handle handle = rt.handle();
  std::thread outside([&] {
    while (!over) {
      for (const actor_info& a : smarm::introspect::snapshot(handle).value().actors) {
        seen.check(a);
        if (const auto again = smarm::introspect::actor_info(handle, a.actor)) {
          seen.check(*again);
        }
      }
      std::this_thread::yield();
    }
  });
  rt.run([&] {
    smarm::this_actor::label("root");
    auto server = smarm::start_server<echo>(smarm::spawn_options{.label = "server"}).value();
    auto churn = smarm::spawn({.label = "churn"}, [&] {
      for (int i = 0; i < rounds; ++i) {
        std::vector<smarm::join_handle> some;
        std::vector<smarm::sender<int>> tell;
        std::vector<smarm::monitor_ref> watched;
        for (int k = 0; k < at_once; ++k) {
          auto [to, from] = smarm::channel<int>();
          some.push_back(smarm::spawn([in = std::move(from)]() mutable { live_once(in); }));
          watched.push_back(smarm::monitor(some.back().id()));
          tell.push_back(std::move(to));
        }
        (void)server.call(echo::ask{i});
        for (auto& to : tell) {
          (void)to.send(1);
        }
        for (auto& h : some) {
          (void)h.join();
        }
      }
      over = true;
    });
    while (!over) {
      for (const auto& n : smarm::introspect::tree().nodes) {
        seen.check(n.info);
      }
      (void)smarm::introspect::schedulers();
      smarm::this_actor::yield();
    }
    (void)churn.join();
  });
  outside.join();
  BOOST_TEST(seen.looked > 0U);
  BOOST_TEST(seen.mixed == 0U);
}
