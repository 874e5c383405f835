// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The runtime for tests: its clock, its order, and what it says of actors that can never go on.

#define BOOST_TEST_MODULE test_runtime
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"

#include <smarm/blocking.hpp>
#include <smarm/channel.hpp>
#include <smarm/executor.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/mutex.hpp>
#include <smarm/registry.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/start_server.hpp>
#include <smarm/stop.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/test_runtime.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using smarm::errc;

namespace {

std::pair<boost::system::error_code, std::string> failure(const std::function<void()>& call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return {e.code(), e.what()};
  }
  return {};
}

// Waits for ever, for another actor, and where it cannot be stopped.
struct waits_in_its_destructor {
  ~waits_in_its_destructor() {
    auto helper = smarm::spawn([] {
      auto [into, from] = smarm::channel<int>();
      (void)from.recv();
    });
    (void)helper.join();
  }
};

std::vector<int> order_of(std::uint64_t seed) {
  std::vector<int> order;
  smarm::test_runtime rt({.seed = seed});
  rt.run([&] {
    for (int i = 0; i < 8; ++i) {
      smarm::spawn([&order, i] {
        order.push_back(i);
        smarm::this_actor::yield();
        order.push_back(i);
      });
    }
    rt.run_until_idle();
  });
  return order;
}

} // namespace

// With names that are short in a record.
class shop : public smarm::gen_server<shop> {
public:
  struct open {};
  struct price {};
  void handle_cast(open) {}
  int handle_call(price) { return 3; }
};

BOOST_AUTO_TEST_CASE(what_takes_a_day_takes_a_moment_and_comes_at_its_time) {
  smarm::test_runtime rt;
  const auto begin = rt.now();
  std::vector<std::pair<int, std::chrono::nanoseconds>> seen;
  rt.run([&] {
    const auto sleeper = [&](int n, std::chrono::nanoseconds how_long) {
      smarm::this_actor::sleep_for(how_long);
      seen.emplace_back(n, rt.now() - begin);
    };
    auto day = smarm::spawn([&] { sleeper(1, 24h); });
    auto second = smarm::spawn([&] { sleeper(2, 1s); });
    (void)day.join();
    (void)second.join();
  });
  BOOST_TEST(seen.size() == 2U);
  BOOST_TEST((seen[0] == std::pair<int, std::chrono::nanoseconds>(2, 1s)));
  BOOST_TEST((seen[1] == std::pair<int, std::chrono::nanoseconds>(1, 24h)));
  BOOST_TEST((rt.now() - begin == 24h));
}

BOOST_AUTO_TEST_CASE(the_clock_stands_still_until_it_is_moved_or_nobody_can_go_on) {
  smarm::test_runtime rt;
  std::vector<std::string> log;
  std::chrono::nanoseconds idle_took{}, advance_took{};
  rt.run([&] {
    smarm::spawn([&] {
      for (int i = 0; i < 1000; ++i) {
        smarm::this_actor::yield();
      }
      log.push_back("ready");
      smarm::this_actor::sleep_for(1min);
      log.push_back("woken");
    });
    const auto before = rt.now();
    rt.run_until_idle();
    idle_took = rt.now() - before;
    log.push_back("idle");
    rt.advance(59s);
    log.push_back("59 s");
    rt.advance(1s);
    advance_took = rt.now() - before;
    log.push_back("1 min");
  });
  const std::vector<std::string> expected = {"ready", "idle", "59 s", "woken", "1 min"};
  BOOST_TEST(log == expected, boost::test_tools::per_element());
  BOOST_TEST((idle_took == 0ns));
  BOOST_TEST((advance_took == 1min));
}

BOOST_AUTO_TEST_CASE(advance_stops_at_each_deadline_and_what_it_starts_is_run_before_the_next) {
  smarm::test_runtime rt;
  std::vector<std::chrono::nanoseconds> seen;
  const auto begin = rt.now();
  rt.run([&] {
    auto ticker = smarm::spawn([&] {
      for (;;) { // each sleep begins when the one before has ended
        smarm::this_actor::sleep_for(10s);
        seen.push_back(rt.now() - begin);
      }
    });
    rt.advance(35s);
    smarm::request_stop(ticker.id());
  });
  const std::vector<std::chrono::nanoseconds> expected = {10s, 20s, 30s};
  BOOST_TEST((seen == expected));
  BOOST_TEST((rt.now() - begin == 35s));
}

BOOST_AUTO_TEST_CASE(one_seed_gives_one_order_and_others_give_others) {
  const std::vector<int> in_order = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  BOOST_TEST(order_of(0) == in_order, boost::test_tools::per_element());
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<int> first = order_of(seed);
    BOOST_TEST(first.size() == 16U);
    BOOST_TEST(order_of(seed) == first, boost::test_tools::per_element());
    orders.insert(first);
  }
  BOOST_TEST(orders.size() > 15U);
}

BOOST_AUTO_TEST_CASE(a_seed_finds_the_order_in_which_a_lost_update_happens) {
  const auto total = [](std::uint64_t seed) {
    int sum = 0;
    smarm::test_runtime rt({.seed = seed});
    rt.run([&] {
      for (int i = 0; i < 3; ++i) {
        smarm::spawn([&] {
          smarm::this_actor::yield();
          const int seen = sum;
          smarm::this_actor::yield(); // the update is not whole
          sum = seen + 1;
        });
      }
      rt.run_until_idle();
    });
    return sum;
  };
  std::set<int> totals;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    totals.insert(total(seed));
  }
  BOOST_TEST(totals.size() > 1U);
}

BOOST_AUTO_TEST_CASE(a_restart_window_goes_by_the_same_clock) {
  class fails : public smarm::gen_server<fails> {
  public:
    struct now {};
    void handle_cast(now) { throw std::runtime_error("told to"); }
  };
  static constexpr smarm::server_name<fails> the_server{"fails"};
  smarm::test_runtime rt({.settings = {.reports = [](const smarm::report&) {}}});
  bool after_slow_ones = false, after_fast_ones = true;
  rt.run([&] {
    auto tree = smarm::start_supervisor(
                    {.intensity = 2, .period = 1h},
                    {{.id = "fails", .start = smarm::server(the_server)}})
                    .value();
    for (int i = 0; i < 10; ++i) {
      (void)the_server.cast(fails::now{});
      rt.advance(31min);
    }
    after_slow_ones = smarm::whereis("fails").has_value();
    for (int i = 0; i < 3; ++i) {
      (void)the_server.cast(fails::now{});
      rt.advance(1min);
    }
    after_fast_ones = smarm::whereis("fails").has_value();
  });
  BOOST_TEST(after_slow_ones);
  BOOST_TEST(!after_fast_ones);
}

BOOST_AUTO_TEST_CASE(who_can_never_go_on_is_named_and_the_run_ends) {
  smarm::test_runtime rt;
  bool unwound = false;
  const auto [code, text] = failure([&] {
    rt.run([&] {
      struct note {
        bool& flag;
        ~note() { flag = true; }
      };
      const note seen{unwound};
      auto [into, from] = smarm::channel<int>();
      smarm::spawn({.label = "helper"}, [] { smarm::this_actor::sleep_for(1h); });
      (void)from.recv();
      (void)into;
    });
  });
  BOOST_TEST(code == make_error_code(errc::would_deadlock));
  BOOST_TEST(text.find("nobody can go on") != std::string::npos);
  BOOST_TEST(text.find("a message") != std::string::npos, text);
  BOOST_TEST(text.find("helper") == std::string::npos, text); // it could, and has ended
  BOOST_TEST(unwound);
  // It can be used again.
  bool ran = false;
  rt.run([&] { ran = true; });
  BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_lock_for_ever_is_named_too) {
  const smarm_test::child_end end = smarm_test::in_child([] {
    smarm::test_runtime rt;
    rt.run([&] {
      smarm::mutex a, b;
      const auto both = [](smarm::mutex& first, smarm::mutex& second) {
        const std::lock_guard one(first);
        smarm::this_actor::sleep_for(1s);
        const std::lock_guard two(second);
      };
      auto left = smarm::spawn({.label = "left"}, [&] { both(a, b); });
      auto right = smarm::spawn({.label = "right"}, [&] { both(b, a); });
      (void)left.join();
      (void)right.join();
    });
    return 0;
  });
  BOOST_TEST(end.signal == SIGABRT);
  BOOST_TEST(end.error.find("\"left\"") != std::string::npos, end.error);
  BOOST_TEST(end.error.find("\"right\"") != std::string::npos, end.error);
}

BOOST_AUTO_TEST_CASE(who_comes_to_wait_for_ever_while_it_is_ended_is_ended_too) {
  smarm::test_runtime rt({.settings = {.reports = [](const smarm::report&) {}}});
  const auto [code, text] = failure([&] {
    rt.run([] {
      const waits_in_its_destructor first, second, third;
      auto [into, from] = smarm::channel<int>();
      (void)from.recv();
    });
  });
  BOOST_TEST(code == make_error_code(errc::would_deadlock), text);
}

BOOST_AUTO_TEST_CASE(what_the_body_throws_comes_out) {
  smarm::test_runtime rt;
  BOOST_CHECK_THROW(rt.run([] { throw std::invalid_argument("so"); }), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_clock_stands_while_a_blocking_call_runs) {
  smarm::test_runtime rt;
  std::chrono::nanoseconds took{};
  int result = 0;
  rt.run([&] {
    const auto before = rt.now();
    smarm::spawn([&] {
      result = smarm::blocking([] {
        std::this_thread::sleep_for(5ms);
        return 7;
      });
    });
    rt.run_until_idle();
    took = rt.now() - before;
  });
  BOOST_TEST(result == 7);
  BOOST_TEST((took == 0ns));
}

BOOST_AUTO_TEST_CASE(the_clock_stands_until_who_called_has_the_result) {
  smarm::test_runtime rt;
  std::chrono::nanoseconds took{};
  int sum = 0;
  rt.run([&] {
    const auto before = rt.now();
    auto far = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    for (int i = 0; i < 5000; ++i) {
      sum += smarm::blocking([] { return 1; });
    }
    took = rt.now() - before;
    smarm::request_stop(far.id());
  });
  BOOST_TEST(sum == 5000);
  BOOST_TEST((took == 0ns));
}

BOOST_AUTO_TEST_CASE(the_clock_can_be_read_by_other_threads) {
  smarm::test_runtime rt;
  std::atomic<bool> over{false};
  std::thread reader([&] {
    auto last = rt.now();
    while (!over) {
      const auto next = rt.now();
      last = std::max(last, next);
    }
  });
  const auto begin = rt.now();
  rt.run([&] {
    for (int i = 0; i < 1000; ++i) {
      rt.advance(1s);
    }
  });
  over = true;
  reader.join();
  BOOST_TEST((rt.now() - begin == 1000s));
}

BOOST_AUTO_TEST_CASE(a_second_run_inside_of_the_first_is_refused_and_changes_nothing) {
  for (const bool record : {false, true}) {
    const auto order = [&](bool nested) {
      std::vector<int> seen;
      boost::system::error_code refusal;
      smarm::test_runtime rt({.seed = 3, .record = record});
      rt.run([&] {
        for (int i = 0; i < 8; ++i) {
          smarm::spawn([&seen, i] {
            smarm::this_actor::yield();
            seen.push_back(i);
          });
        }
        smarm::this_actor::yield();
        if (nested) {
          refusal = failure([&] { rt.run([] {}); }).first;
        }
        rt.run_until_idle();
        smarm::this_actor::sleep_for(1h); // by its own clock still
      });
      return std::pair(seen, refusal);
    };
    const auto [with, refusal] = order(true);
    const auto [without, none] = order(false);
    BOOST_TEST(refusal == make_error_code(errc::nested_run));
    BOOST_TEST(none == boost::system::error_code());
    BOOST_TEST(with == without, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(one_of_its_actors_may_destroy_it) {
  auto rt = std::make_unique<smarm::test_runtime>();
  bool ended = false;
  rt->run([&] {
    smarm::spawn([&] {
      struct note {
        bool& flag;
        ~note() { flag = true; }
      };
      const note seen{ended};
      smarm::this_actor::sleep_for(1h);
    });
    smarm::this_actor::yield();
    rt.reset();
  });
  BOOST_TEST(ended);
}

BOOST_AUTO_TEST_CASE(pinned_actors_are_drawn_like_all_others) {
  const auto order = [](std::uint64_t seed) {
    std::vector<int> seen;
    smarm::test_runtime rt({.seed = seed});
    rt.run([&] {
      for (int i = 0; i < 4; ++i) {
        const auto body = [&seen, i] {
          for (int turn = 0; turn < 3; ++turn) {
            seen.push_back(i);
            smarm::this_actor::yield();
          }
        };
        if (i == 3) {
          smarm::spawn({.pinned_to = 0}, body);
        } else {
          smarm::spawn(body);
        }
      }
      rt.run_until_idle();
    });
    return seen;
  };
  std::set<int> firsts, lasts;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::vector<int> seen = order(seed);
    BOOST_REQUIRE(seen.size() == 12U);
    firsts.insert(seen.front());
    lasts.insert(seen.back());
  }
  BOOST_TEST(firsts.size() == 4U);
  BOOST_TEST(lasts.size() == 4U);
}

BOOST_AUTO_TEST_CASE(another_runtime_is_let_go_of_by_the_worlds_clock) {
  std::atomic<bool> go_on{false}, ended{false};
  auto other = std::make_unique<smarm::runtime>(
      smarm::config{.schedulers = 1,
                    .reports = [](const smarm::report&) {},
                    .destructor_grace = 1ms,
                    .zombies = smarm::zombie_policy::leak});
  other->start();
  const auto busy = other->handle().try_spawn([&] {
    const smarm::disable_stop here;
    while (!go_on) {
      smarm::this_actor::yield();
    }
    ended = true;
  });
  BOOST_TEST(busy.has_value());
  smarm::test_runtime rt;
  rt.run([&] {
    rt.advance(24h * 365);
    other.reset(); // comes back a millisecond later, not a year
    go_on = true;
  });
  while (!ended) {
    std::this_thread::yield();
  }
}

BOOST_AUTO_TEST_CASE(misuse_is_refused) {
  smarm::test_runtime rt;
  boost::system::error_code second, io, elsewhere;
  rt.run([&] {
    auto other = smarm::spawn([&] { second = failure([&] { rt.run_until_idle(); }).first; });
    rt.run_until_idle();
    io = failure([] { (void)smarm::this_actor::get_executor(); }).first;
  });
  elsewhere = failure([&] { rt.run_until_idle(); }).first;
  BOOST_TEST(second == make_error_code(errc::already_waiting));
  BOOST_TEST(io == make_error_code(errc::not_supported));
  BOOST_TEST(elsewhere == make_error_code(errc::not_in_actor));
}

BOOST_AUTO_TEST_CASE(what_is_sent_is_recorded_with_its_time) {
  smarm::test_runtime rt({.record = true});
  std::vector<std::string> lines;
  std::ostringstream root;
  rt.run([&] {
    root << smarm::this_actor::self();
    auto s = smarm::start_server<shop>(smarm::spawn_options{.label = "shop"}).value();
    (void)s.cast(shop::open{});
    rt.advance(5s);
    (void)s.call(shop::price{});
    lines = rt.messages();
  });
  const std::vector<std::string> expected = {
      "0 ms: " + root.str() + " casts shop: shop::open", "0 ms: shop takes shop::open",
      "5 s: " + root.str() + " calls shop: shop::price", "5 s: shop takes shop::price"};
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_other_runtimes_send_is_not_in_the_record) {
  smarm::test_runtime rt({.record = true}), without;
  std::vector<std::string> lines, of_other = {"?"};
  rt.run([&] {
    smarm::blocking([] {
      smarm::run([] {
        auto [into, from] = smarm::channel<int>();
        (void)into.send(1);
        (void)from.recv();
      });
    });
    auto [into, from] = smarm::channel<long>();
    (void)into.send(1);
    lines = rt.messages();
    of_other = without.messages();
  });
  BOOST_TEST(lines.size() == 1U);
  BOOST_TEST(lines.at(0).find("sends long") != std::string::npos, lines.at(0));
  BOOST_TEST(of_other.empty());
}
