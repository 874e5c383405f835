// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Blocking calls: what comes back, who waits meanwhile, and what a stop, a deadline, a full queue and the
// end of the run do to them.

#define BOOST_TEST_MODULE blocking
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/blocking.hpp>
#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <pthread.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

smarm::config with_threads(unsigned threads, std::size_t queue = 1000, unsigned schedulers = 2) {
  smarm::config c = quiet(schedulers);
  c.blocking_threads = threads;
  c.blocking_queue = queue;
  return c;
}

// A function for the pool that tells when it has begun and goes on when it is told to.
struct gate {
  std::atomic<int> entered{0};
  std::counting_semaphore<> open{0};

  void pass() {
    ++entered;
    open.acquire();
  }
};

struct move_only {
  std::unique_ptr<int> value;
  explicit move_only(int v) : value(std::make_unique<int>(v)) {}
};

smarm::blocking_stats stats_here() { return this_runtime().stats().blocking; }

} // namespace

BOOST_AUTO_TEST_SUITE(blocking_suite, *boost::unit_test::timeout(120))

// ---- What comes back -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_blocking_call_returns_what_the_function_returns_on_another_thread) {
  int sum = 0;
  bool elsewhere = false, as_thread = false, same_object = false;
  int moved = 0;
  std::string text;
  smarm::runtime(quiet(1)).run([&] {
    const pid_t mine = this_thread();
    int local = 3;
    sum = smarm::blocking([&] { return local + 4; });
    smarm::blocking([&] {
      elsewhere = this_thread() != mine;
      as_thread = !smarm::this_actor::is_actor() && smarm::detail::current_scheduler() == nullptr;
    });
    moved = *smarm::blocking([] { return move_only(5); }).value;
    int& where = smarm::blocking([&]() -> int& { return local; });
    same_object = &where == &local;
    text = smarm::try_blocking([] { return std::string("x"); }).value();
    smarm::try_blocking([] {}).value();
    text += smarm::blocking_detached([s = std::string("y")] { return s; });
    text += *smarm::try_blocking_detached([s = std::make_unique<std::string>("z")]() mutable {
               return std::move(s);
             }).value();
    smarm::blocking_detached([] {});
  });
  BOOST_TEST(sum == 7);
  BOOST_TEST(elsewhere);
  BOOST_TEST(as_thread);
  BOOST_TEST(moved == 5);
  BOOST_TEST(same_object);
  BOOST_TEST(text == "xyz");
}

BOOST_AUTO_TEST_CASE(what_the_function_throws_is_thrown_in_the_actor) {
  strings seen;
  smarm::runtime(quiet(2)).run([&] {
    const auto note = [&](auto call) {
      try {
        call();
        seen.push_back("nothing");
      } catch (const std::runtime_error& e) {
        seen.push_back(e.what());
      }
    };
    const auto fails = []() -> int { throw std::runtime_error("disk on fire"); };
    note([&] { (void)smarm::blocking(fails); });
    note([&] { (void)smarm::try_blocking(fails); });
    note([&] { (void)smarm::try_blocking_for(1h, fails); });
    note([&] { (void)smarm::blocking_detached(fails); });
    note([&] { (void)smarm::try_blocking_detached_for(1h, fails); });
  });
  CHECK_LIST(seen, {"disk on fire", "disk on fire", "disk on fire", "disk on fire", "disk on fire"});
}

BOOST_AUTO_TEST_CASE(only_the_caller_waits) {
  int turns = 0;
  smarm::runtime(quiet(1)).run([&] {
    gate g;
    auto caller = waiting([&] { smarm::blocking([&] { g.pass(); }); });
    until([&] { return g.entered == 1; });
    for (; turns < 100; ++turns) {
      smarm::this_actor::yield();
    }
    g.open.release();
    (void)caller.join();
  });
  BOOST_TEST(turns == 100);
}

BOOST_AUTO_TEST_CASE(a_blocking_function_may_send_cast_call_and_join) {
  struct counter : smarm::gen_server<counter> {
    struct add {
      int by;
    };
    struct get {};
    void handle_cast(add m) { total += m.by; }
    int handle_call(get) { return total; }
    int total = 0;
  };
  int total = 0, received = 0;
  bool joined = false;
  smarm::runtime(quiet(2)).run([&] {
    auto server = smarm::start_server<counter>().value();
    auto [tx, rx] = smarm::channel<int>();
    auto other = smarm::spawn([] {});
    total = smarm::blocking([&] {
      (void)tx.send(9);
      (void)server.cast(counter::add{3});
      joined = other.join() == smarm::exit_kind::normal;
      return server.call(counter::get{}, 1h).value();
    });
    received = rx.recv().value();
  });
  BOOST_TEST(total == 3);
  BOOST_TEST(received == 9);
  BOOST_TEST(joined);
}

BOOST_AUTO_TEST_CASE(a_plain_thread_calls_the_function_itself) {
  const pid_t mine = this_thread();
  BOOST_TEST((smarm::blocking([] { return this_thread(); }) == mine));
  BOOST_TEST((smarm::try_blocking_for(0s, [] { return this_thread(); }).value() == mine));
  BOOST_TEST((smarm::blocking_detached([] { return this_thread(); }) == mine));
}

BOOST_AUTO_TEST_CASE(calls_that_would_block_a_pool_or_a_scheduler_are_refused) {
  std::vector<errc> seen;
  bool thrown = false;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const auto code = [](const auto& r) { return static_cast<errc>(r.error().value()); };
    smarm::blocking([&] {
      seen.push_back(code(smarm::try_blocking([] {})));
      seen.push_back(code(smarm::try_blocking_detached([] {})));
      thrown = refusal([] { smarm::blocking([] {}); }) == errc::nested_blocking;
      seen.push_back(static_cast<errc>(refusal([&] { rt.wait(); }).value()));
      seen.push_back(static_cast<errc>(refusal([&] { (void)rt.shutdown(1h); }).value()));
      seen.push_back(static_cast<errc>(refusal([&] { rt.start(); }).value()));
    });
    smarm::this_actor::run_on_thread_stack([&] { seen.push_back(code(smarm::try_blocking([] {}))); });
  });
  BOOST_TEST(thrown);
  const std::vector<errc> expected{errc::nested_blocking, errc::nested_blocking,
                                   errc::would_deadlock,  errc::would_deadlock,
                                   errc::nested_run,      errc::would_block_scheduler};
  BOOST_TEST((seen == expected));
}

BOOST_AUTO_TEST_CASE(a_runtime_that_runs_on_a_pool_thread_has_a_pool_of_its_own) {
  int seen = 0;
  smarm::runtime(quiet(1)).run([&] {
    smarm::blocking([&] {
      smarm::runtime(quiet(1)).run([&] { seen = smarm::blocking([] { return 4; }); });
    });
  });
  BOOST_TEST(seen == 4);
}

// ---- The pool --------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_beyond_the_threads_wait_and_beyond_the_queue_are_refused) {
  std::size_t queued = 0, running = 0, done = 0;
  boost::system::error_code returned;
  std::string thrown;
  smarm::runtime rt(with_threads(2, 3));
  rt.run([&] {
    gate g;
    std::vector<smarm::join_handle> all;
    std::atomic<std::size_t> ended{0};
    for (int i = 0; i < 5; ++i) {
      all.push_back(smarm::spawn([&] {
        smarm::blocking([&] { g.pass(); });
        ++ended;
      }));
    }
    until([&] { return stats_here().queued == 3 && g.entered == 2; });
    queued = stats_here().queued;
    running = stats_here().running;
    returned = smarm::try_blocking([] {}).error();
    try {
      smarm::blocking([] {});
    } catch (const boost::system::system_error& e) {
      thrown = e.what();
    }
    g.open.release(5);
    join_all(all);
    done = ended;
  });
  BOOST_TEST(queued == 3u);
  BOOST_TEST(running == 2u);
  BOOST_TEST(done == 5u);
  BOOST_TEST((returned == errc::queue_full));
  BOOST_TEST((thrown.find("config::blocking_queue") != std::string::npos), thrown);
  const auto s = rt.stats().blocking;
  BOOST_TEST(s.rejected == 2u);
  BOOST_TEST(s.completed == 5u);
  BOOST_TEST(s.started_threads == 2u);
  BOOST_TEST(s.longest_queue == 3u);
  BOOST_TEST(s.longest_wait.count() > 0);
  BOOST_TEST(s.threads == 0u); // joined at the end of the run
  BOOST_TEST(s.running == 0u);
}

BOOST_AUTO_TEST_CASE(one_caller_needs_one_thread) {
  smarm::runtime rt(with_threads(8));
  rt.run([] {
    for (int i = 0; i < 10'000; ++i) {
      smarm::blocking([] {});
    }
  });
  BOOST_TEST(rt.stats().blocking.completed == 10'000u);
  BOOST_TEST(rt.stats().blocking.started_threads == 1u);
}

BOOST_AUTO_TEST_CASE(each_run_counts_from_zero_and_a_runtime_that_never_blocks_has_no_thread) {
  smarm::runtime rt(with_threads(8));
  rt.run([] {});
  BOOST_TEST(rt.stats().blocking.started_threads == 0u);
  for (int i = 0; i < 3; ++i) {
    rt.run([] { smarm::blocking([] {}); });
    BOOST_TEST(rt.stats().blocking.started_threads == 1u);
    BOOST_TEST(rt.stats().blocking.completed == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_thread_without_work_ends_after_its_idle_time) {
  smarm::config c = with_threads(4);
  c.blocking_idle_time = 1us;
  smarm::runtime rt(c);
  rt.run([] {
    for (int i = 0; i < 200; ++i) {
      smarm::blocking([] {});
      if (i % 10 == 0) {
        until([] { return stats_here().threads == 0; });
      }
    }
  });
  BOOST_TEST(rt.stats().blocking.completed == 200u);
  BOOST_TEST(rt.stats().blocking.started_threads >= 20u);
}

BOOST_AUTO_TEST_CASE(threads_are_named_and_have_the_signal_mask_of_the_schedulers) {
  std::string name;
  bool same_mask = false;
  smarm::config c = quiet(2);
  c.thread_name = "elevenbytes";
  smarm::runtime(c).run([&] {
    const auto mask = [] {
      sigset_t set{};
      ::pthread_sigmask(SIG_SETMASK, nullptr, &set);
      std::string out;
      for (int i = 1; i < 65; ++i) {
        out += ::sigismember(&set, i) == 1 ? '1' : '0';
      }
      return out;
    };
    const std::string mine = mask();
    smarm::blocking([&] {
      std::array<char, 32> text{};
      ::pthread_getname_np(::pthread_self(), text.data(), text.size());
      name = text.data();
      same_mask = mask() == mine;
    });
  });
  BOOST_TEST(name == "elevenbytes-blk");
  BOOST_TEST(same_mask);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_calls_are_queued_and_all_are_carried_out) {
  constexpr int count = SMARM_TSAN ? 1'000 : 100'000; // there each stack costs a megabyte
  std::atomic<int> done{0};
  smarm::runtime rt(with_threads(4, count));
  rt.run([&] {
    gate g;
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 4; ++i) {
      all.push_back(smarm::spawn([&] { smarm::blocking([&] { g.pass(); }); }));
    }
    until([&] { return g.entered == 4; });
    for (int i = 0; i < count; ++i) {
      all.push_back(smarm::spawn({.stack_size = 16 * 1024}, [&] { smarm::blocking([&] { ++done; }); }));
    }
    until([&] { return stats_here().queued == std::size_t{count}; });
    g.open.release(4);
    join_all(all);
  });
  BOOST_TEST(done == count);
  BOOST_TEST(rt.stats().blocking.longest_queue == static_cast<std::size_t>(count));
}

// ---- Stops and deadlines ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_call_that_has_not_begun_is_withdrawn_by_its_deadline_and_by_a_stop) {
  boost::system::error_code late, left;
  int called = 0;
  bool stopped = false, stopped_too = false;
  smarm::runtime rt(with_threads(1));
  rt.run([&] {
    gate g;
    auto busy = smarm::spawn([&] { smarm::blocking([&] { g.pass(); }); });
    until([&] { return g.entered == 1; });
    late = smarm::try_blocking_for(1ms, [&] { ++called; }).error();
    left = smarm::try_blocking_detached_until(std::chrono::steady_clock::now(), [&] { ++called; })
               .error();
    auto queued = waiting([&] { smarm::blocking([&] { ++called; }); });
    auto detached = waiting([&] { smarm::blocking_detached([&] { ++called; }); });
    (void)smarm::request_stop(queued.id());
    (void)smarm::request_stop(detached.id());
    stopped = queued.join() == smarm::exit_kind::stopped; // while the only thread is busy
    stopped_too = detached.join() == smarm::exit_kind::stopped;
    g.open.release();
    (void)busy.join();
  });
  BOOST_TEST((late == errc::timed_out));
  BOOST_TEST((left == errc::timed_out));
  BOOST_TEST(stopped);
  BOOST_TEST(stopped_too);
  BOOST_TEST(called == 0);
  BOOST_TEST(rt.stats().blocking.withdrawn == 4u);
}

BOOST_AUTO_TEST_CASE(a_call_that_has_begun_ends_before_its_caller_is_stopped) {
  recorder seen;
  smarm::runtime(quiet(2)).run([&] {
    gate g;
    auto caller = smarm::spawn([&] {
      const noted_end frame(seen, "the frame is left");
      smarm::blocking([&] {
        g.pass();
        seen.note("the function returns");
      });
      seen.note("goes on");
    });
    until([&] { return g.entered == 1; });
    until([&] { return parked(caller.id()); });
    (void)smarm::request_stop(caller.id());
    for (int i = 0; i < 100; ++i) {
      smarm::this_actor::yield();
    }
    seen.note("is let on");
    g.open.release();
    seen.note(caller.join() == smarm::exit_kind::stopped ? "stopped" : "not stopped");
  });
  CHECK_LIST(seen.all(), {"is let on", "the function returns", "the frame is left", "stopped"});
}

BOOST_AUTO_TEST_CASE(a_call_that_has_begun_counts_though_its_deadline_has_passed) {
  int begun = 0, result = 0;
  smarm::runtime(quiet(2)).run([&] {
    for (auto limit = 1ms; begun == 0; limit *= 2) { // until the thread is there in time
      const auto deadline = std::chrono::steady_clock::now() + limit;
      const auto r = smarm::try_blocking_until(deadline, [&] {
        ++begun;
        wait_until([&] { return std::chrono::steady_clock::now() > deadline + 1ms; });
        return 6;
      });
      result = r ? *r : 0;
    }
  });
  BOOST_TEST(begun == 1);
  BOOST_TEST(result == 6);
}

BOOST_AUTO_TEST_CASE(a_detached_call_is_left_at_once_by_its_deadline_and_by_a_stop) {
  boost::system::error_code late;
  bool stopped = false;
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto g = std::make_shared<gate>();
    const auto until_it_runs = [&](int count) { until([&] { return g->entered == count; }); };
    auto first = smarm::spawn([&] {
      // A deadline that has not passed before the function begins.
      for (int i = 0; i < 1000 && g->entered == 0; ++i) {
        late = smarm::try_blocking_detached_for(
                   20ms, [g, end = noted_end(seen, "captures go")] { g->pass(); })
                   .error();
      }
    });
    (void)first.join();
    auto second = smarm::spawn([&] { smarm::blocking_detached([g] { g->pass(); }); });
    until_it_runs(2);
    (void)smarm::request_stop(second.id());
    stopped = second.join() == smarm::exit_kind::stopped;
    seen.note("both have gone on");
    g->open.release(2);
  });
  seen.note("the run is over");
  BOOST_TEST((late == errc::timed_out));
  BOOST_TEST(stopped);
  const auto all = seen.all();
  BOOST_TEST(all.back() == "the run is over"); // which waits for what was left
  BOOST_TEST(seen.count("captures go") >= 1u);
  BOOST_TEST(rt.stats().blocking.running == 0u);
}

BOOST_AUTO_TEST_CASE(what_nobody_waits_for_any_more_is_reported_when_it_fails) {
  basic_recorder<smarm::report_kind> kinds;
  recorder texts;
  smarm::config c;
  c.schedulers = 2;
  c.reports = [&](const smarm::report& r) {
    if (r.kind == smarm::report_kind::callback_failed) {
      kinds.note(r.kind);
      texts.note(r.text);
    }
  };
  smarm::runtime(c).run([&] {
    auto g = std::make_shared<gate>();
    auto caller = smarm::spawn([g] {
      smarm::blocking_detached([g]() -> int {
        g->pass();
        throw std::runtime_error("too late to matter");
      });
    });
    until([&] { return g->entered == 1; });
    (void)smarm::request_stop(caller.id());
    (void)caller.join();
    g->open.release();
  });
  BOOST_TEST(kinds.size() == 1u);
  BOOST_TEST((texts.all().at(0).find("too late to matter") != std::string::npos));
}

// It may fail at any moment of its caller's being stopped: then either the caller ends so, or it is
// reported, once.
BOOST_AUTO_TEST_CASE(a_failure_that_races_with_a_stop_is_seen_once) {
  constexpr int times = 5'000;
  std::atomic<int> reported{0}, thrown{0};
  smarm::config c = with_threads(2);
  c.reports = [&](const smarm::report& r) {
    reported += r.kind == smarm::report_kind::callback_failed;
  };
  smarm::runtime rt(c);
  rt.run([&] {
    for (int i = 0; i < times; ++i) {
      auto caller = smarm::spawn([i, to = rt.handle()] {
        smarm::blocking_detached([i, to, me = smarm::this_actor::self()]() -> int {
          (void)to.request_stop(me);
          for (int spent = 0; spent < 100 * (i % 200); ++spent) {
            std::atomic_signal_fence(std::memory_order_seq_cst); // at another moment each time
          }
          throw std::runtime_error("fails");
        });
      });
      thrown += caller.join().kind() == smarm::exit_kind::failed;
    }
  });
  BOOST_TEST(reported + thrown == times);
}

BOOST_AUTO_TEST_CASE(deadlines_fire_while_every_thread_and_every_actor_is_in_a_blocking_call) {
  constexpr int callers = 200;
  std::atomic<int> late{0};
  smarm::runtime(with_threads(2, callers)).run([&] {
    gate g;
    std::vector<smarm::join_handle> busy, all;
    for (int i = 0; i < 2; ++i) {
      busy.push_back(smarm::spawn([&] { smarm::blocking([&] { g.pass(); }); }));
    }
    until([&] { return g.entered == 2; });
    for (int i = 0; i < callers; ++i) {
      all.push_back(smarm::spawn([&, i] {
        const auto limit = std::chrono::microseconds(100 * (i % 20));
        const auto r = i % 2 == 0 ? smarm::try_blocking_for(limit, [] {})
                                  : smarm::try_blocking_detached_for(limit, [] {});
        late += r.error() == errc::timed_out;
      }));
    }
    join_all(all);
    g.open.release(2);
    join_all(busy);
  });
  BOOST_TEST(late == callers);
}

BOOST_AUTO_TEST_CASE(stops_deadlines_and_completions_race_and_every_call_has_one_end) {
  constexpr int rounds = 300, crew = 16;
  std::atomic<int> begun{0}, returned{0}, late{0}, stopped{0}, wrong{0};
  smarm::config c = with_threads(3, 1000, 3);
  c.blocking_idle_time = 50us;
  smarm::runtime rt(c);
  rt.run([&] {
    for (int round = 0; round < rounds; ++round) {
      std::vector<smarm::join_handle> all;
      for (int i = 0; i < crew; ++i) {
        all.push_back(smarm::spawn([&, i, round] {
          int local = i;
          const auto body = [&begun, i] {
            ++begun;
            for (int n = 0; n < (i % 4) * 50; ++n) {
              smarm::detail::std_atomics::pause();
            }
            return i;
          };
          const auto limit = std::chrono::microseconds((round * 7 + i * 13) % 100);
          const auto r = i % 3 == 0   ? smarm::try_blocking_for(limit, [&] { return body() + local - i; })
                         : i % 3 == 1 ? smarm::try_blocking_detached_for(limit, body)
                                      : smarm::try_blocking([&] { return body() + local - i; });
          if (r) {
            ++returned;
            wrong += *r != i;
          } else {
            ++late;
            wrong += r.error() != errc::timed_out;
          }
        }));
      }
      for (int i = 0; i < crew; i += 5) {
        (void)smarm::request_stop(all[static_cast<std::size_t>(i)].id());
      }
      for (auto& h : all) {
        stopped += h.join() == smarm::exit_kind::stopped;
      }
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(returned + late + stopped >= rounds * crew);
  BOOST_TEST(rt.stats().blocking.completed == static_cast<std::uint64_t>(begun));
  BOOST_TEST(rt.stats().blocking.queued == 0u);
}

BOOST_AUTO_TEST_CASE(a_masked_actor_is_not_stopped_in_a_blocking_call) {
  int result = 0;
  bool ended_as_stopped = false;
  smarm::runtime(quiet(2)).run([&] {
    gate g;
    auto caller = smarm::spawn([&] {
      {
        const smarm::disable_stop masked;
        result = smarm::blocking([&] {
          g.pass();
          return 8;
        });
      }
      smarm::this_actor::yield();
    });
    until([&] { return g.entered == 1; });
    (void)smarm::request_stop(caller.id());
    g.open.release();
    ended_as_stopped = caller.join() == smarm::exit_kind::stopped;
  });
  BOOST_TEST(result == 8);
  BOOST_TEST(ended_as_stopped);
}

// ---- The end of a run ------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_shutdown_names_the_calls_that_do_not_end) {
  std::vector<smarm::survivor> in_call, left;
  gate g;
  smarm::runtime rt(quiet(2));
  rt.start();
  auto caller = rt.handle().spawn([&] { smarm::blocking([&] { g.pass(); }); });
  wait_until([&] { return g.entered == 1; });
  do { // who is asked to shut down looks around first
    in_call = rt.shutdown(1ms);
  } while (in_call.size() == 1 && in_call[0].waits_for != "a blocking call");
  auto other = std::make_shared<gate>();
  g.open.release();
  (void)caller.join();
  BOOST_TEST(rt.shutdown(1h).empty());
  BOOST_TEST_REQUIRE(in_call.size() == 1u);
  BOOST_TEST(in_call[0].waits_for == "a blocking call");

  rt.start();
  auto leaver = rt.handle().spawn([&] { smarm::blocking_detached([other] { other->pass(); }); });
  wait_until([&] { return other->entered == 1; });
  const smarm::pid who = leaver.id();
  (void)rt.handle().request_stop(who);
  (void)leaver.join();
  left = rt.shutdown(1ms);
  BOOST_TEST_REQUIRE(left.size() == 1u);
  BOOST_TEST((left[0].actor == who));
  BOOST_TEST((left[0].text.find("blocking_detached") != std::string::npos), left[0].text);
  other->open.release();
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(a_runtime_that_was_left_behind_is_kept_until_its_last_call_has_ended) {
  auto g = std::make_shared<gate>();
  const std::weak_ptr<gate> seen = g;
  {
    smarm::config c = quiet(2);
    c.destructor_grace = 0ns;
    c.zombies = smarm::zombie_policy::leak;
    smarm::runtime rt(c);
    rt.start();
    auto leaver = rt.handle().spawn([g] { smarm::blocking_detached([g] { g->pass(); }); });
    wait_until([&] { return g->entered == 1; });
    (void)rt.handle().request_stop(leaver.id());
    (void)leaver.join();
  }
  g->open.release();
  g.reset();
  wait_until([&] { return seen.expired(); });
  BOOST_TEST(seen.expired());
}

BOOST_AUTO_TEST_CASE(a_runtime_may_be_destroyed_by_a_blocking_call) {
  auto rt = std::make_unique<smarm::runtime>(quiet(2));
  std::atomic<bool> destroyed{false};
  rt->start();
  auto h = rt->handle().spawn([&] {
    smarm::blocking([&] {
      rt.reset();
      destroyed = true;
    });
  });
  (void)h.join();
  BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(thread_locals_of_the_pool_are_destroyed_by_the_end_of_the_run) {
  static std::atomic<int> living{0};
  struct counted {
    counted() { ++living; }
    ~counted() {
      for (int i = 0; i < 1000; ++i) {
        std::this_thread::yield(); // a run that does not wait for it has time to end
      }
      --living;
    }
  };
  smarm::config c = with_threads(4);
  c.blocking_idle_time = 1us;
  smarm::runtime(c).run([] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 100; ++i) {
      all.push_back(smarm::spawn([] {
        smarm::blocking([] {
          thread_local counted one;
          (void)&one;
        });
      }));
    }
    join_all(all);
  });
  BOOST_TEST(living == 0);
}

BOOST_AUTO_TEST_SUITE_END()
