// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Groups under churn: members that join, leave and die while others send and watch. And random
// steps compared with plain containers.

#define BOOST_TEST_MODULE group_stress
#include <boost/test/unit_test.hpp>

#include <smarm/channel.hpp>
#include <smarm/monitor.hpp>
#include <smarm/process_group.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace this_actor = smarm::this_actor;
using smarm::errc;
using smarm::group_change;

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

struct counted {
  using message = int;
  void run(smarm::receiver<int>& inbox) {
    while (auto n = inbox.recv()) {
      taken.fetch_add(1);
      if (*n < 0) {
        return;
      }
    }
  }
  std::atomic<long>& taken;
};

constexpr smarm::process_group<counted> crowd("crowd");

struct idler { // lives until it is stopped
  using message = int;
  void run(smarm::receiver<int>&) { this_actor::sleep_for(std::chrono::hours(24)); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(group_stress, *boost::unit_test::timeout(300))

// Members come and go while actors and a plain thread send. A watcher that starts with who is there
// and follows the events must at each end of a life know exactly who is left.
BOOST_AUTO_TEST_CASE(members_that_come_and_go_are_sent_to_and_watched) {
  constexpr int lives = SMARM_TSAN ? 2'000 : 20'000;
  std::atomic<long> taken{0};
  std::atomic<long> strange{0};
  std::atomic<bool> over{false};
  std::size_t left_over = 9;
  std::set<smarm::pid> watched;
  smarm::runtime rt(quiet(3));
  std::thread outside([&, handle = rt.handle()] {
    while (!over) {
      const auto sent = crowd.in(handle).dispatch(1);
      strange += !sent && sent.error() != errc::no_member && sent.error() != errc::closed &&
                 sent.error() != errc::runtime_down;
      std::this_thread::yield();
    }
  });
  rt.run([&] {
    auto [watch, there] = crowd.monitor();
    std::vector<smarm::join_handle> senders;
    for (int i = 0; i < 2; ++i) {
      senders.push_back(smarm::spawn([&, i] {
        while (!over) {
          if (i == 0) {
            const auto sent = crowd.dispatch(1, smarm::member_choice::random);
            strange += !sent && sent.error() != errc::no_member && sent.error() != errc::closed;
          } else {
            (void)crowd.broadcast(2);
          }
          this_actor::yield();
        }
      }));
    }
    std::mt19937 random(1);
    std::vector<smarm::actor_handle<counted>> alive;
    for (int life = 0; life < lives; ++life) {
      alive.push_back(smarm::spawn_actor<counted>(std::ref(taken)));
      strange += !crowd.join(alive.back().id()).has_value();
      if (random() % 4 == 0) {
        (void)crowd.join(alive[random() % alive.size()].id()); // it may be dying
      }
      if (alive.size() > 20 || random() % 2 == 0) {
        const std::size_t which = random() % alive.size();
        std::swap(alive[which], alive.back());
        const auto who = alive.back().id();
        switch (random() % 3) {
        case 0: (void)smarm::request_stop(who); break;
        case 1: (void)smarm::send(who, -1); break;
        default: (void)crowd.leave(who); (void)smarm::request_shutdown(who);
        }
        (void)alive.back().join();
        alive.pop_back();
        const auto members = crowd.members();
        strange += std::find(members.begin(), members.end(), who) != members.end();
      }
      while (auto event = watch.try_recv()) {
        const bool joined = event->what == group_change::joined;
        strange +=
            joined ? !watched.insert(event->member).second : watched.erase(event->member) != 1;
      }
    }
    over = true;
    for (auto& h : senders) {
      (void)h.join();
    }
    for (auto& h : alive) {
      (void)smarm::request_stop(h.id());
      (void)h.join();
    }
    while (auto event = watch.try_recv()) {
      strange += event->what == group_change::joined ? !watched.insert(event->member).second
                                                     : watched.erase(event->member) != 1;
    }
    left_over = crowd.size();
  });
  outside.join();
  BOOST_TEST(strange == 0);
  BOOST_TEST(left_over == 0u);
  BOOST_TEST(watched.empty());
}

// Many join one group while each of them is being stopped: whoever's end was heard of is no member.
BOOST_AUTO_TEST_CASE(a_join_that_meets_the_end_leaves_nobody_behind) {
  constexpr int rounds = SMARM_TSAN ? 500 : 5'000;
  constexpr smarm::process_group<idler> idlers("idlers");
  int wrong = 0;
  std::atomic<long> joined{0};
  smarm::runtime rt(quiet(3));
  rt.run([&] {
    for (int r = 0; r < rounds; ++r) {
      auto a = smarm::spawn_actor<idler>();
      const auto who = a.id();
      auto joiner = smarm::spawn([&] {
        for (int i = 0; i < 10; ++i) {
          joined += idlers.join(who).has_value();
        }
      });
      auto watch = smarm::monitor(who);
      (void)smarm::request_stop(who);
      (void)watch.recv();
      wrong += idlers.size() != 0 || idlers.join(who).error() != errc::no_process;
      (void)joiner.join();
      wrong += !smarm::group_scope().which_groups().empty();
    }
  });
  BOOST_TEST(wrong == 0);
}

// Random steps, each compared with plain containers: groups and names, and deaths between any two.
BOOST_AUTO_TEST_CASE(groups_and_names_are_as_plain_containers_have_them) {
  constexpr int steps = SMARM_TSAN ? 20'000 : 100'000;
  const std::array<smarm::process_group<idler>, 4> groups{
      smarm::process_group<idler>("a"), smarm::process_group<idler>("b"),
      smarm::process_group<idler>("a", smarm::group_scope("scope")),
      smarm::process_group<idler>("c")};
  struct model_member {
    smarm::pid who;
    int joins;
    bool operator==(const smarm::pid& p) const { return who == p; }
  };
  int wrong = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    std::mt19937 random(7);
    std::array<std::vector<model_member>, 4> expected; // in the order of joining
    std::map<std::string, smarm::pid> names;
    std::vector<smarm::actor_handle<idler>> actors(12);
    for (int i = 0; i < steps; ++i) {
      auto& one = actors[random() % actors.size()];
      const std::size_t g = random() % groups.size();
      auto& members = expected[g];
      const std::string text = "name " + std::to_string(random() % 8);
      const auto who = one.joinable() ? one.id() : smarm::typed_pid<idler>();
      const auto found = std::find(members.begin(), members.end(), who.untyped());
      switch (random() % 8) {
      case 0: // dies in one of several ways, and another one is there
        if (one.joinable()) {
          auto watch = smarm::monitor(who);
          (void)(random() % 2 == 0 ? smarm::request_stop(who) : smarm::request_shutdown(who));
          (void)watch.recv(); // not joined yet: the slot is not free
          for (auto& in : expected) {
            std::erase_if(in, [&](const model_member& m) { return m == who.untyped(); });
          }
          std::erase_if(names, [&](const auto& entry) { return entry.second == who; });
          wrong += groups[g].join(who).error() != errc::no_process;
          (void)one.join();
        }
        one = smarm::spawn_actor<idler>();
        break;
      case 1:
      case 2:
        wrong += groups[g].join(who).has_value() != who.untyped().is_valid();
        if (found != members.end()) {
          ++found->joins;
        } else if (who.untyped().is_valid()) {
          members.push_back({who, 1});
        }
        break;
      case 3:
      case 4:
        wrong += groups[g].leave(who) != (found != members.end());
        if (found != members.end() && --found->joins == 0) {
          members.erase(found);
        }
        break;
      case 5: {
        const auto picked = groups[g].pick(random() % 2 == 0 ? smarm::member_choice::random
                                                             : smarm::member_choice::round_robin);
        wrong += picked
                     ? std::find(members.begin(), members.end(), picked->untyped()) == members.end()
                     : !members.empty();
        break;
      }
      case 6: {
        const auto holder = names.find(text);
        const bool may =
            who.untyped().is_valid() && (holder == names.end() || holder->second == who.untyped());
        wrong += smarm::register_name(text, who).has_value() != may;
        if (may) {
          names[text] = who;
        }
        break;
      }
      default: {
        const auto all = groups[g].members();
        wrong += !std::equal(all.begin(), all.end(), members.begin(), members.end(),
                             [](smarm::pid a, const model_member& m) { return m == a; });
        wrong += groups[g].size() != members.size();
        const auto holder = names.find(text);
        wrong += smarm::whereis(text) !=
                 (holder != names.end() ? std::optional(holder->second) : std::nullopt);
        std::vector<std::string> there;
        for (std::size_t n : {0, 1, 3}) {
          if (!expected[n].empty()) {
            there.emplace_back(groups[n].name());
          }
        }
        wrong += smarm::group_scope().which_groups() != there;
        wrong += smarm::group_scope("scope").which_groups().size() != !expected[2].empty();
      }
      }
    }
  });
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
