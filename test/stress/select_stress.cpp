// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Select with losers: actors and threads send into channels that several selecting actors wait for,
// with deadlines and stops in between. Every message is received exactly once, by its receiver and
// in its sender's order.

#define BOOST_TEST_MODULE select_stress
#include <boost/test/unit_test.hpp>

#include "../messages.hpp"

#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

constexpr int arms = 3;
constexpr int selectors = 8;
constexpr int each = 4000;

// One selecting actor's channels: two unbounded, one bounded.
struct inputs {
  std::array<smarm::sender<int>, arms> to;
  std::array<smarm::receiver<int>, arms> from;
  std::array<int, arms> next{};
  std::array<bool, arms> open{true, true, true};
  int wrong = 0;

  inputs() {
    for (int i = 0; i < arms; ++i) {
      auto [tx, rx] =
        i == 2 ? smarm::channel<int>(smarm::bounded{.capacity = 4}) : smarm::channel<int>();
      to[i] = std::move(tx);
      from[i] = std::move(rx);
    }
  }

  void take(std::size_t which) {
    auto got = from[which].try_recv();
    if (got) {
      wrong += *got != next[which]++;
    } else if (error_of(got) == smarm::errc::closed) {
      open[which] = false;
    } else {
      ++wrong; // a ready arm had nothing
    }
  }

  // Until all are closed, or a stop comes.
  void drain(std::uint32_t seed) {
    while (open[0] || open[1] || open[2]) {
      seed = seed * 1664525 + 1013904223;
      // Closed ones are named last: they are always ready.
      std::array<smarm::receiver<int>*, arms> live{};
      std::array<std::size_t, arms> index{};
      std::size_t count = 0;
      for (std::size_t i = 0; i < arms; ++i) {
        if (open[i]) {
          live[count] = &from[i];
          index[count++] = i;
        }
      }
      if (seed >> 30 == 0) {
        const auto limit = std::chrono::microseconds(seed >> 20 & 0x3f);
        const auto which = count == 3   ? smarm::select_for(limit, *live[0], *live[1], *live[2])
                           : count == 2 ? smarm::select_for(limit, *live[0], *live[1])
                                        : smarm::select_for(limit, *live[0]);
        if (which) {
          take(index[*which]);
        }
      } else {
        const std::size_t which = count == 3   ? smarm::select_fair(*live[0], *live[1], *live[2])
                                  : count == 2 ? smarm::select(*live[0], *live[1])
                                               : smarm::select(*live[0]);
        take(index[which]);
      }
    }
  }
};

void storm(unsigned schedulers) {
  std::vector<inputs> all(selectors);
  smarm::runtime rt(quiet(schedulers));
  std::vector<std::thread> threads;
  rt.run([&] {
    std::vector<smarm::join_handle> selecting;
    for (std::size_t i = 0; i < all.size(); ++i) {
      selecting.push_back(smarm::spawn([&in = all[i], i] {
        // Stopped again and again, it goes on where it was: a stop loses no message.
        for (;;) {
          auto one = smarm::spawn([&] { in.drain(static_cast<std::uint32_t>(i)); });
          smarm::this_actor::sleep_for(200us);
          smarm::request_stop(one.id());
          if (one.join().kind() == smarm::exit_kind::normal) {
            return;
          }
        }
      }));
    }
    std::vector<smarm::join_handle> sending;
    for (auto& in : all) {
      for (int arm = 0; arm < arms; ++arm) {
        auto produce = [to = std::move(in.to[arm]), arm] {
          for (int n = 0; n < each; ++n) {
            (void)to.send(n);
            if ((n + arm) % 16 == 0 && arm != 1) {
              smarm::this_actor::yield();
            }
          }
        };
        if (arm == 1 && threads.size() < 2) {
          threads.emplace_back([to = std::move(produce)] { to(); });
        } else {
          sending.push_back(smarm::spawn(std::move(produce)));
        }
      }
    }
    for (auto& h : sending) {
      (void)h.join();
    }
    for (auto& h : selecting) {
      (void)h.join();
    }
  });
  for (auto& t : threads) {
    t.join();
  }
  for (const auto& in : all) {
    BOOST_TEST(in.wrong == 0);
    for (const int received : in.next) {
      BOOST_TEST(received == each);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(select_stress_suite, *boost::unit_test::timeout(200))

BOOST_AUTO_TEST_CASE(one_scheduler) { storm(1); }
BOOST_AUTO_TEST_CASE(four_schedulers) { storm(4); }

BOOST_AUTO_TEST_SUITE_END()
