// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Select with handlers: which one runs, with what, and what it hears of the end.

#define BOOST_TEST_MODULE when
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "recorder.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/when.hpp>

#include <any>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

using namespace smarm_test;
using namespace std::chrono_literals;
using boost::system::result;
using smarm::channel;
using smarm::errc;
using smarm::when;

BOOST_AUTO_TEST_SUITE(when_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_handler_of_the_first_ready_arm_runs_with_its_message) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<std::unique_ptr<std::string>>();
    const auto once = [&, &a = a, &b = b] {
      return smarm::select(
          when(a, [&](int message) { got.push_back("a " + std::to_string(message)); }),
          when(b, [&](std::unique_ptr<std::string> message) { got.push_back("b " + *message); }));
    };
    (void)to_b.send(std::make_unique<std::string>("one"));
    got.push_back(std::to_string(once().value()));
    (void)to_b.send(std::make_unique<std::string>("two"));
    (void)to_a.send(1);
    got.push_back(std::to_string(once().value()));
    got.push_back(std::to_string(once().value()));
  });
  CHECK_LIST(got, {"b one", "1", "a 1", "0", "b two", "1"});
}

BOOST_AUTO_TEST_CASE(a_loop_ends_when_every_channel_has) {
  int sum = 0;
  int texts = 0;
  errc end{};
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<std::string>(smarm::bounded{.capacity = 2});
    auto one = smarm::spawn([to = std::move(to_a)] {
      for (int i = 1; i <= 100; ++i) {
        (void)to.send(i);
      }
    });
    auto two = smarm::spawn([to = std::move(to_b)] {
      for (int i = 0; i < 50; ++i) {
        (void)to.send(std::string("x"));
      }
    });
    for (;;) {
      const auto which = smarm::select_fair(when(a, [&](int i) { sum += i; }),
                                            when(b, [&](const std::string&) { ++texts; }));
      if (!which) {
        end = error_of(which);
        break;
      }
    }
    (void)one.join();
    (void)two.join();
  });
  BOOST_TEST(sum == 5050);
  BOOST_TEST(texts == 50);
  BOOST_TEST((end == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_handler_that_takes_a_result_hears_of_the_end_each_time) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    const auto once = [&, &a = a, &b = b] {
      return smarm::select(when(a,
                                [&](result<int> message) {
                                  got.push_back(message ? std::to_string(*message) : "closed");
                                }),
                           when(b, [&](int) { got.push_back("b"); }));
    };
    (void)to_a.send(1);
    (void)once();
    to_a = {};
    (void)once();
    got.push_back(std::to_string(once().value()));
  });
  CHECK_LIST(got, {"1", "closed", "closed", "0"});
}

BOOST_AUTO_TEST_CASE(what_is_left_in_a_closed_channel_is_handled_first) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    (void)to_a.send(1);
    to_a = {};
    const auto once = [&, &a = a] {
      return error_of(smarm::select(when(a, [&](int i) { got.push_back(std::to_string(i)); })));
    };
    got.push_back(once() == errc{} ? "ran" : "did not");
    got.push_back(once() == errc::closed ? "closed" : "ran");
  });
  CHECK_LIST(got, {"1", "ran", "closed"});
}

BOOST_AUTO_TEST_CASE(a_message_that_could_hold_a_result_is_still_a_message) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<std::any>();
    (void)to_a.send(std::any(7));
    (void)smarm::select(when(a, [&](std::any message) {
      got.push_back(std::any_cast<int>(&message) != nullptr ? "a number" : "something else");
    }));
  });
  CHECK_LIST(got, {"a number"});
}

BOOST_AUTO_TEST_CASE(a_handler_may_be_generic_or_a_function) {
  struct order {
    int number;
  };
  static recorder* seen = nullptr;
  recorder got;
  seen = &got;
  struct hears {
    static void end(const result<int>& message) { seen->note(message ? "a number" : "the end"); }
  };
  smarm::run([&] {
    auto [to_a, a] = channel<order>();
    auto [to_b, b] = channel<int>();
    const auto once = [&, &a = a, &b = b] {
      (void)smarm::select(when(a, [&](auto message) { got.note(std::to_string(message.number)); }),
                          when(b, &hears::end));
    };
    (void)to_a.send(order{7});
    once();
    (void)to_b.send(1);
    once();
    to_b = {};
    once();
  });
  CHECK_LIST(got.all(), {"7", "a number", "the end"});
}

BOOST_AUTO_TEST_CASE(a_deadline_and_what_a_handler_throws_reach_the_caller) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    const auto once = [&, &a = a] {
      return smarm::select_for(1ns, when(a, [](int) { throw std::runtime_error("no"); }));
    };
    got.push_back(error_of(once()) == errc::timed_out ? "late" : "?");
    (void)to_a.send(1);
    got.push_back(thrown([&] { (void)once(); }) ? "thrown" : "?");
    got.push_back(error_of(a.try_recv()) == errc::empty ? "gone" : "?");
  });
  CHECK_LIST(got, {"late", "thrown", "gone"});
}

BOOST_AUTO_TEST_CASE(only_the_first_handler_runs_and_what_it_throws_is_all_that_happens) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    (void)to_a.send(1);
    (void)to_b.send(2);
    for (int i = 0; i < 2; ++i) {
      try {
        (void)smarm::select(when(a, [](int) { throw std::runtime_error("a"); }),
                            when(b, [](int) { throw std::logic_error("b"); }));
        got.push_back("nothing");
      } catch (const std::exception& e) {
        got.push_back(e.what());
      }
      const auto left = b.try_recv();
      got.push_back(left ? std::to_string(*left) : "none");
      (void)to_b.send(3);
    }
  });
  CHECK_LIST(got, {"a", "2", "b", "none"});
}

BOOST_AUTO_TEST_CASE(a_try_runs_the_first_handler_that_is_ready_or_none) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    const auto once = [&, &a = a, &b = b] {
      const auto which =
          smarm::try_select(when(a, [&](int m) { got.push_back(std::to_string(m)); }),
                            when(b, [&](int m) { got.push_back(std::to_string(m)); }));
      got.push_back(which                          ? std::to_string(*which)
                    : which.error() == errc::empty ? "empty"
                                                   : "closed");
    };
    once();
    (void)to_b.send(7);
    once();
    to_a = {}; // a closed arm is passed over
    once();
    (void)to_b.send(8);
    once();
    to_b = {};
    once();
  });
  CHECK_LIST(got, {"empty", "7", "1", "empty", "8", "1", "closed"});
}

BOOST_AUTO_TEST_CASE(a_deadline_that_has_passed_runs_what_is_ready_and_waits_for_nothing) {
  strings got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    const auto note = [&](const result<std::size_t>& which) {
      got.push_back(which ? "ran" : which.error() == errc::timed_out ? "timed out" : "closed");
    };
    const auto handler = [&](int m) { got.push_back(std::to_string(m)); };
    for (const auto limit : {0s, -1s}) {
      note(smarm::select_for(limit, when(a, handler)));
      (void)to_a.send(1);
      note(smarm::select_for(limit, when(a, handler)));
    }
    const auto past = std::chrono::system_clock::now() - 1h;
    note(smarm::select_until(past, when(a, handler)));
    (void)to_a.send(2);
    note(smarm::select_until(past, when(a, handler)));
    note(smarm::select_until(std::chrono::steady_clock::now() + 1ms, when(a, handler)));
    to_a = {};
    note(smarm::select_until(past, when(a, handler)));
  });
  CHECK_LIST(got, {"timed out", "1", "ran", "timed out", "1", "ran", "timed out", "2", "ran",
                   "timed out", "closed"});
}

BOOST_AUTO_TEST_SUITE_END()
