// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The inbox on one thread: order, the hand-over of registrations, closing, and choosing from the
// middle. What threads can do to it is in model/inbox_model.cpp and stress/inbox_stress.cpp.

#define BOOST_TEST_MODULE inbox
#include <boost/test/unit_test.hpp>

#include <smarm/detail/inbox.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace {

using smarm::detail::basic_inbox;
using smarm::detail::inbox_node;
using smarm::detail::push_result;

struct node : inbox_node<> {
  explicit node(int number) : value(number) {}
  std::optional<int> value;
};

using inbox = basic_inbox<node, int>;

// An inbox whose nodes live on the heap, so that a sanitizer sees each one's end.
struct fixture {
  inbox in;
  int woken = 0;

  ~fixture() {
    in.close();
    while (take()) {
    }
    delete in.retained();
  }

  push_result push(int value) {
    auto owned = std::make_unique<node>(value);
    const push_result result = in.push(*owned, woken);
    if (result != push_result::closed) (void)owned.release();
    return result;
  }

  std::optional<int> take() {
    node* front = in.await_front();
    if (front == nullptr) return std::nullopt;
    std::optional<int> value = std::move(front->value);
    front->value.reset();
    delete in.advance();
    return value;
  }

  std::vector<int> take_all() {
    std::vector<int> values;
    while (auto value = take()) values.push_back(*value);
    return values;
  }

  // As a selective receive would: the first value that is even.
  std::optional<int> take_even() {
    inbox::link* position = &in.before_front();
    while (node* candidate = in.await_after(*position)) {
      if (*candidate->value % 2 == 0) {
        std::unique_ptr<node> taken(&in.erase_after(*position));
        return taken->value;
      }
      position = candidate;
    }
    return std::nullopt;
  }
};

using values = std::vector<int>;

void check_equal(const values& seen, const values& expected) {
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(push_result)

BOOST_FIXTURE_TEST_CASE(a_new_inbox_is_empty_and_open, fixture) {
  BOOST_TEST(in.empty());
  BOOST_TEST(!in.closed());
  BOOST_TEST(!in.in_flight());
  BOOST_TEST(in.front() == nullptr);
  BOOST_TEST(in.await_front() == nullptr);
  BOOST_TEST(in.retained() == nullptr);
}

BOOST_FIXTURE_TEST_CASE(nodes_come_in_the_order_of_their_pushes, fixture) {
  for (int i = 0; i < 5; ++i) BOOST_TEST(push(i) == push_result::pushed);
  BOOST_TEST(!in.empty());
  check_equal(take_all(), {0, 1, 2, 3, 4});
  BOOST_TEST(in.empty());
  BOOST_TEST(push(5) == push_result::pushed);
  check_equal(take_all(), {5});
}

BOOST_FIXTURE_TEST_CASE(a_push_to_a_waiting_receiver_hands_its_registration_over_once, fixture) {
  BOOST_TEST(in.wait(7));
  BOOST_TEST(push(1) == push_result::pushed_and_wake);
  BOOST_TEST(woken == 7);
  BOOST_TEST(push(2) == push_result::pushed);
  BOOST_TEST(!in.cancel_wait());
  check_equal(take_all(), {1, 2});
}

BOOST_FIXTURE_TEST_CASE(waiting_fails_while_something_is_queued, fixture) {
  BOOST_TEST(push(1) == push_result::pushed);
  BOOST_TEST(!in.wait(7));
  check_equal(take_all(), {1});
  BOOST_TEST(in.wait(8));
  BOOST_TEST(push(2) == push_result::pushed_and_wake);
  BOOST_TEST(woken == 8);
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_wait_is_woken_by_nobody, fixture) {
  BOOST_TEST(in.wait(7));
  BOOST_TEST(in.cancel_wait());
  BOOST_TEST(!in.cancel_wait());
  BOOST_TEST(push(1) == push_result::pushed);
  BOOST_TEST(woken == 0);
}

BOOST_FIXTURE_TEST_CASE(a_closed_inbox_takes_nothing_and_gives_back_what_it_has, fixture) {
  BOOST_TEST(push(1) == push_result::pushed);
  BOOST_TEST(push(2) == push_result::pushed);
  in.close();
  BOOST_TEST(in.closed());
  BOOST_TEST(push(3) == push_result::closed);
  BOOST_TEST(!in.wait(7));
  check_equal(take_all(), {1, 2});
  BOOST_TEST(in.empty());
  BOOST_TEST(!in.wait(7));
  int nobody = 0;
  BOOST_TEST(!in.close_by_sender(nobody));
}

BOOST_FIXTURE_TEST_CASE(the_last_senders_close_wakes_a_waiting_receiver, fixture) {
  BOOST_TEST(in.wait(7));
  BOOST_TEST(in.close_by_sender(woken));
  BOOST_TEST(woken == 7);
  BOOST_TEST(!in.cancel_wait());
  BOOST_TEST(in.closed());
  BOOST_TEST(!in.wait(8));
  BOOST_TEST(in.await_front() == nullptr);
}

BOOST_FIXTURE_TEST_CASE(what_was_sent_before_the_last_senders_close_is_received_first, fixture) {
  BOOST_TEST(push(1) == push_result::pushed);
  BOOST_TEST(!in.close_by_sender(woken));
  check_equal(take_all(), {1});
  BOOST_TEST(in.closed());
}

BOOST_FIXTURE_TEST_CASE(a_receiver_that_waits_may_close, fixture) {
  BOOST_TEST(in.wait(7));
  in.close();
  BOOST_TEST(push(1) == push_result::closed);
  BOOST_TEST(!in.close_by_sender(woken));
  BOOST_TEST(woken == 0);
}

BOOST_FIXTURE_TEST_CASE(a_node_taken_from_the_middle_leaves_the_others_in_order, fixture) {
  for (int i : {1, 3, 4, 5, 6, 7}) BOOST_TEST(push(i) == push_result::pushed);
  BOOST_TEST(take_even().value() == 4);
  BOOST_TEST(take_even().value() == 6);
  BOOST_TEST(!take_even().has_value());
  check_equal(take_all(), {1, 3, 5, 7});
}

BOOST_FIXTURE_TEST_CASE(the_last_node_is_taken_from_behind_others, fixture) {
  for (int i : {1, 3, 4}) BOOST_TEST(push(i) == push_result::pushed);
  BOOST_TEST(take_even().value() == 4);
  BOOST_TEST(push(5) == push_result::pushed);
  check_equal(take_all(), {1, 3, 5});
}

BOOST_FIXTURE_TEST_CASE(the_only_node_is_taken_by_choice, fixture) {
  BOOST_TEST(push(2) == push_result::pushed);
  BOOST_TEST(take_even().value() == 2);
  BOOST_TEST(in.empty());
  BOOST_TEST(in.wait(7));
  BOOST_TEST(push(4) == push_result::pushed_and_wake);
  check_equal(take_all(), {4});
}

BOOST_FIXTURE_TEST_CASE(the_last_node_is_taken_from_a_closed_inbox, fixture) {
  for (int i : {1, 2}) BOOST_TEST(push(i) == push_result::pushed);
  BOOST_TEST(!in.close_by_sender(woken));
  BOOST_TEST(take_even().value() == 2);
  BOOST_TEST(in.closed());
  BOOST_TEST(push(3) == push_result::closed);
  check_equal(take_all(), {1});
}

BOOST_FIXTURE_TEST_CASE(a_scan_waits_behind_what_it_has_seen, fixture) {
  for (int i : {1, 3}) BOOST_TEST(push(i) == push_result::pushed);
  inbox::link* seen = &in.before_front();
  while (node* next = in.await_after(*seen)) seen = next;
  BOOST_TEST(!in.wait(7)); // something is queued
  BOOST_TEST(in.wait_after(*seen, 8));
  BOOST_TEST(push(4) == push_result::pushed_and_wake);
  BOOST_TEST(woken == 8);
  BOOST_TEST(!in.wait_after(*seen, 9));
  BOOST_TEST(in.after(*seen)->value.value() == 4);
  check_equal(take_all(), {1, 3, 4});
}

BOOST_FIXTURE_TEST_CASE(a_scans_wait_is_cancelled_like_any_other, fixture) {
  BOOST_TEST(push(1) == push_result::pushed);
  BOOST_TEST(in.wait_after(*in.front(), 8));
  BOOST_TEST(in.cancel_wait());
  BOOST_TEST(push(2) == push_result::pushed);
  check_equal(take_all(), {1, 2});
}

BOOST_AUTO_TEST_CASE(how_much_is_queued_is_known_however_it_is_taken_out_and_however_often_the_count_comes_round) {
  fixture f;
  BOOST_TEST(f.in.size() == 0U);
  for (int i = 0; i < 3; ++i) {
    (void)f.push(i);
  }
  BOOST_TEST(f.in.size() == 3U);
  BOOST_TEST(f.take().has_value());
  BOOST_TEST(f.in.size() == 2U);
  delete &f.in.erase_after(f.in.before_front()); // not the last one
  BOOST_TEST(f.in.size() == 1U);
  delete &f.in.erase_after(f.in.before_front()); // the last one
  BOOST_TEST(f.in.size() == 0U);
  constexpr int twice_round = 2 * 65'536 + 5;
  for (int i = 0; i < twice_round; ++i) {
    (void)f.push(i);
  }
  BOOST_TEST(f.in.size() == twice_round);
  for (int i = 0; i < twice_round - 2; ++i) {
    (void)f.take();
  }
  BOOST_TEST(f.in.size() == 2U);
  f.in.close();
  BOOST_TEST(f.in.size() == 2U);
  BOOST_TEST((f.push(1) == push_result::closed));
  BOOST_TEST(f.in.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_wait_works_whatever_the_count_is) {
  fixture f;
  for (int i = 0; i < 70'000; ++i) {
    (void)f.push(i);
    (void)f.take();
    BOOST_REQUIRE(f.in.wait(i));
    if (i % 2 == 0) {
      BOOST_REQUIRE(f.in.cancel_wait());
    } else {
      BOOST_REQUIRE((f.push(i) == push_result::pushed_and_wake));
      BOOST_REQUIRE(f.woken == i);
      (void)f.take();
    }
  }
  BOOST_TEST(f.in.size() == 0U);
}
