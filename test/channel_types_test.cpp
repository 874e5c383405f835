// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What messages may be, and what becomes of them when they cannot be moved.

#define BOOST_TEST_MODULE channel_types
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <chrono>
#include <memory>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

BOOST_AUTO_TEST_SUITE(channel_types_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(messages_may_be_move_only_over_aligned_large_or_unassignable) {
  int sum = 0;
  bool aligned = true;
  smarm::run([&] {
    auto [a, ra] = smarm::channel<std::unique_ptr<int>>();
    auto [b, rb] = smarm::channel<over_aligned>();
    auto [c, rc] = smarm::channel<large>();
    auto [d, rd] = smarm::channel<unassignable>();
    for (int i = 0; i < 3; ++i) {
      (void)a.send(std::make_unique<int>(1));
      (void)b.send({10});
      (void)c.send({100, {}});
      (void)d.send({1000});
    }
    for (int i = 0; i < 3; ++i) {
      sum += *ra.recv().value();
      const auto x = rb.recv().value();
      aligned =
          aligned && reinterpret_cast<std::uintptr_t>(&x) % alignof(over_aligned) == 0 && x.placed;
      sum += x.value;
      sum += rc.recv().value().value + rd.recv().value().value;
    }
  });
  BOOST_TEST(sum == 3333);
  BOOST_TEST(aligned);
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_moved_out_stays_and_does_not_count) {
  std::vector<int> got;
  std::uint64_t counted = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    for (int i = 0; i < 3; ++i) {
      (void)tx.send(reluctant(i));
    }
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)rx.recv(); }));
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)rx.try_recv(); }));
    reluctant::moves_until_throw = 0;
    got.push_back(
        thrown([&] { (void)rx.recv_match([](const reluctant& r) { return r.value == 1; }); }));
    reluctant::moves_until_throw = -1;
    for (int i = 0; i < 3; ++i) {
      got.push_back(rx.recv().value().value);
    }
    counted = smarm::detail::current_scheduler()->current->messages_received;
  });
  CHECK_LIST(got, {1, 1, 1, 0, 1, 2});
  BOOST_TEST(counted == 3u);
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_moved_in_stays_with_its_sender) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    reluctant value(7);
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)tx.send(std::move(value)); }));
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)tx.send(value); }));
    reluctant::moves_until_throw = -1;
    got.push_back(value.value);
    got.push_back(error_of(rx.try_recv()) == errc::empty);
  });
  CHECK_LIST(got, {1, 1, 7, 1});
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_message_that_waits_as_it_is_destroyed_is_not_stopped_there) {
  struct waits_at_its_end {
    recorder* seen;
    explicit waits_at_its_end(recorder& to) : seen(&to) {}
    waits_at_its_end(waits_at_its_end&& other) noexcept
        : seen(std::exchange(other.seen, nullptr)) {}
    ~waits_at_its_end() {
      if (seen != nullptr) {
        smarm::this_actor::sleep_for(1us);
        seen->note("destroyed");
      }
    }
  };
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto owner = smarm::spawn([&] {
      auto [tx, rx] = smarm::channel<waits_at_its_end>();
      (void)tx.send(waits_at_its_end(seen));
      smarm::request_stop(smarm::this_actor::self());
      rx = {};
      seen.note("went on");
      smarm::this_actor::yield();
      seen.note("not stopped");
    });
    seen.note(to_string(owner.join().kind()));
  });
  CHECK_LIST(seen.all(), {"destroyed", "went on", "stopped"});
}

BOOST_AUTO_TEST_SUITE_END()
