// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Values of which every actor has its own: when they are made, that they travel along, and that
// they go exactly once, in order, however the actor ends. And the label that an actor gives itself.

#define BOOST_TEST_MODULE actor_local
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "travel.hpp"
#include "waiting.hpp"

#include <smarm/actor_local.hpp>
#include <smarm/channel.hpp>
#include <smarm/error.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
namespace this_actor = smarm::this_actor;

namespace {

recorder* notes = nullptr; // of the test that runs

void note(const std::string& what) { notes->note(what); }

struct noted {
  explicit noted(std::string what) : name(std::move(what)) { note("made " + name); }
  noted(const noted&) = delete;
  noted& operator=(const noted&) = delete;
  ~noted() { note("gone " + name); }
  std::string name;
};

constinit smarm::actor_local<int> number;
constinit smarm::actor_local<noted> first{[] { return noted("first"); }};
constinit smarm::actor_local<noted> second{[] { return noted("second"); }};

struct recording {
  recorder seen;
  recording() { notes = &seen; }
  ~recording() { notes = nullptr; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(actor_local_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(each_actor_has_its_own_and_it_begins_anew) {
  std::vector<int> seen;
  smarm::run([&] {
    *number = 1;
    (void)smarm::spawn([&] {
      seen.push_back(*number);
      *number = 2;
      this_actor::yield();
      seen.push_back(*number);
    }).join();
    (void)smarm::spawn([&] { seen.push_back(*number); }).join();
    seen.push_back(*number);
  });
  CHECK_LIST(seen, {0, 2, 0, 1});
}

BOOST_AUTO_TEST_CASE(a_value_is_not_there_before_it_is_asked_for) {
  bool before = true;
  bool after = false;
  smarm::run([&] {
    before = number.get_if() != nullptr;
    *number = 1;
    after = number.get_if() == &*number;
  });
  BOOST_TEST(!before);
  BOOST_TEST(after);
}

BOOST_AUTO_TEST_CASE(values_go_in_reverse_order_after_the_body_and_before_the_end_is_heard_of) {
  recording r;
  smarm::run([] {
    auto [h, m] = smarm::spawn_monitor([] {
      const noted local("local");
      (void)*second;
      (void)*first;
    });
    (void)m.recv();
    note("heard");
  });
  CHECK_LIST(r.seen.all(), {"made local", "made second", "made first", "gone local", "gone first",
                            "gone second", "heard"});
}

BOOST_AUTO_TEST_CASE(values_go_exactly_once_on_every_ending) {
  recording r;
  smarm::runtime rt(quiet(1));
  rt.run([] {
    const auto use = [] { (void)*first; };
    (void)smarm::spawn([&] { use(); }).join();
    (void)smarm::spawn([&] {
      use();
      throw 1;
    }).join();
    const auto wait = [&] {
      use();
      this_actor::sleep_for(24h);
    };
    auto stopped = waiting(wait);
    (void)smarm::request_stop(stopped.id());
    (void)stopped.join();
    auto shut_down = waiting(wait);
    (void)smarm::request_shutdown(shut_down.id());
    (void)shut_down.join();
    waiting(wait).detach(); // swept when the root ends
    use();                  // the root's own
  });
  BOOST_TEST(r.seen.count("made first") == 6u);
  BOOST_TEST(r.seen.count("gone first") == 6u);
}

BOOST_AUTO_TEST_CASE(an_actor_that_is_stopped_before_it_has_run_has_made_none) {
  recording r;
  smarm::runtime rt(quiet(1));
  rt.run([] {
    auto h = smarm::spawn([] {
      this_actor::yield(); // the stop is raised here
      (void)*first;
    });
    (void)smarm::request_stop(h.id());
    (void)h.join();
  });
  BOOST_TEST(r.seen.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_value_stays_with_its_actor_on_every_thread) {
  int wrong = 0;
  std::unordered_set<pid_t> threads;
  smarm::runtime rt(quiet(3));
  rt.run([&] {
    *number = 5;
    const int* const where = &*number;
    for (unsigned i = 0; i < 6; ++i) {
      go_to(i % 3);
      threads.insert(this_thread());
      wrong += &*number != where || *number != 5;
    }
  });
  BOOST_TEST(threads.size() == 3u);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(it_is_the_actors_on_the_threads_own_stack_too) {
  int seen = 0;
  smarm::run([&] {
    *number = 5;
    this_actor::run_on_thread_stack([&] { seen = (*number)++; });
    seen += *number;
  });
  BOOST_TEST(seen == 11);
}

BOOST_AUTO_TEST_CASE(a_plain_thread_has_none_and_is_told_what_to_use) {
  BOOST_TEST(number.get_if() == nullptr);
  BOOST_TEST(!number.reset());
  std::string what;
  try {
    (void)*number;
  } catch (const boost::system::system_error& e) {
    BOOST_TEST((e.code() == errc::not_in_actor));
    what = e.what();
  }
  BOOST_TEST(what.find("thread_local") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_was_reset_is_made_anew) {
  recording r;
  bool nothing = true;
  smarm::run([&] {
    nothing = first.reset();
    (void)*first;
    (void)first.reset();
    (void)*first;
  });
  BOOST_TEST(!nothing);
  CHECK_LIST(r.seen.all(), {"made first", "gone first", "made first", "gone first"});
}

// ---- making that fails

namespace {
int failures = 0;
constinit smarm::actor_local<int> fails_once{[]() -> int {
  if (failures++ == 0) {
    throw std::runtime_error("not yet");
  }
  return 7;
}};
extern smarm::actor_local<int> of_itself;
int ask_for_itself() { return *of_itself; }
constinit smarm::actor_local<int> of_itself{&ask_for_itself};
} // namespace

BOOST_AUTO_TEST_CASE(what_could_not_be_made_is_made_the_next_time) {
  failures = 0;
  bool thrown = false;
  int then = 0;
  smarm::run([&] {
    try {
      (void)*fails_once;
    } catch (const std::runtime_error&) {
      thrown = fails_once.get_if() == nullptr;
    }
    then = *fails_once;
  });
  BOOST_TEST(thrown);
  BOOST_TEST(then == 7);
}

BOOST_AUTO_TEST_CASE(a_value_that_needs_itself_is_refused) {
  boost::system::error_code code;
  smarm::run([&] { code = refusal([] { (void)*of_itself; }); });
  BOOST_TEST((code == errc::would_deadlock));
}

// ---- destructors

namespace {
struct uses_first {
  ~uses_first() { note("sees " + first->name); }
};
struct waits_in_the_end {
  ~waits_in_the_end() {
    this_actor::yield();
    this_actor::sleep_for(1ms);
    note("waited");
  }
};
struct throws_in_the_end {
  ~throws_in_the_end() noexcept(false) { throw std::runtime_error("too late"); }
};
struct phoenix;
extern smarm::actor_local<phoenix> circle;
auto& left_behind = *new std::vector<const void*>(); // for leak checkers, also at the exit
struct phoenix {
  phoenix() { left_behind.push_back(this); }
  phoenix(const phoenix&) = delete;
  ~phoenix() {
    note("burns");
    (void)*circle;
  }
};
constinit smarm::actor_local<uses_first> looks{[] { return uses_first(); }};
constinit smarm::actor_local<waits_in_the_end> waits;
constinit smarm::actor_local<throws_in_the_end> throws;
constinit smarm::actor_local<phoenix> circle;
} // namespace

BOOST_AUTO_TEST_CASE(a_destructor_that_uses_another_value_finds_it_or_makes_it) {
  recording r;
  smarm::run([] {
    (void)*looks;
    (void)*first; // is gone before looks is
  });
  CHECK_LIST(r.seen.all(), {"made first", "gone first", "made first", "sees first", "gone first"});
}

BOOST_AUTO_TEST_CASE(a_destructor_may_wait_although_its_actor_is_stopped) {
  recording r;
  smarm::runtime rt(quiet(1));
  rt.run([] {
    auto h = waiting([] {
      (void)*waits;
      this_actor::sleep_for(24h);
    });
    (void)smarm::request_stop(h.id());
    (void)h.join();
  });
  CHECK_LIST(r.seen.all(), {"waited"});
}

BOOST_AUTO_TEST_CASE(what_a_destructor_throws_is_reported_and_the_rest_goes_on) {
  recording r;
  recorder told;
  smarm::exit_kind how{};
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& one) {
                       told.note(std::string(to_string(one.kind)) + " " + one.label + ": " +
                                 one.text);
                     }});
  rt.run([&] {
    auto h = smarm::spawn({.label = "thrower"}, [] {
      (void)*first;
      (void)*throws;
    });
    how = h.join().kind();
  });
  BOOST_TEST((how == smarm::exit_kind::normal));
  CHECK_LIST(r.seen.all(), {"made first", "gone first"});
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told.all()[0].find("callback failed thrower: the destructor of an actor-local value "
                                "threw: ") == 0u,
             told.all()[0]);
  BOOST_TEST(told.all()[0].find("too late") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(destructors_that_go_in_circles_come_to_an_end_and_are_reported) {
  recording r;
  recorder told;
  smarm::runtime rt(
      {.schedulers = 1, .reports = [&](const smarm::report& one) { told.note(one.text); }});
  rt.run([] {
    (void)*first;
    (void)*circle;
  });
  BOOST_TEST(r.seen.count("burns") == 4u);
  BOOST_TEST(r.seen.count("gone first") == 1u);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told.all()[0].find("get_if()") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_the_sink_of_reports_makes_goes_with_the_actor_that_is_reported) {
  recording r;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) { (void)*first; }});
  rt.run([] {
    (void)smarm::spawn([] { throw 1; }).join();
    (void)smarm::spawn([] {
      (void)*first;
      throw 1;
    }).join();
  });
  BOOST_TEST(r.seen.count("made first") == 3u);
  BOOST_TEST(r.seen.count("gone first") == 3u);
}

// ---- labels

BOOST_AUTO_TEST_CASE(an_actor_that_labels_itself_is_reported_under_that_label) {
  recorder labels;
  std::vector<std::string> seen;
  smarm::runtime rt(
      {.schedulers = 1, .reports = [&](const smarm::report& r) { labels.note(r.label); }});
  rt.run([&] {
    (void)smarm::spawn([&] {
      seen.push_back(this_actor::label());
      this_actor::label("first");
      seen.push_back(this_actor::label());
      this_actor::label("a label that is longer than a short string");
      throw 1;
    }).join();
    (void)smarm::spawn({.label = "given"}, [&] {
      seen.push_back(this_actor::label());
      this_actor::label("");
      throw 1;
    }).join();
  });
  CHECK_LIST(seen, {"", "first", "given"});
  CHECK_LIST(labels.all(), {"a label that is longer than a short string", ""});
}

BOOST_AUTO_TEST_CASE(a_survivor_of_a_shutdown_is_named_by_the_label_it_gave_itself) {
  smarm::runtime rt(quiet(1));
  rt.start();
  std::atomic<bool> ready{false};
  std::atomic<bool> release{false};
  auto h = rt.handle().spawn([&] {
    this_actor::label("cruncher");
    ready = true;
    spin_until([&] { return release.load(); });
  });
  wait_until([&] { return ready.load(); });
  const auto left = rt.shutdown(0s);
  release = true;
  BOOST_REQUIRE(left.size() == 1u);
  BOOST_TEST(left[0].label == "cruncher");
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(a_plain_thread_has_no_label) {
  BOOST_TEST((refusal([] { this_actor::label("x"); }) == errc::not_in_actor));
  BOOST_TEST((refusal([] { (void)this_actor::label(); }) == errc::not_in_actor));
}

BOOST_AUTO_TEST_SUITE_END()
