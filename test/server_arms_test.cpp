// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a server handles besides calls and casts: infos, downs, timers, its idle window, and answers to
// its own calls; and what comes before what.

#define BOOST_TEST_MODULE server_arms
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "servers.hpp"

#include <smarm/channel.hpp>
#include <smarm/exit_signal.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

// Runs `body` with a logger, and returns what that has seen.
template <class Body>
strings logged(Body body) {
  recorder to;
  strings seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<logger>(std::ref(to)).value();
    body(server);
    seen = server.call(logger::log{}).value();
  });
  seen.erase(seen.begin()); // init
  return seen;
}

using ref = smarm::server_ref<logger>;

} // namespace

BOOST_AUTO_TEST_SUITE(server_arms, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(infos_outrank_the_inbox_in_the_order_of_their_declaration) {
  CHECK_LIST(logged([](const ref& server) {
               auto [high, from_high] = smarm::channel<std::string>();
               auto [low, from_low] = smarm::channel<std::string>();
               (void)server.cast(logger::hear{std::move(from_high)});
               (void)server.cast(logger::hear{std::move(from_low)});
               (void)server.call(logger::log{});
               (void)server.cast(logger::note{"cast"});
               (void)low.send("low");
               (void)high.send("high");
               (void)server.call(logger::log{});
             }),
             {"info high", "info low", "cast"});
}

BOOST_AUTO_TEST_CASE(a_closed_info_channel_is_dropped_silently) {
  CHECK_LIST(logged([](const ref& server) {
               auto [to, from] = smarm::channel<std::string>();
               (void)server.cast(logger::hear{std::move(from)});
               (void)to.send("last");
               to = {};
               (void)server.cast(logger::note{"cast"});
             }),
             {"info last", "cast"});
}

BOOST_AUTO_TEST_CASE(an_idle_server_is_woken_by_an_info) {
  CHECK_LIST(logged([](const ref& server) {
               auto [to, from] = smarm::channel<std::string>();
               (void)server.cast(logger::hear{std::move(from)});
               for (int i = 0; i < 3; ++i) {
                 (void)server.call(logger::log{});
                 (void)to.send(std::to_string(i));
                 smarm::this_actor::yield();
               }
             }),
             {"info 0", "info 1", "info 2"});
}

BOOST_AUTO_TEST_CASE(downs_outrank_everything_and_a_dead_actor_is_no_process) {
  CHECK_LIST(logged([](const ref& server) {
               auto dead = smarm::spawn([] {});
               const smarm::pid gone = dead.id();
               (void)dead.join();
               auto [to, from] = smarm::channel<std::string>();
               auto [gate, wait] = smarm::channel<int>();
               auto worker = smarm::spawn([in = std::move(wait)]() mutable {
                 (void)in.recv();
                 throw 1;
               });
               (void)server.cast(logger::watch_it{gone});
               (void)server.cast(logger::note{"after"});
               (void)server.cast(logger::hear{std::move(from)});
               (void)server.cast(logger::watch_it{worker.id()});
               (void)server.cast(logger::watch_it{worker.id()}); // changes nothing
               auto [go_on, held] = smarm::channel<int>();
               (void)server.cast(logger::wait_for{std::move(held)});
               (void)server.cast(logger::note{"cast"});
               until([&] { return parked(server.id()); }); // in its handler
               (void)to.send("x");
               (void)gate.send(1);
               (void)worker.join();
               (void)go_on.send(1);
             }),
             {"down no_process", "after", "waited", "down failed", "info x", "cast"});
}

BOOST_AUTO_TEST_CASE(nothing_is_heard_of_what_is_unwatched) {
  CHECK_LIST(logged([](const ref& server) {
               auto [gate, wait] = smarm::channel<int>();
               auto worker = smarm::spawn([in = std::move(wait)]() mutable { (void)in.recv(); });
               (void)server.cast(logger::watch_it{worker.id()});
               (void)server.cast(logger::unwatch_it{worker.id()});
               (void)server.cast(logger::unwatch_it{worker.id()});
               (void)server.call(logger::log{});
               (void)gate.send(1);
               (void)worker.join();
             }),
             {"unwatched", "not watched"});
}

// ---- timers

BOOST_AUTO_TEST_CASE(a_timer_fires_once_with_its_payload) {
  CHECK_LIST(logged([](const ref& server) {
               const auto fired = [&](std::size_t so_many) {
                 until([&] { return server.call(logger::log{}).value().size() > so_many; });
               };
               (void)server.cast(logger::arm{1h, 7}); // armed first, and due last
               (void)server.cast(logger::arm{1ms, 6});
               fired(1);
               (void)server.cast(logger::arm{1ms, 8});
               fired(2);
             }),
             {"timer 6", "timer 8"});
}

BOOST_AUTO_TEST_CASE(a_timer_that_is_due_outranks_infos_and_casts) {
  CHECK_LIST(logged([](const ref& server) {
               auto [to, from] = smarm::channel<std::string>();
               (void)server.cast(logger::hear{std::move(from)});
               (void)server.call(logger::log{});
               (void)server.cast(logger::arm{0ms, 1});
               (void)server.cast(logger::note{"cast"});
               smarm::this_actor::yield();
               (void)to.send("x");
               (void)server.cast(logger::arm{0ms, 2});
               (void)server.cast(logger::note{"cast"});
             }),
             {"timer 1", "cast", "info x", "timer 2", "cast"});
}

BOOST_AUTO_TEST_CASE(a_cancelled_timer_does_not_fire) {
  bool first = false, second = true;
  const strings seen = logged([&](const ref& server) {
    (void)server.cast(logger::arm{10s, 1});
    first = server.call(logger::cancel_last{}).value();
    second = server.call(logger::cancel_last{}).value();
  });
  BOOST_TEST(seen.empty());
  BOOST_TEST(first);
  BOOST_TEST(!second);
}

BOOST_AUTO_TEST_CASE(ticks_come_until_they_are_cancelled_under_one_id) {
  std::size_t before = 0;
  bool cancelled = false;
  const strings seen = logged([&](const ref& server) {
    (void)server.cast(logger::tick{1ms, 9});
    while (before < 4) {
      smarm::this_actor::sleep_for(1ms);
      before = server.call(logger::log{}).value().size();
    }
    cancelled = server.call(logger::cancel_last{}).value();
    before = server.call(logger::log{}).value().size();
    smarm::this_actor::sleep_for(10ms);
  });
  BOOST_TEST(cancelled);
  BOOST_TEST(seen.size() + 1 == before);
  BOOST_TEST(std::count(seen.begin(), seen.end(), "timer 9") ==
             static_cast<std::ptrdiff_t>(seen.size()));
}

BOOST_AUTO_TEST_CASE(armed_timers_and_watches_do_not_keep_a_server_alive) {
  recorder to;
  smarm::run([&] {
    auto server = smarm::start_server<logger>(std::ref(to)).value();
    auto ended = smarm::monitor(server.id());
    (void)server.cast(logger::tick{1ms, 9});
    (void)server.cast(logger::watch_it{smarm::this_actor::self()});
    (void)server.call(logger::log{});
    server = {};
    to.note(smarm::to_string(ended.recv().value().reason.kind()));
  });
  CHECK_LIST(to.all(), {"terminate normal", "destroyed", "normal"});
}

// ---- quiet times

BOOST_AUTO_TEST_CASE(the_idle_window_begins_again_with_each_message) {
  struct idler : smarm::gen_server<idler> {
    struct poke {};
    struct count {};
    explicit idler(std::chrono::milliseconds window) { idle_after(window); }
    void handle_cast(poke) {}
    int handle_call(count) const { return idle_; }
    void handle_idle() { ++idle_; }
    int idle_ = 0;
  };
  int quiet_count = 0, busy_count = 1;
  smarm::run([&] {
    auto often = smarm::start_server<idler>(1ms).value();
    auto never = smarm::start_server<idler>(1h).value();
    while ((quiet_count = often.call(idler::count{}).value()) < 3) {
      smarm::this_actor::sleep_for(3ms);
    }
    (void)never.cast(idler::poke{});
    busy_count = never.call(idler::count{}).value();
  });
  BOOST_TEST(quiet_count >= 3);
  BOOST_TEST(busy_count == 0);
}

// Messages come more often than the window is long: it must not be measured from anything but the last.
BOOST_AUTO_TEST_CASE(no_idle_window_ends_before_the_last_message_is_that_old) {
  static constexpr auto window = 4ms;
  struct idler : smarm::gen_server<idler> {
    struct poke {};
    explicit idler(std::vector<int>& early) : early_(early) { idle_after(window); }
    void handle_cast(poke) { last_ = std::chrono::steady_clock::now(); }
    void handle_idle() { early_.push_back(std::chrono::steady_clock::now() - last_ < window); }
    std::vector<int>& early_;
    std::chrono::steady_clock::time_point last_{};
  };
  std::vector<int> early;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto s = smarm::start_server<idler>(std::ref(early)).value();
    for (int i = 0; i < 60; ++i) {
      (void)s.cast(idler::poke{});
      smarm::this_actor::sleep_for(500us);
    }
    const std::size_t so_far = early.size();
    until([&] { return early.size() > so_far; });
  });
  BOOST_TEST(std::count(early.begin(), early.end(), 1) == 0);
}

BOOST_AUTO_TEST_CASE(a_timer_that_is_armed_anew_all_the_time_is_one_timer) {
  struct restless : smarm::gen_server<restless> {
    using payload = std::shared_ptr<int>;
    struct again {
      payload what;
    };
    struct done {};
    void handle_cast(again a) {
      (void)cancel(last_);
      last_ = arm_after(1h, std::move(a.what));
    }
    void handle_call(done) {}
    void handle_timer(const payload&) {}
    smarm::server_timer last_ = smarm::server_timer::none;
  };
  long kept = 0;
  std::size_t armed = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    const auto what = std::make_shared<int>(1);
    auto s = smarm::start_server<restless>().value();
    for (int i = 0; i < 20'000; ++i) {
      (void)s.cast(restless::again{what});
    }
    s.call(restless::done{}).value();
    kept = what.use_count() - 1;
    armed = rt.stats().armed_timers;
  });
  BOOST_TEST(kept == 1);
  BOOST_TEST(armed == 1u);
}

// ---- calls that a server makes itself

BOOST_AUTO_TEST_CASE(a_server_that_calls_others_goes_on_handling_its_inbox) {
  struct backend : smarm::gen_server<backend> {
    struct ask {};
    struct release {};
    void handle_call(ask, smarm::reply_to<int> r) { held_.push_back(std::move(r)); }
    void handle_cast(release) {
      for (std::size_t i = held_.size(); i-- > 0;) {
        held_[i].reply(static_cast<int>(i));
      }
      held_.clear();
    }
    std::vector<smarm::reply_to<int>> held_;
  };
  struct front : smarm::gen_server<front> {
    struct start {};
    struct seen {};
    explicit front(smarm::server_ref<backend> to) : to_(std::move(to)) {}
    void handle_cast(start) {
      expect(to_.send_request(backend::ask{}).value(), std::string("a"));
      expect(to_.send_request(backend::ask{}).value(), std::string("b"));
    }
    void handle_reply(const std::string& tag, boost::system::result<int> n) {
      seen_.push_back(tag + (n ? std::to_string(*n) : n.error().category().name()));
    }
    strings handle_call(seen) const { return seen_; }
    smarm::server_ref<backend> to_;
    strings seen_;
  };
  strings before{"?"}, after, down;
  smarm::run([&] {
    auto b = smarm::start_server<backend>().value();
    auto f = smarm::start_server<front>(b).value();
    (void)f.cast(front::start{});
    before = f.call(front::seen{}).value();
    (void)b.cast(backend::release{});
    smarm::this_actor::yield();
    after = f.call(front::seen{}).value();
    (void)f.cast(front::start{});
    (void)f.call(front::seen{});
    (void)b.shutdown(smarm::exit_kind::shutdown, 10s);
    down = f.call(front::seen{}).value();
  });
  BOOST_TEST(before.empty());
  CHECK_LIST(after, {"a0", "b1"});
  CHECK_LIST(down, {"a0", "b1", "asmarm", "bsmarm"});
}

// ---- exit signals

BOOST_AUTO_TEST_CASE(a_server_that_traps_exits_hears_of_links_and_of_a_shutdown_as_infos) {
  struct parent : smarm::gen_server<parent> {
    struct work {};
    explicit parent(recorder& to) : to_(to) {}
    void init() { receive_info(smarm::trap_exit()); }
    void handle_cast(work) {
      (void)smarm::spawn_link([] { throw std::runtime_error("at work"); });
    }
    void handle_info(const smarm::exit_signal& s) {
      to_.note(smarm::to_string(s.reason.kind()));
      if (s.reason == smarm::exit_kind::shutdown) {
        stop(smarm::exit_kind::shutdown); // when it will
      }
    }
    void terminate(const smarm::exit_reason&) { to_.note("terminate"); }
    recorder& to_;
  };
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<parent>(std::ref(seen)).value();
    (void)server.cast(parent::work{});
    while (seen.count("failed") == 0) {
      smarm::this_actor::yield();
    }
    seen.note(server.shutdown(smarm::exit_kind::shutdown, 100s) ? "down" : "not down");
  });
  CHECK_LIST(seen.all(), {"failed", "shutdown", "terminate", "down"});
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_late_is_handled_as_such_once) {
  struct backend : smarm::gen_server<backend> {
    struct ask {};
    struct release {};
    void handle_call(ask, smarm::reply_to<int> r) { held_.push_back(std::move(r)); }
    int handle_call(release) {
      int given_up = 0;
      for (smarm::reply_to<int>& one : held_) {
        given_up += one.abandoned();
        one.reply(7);
      }
      return given_up;
    }
    std::vector<smarm::reply_to<int>> held_;
  };
  struct front : smarm::gen_server<front> {
    struct start {};
    front(smarm::server_ref<backend> to, smarm::sender<std::string> seen)
        : to_(std::move(to)), seen_(std::move(seen)) {}
    void handle_cast(start) {
      expect(to_.send_request(backend::ask{}).value(), 'a', 1h);
      expect(to_.send_request(backend::ask{}).value(), 'b', 1ms);
      expect(to_.send_request(backend::ask{}).value(), 'c', std::chrono::steady_clock::now());
      expect(to_.send_request(backend::ask{}).value(), 'd');
    }
    void handle_reply(char tag, boost::system::result<int> n) {
      const bool late = n.has_error() && n.error() == smarm::errc::timed_out;
      std::string what{tag, ' '};
      what += late ? "late" : std::to_string(n.value());
      (void)seen_.send(std::move(what));
    }
    smarm::server_ref<backend> to_;
    smarm::sender<std::string> seen_;
  };
  strings seen;
  int given_up = 0;
  smarm::run([&] {
    auto b = smarm::start_server<backend>().value();
    auto [to, from] = smarm::channel<std::string>();
    auto f = smarm::start_server<front>(b, std::move(to)).value();
    (void)f.cast(front::start{});
    for (int i = 0; i < 2; ++i) {
      seen.push_back(from.recv().value());
    }
    given_up = b.call(backend::release{}).value();
    for (int i = 0; i < 2; ++i) {
      seen.push_back(from.recv().value());
    }
  });
  BOOST_TEST(given_up == 2);
  std::sort(seen.begin(), seen.begin() + 2); // whose limit is seen first
  CHECK_LIST(seen, {"b late", "c late", "a 7", "d 7"});
}

BOOST_AUTO_TEST_SUITE_END()
