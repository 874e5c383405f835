// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Each allocation that a machine makes fails once, the first, the second and so on. What its callbacks
// ask for says so and has changed nothing; what cannot be kept ends it; and nothing is left of it.

#define BOOST_TEST_MODULE statem_memory_failure
#include <boost/test/unit_test.hpp>

#include "failing_memory.hpp"
#include "messages.hpp"
#include "recorder.hpp"

#include <smarm/gen_statem.hpp>
#include <smarm/runtime.hpp>
#include <smarm/this_actor.hpp>

#include <boost/describe/enum.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

#if !SMARM_TSAN

namespace {

BOOST_DEFINE_ENUM_CLASS(mode, shut, open)

class subject : public smarm::gen_statem<subject, mode> {
  using enum mode;

public:
  struct ping {
    using reply = int;
  };
  // Does that in a row: true if there was memory for it.
  struct perform {
    void (*what)(subject&);
    using reply = bool;
  };
  struct comes {
    bulk b;
  };
  struct opens {};
  struct ask {
    bulk b;
    using reply = int;
  };
  using events = smarm::events<ping, perform, comes, opens, ask>;
  using state_data = smarm::state_data<smarm::data_in<open, bulk>>;

  explicit subject(const bulk& b = {}) : mine_(b) {}

  smarm::stay on(smarm::any_state, ping, smarm::reply_to<int> r) {
    r.reply(came_);
    return {};
  }
  smarm::stay on(smarm::any_state, perform p, smarm::reply_to<bool> r) {
    bool done = true;
    try {
      p.what(*this);
    } catch (const std::bad_alloc&) {
      done = false;
    }
    left = -1;
    r.reply(done);
    return {};
  }
  smarm::stay on(smarm::any_state, const comes&) {
    ++came_;
    return {};
  }
  smarm::to<open> on(smarm::any_state, opens) { return {}; }
  smarm::postponed on(smarm::in<shut>, ask, smarm::reply_to<int>);
  smarm::stay on(smarm::in<open>, ask q, smarm::reply_to<int> r) {
    r.reply(q.b.value);
    return {};
  }

  static void tells(subject& me) { me.next_event(comes()); }
  static void times_state(subject& me) { me.state_timeout(0ns, comes()); }
  static void times_silence(subject& me) { me.event_timeout(0ns, comes()); }
  static void times_by_name(subject& me) { me.timeout(long_name, 0ns, comes()); }
  static void updates(subject& me) { me.update_timeout(long_name, comes()); }
  static void receives(subject& me) {
    auto [to, from] = smarm::channel<comes>();
    if (!to.send(comes())) {
      throw std::bad_alloc();
    }
    me.receive_info(std::move(from));
  }

private:
  static constexpr const char* long_name = "a name longer than what a string holds inside";
  bulk mine_;
  int came_ = 0;
};

// From a fresh runtime, with one more success each time until nothing fails: what `attempt` says, each
// time, but the last. It arms and disarms `left`.
template <class Attempt>
strings failures(Attempt attempt) {
  strings said;
  for (int successes = 0; successes < 200; ++successes) {
    has_failed = false;
    std::string got;
    smarm::runtime rt(quiet(1));
    rt.run([&] { got = attempt(successes); });
    left = -1;
    if (!has_failed) {
      said.push_back("at last " + got);
      break;
    }
    if (said.empty() || said.back() != got) {
      said.push_back(got);
    }
  }
  if (bulk::alive != 0) {
    said.push_back(std::to_string(bulk::alive) + " are left");
  }
  return said;
}

// What was asked for comes once; what failed does not, and the machine goes on.
strings performs(void (*what)(subject&)) {
  return failures([&](int successes) -> std::string {
    auto s = smarm::start_server<subject>().value();
    auto call = s.send_request(subject::perform{what}).value();
    left = successes; // 1 scheduler: it has not begun
    const auto done = call.recv();
    left = -1;
    if (!done) {
      return "ended";
    }
    smarm::this_actor::yield(); // it goes idle with what it has
    for (int i = 0; i < 3; ++i) {
      (void)s.call(subject::ping{});
    }
    const auto came = s.call(subject::ping{});
    return std::string(*done ? "ok" : "bad_alloc") + (!came ? ", and does not go on"
                                                      : *came != (*done ? 1 : 0)
                                                          ? ", and something else comes"
                                                          : "");
  });
}

} // namespace

BOOST_AUTO_TEST_SUITE(statem_memory_failure, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(what_a_row_asks_for_is_there_or_throws_and_the_machine_goes_on) {
  for (auto* each : {&subject::tells, &subject::times_state, &subject::times_silence,
                     &subject::times_by_name, &subject::updates, &subject::receives}) {
    CHECK_LIST(performs(each), {"bad_alloc", "at last ok"});
  }
}

BOOST_AUTO_TEST_CASE(a_start_says_that_there_is_no_memory) {
  const strings said = failures([](int successes) -> std::string {
    left = successes;
    errc got{};
    try {
      got = error_of(smarm::start_server<subject>(bulk()));
    } catch (const std::bad_alloc&) {
      got = errc::out_of_memory;
    }
    left = -1;
    return got == errc{}                                             ? "ok"
           : got == errc::out_of_memory || got == errc::start_failed ? "refused"
                                                                     : "something else";
  });
  CHECK_LIST(said, {"refused", "at last ok"});
}

// Postponing keeps the event where it is: all that it may need is the machine's list of such, once.
BOOST_AUTO_TEST_CASE(a_call_is_postponed_or_answered_that_its_machine_has_ended) {
  const strings said = failures([](int successes) -> std::string {
    auto s = smarm::start_server<subject>().value();
    auto call = s.send_request(subject::ask{}).value();
    auto second = s.send_request(subject::ask{}).value();
    left = successes;
    smarm::this_actor::yield();
    left = -1;
    (void)s.cast(subject::opens{});
    const auto got = call.recv();
    const auto other = second.recv();
    return got && other                                   ? "answered"
           : error_of(got) == errc::server_down && !other ? "server_down"
                                                          : "something else";
  });
  BOOST_TEST(
      (said == strings{"server_down", "at last answered"} || said == strings{"at last answered"}));
  BOOST_TEST_MESSAGE(said.front());
}

BOOST_AUTO_TEST_SUITE_END()

#else
BOOST_AUTO_TEST_CASE(memory_does_not_fail_under_this_sanitizer) {
  BOOST_TEST_MESSAGE("not tested: operator new cannot be replaced here");
}
#endif
