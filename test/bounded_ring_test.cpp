// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bounded ring on one thread: exact capacity at every size, laps, the hand-over of
// registrations, blocked producers, closing. See model/bounded_ring_model.cpp and
// stress/bounded_ring_stress.cpp for more.

#define BOOST_TEST_MODULE bounded_ring
#include <boost/test/unit_test.hpp>

#include <smarm/detail/bounded_ring.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace {

using smarm::detail::basic_bounded_ring;
using smarm::detail::push_result;

using ring = basic_bounded_ring<std::unique_ptr<int>, int>;

struct producer {
  ring& to;
  int woken = 0;

  push_result push(int number) {
    auto value = std::make_unique<int>(number);
    const push_result result = to.try_push(value, woken);
    // The value is gone if it was taken, and untouched if not.
    const bool kept = value != nullptr && *value == number;
    BOOST_TEST(kept == (result == push_result::full || result == push_result::closed));
    return result;
  }
};

int take(ring& from) {
  std::unique_ptr<int>* front = from.await_front();
  if (front == nullptr) return -1;
  const int value = **front;
  from.pop();
  return value;
}

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(push_result)

BOOST_AUTO_TEST_CASE(holds_exactly_its_capacity_lap_after_lap) {
  for (int capacity : {1, 2, 3, 5, 8, 64, 100}) {
    ring r(static_cast<std::size_t>(capacity));
    producer p{r};
    BOOST_TEST(r.capacity() == static_cast<std::size_t>(capacity));
    int sent = 0;
    int received = 0;
    for (int lap = 0; lap < 5; ++lap) {
      while (p.push(sent) == push_result::pushed) ++sent;
      BOOST_TEST(sent - received == capacity);
      BOOST_TEST(r.size() == static_cast<std::size_t>(capacity));
      for (int i = 0; i < 1 + lap % capacity; ++i) BOOST_TEST(take(r) == received++);
    }
    while (received < sent) BOOST_TEST(take(r) == received++);
    BOOST_TEST(r.empty());
    BOOST_TEST(r.front() == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(one_freed_cell_is_seen_at_once) {
  ring r(4);
  producer p{r};
  for (int i = 0; i < 4; ++i) BOOST_TEST(p.push(i) == push_result::pushed);
  BOOST_TEST(p.push(4) == push_result::full);
  BOOST_TEST(take(r) == 0);
  BOOST_TEST(r.unsettled());
  BOOST_TEST(p.push(4) == push_result::pushed);
  BOOST_TEST(p.push(5) == push_result::full);
}

BOOST_AUTO_TEST_CASE(a_push_to_a_waiting_receiver_hands_its_registration_over_once) {
  ring r(4);
  producer p{r};
  BOOST_TEST(r.wait(7));
  BOOST_TEST(p.push(1) == push_result::pushed_and_wake);
  BOOST_TEST(p.woken == 7);
  BOOST_TEST(p.push(2) == push_result::pushed);
  BOOST_TEST(!r.cancel_wait());
  BOOST_TEST(!r.wait(8)); // something is there
  BOOST_TEST(take(r) == 1);
  BOOST_TEST(take(r) == 2);
  BOOST_TEST(r.unsettled());
  BOOST_TEST(r.wait(9));
  BOOST_TEST(!r.unsettled());
  BOOST_TEST(!r.producers_blocked());
  BOOST_TEST(p.push(3) == push_result::pushed_and_wake);
  BOOST_TEST(p.woken == 9);
}

BOOST_AUTO_TEST_CASE(a_cancelled_wait_is_woken_by_nobody) {
  ring r(1);
  producer p{r};
  BOOST_TEST(r.wait(7));
  BOOST_TEST(r.cancel_wait());
  BOOST_TEST(p.push(1) == push_result::pushed);
  BOOST_TEST(p.woken == 0);
}

BOOST_AUTO_TEST_CASE(a_producer_blocks_only_while_the_ring_is_full) {
  ring r(2);
  producer p{r};
  BOOST_TEST(!r.block());
  BOOST_TEST(p.push(0) == push_result::pushed);
  BOOST_TEST(p.push(1) == push_result::pushed);
  BOOST_TEST(r.block());
  BOOST_TEST(r.settle()); // nothing was freed, but somebody is blocked
  BOOST_TEST(take(r) == 0);
  BOOST_TEST(r.settle_due());
  BOOST_TEST(r.settle());
  r.unblock();
  BOOST_TEST(!r.settle());
  BOOST_TEST(!r.settle_due());
  BOOST_TEST(!r.block()); // there is room
}

BOOST_AUTO_TEST_CASE(a_wait_for_the_ring_settles_too) {
  ring r(1);
  producer p{r};
  BOOST_TEST(p.push(0) == push_result::pushed);
  BOOST_TEST(r.block());
  BOOST_TEST(!r.wait(7));
  BOOST_TEST(r.producers_blocked());
  BOOST_TEST(take(r) == 0);
  BOOST_TEST(r.wait(7));
  BOOST_TEST(r.producers_blocked());
  r.unblock();
  BOOST_TEST(!r.block()); // the room is known
  BOOST_TEST(p.push(1) == push_result::pushed_and_wake);
}

BOOST_AUTO_TEST_CASE(settling_falls_due_when_half_of_the_ring_was_freed) {
  ring r(6);
  producer p{r};
  for (int i = 0; i < 6; ++i) BOOST_TEST(p.push(i) == push_result::pushed);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(!r.settle_due());
    BOOST_TEST(take(r) == i);
  }
  BOOST_TEST(r.settle_due());
  BOOST_TEST(!r.settle());
  BOOST_TEST(!r.settle_due());
  BOOST_TEST(!r.unsettled());
}

BOOST_AUTO_TEST_CASE(a_closed_ring_takes_nothing_and_gives_back_what_it_has) {
  ring r(2);
  producer p{r};
  BOOST_TEST(p.push(1) == push_result::pushed);
  BOOST_TEST(!r.close());
  BOOST_TEST(r.closed());
  BOOST_TEST(p.push(2) == push_result::closed);
  BOOST_TEST(!r.block());
  BOOST_TEST(take(r) == 1);
  BOOST_TEST(take(r) == -1);
  BOOST_TEST(!r.settle());
  BOOST_TEST(!r.wait(7));
  BOOST_TEST(!r.close_by_sender(p.woken));
}

BOOST_AUTO_TEST_CASE(closing_tells_that_producers_are_blocked) {
  ring r(1);
  producer p{r};
  BOOST_TEST(p.push(1) == push_result::pushed);
  BOOST_TEST(r.block());
  BOOST_TEST(r.close());
}

BOOST_AUTO_TEST_CASE(the_last_senders_close_wakes_a_waiting_receiver) {
  ring r(1);
  producer p{r};
  BOOST_TEST(r.wait(7));
  BOOST_TEST(r.close_by_sender(p.woken));
  BOOST_TEST(p.woken == 7);
  BOOST_TEST(!r.cancel_wait());
  BOOST_TEST(!r.wait(8));
  BOOST_TEST(take(r) == -1);
}

BOOST_AUTO_TEST_CASE(what_is_left_in_the_ring_is_destroyed_with_it) {
  auto left = std::make_shared<int>(0);
  {
    basic_bounded_ring<std::shared_ptr<int>, int> r(3);
    int woken = 0;
    for (int i = 0; i < 2; ++i) {
      auto copy = left;
      BOOST_TEST(r.try_push(copy, woken) == push_result::pushed);
    }
    BOOST_TEST(left.use_count() == 3);
  }
  BOOST_TEST(left.use_count() == 1);
}

namespace {

// What the receiver does while a producer looks on.
struct watched_atomics : smarm::detail::std_atomics {
  inline static std::function<void()> meanwhile;
  inline static int pauses = 0;
  static void pause() {
    ++pauses;
    if (meanwhile) meanwhile();
  }
};

struct watched_ring {
  basic_bounded_ring<int, int, watched_atomics> ring;
  int left = 0;

  explicit watched_ring(int capacity) : ring(static_cast<std::size_t>(capacity)) {
    int woken = 0;
    for (int i = 0; i < capacity; ++i) {
      int value = i;
      BOOST_TEST(ring.try_push(value, woken) == push_result::pushed);
    }
    left = capacity;
    watched_atomics::pauses = 0;
  }
  ~watched_ring() { watched_atomics::meanwhile = nullptr; }

  void take_one() {
    if (ring.front() != nullptr) {
      ring.pop();
      --left;
    }
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_producer_stays_until_a_good_part_is_free) {
  watched_ring w(64);
  watched_atomics::meanwhile = [&] { w.take_one(); };
  w.ring.await_room();
  BOOST_TEST(w.left <= 48);
  BOOST_TEST(w.left > 0);
}

BOOST_AUTO_TEST_CASE(a_producer_leaves_when_nothing_is_taken) {
  watched_ring w(64);
  w.ring.await_room();
  const int one_look = std::exchange(watched_atomics::pauses, 0);
  // One value, and then no more: two looks.
  watched_atomics::meanwhile = [&] {
    if (w.left == 64) w.take_one();
  };
  w.ring.await_room();
  BOOST_TEST(w.left == 63);
  BOOST_TEST(watched_atomics::pauses == 2 * one_look);
}

BOOST_AUTO_TEST_CASE(a_producer_does_not_look_on_for_ever) {
  watched_ring w(1 << 14);
  int since = 0;
  watched_atomics::meanwhile = [&] {
    if (++since % 4 == 0) w.take_one();
  };
  w.ring.await_room();
  BOOST_TEST(w.left > (1 << 14) - 1000);
}
