// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Objects outside under a supervisor: threads above all. When they start, when they are asked to end, what
// becomes of one that does not, and of what it uses.

#define BOOST_TEST_MODULE bridge
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/bridge.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/supervisor.hpp>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

void wait_for(std::stop_token stop) {
  std::mutex m;
  std::condition_variable_any stopped;
  std::unique_lock lock(m);
  stopped.wait(lock, stop, [] { return false; });
}

smarm::child_spec child(smarm::child_start start,
                        smarm::restart restart = smarm::restart::permanent) {
  return {.id = "outside", .start = std::move(start), .restart = restart, .shutdown = 10min};
}

smarm::supervisor_options often() { return {.intensity = 1'000'000, .period = 1s}; }

// What a bridge is made of for tests: says what it is asked, and ends when the test says so.
struct engine {
  struct control {
    recorder seen;
    std::optional<smarm::bridge_end> end; // of the actor's thread, while it waits
    std::atomic<bool> fails{false};
    std::atomic<bool> stop_throws{false};
  };
  control& c;

  explicit engine(control* with) : c(*with) {}
  ~engine() { c.seen.note("destroyed"); }
  void start(smarm::bridge_end end) {
    if (c.fails) {
      throw std::runtime_error("cannot");
    }
    c.end = std::move(end);
    c.seen.note("started");
  }
  void stop() {
    c.seen.note("asked to stop");
    if (c.stop_throws) {
      throw std::runtime_error("stop failed");
    }
  }
};

struct lamp {
  recorder& seen;
  explicit lamp(recorder* to) : seen(*to) {}
  ~lamp() { seen.note("destroyed"); }
  void start() { seen.note("on"); }
  void stop() { seen.note("off"); }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_thread_is_started_asked_to_end_and_joined) {
  recorder seen;
  smarm::runtime(quiet(1)).run([&] {
    auto sup =
        smarm::start_supervisor(often(), {child(smarm::thread_child([&](std::stop_token stop) {
                                  seen.note("begins");
                                  wait_for(stop);
                                  seen.note("ends");
                                }))})
            .value();
    until([&] { return seen.size() == 1; });
    (void)sup.shutdown(10min).value();
    seen.note("the supervisor has ended");
  });
  CHECK_LIST(seen.all(), {"begins", "ends", "the supervisor has ended"});
}

BOOST_AUTO_TEST_CASE(a_thread_that_throws_is_started_anew_and_one_that_returns_is_not) {
  std::atomic<int> begun{0};
  bool gone = false;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(often(), {child(smarm::thread_child([&](std::stop_token) {
                                                         if (++begun < 4) {
                                                           throw std::runtime_error("once more");
                                                         }
                                                       }),
                                                       smarm::restart::transient)})
                   .value();
    until([&] { return begun == 4; });
    until([&] { return sup.count_children().value().active == 0; });
    gone = sup.which_children().value().front().state == smarm::child_state::ended;
    (void)sup.shutdown(10min).value();
  });
  BOOST_TEST(begun == 4);
  BOOST_TEST(gone);
}

BOOST_AUTO_TEST_CASE(what_a_thread_has_thrown_is_the_reason) {
  std::mutex lock;
  std::string text;
  smarm::config c;
  c.schedulers = 1;
  c.reports = [&](const smarm::report& r) {
    const std::lock_guard guard(lock);
    if (r.kind == smarm::report_kind::actor_failed && r.label == "outside") {
      text = r.reason.text();
    }
  };
  std::atomic<bool> begun{false};
  smarm::runtime(std::move(c)).run([&] {
    auto sup =
        smarm::start_supervisor({.intensity = 0}, {child(smarm::thread_child([&](std::stop_token) {
                                  while (!begun) {
                                    std::this_thread::yield();
                                  }
                                  throw std::runtime_error("the device is away");
                                }))})
            .value();
    auto end = smarm::monitor(sup.id());
    begun = true;
    (void)end.recv();
  });
  BOOST_TEST(text.find("the device is away") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_thread_that_does_not_end_is_abandoned_and_keeps_what_it_uses) {
  recorder seen;
  std::binary_semaphore gate(0);
  std::atomic<int> abandoned{0};
  smarm::config c;
  c.schedulers = 1;
  c.reports = [&](const smarm::report& r) {
    abandoned += r.kind == smarm::report_kind::child_abandoned;
  };
  smarm::runtime(std::move(c)).run([&] {
    struct held {
      recorder* to;
      std::shared_ptr<noted_end> used;
      std::binary_semaphore* gate;
      void operator()(std::stop_token) const {
        to->note("begins");
        gate->acquire();
        to->note("ends");
      }
    };
    smarm::child_spec spec =
        child(smarm::thread_child(held{&seen, std::make_shared<noted_end>(seen, "freed"), &gate}));
    spec.shutdown = 1ms;
    spec.grace = 1ms;
    {
      auto sup = smarm::start_supervisor(often(), {std::exchange(spec, {})}).value();
      until([&] { return seen.size() == 1; });
      (void)sup.shutdown(10min).value();
    }
    seen.note("the supervisor has ended");
    gate.release();
  });
  BOOST_TEST(abandoned == 1);
  CHECK_LIST(seen.all(), {"begins", "the supervisor has ended", "ends", "freed"});
}

BOOST_AUTO_TEST_CASE(an_object_that_ends_by_itself_is_not_asked_to) {
  engine::control c;
  smarm::exit_reason how;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(
                   often(), {child(smarm::bridge<engine>(&c), smarm::restart::temporary)})
                   .value();
    auto end = smarm::monitor(sup.which_children().value().front().actor);
    std::thread([&] { std::exchange(c.end, std::nullopt)->ended(); }).join();
    how = end.recv().value().reason;
    (void)sup.shutdown(10min).value();
  });
  BOOST_TEST(how.kind() == smarm::exit_kind::normal);
  CHECK_LIST(c.seen.all(), {"started", "destroyed"});
}

BOOST_AUTO_TEST_CASE(an_object_stays_until_it_says_that_it_has_ended) {
  engine::control c;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(often(), {child(smarm::bridge<engine>(&c))}).value();
    auto ender = smarm::spawn([&] {
      until([&] { return c.seen.count("asked to stop") == 1; });
      c.seen.note("not yet");
      for (int i = 0; i < 100; ++i) {
        smarm::this_actor::yield();
      }
      c.seen.note("now");
      std::exchange(c.end, std::nullopt)->ended();
    });
    (void)sup.shutdown(10min).value();
    ender.join();
  });
  CHECK_LIST(c.seen.all(), {"started", "asked to stop", "not yet", "now", "destroyed"});
}

BOOST_AUTO_TEST_CASE(an_object_whose_stop_throws_stays_as_well) {
  engine::control c;
  c.stop_throws = true;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(often(), {child(smarm::bridge<engine>(&c))}).value();
    auto ender = smarm::spawn([&] {
      until([&] { return c.seen.count("asked to stop") == 1; });
      c.seen.note("now");
      std::exchange(c.end, std::nullopt)->ended();
    });
    (void)sup.shutdown(10min).value();
    ender.join();
  });
  CHECK_LIST(c.seen.all(), {"started", "asked to stop", "now", "destroyed"});
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_started_is_not_asked_to_stop) {
  engine::control c;
  c.fails = true;
  errc error{};
  smarm::runtime(quiet(1)).run([&] {
    error = error_of(smarm::start_supervisor(often(), {child(smarm::bridge<engine>(&c))}));
  });
  BOOST_TEST((error == errc::start_failed));
  CHECK_LIST(c.seen.all(), {"destroyed"});
}

BOOST_AUTO_TEST_CASE(when_the_last_handle_goes_and_nothing_was_said_it_has_failed) {
  engine::control c;
  smarm::exit_reason how;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(
                   often(), {child(smarm::bridge<engine>(&c), smarm::restart::temporary)})
                   .value();
    auto end = smarm::monitor(sup.which_children().value().front().actor);
    const smarm::bridge_end copy = *c.end;
    c.end.reset();
    (void)end.try_recv();
    { const smarm::bridge_end last = std::move(const_cast<smarm::bridge_end&>(copy)); }
    how = end.recv().value().reason;
    (void)sup.shutdown(10min).value();
  });
  BOOST_TEST(how.text().find("not said how it ended") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_said_first_counts) {
  engine::control c;
  smarm::exit_reason how;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(
                   often(), {child(smarm::bridge<engine>(&c), smarm::restart::temporary)})
                   .value();
    auto end = smarm::monitor(sup.which_children().value().front().actor);
    c.end->ended();
    c.end->failed(std::make_exception_ptr(std::runtime_error("too late")));
    c.end.reset();
    how = end.recv().value().reason;
    (void)sup.shutdown(10min).value();
  });
  BOOST_TEST(how.kind() == smarm::exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(an_object_that_says_nothing_has_ended_when_its_stop_returns) {
  recorder seen;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(often(), {child(smarm::bridge<lamp>(&seen))}).value();
    (void)sup.shutdown(10min).value();
  });
  CHECK_LIST(seen.all(), {"on", "off", "destroyed"});
}

BOOST_AUTO_TEST_CASE(a_handle_may_outlive_the_runtime) {
  engine::control c;
  smarm::bridge_end kept;
  smarm::runtime(quiet(1)).run([&] {
    auto sup = smarm::start_supervisor(
                   often(), {child(smarm::bridge<engine>(&c), smarm::restart::temporary)})
                   .value();
    kept = *c.end;
    kept.ended();
  });
  kept.failed(nullptr);
  c.end.reset();
  smarm::bridge_end().ended();
  CHECK_LIST(c.seen.all(), {"started", "destroyed"});
}

// Threads that end when they are asked to, that fail, that just return, and supervisors that end meanwhile:
// each thread is joined once.
BOOST_AUTO_TEST_CASE(no_thread_is_lost_whenever_it_ends) {
  constexpr int rounds = 60;
  std::atomic<int> begun{0}, ended{0};
  struct counted {
    std::atomic<int>& ended;
    ~counted() { ++ended; }
  };
  smarm::runtime(quiet(2)).run([&] {
    for (int i = 0; i < rounds; ++i) {
      auto sup =
          smarm::start_supervisor(often(), {child(smarm::thread_child([&](std::stop_token stop) {
                                    const int mine = ++begun;
                                    const counted me{ended};
                                    if (mine % 3 == 0) {
                                      throw std::runtime_error("told to");
                                    }
                                    if (mine % 3 == 1) {
                                      wait_for(stop);
                                    }
                                  }))})
              .value();
      (void)sup.shutdown(10min).value();
    }
  });
  BOOST_TEST(begun == ended);
  BOOST_TEST(begun >= rounds);
}
