// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Times to wait until: of any clock, near, far, past and absurd, for each call that takes one.

#define BOOST_TEST_MODULE deadline
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/condition_variable.hpp>
#include <smarm/mutex.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/send_after.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/when.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::channel;
using smarm::errc;
using smarm::detail::deadline_of;
using smarm::detail::no_deadline;
using std::chrono::steady_clock;
using std::chrono::system_clock;
using std::chrono::time_point;

namespace {

// One that counts days, from some day on, and stands still.
struct calendar {
  using duration = std::chrono::duration<int, std::ratio<86400>>;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<calendar>;
  [[maybe_unused]] static constexpr bool is_steady = false;
  static time_point now() noexcept { return time_point(duration(-1000)); }
};

template <class Clock>
void each_call_ends_at(const time_point<Clock>& at, recorder& seen) {
  auto [to, from] = channel<int>();
  auto [to_full, full] = channel<int>(smarm::bounded{.capacity = 1});
  (void)to_full.try_send(0);
  const auto note = [&](const char* call, bool timed_out) {
    seen.note(timed_out && Clock::now() >= at ? "" : call);
  };
  note("recv_until", from.recv_until(at).error() == errc::timed_out);
  note("recv_match_until",
       from.recv_match_until([](int) { return true; }, at).error() == errc::timed_out);
  note("send_until", to_full.send_until(1, at).error() == errc::timed_out);
  note("select_until", smarm::select_until(at, from).error() == errc::timed_out);
  note("select_until with handlers",
       smarm::select_until(at, smarm::when(from, [](int) {})).error() == errc::timed_out);
  smarm::selector both(from);
  note("selector", both.wait_until(at).error() == errc::timed_out);
  smarm::counting_semaphore<> none(0);
  note("semaphore", !none.try_acquire_until(at));
  smarm::timed_mutex m;
  m.lock();
  auto other = smarm::spawn([&] { note("mutex", !m.try_lock_until(at)); });
  (void)other.join();
  m.unlock();
  std::unique_lock lock(m);
  smarm::condition_variable changed;
  note("condition", changed.wait_until(lock, at) == std::cv_status::timeout);
  note("condition with predicate", !changed.wait_until(lock, at, [] { return false; }));
  smarm::condition_variable_any any;
  note("any condition", any.wait_until(lock, at) == std::cv_status::timeout);
  note("any condition with predicate", !any.wait_until(lock, at, [] { return false; }));
  lock.unlock();
  smarm::this_actor::sleep_until(at);
  note("sleep_until", true);
  auto idle = smarm::spawn([] { smarm::this_actor::sleep_for(24h); });
  note("join_until", idle.join_until(at).error() == errc::timed_out);
  smarm::request_stop(idle.id());
  (void)idle.join();
  (void)smarm::send_at(at, to, 1);
  (void)from.recv();
  note("send_at", true);
}

} // namespace

BOOST_AUTO_TEST_SUITE(deadline_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(every_call_takes_a_time_of_any_clock_and_does_not_end_before_it) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    each_call_ends_at<steady_clock>(steady_clock::now() + 2ms, seen);
    each_call_ends_at<system_clock>(system_clock::now() + 2ms, seen);
    each_call_ends_at<system_clock>(system_clock::now() - 24h, seen);
    each_call_ends_at<calendar>(calendar::now() - calendar::duration(1), seen);
  });
  BOOST_TEST(seen.size() == 4u * 15);
  for (const std::string& what : seen.all()) {
    BOOST_TEST(what == "");
  }
}

BOOST_AUTO_TEST_CASE(what_lies_beyond_the_clock_is_never_and_what_lies_before_it_is_past) {
  using hours = std::chrono::hours;
  using real = std::chrono::duration<double>;
  BOOST_TEST(deadline_of(steady_clock::time_point::max()) == no_deadline);
  BOOST_TEST(deadline_of(steady_clock::time_point::min()) == 0);
  BOOST_TEST(deadline_of(time_point<steady_clock, hours>::max()) == no_deadline);
  BOOST_TEST(deadline_of(time_point<steady_clock, hours>::min()) == 0);
  BOOST_TEST(deadline_of(time_point<steady_clock, real>(real(1e300))) == no_deadline);
  BOOST_TEST(deadline_of(time_point<steady_clock, real>(real(std::nan("")))) == 0);
  BOOST_TEST(deadline_of(system_clock::time_point::max()) == no_deadline);
  BOOST_TEST(deadline_of(system_clock::time_point::min()) == 0);
  BOOST_TEST(deadline_of(time_point<system_clock, hours>::max()) == no_deadline);
  BOOST_TEST(deadline_of(time_point<system_clock, real>(real(std::nan("")))) == 0);
  BOOST_TEST(deadline_of(calendar::time_point::max()) == no_deadline);
  BOOST_TEST(deadline_of(calendar::time_point::min()) == 0);
  BOOST_TEST(deadline_of(calendar::now()) == 0);
}

BOOST_AUTO_TEST_CASE(another_clock_is_as_far_away_as_it_says) {
  constexpr std::int64_t day = 86'400'000'000'000;
  const std::int64_t before = smarm::detail::monotonic_now();
  const std::int64_t tomorrow = deadline_of(calendar::now() + calendar::duration(1));
  const std::int64_t after = smarm::detail::monotonic_now();
  BOOST_TEST(tomorrow >= before + day);
  BOOST_TEST(tomorrow <= after + day);
}

BOOST_AUTO_TEST_SUITE_END()
