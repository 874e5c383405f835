// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Each allocation that a blocking call and an Asio operation towards actors make fails once, the first,
// the second and so on. The call says so or succeeds all the same, nothing is lost, and the next one works.

#define BOOST_TEST_MODULE io_memory_failure
#include <boost/test/unit_test.hpp>

#include "failing_memory.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/async_call.hpp>
#include <smarm/async_join.hpp>
#include <smarm/async_recv.hpp>
#include <smarm/blocking.hpp>
#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using error_code = boost::system::error_code;

#if !SMARM_TSAN

namespace {

constexpr int answer = 7;

class subject : public smarm::gen_server<subject> {
public:
  struct ask {};
  int handle_call(ask) { return answer; }
};

// What went wrong, if anything did; and how often memory failed at all.
struct verdict {
  recorder wrong;
  std::atomic<int> failures{0};
  void expect(bool right, const std::string& what) {
    if (!right) {
      wrong.note(what);
    }
  }
};

// A run for each allocation in turn, as long as there is one more that can fail.
template <class Body>
void each_allocation_fails_once(verdict& seen, unsigned schedulers, Body body) {
  for (int which = 0;; ++which) {
    seen.expect(which < 1000, "no end of allocations");
    bool more = false;
    {
      smarm::runtime rt(quiet(schedulers));
      rt.run([&] {
        has_failed = false;
        body(which);
        more = has_failed.exchange(false);
        left = -1;
      });
    }
    if (!more || which == 1000) {
      return;
    }
    ++seen.failures;
  }
}

void check(const verdict& seen) {
  BOOST_TEST(seen.failures > 0);
  for (const std::string& what : seen.wrong.all()) {
    BOOST_ERROR(what);
  }
}

// How an operation with a callback went.
struct outcome {
  std::atomic<int> called{0};
  error_code why;
  int value = 0;
  bool thrown = false;

  template <class Start>
  void start(Start begin) {
    try {
      begin([this](error_code ec, int v) {
        why = ec;
        value = v;
        ++called;
      });
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
  }
  // A handler is called once, or not at all if the call has thrown.
  void await_and_check(verdict& seen) {
    if (!thrown) {
      until([this] { return called > 0; });
    }
    left = -1;
    seen.expect(called == (thrown ? 0 : 1), "a handler was called " + std::to_string(called) + " times");
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(io_memory_failure_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_blocking_call_that_finds_no_memory_says_so_and_the_next_one_works) {
  verdict seen;
  each_allocation_fails_once(seen, 2, [&](int which) {
    left = which;
    const auto got = smarm::try_blocking([] { return answer; });
    left = -1;
    seen.expect(got ? *got == answer
                    : got.error() == errc::out_of_memory || got.error() == errc::out_of_threads,
                got ? "a wrong value" : got.error().message());
    const auto again = smarm::try_blocking([] { return answer; });
    seen.expect(again && *again == answer, "the next call failed");
  });
  check(seen);
}

BOOST_AUTO_TEST_CASE(a_detached_call_that_finds_no_memory_leaves_nothing_behind) {
  verdict seen;
  each_allocation_fails_once(seen, 2, [&](int which) {
    {
      bulk owned;
      left = which;
      const auto got = smarm::try_blocking_detached([owned] { return owned.value; });
      left = -1;
      seen.expect(got ? *got == answer
                      : got.error() == errc::out_of_memory || got.error() == errc::out_of_threads,
                  got ? "a wrong value" : got.error().message());
      const auto again = smarm::try_blocking_detached([owned] { return owned.value; });
      seen.expect(again && *again == answer, "the next call failed");
    }
    seen.expect(bulk::alive == 0, "a function was not destroyed");
  });
  check(seen);
}

BOOST_AUTO_TEST_CASE(an_asynchronous_call_is_answered_or_throws) {
  verdict seen;
  each_allocation_fails_once(seen, 1, [&](int which) {
    auto server = smarm::start_server<subject>().value();
    outcome got;
    left = which;
    got.start([&](auto handler) { smarm::async_call(server, subject::ask{}, std::move(handler)); });
    got.await_and_check(seen);
    if (!got.thrown) {
      seen.expect(got.why ? got.why == errc::out_of_memory || got.why == errc::server_down
                          : got.value == answer,
                  got.why.message());
    }
    const auto direct = server.call(subject::ask{});
    seen.expect(direct ? *direct == answer : got.why == errc::server_down, "the server does not answer");
  });
  check(seen);
}

BOOST_AUTO_TEST_CASE(an_asynchronous_call_with_a_limit_is_answered_or_throws) {
  verdict seen;
  each_allocation_fails_once(seen, 1, [&](int which) {
    auto server = smarm::start_server<subject>().value();
    outcome got;
    left = which;
    got.start([&](auto handler) {
      smarm::async_call(server, subject::ask{}, 1h, std::move(handler));
    });
    left = -1;
    got.await_and_check(seen);
    if (!got.thrown) {
      seen.expect(got.why ? got.why == errc::out_of_memory : got.value == answer, got.why.message());
    }
  });
  check(seen);
}

BOOST_AUTO_TEST_CASE(a_message_comes_to_the_handler_or_stays) {
  verdict seen;
  for (const bool limited : {false, true}) {
    each_allocation_fails_once(seen, 1, [&](int which) {
      auto [tx, rx] = smarm::channel<int>();
      outcome got;
      left = which;
      got.start([&](auto handler) {
        if (limited) {
          smarm::async_recv(rx, 1h, std::move(handler));
        } else {
          smarm::async_recv(rx, std::move(handler));
        }
      });
      bool sent = false;
      try {
        sent = tx.send(answer).has_value();
      } catch (const std::bad_alloc&) {
      }
      left = -1;
      if (!sent) {
        (void)tx.send(answer);
      }
      got.await_and_check(seen);
      const bool received = !got.thrown && !got.why;
      seen.expect(!received || got.value == answer, "a wrong value");
      seen.expect(received || rx.try_recv() == answer, "a message was lost");
    });
  }
  check(seen);
}

BOOST_AUTO_TEST_CASE(the_end_of_an_actor_comes_to_the_handler_or_the_call_throws) {
  verdict seen;
  each_allocation_fails_once(seen, 1, [&](int which) {
    auto h = smarm::spawn([] { smarm::this_actor::yield(); });
    outcome got;
    left = which;
    got.start([&](auto handler) {
      smarm::async_join(std::move(h), [handler = std::move(handler)](error_code ec,
                                                                     smarm::exit_status how) mutable {
        handler(ec, how.kind() == smarm::exit_kind::normal ? answer : 0);
      });
    });
    left = -1;
    got.await_and_check(seen);
    seen.expect(got.thrown || (!got.why && got.value == answer), got.why.message());
  });
  check(seen);
}

BOOST_AUTO_TEST_SUITE_END()

#else

BOOST_AUTO_TEST_CASE(memory_does_not_fail_under_this_sanitizer) { BOOST_TEST(true); }

#endif
