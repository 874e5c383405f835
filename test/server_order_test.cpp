// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a server handles first when everything is there, and what it does not handle any more: expired
// requests, and timers after its end.

#define BOOST_TEST_MODULE server_order
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

class echo : public smarm::gen_server<echo> {
public:
  struct ask {};
  int handle_call(ask) { return 1; }
};

class everything : public smarm::gen_server<everything> {
public:
  struct begin {
    smarm::server_ref<echo> other;
    smarm::pid dead;
  };
  struct note {
    std::string what;
  };
  struct log {};
  struct tag {};

  void handle_cast(begin b) {
    auto answer = b.other.send_request(echo::ask{}).value();
    until([&] { return answer.ready(); });
    // In the opposite order.
    idle_after(1ns);
    auto [low, from_low] = smarm::channel<note>();
    auto [high, from_high] = smarm::channel<note>();
    (void)low.send(note{"low"});
    (void)high.send(note{"high"});
    (void)self().cast(note{"cast"});
    receive_info(std::move(from_high));
    receive_info(std::move(from_low));
    expect(std::move(answer), tag{});
    (void)arm_after(0ns, note{"timer"});
    watch(b.dead);
    continue_with(note{"first"});
    continue_with(note{"second"});
  }
  void handle_cast(const note& n) { seen_.push_back(n.what); }
  strings handle_call(log) { return seen_; }
  void handle_info(const note& n) { seen_.push_back("info " + n.what); }
  void handle_down(const smarm::down&) { seen_.push_back("down"); }
  void handle_timer(const note& n) { seen_.push_back(n.what); }
  void handle_reply(tag, const boost::system::result<int>&) { seen_.push_back("reply"); }
  void handle_continue(const note& n) { seen_.push_back("continue " + n.what); }
  void handle_idle() {
    seen_.push_back("idle");
    idle_after(0ns);
  }

private:
  strings seen_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_order, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(kinds_are_served_in_their_order_whatever_came_first) {
  strings seen;
  smarm::run([&] {
    auto gone = smarm::spawn([] {});
    const smarm::pid dead = gone.id();
    (void)gone.join();
    auto other = smarm::start_server<echo>().value();
    auto s = smarm::start_server<everything>().value();
    (void)s.cast(everything::begin{other, dead});
    until([&] { return s.call(everything::log{}).value().size() >= 9; });
    seen = s.call(everything::log{}).value();
  });
  CHECK_LIST(seen, {"continue first", "continue second", "down", "timer", "reply", "info high",
                    "info low", "cast", "idle"});
}

BOOST_AUTO_TEST_CASE(of_a_hundred_requests_whose_callers_gave_up_none_is_handled) {
  struct slow : smarm::gen_server<slow> {
    struct block {
      smarm::receiver<int> gate;
    };
    struct work {};
    struct count {};
    void handle_cast(block b) { (void)b.gate.recv(); }
    void handle_call(work) { ++handled_; }
    int handle_call(count) const { return handled_; }
    int handled_ = 0;
  };
  int timed_out = 0, handled = -1;
  std::uint64_t expired = 0;
  smarm::run([&] {
    auto s = smarm::start_server<slow>().value();
    auto [to, from] = smarm::channel<int>();
    (void)s.cast(slow::block{std::move(from)});
    std::vector<smarm::join_handle> callers;
    for (int i = 0; i < 100; ++i) {
      callers.push_back(smarm::spawn(
          [&, s] { timed_out += error_of(s.call(slow::work{}, 1us)) == errc::timed_out; }));
    }
    for (auto& each : callers) {
      (void)each.join();
    }
    (void)to.send(1);
    handled = s.call(slow::count{}).value();
    expired = s.expired_requests();
  });
  BOOST_TEST(timed_out == 100);
  BOOST_TEST(handled == 0);
  BOOST_TEST(expired == 100u);
}

BOOST_AUTO_TEST_CASE(no_timer_survives_the_end_of_its_server) {
  struct ticking : smarm::gen_server<ticking> {
    struct leave {};
    struct fail {};
    explicit ticking(int& fired) : fired_(fired) {
      (void)tick_every(1us, 1);
      (void)arm_after(1h, 1);
      idle_after(1h);
    }
    void handle_timer(int) { ++fired_; }
    void handle_idle() {}
    void handle_cast(leave) { stop(); }
    void handle_cast(fail) { throw 1; }
    int& fired_;
  };
  using ref = smarm::server_ref<ticking>;
  constexpr void (*ends[])(ref&) = {
      [](ref& s) { s = {}; },
      [](ref& s) { (void)s.cast(ticking::leave{}); },
      [](ref& s) { (void)s.cast(ticking::fail{}); },
      [](ref& s) { (void)smarm::request_stop(s.id()); },
      [](ref& s) { (void)smarm::request_shutdown(s.id()); },
  };
  int clean = 0, quiet_since = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const auto end : ends) {
      int fired = 0;
      auto s = smarm::start_server<ticking>(std::ref(fired)).value();
      auto gone = smarm::monitor(s.id());
      until([&] { return fired >= 3; });
      end(s);
      (void)gone.recv();
      const int then = fired;
      clean += this_runtime().stats().armed_timers == 0;
      smarm::this_actor::sleep_for(1ms);
      quiet_since += fired == then;
    }
  });
  BOOST_TEST(clean == 5);
  BOOST_TEST(quiet_since == 5);
}

BOOST_AUTO_TEST_SUITE_END()
