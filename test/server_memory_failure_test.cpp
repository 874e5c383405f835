// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Each allocation that an operation of a server makes fails once, the first, the second and so on. The
// operation says so, nothing of it is left, and the server goes on.

#define BOOST_TEST_MODULE server_memory_failure
#include <boost/test/unit_test.hpp>

#include "failing_memory.hpp"
#include "messages.hpp"
#include "recorder.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

#if !SMARM_TSAN

namespace {

class subject : public smarm::gen_server<subject> {
public:
  struct ping {};
  struct ask {
    bulk b;
  };
  struct ask_later {
    bulk b;
  };
  struct tell {
    bulk b;
  };
  // Does that in a handler.
  struct perform {
    void (*what)(subject&);
  };
  // Sets up everything, and then there is no memory.
  struct run_out {};
  // What comes of what was set up.
  struct came {};

  explicit subject(const bulk& b = {}) : mine_(b) {}
  int handle_call(ping) { return 1; }
  int handle_call(const ask& a) { return a.b.value; }
  void handle_call(const ask_later& a, smarm::reply_to<int> r) { r.reply(a.b.value); }
  void handle_cast(const tell& t) { mine_ = t.b; }
  bool handle_call(perform p) {
    try {
      p.what(*this);
      left = -1;
      return true;
    } catch (const std::bad_alloc&) {
      left = -1;
      return false;
    }
  }
  void handle_call(run_out) {
    for (auto* each : {&watches, &ticks, &receives, &receives, &expects, &expects}) {
      each(*this);
    }
    left = 0;
  }
  int handle_call(came) const { return came_; }
  void handle_info(const bulk&) { ++came_; }
  void handle_down(const smarm::down&) { ++came_; }
  void handle_timer(const bulk&) { ++came_; }
  void handle_reply(const bulk&, const boost::system::result<int>&) { ++came_; }
  void handle_continue(const bulk&) { ++came_; }
  void handle_idle() {}

  static void watches(subject& me) { me.watch(smarm::pid(1'000'000, 1)); }
  static void arms(subject& me) { (void)me.arm_after(0ns, bulk()); }
  static void ticks(subject& me) { (void)me.tick_every(1h, bulk()); }
  static void receives(subject& me) {
    auto [to, from] = smarm::channel<bulk>();
    if (!to.send(bulk())) {
      throw std::bad_alloc();
    }
    me.receive_info(std::move(from));
  }
  static void expects(subject& me) {
    auto pending = me.self().send_request(ask{});
    if (!pending) {
      throw std::bad_alloc();
    }
    me.expect(*std::move(pending), bulk());
  }
  static void continues(subject& me) { me.continue_with(bulk()); }
  static void idles(subject& me) { me.idle_after(1h); }
  static void stops(subject& me) { me.stop(); }

private:
  bulk mine_;
  int came_ = 0;
};

constexpr smarm::server_name<subject> the_subject{"a name longer than what a string holds inside"};

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

std::string in_words(errc e) {
  return e == errc{}                ? "ok"
         : e == errc::out_of_memory ? "out_of_memory"
         : e == errc::start_failed  ? "start_failed"
         : e == errc::server_down   ? "server_down"
                                    : "?";
}

template <class Call>
std::string in_words(Call call) {
  try {
    const errc e = error_of(call());
    left = -1;
    return in_words(e);
  } catch (const std::bad_alloc&) {
    left = -1;
    return "bad_alloc";
  }
}

// A start of any kind: what it says, and whether the next one works.
template <class Start>
strings starts(Start start) {
  return failures([&](int successes) {
    left = successes;
    const std::string said = in_words(start);
    const auto again = start();
    return said + (again && again->call(subject::ping{}) ? "" : ", and not the next time");
  });
}

template <class Operation>
strings operations(Operation operation) {
  return failures([&](int successes) {
    auto s = smarm::start_server<subject>().value();
    left = successes;
    const std::string said = in_words([&] { return operation(s); });
    return said + (s.call(subject::ping{}) ? "" : ", and does not go on");
  });
}

// In a handler. What was set up comes; what failed does not.
strings performs(void (*what)(subject&), int comes) {
  return failures([&](int successes) {
    auto s = smarm::start_server<subject>().value();
    auto call = s.send_request(subject::perform{what}).value();
    left = successes; // 1 scheduler: it has not begun
    const auto done = call.recv();
    left = -1;
    if (!done) {
      return in_words(static_cast<errc>(done.error().value()));
    }
    smarm::this_actor::yield(); // it goes idle with what it has
    for (int i = 0; i < 3; ++i) {
      (void)s.call(subject::ping{});
    }
    const auto came = s.call(subject::came{});
    return std::string(*done ? "ok" : "bad_alloc") + (!came ? ", and does not go on"
                                                      : *came != (*done ? comes : 0)
                                                          ? ", and something else comes"
                                                          : "");
  });
}

bool only(const strings& said, std::initializer_list<const char*> allowed) {
  for (const auto& each : said) {
    bool is = false;
    for (const char* one : allowed) {
      is = is || each == one;
    }
    if (!is) {
      BOOST_TEST_MESSAGE("it says: " << each);
      return false;
    }
  }
  return said.size() >= 2 && said.back().rfind("at last", 0) == 0; // it has failed, and has not
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_memory_failure, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_start_says_that_there_is_no_memory_and_the_next_one_works) {
  const auto allowed = {"bad_alloc", "out_of_memory", "start_failed", "at last ok"};
  BOOST_TEST(only(starts([] { return smarm::start_server<subject>(bulk()); }), allowed));
  BOOST_TEST(only(starts([] {
                    return smarm::start_server<subject>(
                        {.label = "a label that no string holds inside itself"}, bulk());
                  }),
                  allowed));
  BOOST_TEST(only(starts([] {
                    if (auto found = the_subject.whereis()) {
                      (void)found->shutdown(smarm::exit_kind::shutdown, 1h);
                    }
                    return the_subject.start(bulk());
                  }),
                  allowed));
}

BOOST_AUTO_TEST_CASE(requests_that_find_no_memory_are_not_sent) {
  using ref = smarm::server_ref<subject>;
  const auto allowed = {"out_of_memory", "at last ok"};
  BOOST_TEST(only(operations([](const ref& s) { return s.call(subject::ask{}); }), allowed));
  // A wait with a deadline does without the block that it would like to have.
  BOOST_TEST(only(operations([](const ref& s) { return s.call(subject::ask{}, 1h); }),
                  {"out_of_memory", "ok", "at last ok"}));
  BOOST_TEST(only(operations([](const ref& s) { return s.call(subject::ask_later{}); }), allowed));
  BOOST_TEST(only(operations([](const ref& s) { return s.cast(subject::tell{}); }), allowed));
  BOOST_TEST(
      only(operations([](const ref& s) { return s.send_request(subject::ask{}); }), allowed));
}

BOOST_AUTO_TEST_CASE(a_request_that_finds_no_memory_stays_with_its_sender) {
  std::vector<int> got;
  smarm::run([&] {
    struct keeper : smarm::gen_server<keeper> {
      struct parcel {
        std::vector<int> content;
        char rest[1000];
      };
      void handle_cast(const parcel&) {}
      void handle_call(const parcel&) {}
    };
    auto s = smarm::start_server<keeper>().value();
    keeper::parcel p{{1, 2, 3}, {}};
    left = 0;
    got.push_back(error_of(s.cast(std::move(p))) == errc::out_of_memory);
    left = 0;
    got.push_back(error_of(s.call(std::move(p))) == errc::out_of_memory);
    left = 0;
    got.push_back(error_of(s.send_request(std::move(p), 1h)) == errc::out_of_memory);
    left = -1;
    got.push_back(static_cast<int>(p.content.size()));
  });
  CHECK_LIST(got, {1, 1, 1, 3});
}

BOOST_AUTO_TEST_CASE(what_a_handler_sets_up_is_there_or_throws_and_the_server_goes_on) {
  const auto allowed = {"bad_alloc", "at last ok"};
  BOOST_TEST(only(performs(&subject::watches, 1), allowed));
  BOOST_TEST(only(performs(&subject::arms, 1), allowed));
  BOOST_TEST(only(performs(&subject::ticks, 0), allowed));
  BOOST_TEST(only(performs(&subject::receives, 1), allowed));
  BOOST_TEST(only(performs(&subject::expects, 1), allowed));
  BOOST_TEST(only(performs(&subject::continues, 1), allowed));
  BOOST_TEST(only(performs(&subject::idles, 0), allowed));
  BOOST_TEST(only(performs(&subject::stops, 0), {"bad_alloc", "at last ok, and does not go on"}));
}

// Going idle needs nothing that may be refused: it has been had when the arm was set up.
BOOST_AUTO_TEST_CASE(a_server_goes_idle_without_memory) {
  bool works = false;
  has_failed = false;
  smarm::run([&] {
    auto s = smarm::start_server<subject>().value();
    auto call = s.send_request(subject::run_out{}).value();
    while (!call.ready()) {
      smarm::this_actor::yield();
    }
    smarm::this_actor::yield(); // it is idle, with all that it has
    left = -1;
    works = s.call(subject::ping{}).has_value();
  });
  BOOST_TEST(!has_failed);
  BOOST_TEST(works);
}

BOOST_AUTO_TEST_CASE(asking_a_server_to_end_says_that_there_is_no_memory) {
  const auto said = failures([&](int successes) {
    auto s = smarm::start_server<subject>().value();
    left = successes;
    const std::string first = in_words([&] { return s.shutdown(smarm::exit_kind::shutdown, 1h); });
    return first + (s.shutdown(smarm::exit_kind::shutdown, 1h) ? "" : ", and does not end");
  });
  BOOST_TEST(only(said, {"bad_alloc", "ok", "at last ok"}));
}

BOOST_AUTO_TEST_SUITE_END()

#else
BOOST_AUTO_TEST_CASE(memory_does_not_fail_under_this_sanitizer) {
  BOOST_TEST_MESSAGE("not tested: operator new cannot be replaced here");
}
#endif
