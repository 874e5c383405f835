// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A runtime whose schedulers run an io_context: who runs its handlers and when, what handlers may do,
// and that it costs nothing while nothing happens.

#define BOOST_TEST_MODULE asio_driver
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/await.hpp>
#include <smarm/channel.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

// Uses that much of the stack it is on.
[[gnu::noinline]] void use_stack(std::size_t bytes) {
  auto* room = static_cast<char*>(__builtin_alloca(bytes));
  std::memset(room, 1, bytes);
  asm volatile("" : : "r"(room) : "memory");
}

// Asio's posting reads a thread-local whose address an actor must not keep over a wait, and inlined
// into a loop with one it might.
template <class F>
[[gnu::noinline]] void post_to(const smarm::executor& ex, F f) {
  asio::post(ex, std::move(f));
}

} // namespace

BOOST_AUTO_TEST_SUITE(asio_driver_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(an_executor_is_there_before_the_run_and_outside_of_it) {
  recorder seen;
  smarm::runtime rt({.schedulers = 2});
  asio::post(smarm::get_executor(rt), [&] { seen.note("before"); });
  rt.run([&] { asio::post(smarm::this_actor::get_executor(), smarm::await); });
  CHECK_LIST(seen.all(), {"before"});
  BOOST_TEST((smarm::get_executor(rt) == smarm::get_executor(rt.handle())));
}

BOOST_AUTO_TEST_CASE(without_a_runtime_there_is_none) {
  std::optional<smarm::runtime_handle> gone;
  {
    smarm::runtime rt({.schedulers = 1});
    gone = rt.handle();
  }
  BOOST_TEST((refusal([&] { (void)smarm::get_executor(*gone); }) == smarm::errc::runtime_down));
  BOOST_TEST((refusal([&] { (void)smarm::this_actor::get_executor(); }) ==
              smarm::errc::not_in_actor));
}

// Its schedulers are asleep already when the first one asks for an io_context.
BOOST_AUTO_TEST_CASE(sleepers_move_to_the_io_context_when_there_is_one) {
  for (const unsigned schedulers : {1u, 2u, 4u}) {
    std::atomic<int> ran{0};
    smarm::runtime rt({.schedulers = schedulers});
    rt.start();
    wait_until([&] { return rt.stats().sleeps >= schedulers; });
    const auto ex = smarm::get_executor(rt);
    for (int i = 1; i <= 100; ++i) {
      post_to(ex, [&] { ++ran; });
      wait_until([&] { return ran == i; });
    }
    BOOST_TEST(rt.shutdown(10s).empty());
    BOOST_TEST(ran == 100);
  }
}

BOOST_AUTO_TEST_CASE(busy_schedulers_run_handlers_in_between) {
  std::atomic<int> ran{0};
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    post_to(smarm::this_actor::get_executor(), [&] { ++ran; });
    until([&] { return ran == 1; });
    post_to(smarm::this_actor::get_executor(), [&] { ++ran; });
    while (ran != 2) {
      smarm::this_actor::checkpoint();
    }
  });
  BOOST_TEST(ran == 2);
}

// Each handler runs soon, although somebody is ready at any moment: if only luck brought a busy scheduler to
// look, so many would take minutes.
BOOST_AUTO_TEST_CASE(an_actor_that_only_yields_does_not_keep_handlers_waiting) {
  int ran = 0;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    const auto ex = smarm::this_actor::get_executor();
    for (int i = 1; i <= 2000; ++i) {
      post_to(ex, [&] { ++ran; });
      until([&] { return ran == i; });
    }
  });
  BOOST_TEST(ran == 2000);
}

// An actor's stack may be small, and a handler's need is not the actor's doing.
// Ready actors that are tied to a scheduler count as something to do, like any.
BOOST_AUTO_TEST_CASE(who_has_pinned_actors_to_run_does_not_look_in_between) {
  static constexpr std::uint64_t actors = 100, rounds = 20;
  std::uint64_t looks = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    (void)smarm::this_actor::get_executor(); // from here on there is something to look at
    auto [done, round_done] = smarm::channel<int>();
    std::vector<smarm::sender<int>> to;
    std::vector<smarm::join_handle> all;
    std::uint64_t got = 0;
    for (std::uint64_t i = 0; i < actors; ++i) {
      auto [tx, rx] = smarm::channel<int>();
      to.push_back(std::move(tx));
      all.push_back(smarm::spawn({.pinned_to = 0}, [&got, done, rx = std::move(rx)]() mutable {
        while (rx.recv()) {
          if (++got % actors == 0) {
            (void)done.send(0);
          }
        }
      }));
    }
    until([&] { return parked(all.back().id()); });
    const std::uint64_t before = rt.stats().io.polls;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      for (auto& tx : to) {
        (void)tx.send(0);
      }
      (void)round_done.recv(); // and nobody else is ready meanwhile
    }
    looks = rt.stats().io.polls - before;
    to.clear();
    join_all(all);
  });
  BOOST_TEST(looks < rounds * actors / 4);
}

BOOST_AUTO_TEST_CASE(handlers_run_on_the_threads_own_stack) {
  std::atomic<int> ran{0};
  smarm::runtime rt({.schedulers = 1, .stack_size = 16 * 1024});
  rt.run([&] {
    for (int i = 1; i <= 20; ++i) {
      post_to(smarm::this_actor::get_executor(), [&] {
        use_stack(200 * 1024);
        ++ran;
      });
      until([&] { return ran == i; });
    }
    auto waits = smarm::spawn([&] {
      for (int i = 0; i < 20; ++i) {
        asio::post(smarm::this_actor::get_executor(), smarm::await);
      }
    });
    post_to(smarm::this_actor::get_executor(), [&] { use_stack(200 * 1024); });
    (void)waits.join();
  });
  BOOST_TEST(ran == 20);
}

BOOST_AUTO_TEST_CASE(a_handler_may_send_and_spawn_but_not_wait) {
  recorder seen;
  boost::system::error_code slept;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    post_to(smarm::this_actor::get_executor(), [&, tx = tx] {
      slept = refusal([] { smarm::this_actor::sleep_for(1ms); });
      smarm::spawn([tx] { (void)tx.send(2); }).detach();
      (void)tx.send(1);
    });
    seen.note(std::to_string(rx.recv().value()));
    seen.note(std::to_string(rx.recv().value()));
  });
  CHECK_LIST(seen.all(), {"1", "2"});
  BOOST_TEST((slept == smarm::errc::would_block_scheduler));
}

BOOST_AUTO_TEST_CASE(what_a_handler_throws_is_reported_and_the_loop_goes_on) {
  recorder texts;
  std::atomic<int> ran{0};
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) {
                       if (r.kind == smarm::report_kind::callback_failed) {
                         texts.note(r.text);
                       }
                     }});
  rt.run([&] {
    const auto ex = smarm::this_actor::get_executor();
    post_to(ex, [] { throw std::runtime_error("oops"); });
    post_to(ex, [] { throw 7; });
    post_to(ex, [&] { ++ran; });
    asio::post(ex, smarm::await);
  });
  CHECK_LIST(texts.all(), {"an Asio handler threw: oops",
                           "an Asio handler threw: something that is no std::exception"});
  BOOST_TEST(ran == 1);
}

BOOST_AUTO_TEST_CASE(handlers_that_never_end_leave_time_for_actors) {
  for (const unsigned schedulers : {1u, 2u}) {
    BOOST_TEST_CONTEXT("schedulers " << schedulers) {
      std::atomic<bool> over{false};
      std::atomic<int> handled{0};
      smarm::runtime({.schedulers = schedulers}).run([&] {
        const auto ex = smarm::this_actor::get_executor();
        std::function<void()> again = [&] {
          ++handled;
          if (!over) {
            post_to(ex, again);
          }
        };
        post_to(ex, again);
        until([&] { return handled > 1000; });
        over = true;
      });
      BOOST_TEST(handled > 1000);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_handler_that_stops_the_io_context_stops_nothing) {
  std::atomic<int> ran{0};
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    for (int i = 0; i < 3; ++i) {
      post_to(ex, [ex] { ex.context().stop(); });
      asio::steady_timer timer(ex, 1ms);
      timer.async_wait(smarm::await);
      ++ran;
    }
  });
  BOOST_TEST(ran == 3);
}

BOOST_AUTO_TEST_CASE(work_that_no_actor_awaits_keeps_no_run_alive) {
  auto watched = std::make_shared<int>(0);
  std::weak_ptr<int> handler = watched;
  {
    smarm::runtime rt({.schedulers = 2});
    auto timer = std::make_unique<asio::steady_timer>(smarm::get_executor(rt), 1h);
    timer->async_wait([watched = std::move(watched)](boost::system::error_code) {});
    rt.run([] {});
    rt.run([] { smarm::this_actor::sleep_for(1ms); });
    BOOST_TEST(!handler.expired());
    timer.reset();
    BOOST_TEST(!handler.expired()); // nobody runs what was cancelled
  }
  BOOST_TEST(handler.expired());
}

BOOST_AUTO_TEST_CASE(one_thread_at_a_time_runs_handlers) {
  std::atomic<int> inside{0}, most{0}, ran{0};
  smarm::runtime rt({.schedulers = 4});
  rt.run([&] {
    const auto ex = smarm::this_actor::get_executor();
    std::vector<smarm::join_handle> all;
    for (int a = 0; a < 8; ++a) {
      all.push_back(smarm::spawn([&] {
        for (int i = 0; i < 500; ++i) {
          post_to(ex, [&] {
            const int now = ++inside;
            int seen = most;
            while (now > seen && !most.compare_exchange_weak(seen, now)) {
            }
            ++ran;
            --inside;
          });
          if (i % 8 == 0) {
            asio::post(ex, smarm::await);
          } else {
            smarm::this_actor::yield();
          }
        }
      }));
    }
    join_all(all);
    until([&] { return ran == 8 * 500; });
  });
  BOOST_TEST(most == 1);
  BOOST_TEST(ran == 8 * 500);
}

BOOST_AUTO_TEST_CASE(sleepers_are_woken_by_the_clock_as_well) {
  std::atomic<int> early{0}, done{0};
  for (const unsigned schedulers : {1u, 3u}) {
    smarm::runtime rt({.schedulers = schedulers});
    (void)smarm::get_executor(rt);
    rt.run([&] {
      std::vector<smarm::join_handle> all;
      for (const auto d : {1us, 300us, 999us, 1001us, 2500us, 7000us, 7001us, 20000us}) {
        all.push_back(smarm::spawn([&, d] {
          for (int i = 0; i < 3; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            smarm::this_actor::sleep_for(d);
            early += std::chrono::steady_clock::now() - begin < d;
          }
          ++done;
        }));
      }
      join_all(all);
    });
  }
  BOOST_TEST(early == 0);
  BOOST_TEST(done == 16);
}

namespace {

// Whether not one sleep of an idle runtime ends. Those actors are parked first.
bool stays_asleep(smarm::runtime& rt, unsigned schedulers,
                  const std::vector<smarm::join_handle>& actors) {
  const auto state = smarm::detail::runtime_access::state(rt.handle()).lock();
  for (const auto& h : actors) {
    wait_until([&] { return parked(*state, h.id()); });
  }
  wait_until([&] { // nobody is busy, and nobody stands by
    return state->coordination.sleepers() == (1u << schedulers) - 1 &&
           state->coordination.standby() == smarm::detail::nobody;
  });
  auto before = rt.stats().sleeps;
  for (int changes = 0;; ++changes) { // the bits are set a moment before the threads sleep
    std::this_thread::sleep_for(20ms);
    const auto now = rt.stats().sleeps;
    if (now == before) {
      break;
    }
    if (changes == 50) {
      return false; // it is no moment
    }
    before = now;
  }
  std::this_thread::sleep_for(300ms); // long enough for whoever looks
  return rt.stats().sleeps == before;
}

} // namespace

// Not one sleep ends, whatever is waited for.
BOOST_AUTO_TEST_CASE(nothing_runs_while_nothing_happens) {
  for (const unsigned schedulers : {1u, 4u}) {
    smarm::runtime rt({.schedulers = schedulers});
    rt.start();
    asio::steady_timer far(smarm::get_executor(rt), 1h);
    far.async_wait([](boost::system::error_code) {});
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 50; ++i) {
      all.push_back(rt.handle().spawn([] {
        asio::steady_timer timer(smarm::this_actor::get_executor(), 1h);
        (void)timer.async_wait(smarm::try_await.within(2h));
      }));
      all.push_back(rt.handle().spawn([] { smarm::this_actor::sleep_for(1h); }));
    }
    BOOST_TEST(stays_asleep(rt, schedulers, all));
    far.cancel();
    BOOST_TEST(rt.shutdown(10s).empty());
    for (auto& h : all) {
      (void)h.join();
    }
  }
}

// The last timer has fired, and there is no next one.
BOOST_AUTO_TEST_CASE(nothing_runs_when_all_timers_are_over) {
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime rt({.schedulers = schedulers});
    rt.start();
    (void)smarm::get_executor(rt);
    std::atomic<int> slept{0};
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(rt.handle().spawn([&, i] {
        for (int n = 0; n < 20; ++n) {
          smarm::this_actor::sleep_for(std::chrono::microseconds(100 * (i + n)));
        }
        ++slept;
        auto [tx, rx] = smarm::channel<int>();
        (void)rx.recv();
      }));
    }
    wait_until([&] { return slept == 3; });
    BOOST_TEST(stays_asleep(rt, schedulers, all));
    BOOST_TEST(rt.shutdown(10s).empty());
  }
}

// A thousand descriptors, one that is ready and never read, and a timer that is far away.
BOOST_AUTO_TEST_CASE(nothing_runs_for_descriptors_on_which_nothing_happens) {
  for (const unsigned schedulers : {1u, 3u}) {
    smarm::runtime rt({.schedulers = schedulers, .stack_size = 32 * 1024});
    rt.start();
    std::vector<int> ends;
    for (int i = 0; i < 1000; ++i) {
      int both[2];
      BOOST_REQUIRE(::pipe2(both, O_NONBLOCK | O_CLOEXEC) == 0);
      ends.push_back(both[0]);
      ends.push_back(both[1]);
    }
    std::vector<smarm::join_handle> all;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      all.push_back(rt.handle().spawn([&, i] {
        (void)smarm::wait_readable(ends[i]);
        auto [tx, rx] = smarm::channel<int>();
        (void)rx.recv(); // the descriptor stays ready
      }));
    }
    const auto state = smarm::detail::runtime_access::state(rt.handle()).lock();
    for (const auto& h : all) {
      wait_until([&] { return parked(*state, h.id()); });
    }
    all.push_back(rt.handle().spawn([] { smarm::this_actor::sleep_for(1h); }));
    (void)!::write(ends[1], "x", 1);
    BOOST_TEST(stays_asleep(rt, schedulers, all));
    BOOST_TEST(rt.shutdown(10s).empty());
    for (const int fd : ends) {
      ::close(fd);
    }
  }
}

// A scheduler that sleeps in the io_context until a deadline that is no one's any more is no reason for
// the run to wait for it.
BOOST_AUTO_TEST_CASE(a_run_ends_though_a_long_sleeper_was_stopped) {
  smarm::runtime rt({.schedulers = 2});
  (void)smarm::get_executor(rt);
  rt.run([&] {
    auto sleeps = waiting([] { smarm::this_actor::sleep_for(1h); });
    // The other one settles into its sleep.
    spin_until([&] { return this_runtime().coordination.sleepers() != 0; });
    smarm::request_stop(sleeps.id());
    (void)sleeps.join();
  });
}

BOOST_AUTO_TEST_SUITE_END()
