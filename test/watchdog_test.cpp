// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a watchdog reports, each trouble provoked and seen; and that it is silent where there is none.

#define BOOST_TEST_MODULE watchdog
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/executor.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/introspect.hpp>
#include <smarm/mutex.hpp>
#include <smarm/registry.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/start_server.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/watchdog.hpp>
#include <smarm/worker_pool.hpp>

#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace smarm_test;
using smarm::report;
using smarm::report_kind;

// The reports of a runtime.
struct heard {
  basic_recorder<std::pair<report_kind, std::string>> all;
  basic_recorder<smarm::pid> about;

  [[nodiscard]] smarm::report_sink sink() {
    return [this](const report& r) {
      about.note(r.actor);
      all.note({r.kind, r.text});
    };
  }
  [[nodiscard]] std::vector<std::string> of(report_kind kind) const {
    std::vector<std::string> out;
    for (const auto& [k, text] : all.all()) {
      if (k == kind) {
        out.push_back(text);
      }
    }
    return out;
  }
  [[nodiscard]] bool any(report_kind kind) const { return !of(kind).empty(); }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Looks for nothing at all: what a test wants it names.
constexpr smarm::watchdog_options blind = {.interval = 2ms,
                                           .long_slice = 0ns,
                                           .slow_handler = 0ns,
                                           .blocked_handler = 0ns,
                                           .long_inbox = 0,
                                           .stack_percent = 0,
                                           .unanswered_stop = 0ns,
                                           .stuck = 0ns,
                                           .wakes_per_second = 0};

smarm::config watched(heard& by, const smarm::watchdog_options& how, unsigned schedulers = 1) {
  return {.schedulers = schedulers, .reports = by.sink(), .watchdog = how};
}

struct clerk : smarm::gen_server<clerk> {
  struct work {};
  struct wait {
    smarm::receiver<int> gate;
  };
  void handle_cast(work) { smarm::this_actor::yield(); }
  void handle_cast(wait m) { (void)m.gate.recv(); }
};

struct peer : smarm::gen_server<peer> {
  struct go {
    std::function<void()> what;
  };
  struct ping {};
  void handle_cast(go m) { m.what(); }
  void handle_call(ping) {}
};

// Of which each waits in its init for that.
struct late : smarm::gen_server<late> {
  explicit late(std::function<void()> what) { what(); }
};

// A worker of a pool.
struct porter : smarm::gen_server<porter> {
  struct carry {
    std::function<void()> what;
  };
  void handle_call(carry m) { m.what(); }
};

void until_told(const heard& by, report_kind kind) {
  until([&] {
    smarm::this_actor::sleep_for(1ms);
    return by.any(kind);
  });
}

} // namespace

BOOST_AUTO_TEST_CASE(a_long_slice_is_told_once_with_the_culprits_stack) {
  heard by;
  auto how = blind;
  how.long_slice = 10ms;
  smarm::runtime rt(watched(by, how));
  smarm::pid culprit;
  rt.run([&] {
    auto h = smarm::spawn({.label = "cruncher"}, [&] {
      while (!by.any(report_kind::long_slice)) {
      }
    });
    culprit = h.id();
    (void)h.join();
  });
  const auto told = by.of(report_kind::long_slice);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(by.about.all().front() == culprit);
  BOOST_TEST(has(told[0], "without a stop point: add this_actor::checkpoint()"));
#if !SMARM_TSAN // which keeps signals for a call that can be interrupted
  BOOST_TEST(has(told[0], "\n    "));
#endif
}

BOOST_AUTO_TEST_CASE(a_handler_that_computes_is_told) {
  heard by;
  auto how = blind;
  how.slow_handler = 20ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    std::atomic<bool> done{false};
    boost::asio::post(smarm::this_actor::get_executor(), [&] {
      while (!by.any(report_kind::slow_handler)) {
      }
      done = true;
    });
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return done.load();
    });
  });
  const auto told = by.of(report_kind::slow_handler);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "let it wake an actor"));
}

BOOST_AUTO_TEST_CASE(a_handler_that_blocks_its_thread_is_told) {
  heard by;
  auto how = blind;
  how.slow_handler = 20ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    boost::asio::post(smarm::this_actor::get_executor(), [&] {
      while (!by.any(report_kind::slow_handler)) {
        std::this_thread::sleep_for(1ms);
      }
    });
    until_told(by, report_kind::slow_handler);
  });
  const auto told = by.of(report_kind::slow_handler);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "has been blocked for"));
  BOOST_TEST(has(told[0], "smarm::blocking"));
}

BOOST_AUTO_TEST_CASE(a_function_on_the_threads_stack_that_blocks_is_told) {
  heard by;
  auto how = blind;
  how.slow_handler = 20ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    smarm::this_actor::run_on_thread_stack([&] {
      while (!by.any(report_kind::slow_handler)) {
        std::this_thread::sleep_for(1ms);
      }
    });
  });
  const auto told = by.of(report_kind::slow_handler);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "has been blocked for"));
}

// They are woken now and then to see whether they sleep.
BOOST_AUTO_TEST_CASE(schedulers_that_have_nothing_to_do_are_not_told) {
  heard by;
  auto how = blind;
  how.slow_handler = 4ms;
  smarm::runtime rt(watched(by, how, 2));
  rt.start();
  for (bool all_woken = false; !all_woken;) {
    std::this_thread::sleep_for(1ms);
    const auto all = smarm::introspect::schedulers(rt);
    all_woken = std::all_of(all.begin(), all.end(), [](const auto& s) { return s.spurious >= 5; });
  }
  (void)rt.shutdown(10s);
  BOOST_TEST(by.all.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_server_that_waits_inside_a_callback_is_told_with_its_stack) {
  heard by;
  auto how = blind;
  how.blocked_handler = 10ms;
  smarm::runtime rt(watched(by, how));
  smarm::pid culprit;
  rt.run([&] {
    auto blocked = smarm::start_server<clerk>({.label = "blocked"}).value();
    auto free = smarm::start_server<clerk>({.label = "free"}).value();
    auto apart = smarm::start_server<clerk>({.label = "apart", .stack_size = 128 * 1024}).value();
    (void)free.cast(clerk::work{});
    (void)apart.cast(clerk::work{}); // keeps its stack while it waits for the next one
    culprit = blocked.id();
    auto [tx, rx] = smarm::channel<int>();
    (void)blocked.cast(clerk::wait{std::move(rx)});
    until_told(by, report_kind::blocked_handler);
    smarm::this_actor::sleep_for(30ms); // and no more than once
    (void)tx.send(1);
  });
  const auto told = by.of(report_kind::blocked_handler);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(by.about.all().front() == culprit);
  BOOST_TEST(has(told[0], "inside one callback for"));
  BOOST_TEST(has(told[0], "waits for a message"));
  BOOST_TEST(has(told[0], "\n    "));
}

BOOST_AUTO_TEST_CASE(a_long_inbox_is_told_once_until_it_was_short_again) {
  heard by;
  auto how = blind;
  how.long_inbox = 100;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    auto ref = smarm::start_server<clerk>({.label = "clerk"}).value();
    for (std::size_t round = 1; round <= 2; ++round) {
      // It goes on while the watchdog looks, and is fed so that it never gets below half.
      while (by.of(report_kind::long_inbox).size() < round) {
        for (int i = 0; i < 200; ++i) {
          (void)ref.cast(clerk::work{});
        }
        smarm::this_actor::yield();
      }
      for (int i = 0; i < 300; ++i) {
        (void)ref.cast(clerk::work{});
        smarm::this_actor::yield();
      }
      until([&] { // all is handled, and has been seen to be
        smarm::this_actor::sleep_for(20ms);
        return parked(ref.id());
      });
    }
  });
  const auto told = by.of(report_kind::long_inbox);
  BOOST_REQUIRE(told.size() >= 2u);
  BOOST_TEST(has(told[0], "clerk"));
  BOOST_TEST(has(told[0], "bound its inbox"));
}

BOOST_AUTO_TEST_CASE(the_inbox_of_a_server_that_answers_nobody_is_seen) {
  heard by;
  auto how = blind;
  how.long_inbox = 100;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    auto ref = smarm::start_server<clerk>({.label = "clerk"}).value();
    auto [tx, rx] = smarm::channel<int>();
    (void)ref.cast(clerk::wait{std::move(rx)});
    for (int i = 0; i < 100; ++i) {
      (void)ref.cast(clerk::work{});
    }
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return by.any(report_kind::long_inbox);
    });
    (void)tx.send(1);
  });
  const auto told = by.of(report_kind::long_inbox);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "calls and casts queued ("));
  BOOST_TEST(has(told[0], "clerk"));
}

BOOST_AUTO_TEST_CASE(a_long_published_inbox_of_a_plain_actor_is_told) {
  for (const bool with_limit : {false, true}) {
    heard by;
    auto how = blind;
    how.long_inbox = 100;
    smarm::runtime rt(watched(by, how));
    smarm::pid culprit;
    rt.run([&] {
      auto [tx, rx] = with_limit ? smarm::channel<int>(smarm::bounded{200}) : smarm::channel<int>();
      auto [gate, opens] = smarm::channel<int>();
      auto h = waiting([tx = tx, rx = std::move(rx), opens = std::move(opens)]() mutable {
        smarm::publish(std::move(tx));
        (void)opens.recv();
      });
      culprit = h.id();
      for (int i = 0; i < 100; ++i) {
        (void)tx.send(i);
      }
      until_told(by, report_kind::long_inbox);
      (void)gate.send(1);
      (void)h.join();
    });
    const auto told = by.of(report_kind::long_inbox);
    BOOST_REQUIRE(told.size() == 1u);
    BOOST_TEST(by.about.all().front() == culprit);
    BOOST_TEST(has(told[0], "has 100 messages queued"));
  }
}

BOOST_AUTO_TEST_CASE(a_stack_near_its_limit_is_told) {
  heard by;
  auto how = blind;
  how.stack_percent = 50;
  smarm::runtime rt(watched(by, how));
  smarm::pid culprit;
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto h = smarm::spawn({.label = "deep"}, [rx = std::move(rx)]() mutable {
      char much[160 * 1024];
      asm volatile("" : : "r"(&much) : "memory"); // all of it is there
      (void)rx.recv();
      asm volatile("" : : "r"(&much) : "memory");
    });
    auto shallow = smarm::spawn([] { smarm::this_actor::sleep_for(5ms); });
    culprit = h.id();
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return by.any(report_kind::stack_near_limit);
    });
    smarm::this_actor::sleep_for(10ms);
    (void)tx.send(1);
    (void)h.join();
    (void)shallow.join();
  });
  const auto told = by.of(report_kind::stack_near_limit);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(by.about.all().front() == culprit);
  BOOST_TEST(has(told[0], "raise spawn_options::stack_size"));
}

BOOST_AUTO_TEST_CASE(a_stop_that_is_not_answered_is_told_with_what_the_actor_does) {
  heard by;
  auto how = blind;
  how.unanswered_stop = 5ms;
  smarm::runtime rt(watched(by, how));
  smarm::pid culprit;
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([rx = std::move(rx)]() mutable {
      const smarm::disable_stop masked;
      (void)rx.recv();
    });
    culprit = h.id();
    (void)smarm::request_stop(culprit);
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return by.any(report_kind::unanswered_stop);
    });
    (void)tx.send(1);
    (void)h.join();
  });
  const auto told = by.of(report_kind::unanswered_stop);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(by.about.all().front() == culprit);
  BOOST_TEST(has(told[0], "waits for a message and may not be stopped there"));
}

BOOST_AUTO_TEST_CASE(a_lock_of_an_actor_that_has_ended_is_told) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  smarm::pid culprit;
  rt.run([&] {
    // Never destroyed: a mutex that somebody holds must not be, as a debug build asserts.
    alignas(smarm::timed_mutex) std::byte room[sizeof(smarm::timed_mutex)];
    auto& m = *::new (room) smarm::timed_mutex;
    std::atomic<bool> somebody_waits{false};
    auto holder = smarm::spawn([&] {
      m.lock();
      until([&] { return somebody_waits.load(); });
      // and forgets it
    });
    smarm::this_actor::yield();
    auto h = waiting([&] { (void)m.try_lock_for(1h); });
    culprit = h.id();
    somebody_waits = true;
    (void)holder.join();
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return by.any(report_kind::stuck);
    });
    (void)smarm::request_stop(culprit);
    (void)h.join();
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(by.about.all().front() == culprit);
  BOOST_TEST(has(told[0], "hold locks by a guard"));
}

BOOST_AUTO_TEST_CASE(a_circle_of_locks_is_told_and_a_queue_is_not) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    smarm::timed_mutex left;
    smarm::timed_mutex right;
    smarm::mutex patient;
    int have_one = 0;
    const auto one_then_other = [&have_one](smarm::timed_mutex& one, smarm::timed_mutex& other) {
      return [&have_one, &one, &other] {
        const std::lock_guard first(one);
        ++have_one;
        until([&] { return have_one == 2; });
        if (other.try_lock_for(1h)) {
          other.unlock();
        }
      };
    };
    auto a = smarm::spawn({.label = "a"}, one_then_other(left, right));
    auto b = smarm::spawn({.label = "b"}, one_then_other(right, left));
    patient.lock();
    auto c = waiting([&] { const std::lock_guard later(patient); });
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return by.any(report_kind::stuck);
    });
    smarm::this_actor::sleep_for(20ms); // and no more than once
    (void)smarm::request_stop(a.id());
    (void)smarm::request_stop(b.id());
    (void)a.join();
    (void)b.join();
    patient.unlock();
    (void)c.join();
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"a\" for a lock of"));
  BOOST_TEST(has(told[0], "\"b\" for a lock of"));
}

BOOST_AUTO_TEST_CASE(actors_that_join_each_other_are_told) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    auto [to_a, at_a] = smarm::channel<smarm::join_handle>();
    auto [to_b, at_b] = smarm::channel<smarm::join_handle>();
    auto a = smarm::spawn({.label = "a"}, [rx = std::move(at_a)]() mutable {
      auto other = rx.recv().value();
      (void)other.join();
    });
    auto b = smarm::spawn({.label = "b"}, [rx = std::move(at_b)]() mutable {
      auto other = rx.recv().value();
      (void)other.join();
    });
    const smarm::pid first = a.id();
    (void)to_a.send(std::move(b));
    (void)to_b.send(std::move(a));
    until([&] {
      smarm::this_actor::sleep_for(1ms);
      return by.any(report_kind::stuck);
    });
    (void)smarm::request_stop(first);
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"a\" for the end of"));
  BOOST_TEST(has(told[0], "\"b\" for the end of"));
}

BOOST_AUTO_TEST_CASE(servers_that_call_each_other_are_told_and_a_slow_one_is_not) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    auto a = smarm::start_server<peer>({.label = "a"}).value();
    auto b = smarm::start_server<peer>({.label = "b"}).value();
    auto slow = smarm::start_server<peer>({.label = "slow"}).value();
    int inside = 0;
    const auto call_of = [&inside](smarm::server_ref<peer> other) {
      return [&inside, other] {
        ++inside;
        until([&] { return inside == 2; });
        (void)other.call(peer::ping{}, 1h);
      };
    };
    (void)slow.cast(peer::go{[&] {
      until([&] {
        smarm::this_actor::sleep_for(1ms);
        return by.any(report_kind::stuck);
      });
    }});
    auto patient = smarm::spawn([&] { (void)slow.call(peer::ping{}, 1h); });
    (void)a.cast(peer::go{call_of(b)});
    (void)b.cast(peer::go{call_of(a)});
    (void)patient.join();
    (void)smarm::request_stop(a.id());
    (void)smarm::request_stop(b.id());
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"a\" for a reply of"));
  BOOST_TEST(has(told[0], "\"b\" for a reply of"));
}

BOOST_AUTO_TEST_CASE(a_circle_through_an_answer_that_is_waited_for_later_is_told) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    auto a = smarm::start_server<peer>({.label = "a"}).value();
    auto b = smarm::start_server<peer>({.label = "b"}).value();
    (void)a.cast(peer::go{[&] {
      auto later = b.send_request(peer::ping{}).value();
      (void)later.recv_for(1h);
    }});
    (void)b.cast(peer::go{[&] { (void)a.call(peer::ping{}, 1h); }});
    until_told(by, report_kind::stuck);
    (void)smarm::request_stop(a.id());
    (void)smarm::request_stop(b.id());
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"a\" for a reply of"));
  BOOST_TEST(has(told[0], "\"b\" for a reply of"));
}

BOOST_AUTO_TEST_CASE(a_server_whose_init_calls_its_starter_is_told) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    auto starter = smarm::start_server<peer>({.label = "starter"}).value();
    (void)starter.cast(peer::go{[&] {
      (void)smarm::start_server<late>({.label = "late"}, std::function<void()>([&] {
                                        (void)starter.call(peer::ping{}, 1h);
                                      }));
    }});
    until_told(by, report_kind::stuck);
    (void)smarm::request_stop(starter.id());
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"starter\" for a reply of"));
  BOOST_TEST(has(told[0], "\"late\" for a reply of"));
}

BOOST_AUTO_TEST_CASE(servers_that_wait_for_room_in_each_others_inboxes_are_told) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    const auto limited = [](const char* label) {
      return smarm::start_server<peer>(
                 smarm::server_options{.actor = {.label = label}, .inbox = smarm::bounded{1}})
          .value();
    };
    auto a = limited("a");
    auto b = limited("b");
    int inside = 0;
    const auto fill = [&inside](smarm::server_ref<peer> other) {
      return [&inside, other] {
        ++inside;
        until([&] { return inside == 2; });
        for (int i = 0; i < 3; ++i) {
          (void)other.cast(peer::go{[] {}});
        }
      };
    };
    (void)a.cast(peer::go{fill(b)});
    (void)b.cast(peer::go{fill(a)});
    until_told(by, report_kind::stuck);
    (void)smarm::request_stop(a.id());
    (void)smarm::request_stop(b.id());
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"a\" for room in the inbox of"));
  BOOST_TEST(has(told[0], "\"b\" for room in the inbox of"));
}

BOOST_AUTO_TEST_CASE(a_circle_through_the_worker_that_has_a_pools_request_is_told) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    const smarm::worker_pool<porter> pool({.size = 3});
    auto supervisor = pool.start().value();
    auto a = smarm::start_server<peer>({.label = "a"}).value();
    (void)a.cast(peer::go{[&] {
      (void)pool.call(porter::carry{[&] { (void)a.call(peer::ping{}, 1h); }}, 1h);
    }});
    until_told(by, report_kind::stuck);
    (void)smarm::request_stop(a.id());
    (void)supervisor.shutdown(10s);
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "\"a\" for a worker of a pool"));
  BOOST_TEST(has(told[0], "for a reply of"));
}

BOOST_AUTO_TEST_CASE(workers_that_call_their_own_busy_pool_are_told_when_none_is_left) {
  heard by;
  auto how = blind;
  how.stuck = 5ms;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    const smarm::worker_pool<porter> pool({.size = 2});
    auto supervisor = pool.start().value();
    const auto call_again = [&] { (void)pool.call(porter::carry{[] {}}, 1h); };
    auto [gate, opens] = smarm::channel<int>();
    // The first one waits for the second, which is busy, but will be idle again.
    auto busy = waiting([&pool, opens = std::move(opens)]() mutable {
      (void)pool.call(porter::carry{[&] { (void)opens.recv(); }}, 1h);
    });
    auto first = waiting([&] { (void)pool.call(porter::carry{call_again}, 1h); });
    smarm::this_actor::sleep_for(30ms);
    const bool told_too_early = by.any(report_kind::stuck);
    (void)gate.send(1);
    (void)busy.join();
    (void)first.join();
    // Both wait for either.
    int inside = 0;
    const auto together = [&] {
      ++inside;
      until([&] { return inside == 2; });
      call_again();
    };
    auto left = smarm::spawn([&] { (void)pool.call(porter::carry{together}, 1h); });
    auto right = smarm::spawn([&] { (void)pool.call(porter::carry{together}, 1h); });
    until_told(by, report_kind::stuck);
    (void)smarm::request_stop(left.id());
    (void)smarm::request_stop(right.id());
    (void)left.join();
    (void)right.join();
    (void)supervisor.shutdown(10s);
    if (told_too_early) {
      throw std::runtime_error("told too early");
    }
  });
  const auto told = by.of(report_kind::stuck);
  BOOST_REQUIRE(told.size() >= 1u);
  BOOST_TEST(has(told[0], "for a worker of a pool"));
}

BOOST_AUTO_TEST_CASE(short_sleeps_without_end_are_a_storm_and_messages_are_not) {
  heard by;
  auto how = blind;
  how.interval = 10ms;
  how.wakes_per_second = 500;
  smarm::runtime rt(watched(by, how));
  smarm::pid culprit;
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto [back, at_home] = smarm::channel<int>();
    auto honest = smarm::spawn([rx = std::move(rx), back = std::move(back)]() mutable {
      while (rx.recv()) {
        (void)back.send(1);
      }
    });
    auto h = smarm::spawn({.label = "poller"}, [&] {
      while (!by.any(report_kind::wake_storm)) {
        smarm::this_actor::sleep_for(1us);
      }
    });
    culprit = h.id();
    until([&] {
      (void)tx.send(1);
      (void)at_home.recv();
      return by.any(report_kind::wake_storm);
    });
    (void)h.join();
    tx = {};
    (void)honest.join();
  });
  BOOST_TEST(by.any(report_kind::wake_storm));
  for (const smarm::pid who : by.about.all()) {
    BOOST_TEST(who == culprit);
  }
}

BOOST_AUTO_TEST_CASE(yields_without_end_are_a_storm) {
  heard by;
  auto how = blind;
  how.wakes_per_second = 1000;
  smarm::runtime rt(watched(by, how));
  rt.run([&] {
    const auto look_again = [&] {
      while (!by.any(report_kind::wake_storm)) {
        smarm::this_actor::yield();
      }
    };
    auto a = smarm::spawn(look_again);
    auto b = smarm::spawn(look_again);
    (void)a.join();
    (void)b.join();
  });
  const auto told = by.of(report_kind::wake_storm);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(has(told[0], "without waiting for anything"));
}

// With the limits as they are by default, under load: everything that can be busy is.
BOOST_AUTO_TEST_CASE(a_healthy_program_is_not_reported) {
  heard by;
  smarm::runtime rt(watched(by, {.interval = 5ms}, 3));
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    const auto end = std::chrono::steady_clock::now() + 300ms;
    auto ref = smarm::start_server<clerk>().value();
    smarm::mutex m;
    for (int i = 0; i < 6; ++i) {
      all.push_back(smarm::spawn([&, end] {
        while (std::chrono::steady_clock::now() < end) {
          auto [tx, rx] = smarm::channel<int>();
          auto h = smarm::spawn([tx = std::move(tx)] { (void)tx.send(1); });
          (void)rx.recv();
          (void)h.join();
          const std::lock_guard guard(m);
          (void)ref.cast(clerk::work{});
          smarm::this_actor::sleep_for(100us);
        }
      }));
    }
    all.push_back(smarm::spawn([end] { // computes, and is polite
      while (std::chrono::steady_clock::now() < end) {
        smarm::this_actor::checkpoint();
      }
    }));
    all.push_back(smarm::spawn([end] { smarm::this_actor::sleep_until(end); }));
    join_all(all);
  });
  for (const auto& [kind, text] : by.all.all()) {
    BOOST_TEST_MESSAGE(to_string(kind) << ": " << text);
  }
  BOOST_TEST(by.all.size() == 0u);
}

BOOST_AUTO_TEST_CASE(it_goes_on_from_one_run_to_the_next_and_ends_with_the_runtime_or_before) {
  heard by;
  auto how = blind;
  how.long_slice = 5ms;
  auto rt = std::make_unique<smarm::runtime>(
      smarm::config{.schedulers = 1, .reports = by.sink()});
  smarm::watchdog first(rt->handle(), how);
  for (std::size_t run = 1; run <= 2; ++run) {
    rt->run([&] {
      while (by.of(report_kind::long_slice).size() < run) {
      }
    });
  }
  smarm::watchdog second(rt->handle(), how);
  first = std::move(second);
  rt.reset();
  BOOST_TEST(by.of(report_kind::long_slice).size() == 2u);
  const smarm::watchdog of_nothing{smarm::runtime_handle(), how};
}

BOOST_AUTO_TEST_CASE(a_sink_may_shut_the_runtime_down) {
  std::unique_ptr<smarm::runtime> rt;
  std::atomic<bool> told{false};
  auto how = blind;
  how.long_slice = 5ms;
  rt = std::make_unique<smarm::runtime>(smarm::config{
      .schedulers = 1,
      .reports =
          [&](const report& r) {
            if (r.kind == report_kind::long_slice) {
              told = true;
              (void)rt->shutdown(1h);
            }
          },
      .watchdog = how});
  rt->run([&] {
    while (!told) {
    }
    smarm::this_actor::sleep_for(1h); // which the shutdown ends
  });
  BOOST_TEST(told.load());
  rt.reset();
}

BOOST_AUTO_TEST_CASE(a_sink_may_end_the_watch) {
  std::unique_ptr<smarm::watchdog> dog;
  std::atomic<bool> told{false};
  auto how = blind;
  how.long_slice = 5ms;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const report& r) {
                       if (r.kind == report_kind::long_slice) {
                         dog.reset();
                         told = true;
                       }
                     }});
  dog = std::make_unique<smarm::watchdog>(rt.handle(), how);
  rt.run([&] {
    while (!told) {
    }
  });
  BOOST_TEST(told.load());
}

BOOST_AUTO_TEST_CASE(limits_that_make_no_sense_are_refused_by_name) {
  const auto refused = [](smarm::watchdog_options how) {
    try {
      const smarm::watchdog dog{smarm::runtime_handle(), how};
    } catch (const boost::system::system_error& e) {
      return e.code() == smarm::errc::invalid_config ? std::string(e.what()) : std::string();
    }
    return std::string();
  };
  BOOST_TEST(has(refused({.interval = 0ns}), "watchdog_options::interval"));
  BOOST_TEST(has(refused({.long_slice = -1ns}), "long_slice"));
  BOOST_TEST(has(refused({.blocked_handler = -1ns}), "blocked_handler"));
  BOOST_TEST(has(refused({.stack_percent = 101}), "stack_percent"));
  BOOST_TEST((refusal([] {
                smarm::runtime rt({.watchdog = smarm::watchdog_options{.interval = 2h}});
              }) == smarm::errc::invalid_config));
}
