// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Many actors that want the same name, and holders that die while others look them up.

#define BOOST_TEST_MODULE registry_stress
#include <boost/test/unit_test.hpp>

#include <smarm/barrier.hpp>
#include <smarm/channel.hpp>
#include <smarm/monitor.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace this_actor = smarm::this_actor;

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(registry_stress, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(of_those_who_want_a_name_at_once_exactly_one_gets_it) {
  constexpr int racers = 64;
  constexpr int rounds = SMARM_TSAN ? 500 : 100'000;
  std::atomic<int> winners{0};
  int wrong = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    smarm::barrier start(racers + 1);
    smarm::barrier finish(racers + 1);
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < racers; ++i) {
      all.push_back(smarm::spawn([&] {
        for (int r = 0; r < rounds; ++r) {
          start.arrive_and_wait();
          winners += smarm::register_name("the one", this_actor::self()).has_value();
          finish.arrive_and_wait();
        }
      }));
    }
    for (int r = 0; r < rounds; ++r) {
      start.arrive_and_wait();
      finish.arrive_and_wait();
      wrong += winners.exchange(0) != 1;
      if (r + 1 < rounds) { // after the last round the winner ends, and the name is free
        wrong += !smarm::unregister("the one").has_value();
      }
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(wrong == 0);
}

// Each holder takes the name over as soon as it hears of the end of the one before; others send to the
// name all the while. Whatever was accepted was accepted by one that had the name.
BOOST_AUTO_TEST_CASE(a_name_goes_from_holder_to_holder_and_never_to_nobody_or_two) {
  constexpr int lives = SMARM_TSAN ? 1'000 : 10'000;
  int not_free = 0;
  std::atomic<bool> over{false};
  std::atomic<long> strange{0};
  smarm::runtime rt(quiet(3));
  rt.run([&] {
    std::vector<smarm::join_handle> senders;
    for (int i = 0; i < 2; ++i) {
      senders.push_back(smarm::spawn([&] {
        while (!over) {
          const auto sent = smarm::send(smarm::name<int>("role"), 1);
          strange += !sent && sent.error() != smarm::errc::unresolved &&
                     sent.error() != smarm::errc::closed && sent.error() != smarm::errc::no_channel;
          this_actor::yield();
        }
      }));
    }
    for (int life = 0; life < lives; ++life) {
      auto [h, m] = smarm::spawn_monitor([&, life] {
        auto [tx, rx] = smarm::channel<int>();
        not_free += !smarm::register_name(smarm::name<int>("role"), std::move(tx));
        if (life % 3 == 0) {
          (void)rx.recv_for(std::chrono::microseconds(20));
        }
        if (life % 5 == 0) {
          throw 1;
        }
      });
      (void)m.recv();
    }
    over = true;
    for (auto& h : senders) {
      (void)h.join();
    }
  });
  BOOST_TEST(not_free == 0);
  BOOST_TEST(strange == 0);
}

// Random steps, each compared with plain maps.
BOOST_AUTO_TEST_CASE(names_are_as_a_plain_map_has_them) {
  constexpr int steps = 100'000;
  int wrong = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    std::mt19937 random(1);
    std::map<std::string, smarm::pid> expected;
    std::vector<smarm::join_handle> actors(8);
    for (int i = 0; i < steps; ++i) {
      smarm::join_handle& one = actors[random() % actors.size()];
      const std::string text = "name " + std::to_string(random() % 16);
      const auto holder = expected.find(text);
      switch (random() % 5) {
      case 0: // dies, and another one is there
        if (one.joinable()) {
          const smarm::pid who = one.id();
          (void)smarm::request_shutdown(who);
          (void)one.join();
          std::erase_if(expected, [&](const auto& entry) { return entry.second == who; });
        }
        one = smarm::spawn([] { this_actor::sleep_for(std::chrono::hours(24)); });
        break;
      case 1:
      case 2: {
        const auto given = smarm::register_name(text, one.id());
        const bool may = one.joinable() && (holder == expected.end() || holder->second == one.id());
        wrong += given.has_value() != may;
        if (may) {
          expected[text] = one.id();
        }
        break;
      }
      case 3: {
        const auto taken = smarm::unregister(text);
        wrong += taken != (holder != expected.end() ? std::optional(holder->second) : std::nullopt);
        expected.erase(text);
        break;
      }
      default: {
        const auto found = smarm::whereis(text);
        wrong += found != (holder != expected.end() ? std::optional(holder->second) : std::nullopt);
        if (one.joinable()) {
          const auto any = smarm::name_of(one.id());
          wrong += any ? expected[*any] != one.id()
                       : std::any_of(expected.begin(), expected.end(),
                                     [&](const auto& entry) { return entry.second == one.id(); });
        }
      }
      }
    }
  });
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
