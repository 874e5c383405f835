// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Learning how an actor ended: from actors, from threads, in time or not, and after the runtime.

#define BOOST_TEST_MODULE join
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
using std::chrono::steady_clock;

namespace {

const smarm::report_sink no_reports = [](const smarm::report&) {};

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = no_reports};
}

template <class Call>
boost::system::error_code refusal(Call call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code();
  }
  return {};
}

std::string rethrown(const smarm::exit_status& how) {
  try {
    std::rethrow_exception(how.exception());
  } catch (const std::exception& e) {
    return e.what();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(join_suite, *boost::unit_test::timeout(120))

// ---- what it says

BOOST_AUTO_TEST_CASE(an_ending_is_normal_failed_stopped_or_shut_down) {
  std::vector<exit_kind> how;
  std::string what;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    const auto wait_for_ever = [] { smarm::this_actor::sleep_for(24h); };
    auto normal = smarm::spawn([] {});
    auto failed = smarm::spawn([] { throw std::runtime_error("its own words"); });
    auto stopped = smarm::spawn(wait_for_ever);
    auto shut_down = smarm::spawn(wait_for_ever);
    smarm::this_actor::yield();
    smarm::request_stop(stopped.id());
    smarm::request_shutdown(shut_down.id());
    how.push_back(normal.join().kind());
    const smarm::exit_status failure = failed.join();
    how.push_back(failure.kind());
    what = rethrown(failure);
    how.push_back(stopped.join().kind()); // returns like any other
    how.push_back(shut_down.join().kind());
  });
  CHECK_LIST(how, {exit_kind::normal, exit_kind::failed, exit_kind::stopped, exit_kind::shutdown});
  BOOST_TEST(what == "its own words");
}

BOOST_AUTO_TEST_CASE(an_exception_is_handed_on_as_the_object_it_is) {
  struct odd {
    std::shared_ptr<int> value;
  };
  std::shared_ptr<int> value = std::make_shared<int>(7);
  int got = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const auto how = smarm::spawn([&] { throw odd{value}; }).join();
    try {
      std::rethrow_exception(how.exception());
    } catch (const odd& o) {
      got = *o.value;
    }
  });
  BOOST_TEST(got == 7);
  BOOST_TEST(value.use_count() == 1); // nobody keeps what nobody can ask for
}

BOOST_AUTO_TEST_CASE(when_join_returns_everything_of_the_actor_is_gone) {
  recorder seen;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    for (int i = 0; i < 200; ++i) {
      const std::string n = std::to_string(i);
      (void)smarm::spawn([&, body = noted_end(seen, "body " + n)] {
        const noted_end local(seen, "local " + n);
        smarm::this_actor::yield();
      }).join();
      seen.note("joined " + n);
    }
  });
  bool in_order = true;
  const auto all = seen.all();
  for (std::size_t i = 0; i + 2 < all.size(); i += 3) {
    const std::string n = std::to_string(i / 3);
    in_order = in_order && all[i] == "local " + n && all[i + 1] == "body " + n &&
               all[i + 2] == "joined " + n;
  }
  BOOST_TEST(all.size() == 600u);
  BOOST_TEST(in_order);
}

BOOST_AUTO_TEST_CASE(joining_one_that_has_ended_does_not_suspend) {
  recorder seen;
  smarm::run([&] {
    auto first = smarm::spawn([&] { seen.note("first"); });
    smarm::this_actor::yield();
    auto second = smarm::spawn([&] { seen.note("second"); });
    (void)first.join();
    (void)first.id();
    seen.note("joined");
    (void)second.join();
  });
  CHECK_LIST(seen.all(), {"first", "joined", "second"});
}

BOOST_AUTO_TEST_CASE(but_it_is_a_stop_point) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto joiner = smarm::spawn([&] {
      auto ended = smarm::spawn([] {});
      smarm::this_actor::yield();
      smarm::request_stop(smarm::this_actor::self());
      seen.note("asked");
      (void)ended.join();
      seen.note("never");
    });
    seen.note(to_string(joiner.join().kind()));
  });
  CHECK_LIST(seen.all(), {"asked", "stopped"});
}

// ---- handles

BOOST_AUTO_TEST_CASE(a_handle_knows_its_pid_and_whether_it_can_be_joined) {
  std::vector<int> joinable;
  bool same = false;
  boost::system::error_code twice, empty, moved, detached, timed;
  smarm::run([&] {
    smarm::join_handle none;
    joinable.push_back(none.joinable());
    empty = refusal([&] { (void)none.join(); });
    auto h = smarm::spawn([] {});
    const smarm::pid id = h.id();
    joinable.push_back(h.joinable());
    smarm::join_handle other = std::move(h);
    joinable.push_back(h.joinable()); // NOLINT: moved from, on purpose
    joinable.push_back(other.joinable());
    moved = refusal([&] { (void)h.join(); });
    (void)other.join();
    joinable.push_back(other.joinable());
    twice = refusal([&] { (void)other.join(); });
    timed = refusal([&] { (void)other.join_for(1s); });
    same = other.id() == id;
    auto gone = smarm::spawn([] {});
    gone.detach();
    gone.detach(); // of what is gone already
    joinable.push_back(gone.joinable());
    detached = refusal([&] { (void)gone.join(); });
  });
  CHECK_LIST(joinable, {0, 1, 0, 1, 0, 0});
  BOOST_TEST(same);
  for (const auto& code : {twice, empty, moved, detached, timed}) {
    BOOST_TEST((code == errc::no_process));
  }
}

BOOST_AUTO_TEST_CASE(an_actor_runs_on_when_its_handle_goes) {
  recorder seen;
  tokens gates[2];
  smarm::run([&] {
    { auto h = smarm::spawn([&] { gates[0].take(); seen.note("one"); }); }
    { auto h = smarm::spawn([&] { gates[1].take(); seen.note("two"); }); h.detach(); }
    {
      auto h = smarm::spawn([&] { seen.note("three"); });
      h = smarm::spawn([&] { seen.note("four"); });
      (void)h.join();
    }
    for (auto& gate : gates) {
      gate.give();
      smarm::this_actor::yield();
    }
  });
  CHECK_LIST(seen.all(), {"three", "four", "one", "two"});
}

BOOST_AUTO_TEST_CASE(an_actor_cannot_join_itself) {
  boost::system::error_code code;
  boost::system::error_code timed;
  exit_kind how{};
  smarm::run([&] {
    smarm::join_handle self;
    self = smarm::spawn([&] {
      code = refusal([&] { (void)self.join(); });
      timed = refusal([&] { (void)self.join_for(1s); });
    });
    smarm::this_actor::yield();
    how = self.join().kind();
  });
  BOOST_TEST((code == errc::would_deadlock));
  BOOST_TEST((timed == errc::would_deadlock));
  BOOST_TEST(how == exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(joining_in_scheduler_context_is_refused_and_the_handle_stays_joinable) {
  boost::system::error_code code;
  boost::system::error_code timed;
  bool joinable = false;
  smarm::run([&] {
    auto h = smarm::spawn([] {});
    smarm::this_actor::run_on_thread_stack([&] {
      code = refusal([&] { (void)h.join(); });
      timed = h.join_for(1s).error();
    });
    joinable = h.joinable();
    (void)h.join();
  });
  BOOST_TEST((code == errc::would_block_scheduler));
  BOOST_TEST((timed == errc::would_block_scheduler));
  BOOST_TEST(joinable);
}

// ---- in time

BOOST_AUTO_TEST_CASE(a_join_that_is_out_of_time_says_so_never_early_and_stays_joinable) {
  boost::system::error_code code;
  boost::system::error_code until_code;
  bool early = false;
  bool joinable = false;
  exit_kind how{};
  smarm::run([&] {
    tokens gate;
    auto h = smarm::spawn([&] { gate.take(); });
    auto begin = steady_clock::now();
    code = h.join_for(20ms).error();
    early = steady_clock::now() - begin < 20ms;
    begin = steady_clock::now();
    until_code = h.join_until(begin + 3ms).error();
    early = early || steady_clock::now() - begin < 3ms;
    joinable = h.joinable();
    gate.give();
    how = h.join().kind();
  });
  BOOST_TEST((code == errc::timed_out));
  BOOST_TEST((until_code == errc::timed_out));
  BOOST_TEST(!early);
  BOOST_TEST(joinable);
  BOOST_TEST(how == exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(a_join_without_time_is_a_look) {
  std::vector<int> out_of_time;
  std::vector<int> found;
  smarm::run([&] {
    tokens gate;
    auto h = smarm::spawn([&] { gate.take(); });
    out_of_time.push_back(h.join_for(0s).error() == errc::timed_out);
    out_of_time.push_back(h.join_for(-5s).error() == errc::timed_out);
    out_of_time.push_back(h.join_until(steady_clock::time_point::min()).error() == errc::timed_out);
    out_of_time.push_back(h.join_until(steady_clock::now() - 1h).error() == errc::timed_out);
    gate.give();
    smarm::this_actor::yield();
    found.push_back(h.join_for(0s).has_value());
    auto other = smarm::spawn([] {});
    smarm::this_actor::yield();
    found.push_back(other.join_until(steady_clock::time_point::min()).has_value());
  });
  CHECK_LIST(out_of_time, {1, 1, 1, 1});
  CHECK_LIST(found, {1, 1});
}

BOOST_AUTO_TEST_CASE(a_join_with_all_the_time_there_is_waits) {
  std::vector<int> found;
  smarm::run([&] {
    const auto joined = [&](auto join) {
      tokens gate;
      auto h = smarm::spawn([&] { gate.take(); });
      auto giver = smarm::spawn([&] { gate.give(); });
      found.push_back(join(h).has_value());
      (void)giver.join();
    };
    joined([](auto& h) { return h.join_for(std::chrono::hours::max()); });
    joined([](auto& h) { return h.join_for(std::chrono::nanoseconds::max()); });
    joined([](auto& h) { return h.join_for(std::chrono::duration<double>(1e300)); });
    joined([](auto& h) { return h.join_until(steady_clock::time_point::max()); });
    using far = std::chrono::time_point<steady_clock, std::chrono::hours>;
    joined([](auto& h) { return h.join_until(far::max()); });
  });
  CHECK_LIST(found, {1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_join_out_of_time_leaves_nothing_that_could_end_a_later_wait) {
  bool early = false;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 20; ++i) {
      tokens gate;
      auto h = smarm::spawn([&] { gate.take(); });
      (void)h.join_for(50us);
      const auto begin = steady_clock::now();
      gate.give(); // ends now, and the joiner has given up
      smarm::this_actor::sleep_for(2ms);
      early = early || steady_clock::now() - begin < 2ms;
      (void)h.join();
    }
  });
  BOOST_TEST(!early);
}

BOOST_AUTO_TEST_CASE(an_ending_and_a_deadline_at_the_same_time_lose_nothing) {
  long ended = 0;
  constexpr long rounds = 3000;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    std::minstd_rand pick(1);
    for (long i = 0; i < rounds; ++i) {
      auto h = smarm::spawn([n = pick() % 20] {
        for (unsigned k = 0; k < n; ++k) {
          smarm::this_actor::yield();
        }
      });
      while (h.joinable()) {
        ended += h.join_for(std::chrono::nanoseconds(pick() % 5000)).has_value();
      }
    }
  });
  BOOST_TEST(ended == rounds);
}

// ---- from elsewhere

BOOST_AUTO_TEST_CASE(plain_threads_join_by_blocking) {
  smarm::runtime rt(quiet(2));
  rt.start();
  tokens gate;
  auto waiting = rt.handle().spawn([&] { gate.take(); });
  const auto begin = steady_clock::now();
  BOOST_TEST((waiting.join_for(5ms).error() == errc::timed_out));
  BOOST_TEST((steady_clock::now() - begin >= 5ms));
  BOOST_TEST((waiting.join_for(0s).error() == errc::timed_out));
  BOOST_TEST((waiting.join_for(-1s).error() == errc::timed_out));
  gate.give();
  BOOST_TEST((waiting.join_for(1h).value() == exit_kind::normal));
  BOOST_TEST((rt.handle().spawn([] {}).join() == exit_kind::normal));
  const auto failure = rt.handle().spawn([] { throw std::runtime_error("words"); }).join();
  BOOST_TEST(failure.kind() == exit_kind::failed);
  BOOST_TEST(rethrown(failure) == "words");
  auto sleeper = rt.handle().spawn([] { smarm::this_actor::sleep_for(24h); });
  BOOST_TEST(rt.handle().request_stop(sleeper.id()));
  BOOST_TEST(sleeper.join().kind() == exit_kind::stopped);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(an_actor_of_another_runtime_joins_by_waiting) {
  smarm::runtime one(quiet(2));
  smarm::runtime two(quiet(2));
  recorder seen;
  one.start();
  two.run([&] {
    for (int i = 0; i < 100; ++i) {
      tokens gate;
      auto there = one.handle().spawn([&] { gate.take(); });
      auto here = smarm::spawn([&] { gate.give(); });
      seen.note(to_string(there.join().kind()));
      (void)here.join();
      seen.note(there.joinable() ? "joinable" : "joined");
    }
  });
  BOOST_TEST(seen.count("normal") == 100u);
  BOOST_TEST(seen.count("joined") == 100u);
  BOOST_TEST(one.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(a_handle_may_outlive_its_runtime) {
  std::vector<smarm::join_handle> kept;
  smarm::join_handle unasked;
  {
    smarm::runtime rt(quiet(2));
    rt.run([&] {
      kept.push_back(smarm::spawn([] {}));
      kept.push_back(smarm::spawn([] { throw std::runtime_error("long ago"); }));
      kept.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(24h); }));
      kept.push_back(smarm::spawn([] {}));
      unasked = smarm::spawn([] { throw 1; });
      for (auto& h : kept) {
        until([&] { return parked(h.id()) || !rt.handle().is_live(h.id()); });
      }
    });
  }
  BOOST_TEST(kept[0].join().kind() == exit_kind::normal);
  BOOST_TEST(rethrown(kept[1].join_for(0s).value()) == "long ago");
  exit_kind third{};
  smarm::run([&] { third = kept[2].join().kind(); }); // from an actor of a later one
  BOOST_TEST(third == exit_kind::shutdown);
}

BOOST_AUTO_TEST_CASE(slots_that_handles_of_a_dead_runtime_pin_are_left_alone_by_the_next) {
  std::vector<smarm::join_handle> kept;
  {
    smarm::runtime rt({.schedulers = 1, .max_actors = 64});
    rt.run([&] {
      for (int i = 0; i < 20; ++i) {
        kept.push_back(smarm::spawn([] {}));
      }
    });
  }
  bool distinct = true;
  std::size_t used = 0;
  smarm::runtime rt({.schedulers = 1, .max_actors = 64});
  rt.run([&] {
    std::vector<smarm::join_handle> mine;
    while (auto h = smarm::try_spawn([] {})) {
      for (const auto& k : kept) {
        distinct = distinct && k.id() != h->id();
      }
      mine.push_back(*std::move(h));
    }
    used = mine.size();
  });
  BOOST_TEST(distinct);
  BOOST_TEST(used >= 43u); // what the table has without them and the root
  for (auto& h : kept) {
    BOOST_TEST(h.join().kind() == exit_kind::normal);
  }
}

BOOST_AUTO_TEST_CASE(handles_of_a_dead_runtime_take_no_place_from_the_next) {
  std::vector<smarm::join_handle> kept;
  {
    smarm::runtime rt({.schedulers = 1});
    rt.run([&] {
      for (int i = 0; i < 100; ++i) {
        kept.push_back(smarm::spawn([] {}));
      }
    });
  }
  std::size_t used = 0;
  smarm::runtime rt({.schedulers = 1, .max_actors = 50});
  rt.run([&] {
    std::vector<smarm::join_handle> mine;
    while (auto h = smarm::try_spawn([] {})) {
      mine.push_back(*std::move(h));
    }
    used = mine.size();
  });
  BOOST_TEST(used == 49u);
}

// ---- joiners that end themselves

BOOST_AUTO_TEST_CASE(a_stop_of_the_joiner_leaves_the_handle_joinable) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    tokens gate;
    auto target = smarm::spawn([&] { gate.take(); });
    for (int i = 0; i < 3; ++i) { // again and again: its registration is taken back each time
      auto joiner = smarm::spawn([&] {
        if (i == 1) {
          (void)target.join_for(24h);
        } else {
          (void)target.join();
        }
      });
      until([&] { return parked(joiner.id()); });
      smarm::request_stop(joiner.id());
      seen.note(to_string(joiner.join().kind()));
      seen.note(target.joinable() ? "joinable" : "joined");
    }
    gate.give();
    seen.note(to_string(target.join().kind()));
  });
  CHECK_LIST(seen.all(),
             {"stopped", "joinable", "stopped", "joinable", "stopped", "joinable", "normal"});
}

BOOST_AUTO_TEST_CASE(a_stop_and_an_ending_at_the_same_time_leave_one_of_two_outcomes) {
  long joined = 0;
  long left = 0;
  long wrong = 0;
  constexpr long rounds = 1000;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    for (long i = 0; i < rounds; ++i) {
      tokens gate;
      auto target = smarm::spawn([&] { gate.take(); });
      auto joiner = smarm::spawn([&] { (void)target.join(); });
      until([&] { return parked(joiner.id()) && parked(target.id()); });
      auto stopper = smarm::spawn([&] { smarm::request_stop(joiner.id()); });
      gate.give();
      const exit_kind how = joiner.join().kind();
      (void)stopper.join();
      if (how == exit_kind::normal && !target.joinable()) {
        ++joined;
      } else if (how == exit_kind::stopped && target.joinable() &&
                 target.join().kind() == exit_kind::normal) {
        ++left;
      } else {
        ++wrong;
      }
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(joined + left == rounds);
}

// ---- storms

std::uint64_t tree(unsigned depth) {
  if (depth == 0) {
    return 1;
  }
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  auto one = smarm::spawn([&] { left = tree(depth - 1); });
  auto two = smarm::spawn([&] { right = tree(depth - 1); });
  (void)one.join();
  (void)two.join();
  return left + right;
}

BOOST_AUTO_TEST_CASE(a_tree_of_joiners) {
  for (const unsigned schedulers : {1u, 4u}) {
    std::uint64_t leaves = 0;
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] { leaves = tree(12); });
    BOOST_TEST(leaves == 4096u);
  }
}

BOOST_AUTO_TEST_CASE(a_storm_of_joiners_handed_from_one_to_the_next) {
  std::atomic<long> joined{0};
  constexpr long chains = 100;
  constexpr long length = 20;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    std::vector<smarm::join_handle> ends;
    for (long c = 0; c < chains; ++c) {
      auto last = smarm::spawn([] {});
      for (long i = 0; i < length; ++i) {
        last = smarm::spawn([&joined, h = std::move(last)]() mutable {
          joined += h.join().kind() == exit_kind::normal;
        });
      }
      ends.push_back(std::move(last));
    }
    for (auto& h : ends) {
      (void)h.join();
    }
  });
  BOOST_TEST(joined == chains * length);
}

BOOST_AUTO_TEST_CASE(threads_and_actors_join_at_the_same_time) {
  std::atomic<long> joined{0};
  smarm::runtime rt(quiet(2));
  rt.start();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, handle = rt.handle()] {
      for (int i = 0; i < 200; ++i) {
        auto outer = handle.spawn([&] {
          auto inner = smarm::spawn([] { smarm::this_actor::yield(); });
          joined += inner.join().kind() == exit_kind::normal;
        });
        while (outer.joinable()) {
          joined += outer.join_for(20us).has_value();
        }
      }
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST(joined == 1600);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_SUITE_END()
