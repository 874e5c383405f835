// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Each transition of the slot word by itself, on one thread. What happens when they race is in
// model/slot_word_model.cpp.

#define BOOST_TEST_MODULE slot_word
#include <boost/test/unit_test.hpp>

#include <smarm/detail/slot_word.hpp>

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <tuple>

namespace smarm::detail {
std::ostream& operator<<(std::ostream& out, slot_state s) {
  return out << "slot_state " << static_cast<int>(s);
}
std::ostream& operator<<(std::ostream& out, slot_status s) {
  return out << "slot_status " << static_cast<int>(s);
}
std::ostream& operator<<(std::ostream& out, wake_result r) {
  return out << "wake_result " << static_cast<int>(r);
}
} // namespace smarm::detail

namespace {

using smarm::detail::slot_state;
using smarm::detail::slot_status;
using smarm::detail::wait_ticket;
using smarm::detail::wake_result;

// Both forms, whatever the build says.
template <bool Checked>
struct word_of : smarm::detail::basic_slot_word<smarm::detail::std_atomics, Checked> {
  using smarm::detail::basic_slot_word<smarm::detail::std_atomics, Checked>::basic_slot_word;
  [[nodiscard]] slot_state state() const { return this->snapshot().state; }
  [[nodiscard]] std::uint32_t epoch() const { return this->snapshot().epoch; }
  [[nodiscard]] std::uint32_t generation() const { return this->snapshot().generation; }
};
using plain_word = word_of<false>;
using checked_word = word_of<true>;
using words = std::tuple<plain_word, checked_word>;

template <class Word>
void run(Word& w) {
  w.publish_queued();
  BOOST_TEST(w.claim());
  BOOST_TEST(w.state() == slot_state::running);
}

template <class Word>
void next_life(Word& w) {
  w.finish();
  BOOST_TEST(w.reclaim());
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_new_slot_is_vacant, Word, words) {
  Word w;
  BOOST_TEST(w.state() == slot_state::vacant);
  BOOST_TEST(w.generation() == 0U);
  BOOST_TEST(w.epoch() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_life_from_spawn_to_the_next_generation, Word, words) {
  Word w(7);
  w.publish_queued();
  BOOST_TEST(w.state() == slot_state::queued);
  BOOST_TEST(w.claim());
  BOOST_TEST(w.state() == slot_state::running);
  w.finish();
  BOOST_TEST(w.state() == slot_state::done);
  BOOST_TEST(w.generation() == 7U);
  BOOST_TEST(w.reclaim());
  BOOST_TEST(w.state() == slot_state::vacant);
  BOOST_TEST(w.generation() == 8U);
}

BOOST_AUTO_TEST_CASE(claim_takes_what_is_queued_or_has_yielded_and_nothing_else) {
  plain_word w;
  BOOST_TEST(!w.claim());
  BOOST_TEST(w.state() == slot_state::vacant);
  run(w);
  w.requeue();
  BOOST_TEST(w.state() == slot_state::running);
  BOOST_TEST(w.claim());
  const wait_ticket t = w.begin_wait();
  BOOST_TEST((w.wake(t) == wake_result::notified));
  BOOST_TEST(!w.claim());
  BOOST_TEST(w.state() == slot_state::notified);
  w.retire();
  BOOST_TEST(w.park(false));
  BOOST_TEST(!w.claim());
  BOOST_TEST(w.state() == slot_state::parked);
  BOOST_TEST(w.stop_wake(0));
  BOOST_TEST(w.claim());
  BOOST_TEST(w.park(true));
  BOOST_TEST(!w.claim());
  BOOST_TEST(w.state() == slot_state::parked_masked);
}

BOOST_AUTO_TEST_CASE(claim_refuses_the_done) {
  plain_word w;
  run(w);
  w.finish();
  BOOST_TEST(!w.claim());
  BOOST_TEST(w.state() == slot_state::done);
}

BOOST_AUTO_TEST_CASE(a_checked_claim_takes_a_yielded_actor_once) {
  checked_word w;
  run(w);
  BOOST_TEST(!w.claim());
  w.requeue();
  BOOST_TEST(w.state() == slot_state::queued);
  BOOST_TEST(w.claim());
  BOOST_TEST(!w.claim());
  BOOST_TEST(w.epoch() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(begin_wait_only_reads, Word, words) {
  Word w(3);
  run(w);
  const wait_ticket t = w.begin_wait();
  BOOST_TEST(t == (std::uint64_t(3) << 24));
  BOOST_TEST(w.begin_wait() == t);
  BOOST_TEST(w.epoch() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_wake_ends_a_park_and_consumes_its_epoch, Word, words) {
  for (const bool masked : {false, true}) {
    Word w;
    run(w);
    const wait_ticket t = w.begin_wait();
    BOOST_TEST(w.park(masked));
    BOOST_TEST(w.state() == (masked ? slot_state::parked_masked : slot_state::parked));
    BOOST_TEST(w.epoch() == 0U);
    BOOST_TEST(w.wake(t) == wake_result::enqueue);
    BOOST_TEST(w.state() == slot_state::queued);
    BOOST_TEST(w.epoch() == 1U);
    BOOST_TEST(w.wake(t) == wake_result::nothing);
    BOOST_TEST(w.claim());
    BOOST_TEST(w.begin_wait() == t + 1);
    BOOST_TEST(w.wake(t) == wake_result::nothing);
    BOOST_TEST(w.state() == slot_state::running);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_wake_before_the_park_queues_the_parker, Word, words) {
  for (const bool masked : {false, true}) {
    Word w;
    run(w);
    const wait_ticket t = w.begin_wait();
    BOOST_TEST(w.wake(t) == wake_result::notified);
    BOOST_TEST(w.state() == slot_state::notified);
    BOOST_TEST(w.epoch() == 1U);
    BOOST_TEST(w.wake(t) == wake_result::nothing);
    BOOST_TEST(!w.park(masked));
    BOOST_TEST(w.state() == slot_state::queued);
    BOOST_TEST(w.epoch() == 1U);
    BOOST_TEST(w.claim());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_wake_finds_nothing_to_do, Word, words) {
  Word w;
  BOOST_TEST(w.wake(0) == wake_result::nothing); // vacant, although the ticket matches
  w.publish_queued();
  BOOST_TEST(w.wake(0) == wake_result::nothing); // queued: the pending run is the wake
  BOOST_TEST(w.epoch() == 0U);
  BOOST_TEST(w.claim());
  const wait_ticket t = w.begin_wait();
  BOOST_TEST(w.wake(t + 1) == wake_result::nothing);
  BOOST_TEST(w.wake(t + (std::uint64_t(1) << 24)) == wake_result::nothing);
  BOOST_TEST(w.state() == slot_state::running);
  w.finish();
  BOOST_TEST(w.wake(t) == wake_result::nothing);
  BOOST_TEST(w.state() == slot_state::done);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(retire_makes_the_ticket_worthless, Word, words) {
  Word w;
  run(w);
  const wait_ticket t = w.begin_wait();
  BOOST_TEST(!w.retire());
  BOOST_TEST(w.state() == slot_state::running);
  BOOST_TEST(w.epoch() == 1U);
  BOOST_TEST(w.wake(t) == wake_result::nothing);
  BOOST_TEST(w.park(false));
  BOOST_TEST(w.wake(t) == wake_result::nothing);
  BOOST_TEST(w.state() == slot_state::parked);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(retire_eats_a_wake_that_had_landed, Word, words) {
  Word w;
  run(w);
  const wait_ticket t = w.begin_wait();
  BOOST_TEST(w.wake(t) == wake_result::notified);
  BOOST_TEST(w.retire());
  BOOST_TEST(w.state() == slot_state::running);
  BOOST_TEST(w.epoch() == 1U); // consumed once, by the wake
  BOOST_TEST(w.park(false));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stop_ends_a_plain_park, Word, words) {
  Word w(5);
  run(w);
  const wait_ticket t = w.begin_wait();
  BOOST_TEST(w.park(false));
  BOOST_TEST(!w.stop_wake(4));
  BOOST_TEST(!w.stop_wake(6));
  BOOST_TEST(w.stop_wake(5));
  BOOST_TEST(w.state() == slot_state::queued);
  BOOST_TEST(w.epoch() == 1U);
  BOOST_TEST(!w.stop_wake(5));
  BOOST_TEST(w.wake(t) == wake_result::nothing);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stop_leaves_every_other_word_alone, Word, words) {
  Word w;
  // asserts on the main thread
  const auto untouched = [&w](slot_state s, std::uint32_t epoch) {
    BOOST_TEST(!w.stop_wake(0));
    BOOST_TEST(w.state() == s);
    BOOST_TEST(w.epoch() == epoch);
  };
  untouched(slot_state::vacant, 0);
  w.publish_queued();
  untouched(slot_state::queued, 0);
  BOOST_TEST(w.claim());
  untouched(slot_state::running, 0);
  const wait_ticket t = w.begin_wait();
  BOOST_TEST(w.wake(t) == wake_result::notified);
  untouched(slot_state::notified, 1);
  w.retire();
  BOOST_TEST(w.park(true));
  untouched(slot_state::parked_masked, 1);
  BOOST_TEST(w.wake(t + 1) == wake_result::enqueue); // so the true waker still matches
  BOOST_TEST(w.claim());
  w.finish();
  untouched(slot_state::done, 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(only_an_urgent_stop_ends_a_last_park, Word, words) {
  Word w(5);
  run(w);
  wait_ticket t = w.begin_wait();
  BOOST_TEST(w.park_unless_urgent());
  BOOST_TEST(w.state() == slot_state::parked_unless_urgent);
  BOOST_TEST(!w.stop_wake(5));
  BOOST_TEST(!w.urgent_wake(4));
  BOOST_TEST(w.urgent_wake(5));
  BOOST_TEST(w.state() == slot_state::queued);
  BOOST_TEST(w.wake(t) == wake_result::nothing);
  BOOST_TEST(w.claim());
  t = w.begin_wait();
  BOOST_TEST(w.park_unless_urgent());
  BOOST_TEST(w.wake(t) == wake_result::enqueue); // its waker ends it as any
  BOOST_TEST(w.claim());
  t = w.begin_wait();
  BOOST_TEST(w.wake(t) == wake_result::notified);
  BOOST_TEST(!w.park_unless_urgent()); // a wake that came first
  BOOST_TEST(w.state() == slot_state::queued);
  BOOST_TEST(w.claim());
  BOOST_TEST(w.park(true));
  BOOST_TEST(!w.urgent_wake(5)); // masked is masked
  BOOST_TEST(w.state() == slot_state::parked_masked);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_park_before_its_registration_can_be_taken_back, Word, words) {
  for (const bool masked : {false, true}) {
    Word w;
    run(w);
    const wait_ticket t = w.begin_wait();
    w.park_unregistered(masked);
    BOOST_TEST(w.state() == (masked ? slot_state::parked_masked : slot_state::parked));
    BOOST_TEST(w.wake(t) == wake_result::enqueue);
    BOOST_TEST(w.state() == slot_state::queued);
  }
  Word w;
  run(w);
  const wait_ticket t = w.begin_wait();
  w.park_unregistered(false);
  BOOST_TEST(w.stop_wake(0));
  BOOST_TEST(w.wake(t) == wake_result::nothing);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_epoch_wraps_inside_its_bits, Word, words) {
  Word w(9);
  run(w);
  const wait_ticket first = w.begin_wait();
  for (std::uint32_t i = 0; i < (1U << 24) - 1; ++i) {
    w.retire();
  }
  BOOST_TEST(w.epoch() == (1U << 24) - 1);
  const wait_ticket last = w.begin_wait();
  BOOST_TEST(w.park(false));
  BOOST_TEST(w.wake(last) == wake_result::enqueue);
  BOOST_TEST(w.epoch() == 0U);
  BOOST_TEST(w.generation() == 9U);
  BOOST_TEST(w.state() == slot_state::queued);
  BOOST_TEST(w.claim());
  BOOST_TEST(w.begin_wait() == first);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_epoch_starts_anew_with_each_life, Word, words) {
  Word w;
  run(w);
  w.retire();
  w.retire();
  next_life(w);
  run(w);
  BOOST_TEST(w.epoch() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_last_generation_is_never_followed_by_the_first, Word, words) {
  Word w(UINT32_MAX - 1);
  run(w);
  next_life(w);
  BOOST_TEST(w.generation() == UINT32_MAX);
  run(w);
  w.finish();
  BOOST_TEST(!w.reclaim());
  BOOST_TEST(w.generation() == UINT32_MAX);
  BOOST_TEST(w.state() == slot_state::done);
  BOOST_TEST(w.status(UINT32_MAX) == slot_status::done);
  BOOST_TEST(w.status(0) == slot_status::stale);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stale_pid_never_reaches_the_next_occupant, Word, words) {
  Word w;
  run(w);
  const wait_ticket old = w.begin_wait();
  next_life(w);
  BOOST_TEST(w.wake(old) == wake_result::nothing);
  run(w);
  BOOST_TEST(w.status(0) == slot_status::stale);
  BOOST_TEST(w.wake(old) == wake_result::nothing);
  BOOST_TEST(w.park(false));
  BOOST_TEST(w.wake(old) == wake_result::nothing);
  BOOST_TEST(!w.stop_wake(0));
  BOOST_TEST(w.state() == slot_state::parked);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_forged_pid_gets_a_total_answer, Word, words) {
  Word w(2);
  BOOST_TEST(w.status(2) == slot_status::stale); // vacant: the pid was never handed out
  BOOST_TEST(w.status(3) == slot_status::stale);
  BOOST_TEST(!w.stop_wake(2));
  BOOST_TEST(w.wake(std::uint64_t(2) << 24) == wake_result::nothing);
  BOOST_TEST(w.state() == slot_state::vacant);
  w.publish_queued();
  BOOST_TEST(w.status(3) == slot_status::stale); // a life that has not begun
}

BOOST_AUTO_TEST_CASE_TEMPLATE(status_follows_a_life, Word, words) {
  Word w(4);
  w.publish_queued();
  BOOST_TEST(w.status(4) == slot_status::live);
  BOOST_TEST(w.claim());
  BOOST_TEST(w.status(4) == slot_status::live);
  BOOST_TEST(w.wake(w.begin_wait()) == wake_result::notified);
  BOOST_TEST(w.status(4) == slot_status::live);
  w.retire();
  BOOST_TEST(w.park(false));
  BOOST_TEST(w.status(4) == slot_status::live);
  BOOST_TEST(w.stop_wake(4));
  BOOST_TEST(w.claim());
  w.finish();
  BOOST_TEST(w.status(4) == slot_status::done);
  BOOST_TEST(w.reclaim());
  BOOST_TEST(w.status(4) == slot_status::stale);
}
