// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Threads that are no schedulers, and actors of another runtime, at the moment when a runtime begins,
// ends or is destroyed; and a runtime with as many schedulers as there can be.

#define BOOST_TEST_MODULE outside
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
namespace this_actor = smarm::this_actor;

namespace {

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

// A body that sleeps for ever. Its copy takes its time; so does a spawn, and is inside meanwhile.
struct slow_to_copy {
  std::atomic<bool>* inside;
  std::atomic<bool>* go_on;

  slow_to_copy(std::atomic<bool>& in, std::atomic<bool>& go) : inside(&in), go_on(&go) {}
  slow_to_copy(const slow_to_copy& other) : inside(other.inside), go_on(other.go_on) {
    *inside = true;
    wait_until([this] { return go_on->load(); });
  }
  slow_to_copy& operator=(const slow_to_copy&) = delete;
  ~slow_to_copy() = default;
  void operator()() const { this_actor::sleep_for(24h); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(outside_suite, *boost::unit_test::timeout(200))

BOOST_AUTO_TEST_CASE(every_spawn_that_was_accepted_is_an_actor_that_ends_and_no_other_is) {
  std::atomic<long> accepted{0};
  std::atomic<long> refused{0};
  std::atomic<long> bodies{0};
  std::atomic<bool> over{false};
  std::uint64_t counted = 0;
  smarm::runtime rt(quiet(2));
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, handle = rt.handle()] {
      while (!over) {
        if (auto h = handle.try_spawn([&] { ++bodies; })) {
          ++accepted;
        } else {
          ++refused;
          std::this_thread::yield();
        }
      }
    });
  }
  long runs = 0;
  // Until each thing has happened often enough: the runtime is up for a short time only.
  while (runs < 100 || accepted < 100 || refused < 100) {
    rt.run([] { this_actor::yield(); });
    counted += rt.stats().spawned - 1;
    BOOST_TEST(rt.stats().spawned == rt.stats().ended);
    ++runs;
  }
  over = true;
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST(bodies == accepted);
  BOOST_TEST(counted == static_cast<std::uint64_t>(accepted));
}

BOOST_AUTO_TEST_CASE(stops_and_questions_from_outside_meet_ends_of_actors_and_of_the_runtime) {
  for (int round = 0; round < 60; ++round) {
    auto rt = std::make_unique<smarm::runtime>(quiet(2));
    std::atomic<bool> over{false};
    basic_recorder<smarm::pid> known;
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&, t, handle = rt->handle()] {
        while (!over) {
          for (const smarm::pid p : known.all()) {
            (void)(t == 0 ? handle.request_stop(p) : handle.request_shutdown(p));
            (void)handle.is_live(p);
          }
        }
      });
    }
    rt->run([&] {
      for (int i = 0; i < 20; ++i) {
        auto h = smarm::spawn([] { this_actor::sleep_for(20us); });
        known.note(h.id());
        h.detach();
      }
      known.note(this_actor::self());
    });
    rt.reset(); // while they still ask
    over = true;
    for (auto& t : threads) {
      t.join();
    }
    BOOST_TEST(known.size() == 21u);
  }
}

BOOST_AUTO_TEST_CASE(joins_from_outside_meet_the_destruction_of_the_runtime) {
  std::atomic<long> normal{0};
  std::atomic<long> shut_down{0};
  constexpr int rounds = 60;
  for (int round = 0; round < rounds; ++round) {
    auto rt = std::make_unique<smarm::runtime>(quiet(2));
    rt->start();
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, h = rt->handle().spawn([t] {
                              if (t == 0) {
                                this_actor::sleep_for(24h);
                              }
                            })]() mutable {
        const exit_kind how = h.join().kind();
        normal += how == exit_kind::normal;
        shut_down += how == exit_kind::shutdown;
      });
    }
    rt.reset();
    for (auto& t : threads) {
      t.join();
    }
  }
  BOOST_TEST(normal == 2 * rounds);
  BOOST_TEST(shut_down == rounds);
}

// The last wake that an actor gets lets it, and so the runtime, end; the waker may still be inside.
BOOST_AUTO_TEST_CASE(a_waker_may_be_slower_than_the_end_of_the_runtime_that_it_brings_about) {
  for (int round = 0; round < 300; ++round) {
    tokens gate;
    auto rt = std::make_unique<smarm::runtime>(quiet(1 + static_cast<unsigned>(round) % 2));
    std::thread waker([&] {
      wait_until([&] { return gate.awaited(); });
      gate.give();
    });
    rt->run([&] { gate.take(); });
    rt.reset();
    waker.join();
    BOOST_TEST(gate.count() == 0u);
  }
}

// While two are inside, the verdict that all have ended is in doubt and nobody else is let in. One of
// them spawns and leaves, the other one stays; then comes the shutdown.
BOOST_AUTO_TEST_CASE(a_shutdown_that_comes_while_the_verdict_is_in_doubt_reaches_everybody) {
  std::atomic<bool> first_inside{false};
  std::atomic<bool> second_inside{false};
  std::atomic<bool> first_goes_on{false};
  std::atomic<bool> second_goes_on{false};
  smarm::join_handle spawned;
  smarm::runtime rt(quiet(1));
  rt.start();
  smarm::detail::runtime_state* state = nullptr;
  (void)rt.handle().spawn([&] { state = &this_runtime(); }).join();
  std::thread first([&] {
    const smarm::detail::runtime_state::visit here(*state);
    first_inside = true;
    wait_until([&] { return first_goes_on.load(); });
    errc error{};
    smarm::detail::slot& s = *state->take_slot(nullptr, error);
    constexpr smarm::pid root = smarm::pid::root();
    constexpr auto parent = std::uint64_t{root.index()} << 32 | root.generation();
    smarm::detail::fill_slot(*state, s, parent, [] { this_actor::sleep_for(24h); });
    const smarm::pid id = s.id();
    state->publish_from_outside(s);
    spawned = smarm::handle_access::make(s, id);
  });
  std::thread second([&] {
    const smarm::detail::runtime_state::visit here(*state);
    second_inside = true;
    wait_until([&] { return second_goes_on.load(); });
  });
  wait_until([&] { return first_inside && second_inside; });
  std::thread waiter([&] { rt.wait(); });
  wait_until([&] { return !smarm::detail::runtime_state::visit(*state).open(); });
  first_goes_on = true;
  first.join();
  BOOST_TEST(rt.shutdown(0ns).size() == 1u);
  second_goes_on = true;
  second.join();
  waiter.join();
  BOOST_TEST((spawned.join() == exit_kind::shutdown));
}

// Several wait for one run; as soon as the first of them knows that it is over the next one begins.
BOOST_AUTO_TEST_CASE(who_waits_for_a_run_does_not_take_the_next_one_for_ended) {
  smarm::runtime rt(quiet(1));
  rt.start();
  smarm::detail::runtime_state* state = nullptr;
  (void)rt.handle().spawn([&] { state = &this_runtime(); }).join();
  int lost = 0;
  for (int round = 0; round < 2000; ++round) {
    std::atomic<int> waiting{0};
    std::vector<std::thread> others;
    for (int t = 0; t < 4; ++t) {
      others.emplace_back([&] {
        ++waiting;
        rt.wait();
      });
    }
    wait_until([&] { return waiting == 4; });
    rt.wait();
    rt.start();
    tokens gate;
    // Unless one of them came so late that it let this run end, and that had no actor yet.
    if (auto alive = rt.handle().try_spawn([&] { gate.take(); })) {
      lost += !state->is_running();
      gate.give();
      (void)alive->join();
    }
    rt.wait();
    for (auto& t : others) {
      t.join();
    }
    rt.start();
  }
  rt.wait();
  BOOST_TEST(lost == 0);
}

BOOST_AUTO_TEST_CASE(two_runtimes_that_keep_waking_each_other) {
  constexpr int trips = 3000;
  std::atomic<int> right{0};
  smarm::runtime one(quiet(2));
  smarm::runtime two(quiet(2));
  one.start();
  two.start();
  std::vector<std::unique_ptr<tokens>> gates;
  std::vector<smarm::join_handle> all;
  for (int pair = 0; pair < 4; ++pair) {
    gates.push_back(std::make_unique<tokens>());
    tokens& ping = *gates.back();
    gates.push_back(std::make_unique<tokens>());
    tokens& pong = *gates.back();
    all.push_back(one.handle().spawn([&ping, &pong, &right] {
      for (int i = 0; i < trips; ++i) {
        ping.give();
        pong.take();
        ++right;
      }
    }));
    all.push_back(two.handle().spawn([&ping, &pong] {
      for (int i = 0; i < trips; ++i) {
        ping.take();
        pong.give();
      }
    }));
  }
  for (auto& h : all) {
    BOOST_TEST((h.join() == exit_kind::normal));
  }
  BOOST_TEST(right == 4 * trips);
  BOOST_TEST(one.shutdown(1h).empty());
  BOOST_TEST(two.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(two_runtimes_end_while_they_wake_each_other) {
  for (int round = 0; round < 60; ++round) {
    tokens ping;
    tokens pong;
    auto one = std::make_unique<smarm::runtime>(quiet(2));
    auto two = std::make_unique<smarm::runtime>(quiet(2));
    one->start();
    two->start();
    one->handle().spawn([&] {
      for (;;) {
        ping.give();
        pong.take();
      }
    }).detach();
    two->handle().spawn([&] {
      for (;;) {
        ping.take();
        pong.give();
      }
    }).detach();
    wait_until([&] { return two->stats().switches > 20; });
    (round % 2 == 0 ? one : two).reset();
    one.reset();
    two.reset();
    BOOST_TEST(ping.count() + pong.count() <= 2u);
  }
}

BOOST_AUTO_TEST_CASE(sixty_four_schedulers_and_as_many_threads_outside) {
  constexpr int threads = 64;
  constexpr int each = 20;
  std::atomic<int> ended{0};
  smarm::runtime rt(quiet(64));
  rt.start();
  std::vector<std::thread> outside;
  for (int t = 0; t < threads; ++t) {
    outside.emplace_back([&, handle = rt.handle()] {
      for (int i = 0; i < each; ++i) {
        tokens gate;
        auto h = handle.spawn([&] {
          auto child = smarm::spawn([] { this_actor::yield(); });
          gate.take();
          (void)child.join();
        });
        gate.give();
        ended += h.join().kind() == exit_kind::normal;
      }
    });
  }
  for (auto& t : outside) {
    t.join();
  }
  BOOST_TEST(ended == threads * each);
  BOOST_TEST(rt.shutdown(1h).empty());
  BOOST_TEST(rt.stats().ended == 2u * threads * each);
}

// The body's constructor is the user's and may take its time.
BOOST_AUTO_TEST_CASE(a_run_does_not_wait_for_a_body_that_is_still_being_made) {
  std::atomic<bool> being_made{false};
  std::atomic<bool> made{false};
  boost::system::error_code refused;
  smarm::runtime rt({.schedulers = 2});
  rt.start();
  std::thread spawner([&] {
    const slow_to_copy body(being_made, made);
    refused = rt.handle().try_spawn(body).error();
  });
  wait_until([&] { return being_made.load(); });
  rt.wait();
  made = true;
  spawner.join();
  BOOST_TEST((refused == smarm::errc::runtime_down));
  BOOST_TEST(rt.stats().spawned == 0u);
  rt.run([] {});
}

BOOST_AUTO_TEST_CASE(threads_come_and_go_and_each_may_wait) {
  smarm::runtime rt(quiet(2));
  rt.start();
  std::atomic<int> joined{0};
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> brief;
    for (int t = 0; t < 8; ++t) {
      brief.emplace_back([&, handle = rt.handle()] {
        joined += handle.spawn([] { this_actor::yield(); }).join().kind() == exit_kind::normal;
      });
    }
    for (auto& t : brief) {
      t.join();
    }
  }
  BOOST_TEST(joined == 160);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(an_actor_hands_its_runtime_to_a_thread) {
  bool live = false, same = false, refused = false;
  smarm::runtime_handle after;
  smarm::runtime(quiet(1)).run([&] {
    const smarm::runtime_handle here = smarm::this_actor::get_runtime();
    const smarm::pid self = smarm::this_actor::self();
    std::thread([&] { live = here.is_live(self); }).join();
    same = here.spawn([] {}).join().kind() == smarm::exit_kind::normal;
    after = here;
  });
  try {
    (void)smarm::this_actor::get_runtime();
  } catch (const boost::system::system_error& e) {
    refused = e.code() == make_error_code(smarm::errc::not_in_actor);
  }
  BOOST_TEST(live);
  BOOST_TEST(same);
  BOOST_TEST(refused);
  BOOST_TEST((after.try_spawn([] {}).error() == make_error_code(smarm::errc::runtime_down)));
}
