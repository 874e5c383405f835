// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Select over two inboxes, by an actor whose waits are named by a real slot word: senders, a closing
// sender, deadlines and stops against it. Each message comes once, no wake is lost, nothing stays
// registered, and no late wake reaches a later wait. The actor goes through its waits as
// wait_as_actor does. The inbox and the slot word have models of their own.

#include "sleeper.hpp"
#include "suite.hpp"

#include <smarm/detail/inbox.hpp>
#include <smarm/detail/select_source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace {

using namespace smarm::detail;

struct message : inbox_node<mc::atomics> {
  int value = 0;
};

// Plain data, as in the product: the inbox says who may look at it.
struct ticket_only {
  wait_ticket ticket = 0;
};

struct inbox : basic_inbox<message, ticket_only, mc::atomics> {
  [[nodiscard]] bool registered() const noexcept { return (end_.load() & waiting_bit) != 0; }
  [[nodiscard]] bool ready() const noexcept { return front() != nullptr || closed(); }
};

struct channel {
  inbox in;
  std::array<message, 2> messages;
  int sent = 0;                   // by its one sender
  std::vector<wait_ticket> woken; // by that sender
  int taken = 0;
  bool seen_unready = false; // since the wait ended
};

// What receive_arm is in the product, and receive_source for a wait of its own. Null is a gap.
struct arm {
  channel* of = nullptr;

  bool ready() const noexcept { return of != nullptr && answer(of->in.ready()); }
  bool settled() const noexcept {
    return of != nullptr && answer(of->in.closed() || of->in.await_front() != nullptr);
  }
  enrolment enroll(const ticket_only& who) const noexcept {
    return of == nullptr || of->in.wait(who) ? enrolment::enrolled : enrolment::ready;
  }
  bool satisfied() const noexcept { return ready(); }
  bool withdraw() const noexcept { return of == nullptr || of->in.cancel_wait(); }
  bool answer(bool yes) const noexcept {
    of->seen_unready = !yes;
    return yes;
  }
};

// ---- the right one, and mistakes about it

using right = select_source<arm, ticket_only>;

enum class mistake {
  keeps_the_losers,
  keeps_the_losers_before_a_taken_arm,
  keeps_the_arms_before_a_ready_one,
  does_not_say_overtaken,
  registers_with_its_first_ticket,
  ignores_that_an_arm_was_taken, // nobody can see its message yet
  does_not_wait_for_what_comes,
  begins_at_the_second_arm
};

template <mistake M>
struct with : right {
  using right::right;
  std::optional<ticket_only> first;

  enrolment enroll(const ticket_only& who) noexcept {
    using enum mistake;
    if (!first) first = who;
    const ticket_only used = M == registers_with_its_first_ticket ? *first : who;
    if (M == keeps_the_arms_before_a_ready_one) {
      for (const arm& one : arms_) {
        refused_ = one.enroll(used) != enrolment::enrolled;
        if (refused_) return enrolment::overtaken;
      }
      enrolled_ = arms_.size();
    }
    const enrolment got = right::enroll(used);
    return M == does_not_say_overtaken && got == enrolment::overtaken ? enrolment::ready : got;
  }
  bool satisfied() noexcept {
    if (M == mistake::keeps_the_losers && ready_arm(0) != no_arm) return true;
    while (M == mistake::keeps_the_losers_before_a_taken_arm && enrolled_ > 0) {
      if (!arms_[--enrolled_].withdraw()) return true;
    }
    if (M == mistake::ignores_that_an_arm_was_taken) (void)withdraw_all();
    return right::satisfied();
  }
  std::size_t settled_arm(std::size_t begin) const noexcept {
    if (M == mistake::does_not_wait_for_what_comes) return ready_arm(begin);
    return right::settled_arm(M == mistake::begins_at_the_second_arm ? 1 : begin);
  }
};

// ---- the actor

template <class Source>
struct actor : mc::sleeper {
  std::array<channel, 2> channels;
  std::array<arm, 2> arms{arm{&channels[0]}, arm{&channels[1]}};
  std::vector<wait_ticket> given_up; // no waker has the registration of these waits
  int deadlines_left = 0;            // so many waits may end by one
  int stops_left = 0;                // the same by a stop that may not be raised

  template <class Waited>
  wait_end wait(Waited& source) {
    for (;;) {
      const ticket_only mine{word.begin_wait()};
      const enrolment got = source.enroll(mine);
      if (got != enrolment::enrolled) {
        if (got == enrolment::overtaken) word.retire();
        return wait_end::ready;
      }
      const bool fired = may_happen(deadlines_left);
      const bool ended = fired || may_happen(stops_left);
      // What a timer's wake or a stop would be that comes now; the senders' may come before.
      if (ended) wake(mine.ticket);
      park();
      if (source.satisfied() || !source.withdraw()) return wait_end::ready;
      mc::require(ended, "woken for nothing");
      given_up.push_back(mine.ticket);
      if (fired) return wait_end::timed_out;
    }
  }
  static bool may_happen(int& left) { return left > 0 && mc::choose(2) == 1 && left-- > 0; }

  selection select() {
    Source source(arms);
    const selection got = select_from_source(source, 0, [this](Source& all) {
      const wait_end end = wait(all);
      for (channel& c : channels) c.seen_unready = false;
      return end;
    });
    const channel* chosen = got.which == no_arm ? nullptr : arms[got.which].of;
    for (std::size_t i = 0; i < std::min(got.which, arms.size()); ++i) {
      const channel* before = arms[i].of;
      mc::require(before == nullptr || before == chosen || before->seen_unready,
                  "the first ready one wins");
    }
    return got;
  }
  // The one that is ready; there is one, sooner or later.
  std::size_t select_one() {
    const selection got = select();
    mc::require(got.which != no_arm, "refused without a reason");
    return got.which;
  }

  void take(std::size_t i) {
    const message* front = channels[i].in.front();
    mc::require(front != nullptr, "what was selected is there");
    mc::require(front->value == channels[i].taken++, "messages come once and in order");
    (void)channels[i].in.advance();
  }

  // A wait of another kind after the select: false if the channel is closed.
  bool receive(std::size_t i) {
    arm alone{&channels[i]};
    inbox& in = channels[i].in;
    if (in.front() == nullptr) (void)wait(alone);
    const bool came = in.await_front() != nullptr;
    mc::require(came || in.closed(), "nothing stays registered");
    if (came) take(i);
    return came;
  }

  // The senders.
  void send(std::size_t i) {
    channel& c = channels[i];
    message& next = c.messages[static_cast<std::size_t>(c.sent)];
    next.value = c.sent++;
    ticket_only waiter;
    if (c.in.push(next, waiter) == push_result::pushed_and_wake) wake_from(c, waiter);
  }
  void close(std::size_t i) {
    ticket_only waiter;
    if (channels[i].in.close_by_sender(waiter)) wake_from(channels[i], waiter);
  }
  void wake_from(channel& c, const ticket_only& waiter) {
    c.woken.push_back(waiter.ticket);
    wake(waiter.ticket);
  }

  void require_all_over() {
    require_running();
    for (channel& c : channels) {
      mc::require(c.taken == c.sent, "nothing is lost");
      mc::require(!c.in.registered(), "nothing stays registered at the end");
      for (const wait_ticket t : c.woken) {
        mc::require(std::count(given_up.begin(), given_up.end(), t) == 0, "a waker had it");
      }
    }
  }
};

// ---- scenarios

// One message for the first arm, so many for the second. All but the last are selected, and the last
// is waited for where it must come.
template <class Source, int Second>
void two_senders(mc::world& world) {
  auto& a = world.make<actor<Source>>();
  world.thread([&a] { a.send(0); });
  world.thread([&a] {
    for (int i = 0; i < Second; ++i) a.send(1);
  });
  world.thread([&a] {
    for (int i = 0; i < Second; ++i) a.take(a.select_one());
    (void)a.receive(a.channels[0].taken == 0 ? 0 : 1);
  });
  world.finally([&a] { a.require_all_over(); });
}

// Both arms from one thread, the later one first.
template <class Source>
void one_sender(mc::world& world) {
  auto& a = world.make<actor<Source>>();
  world.thread([&a] { a.send(1), a.send(0); });
  world.thread([&a] {
    const std::size_t which = a.select_one();
    a.take(which);
    (void)a.receive(1 - which);
  });
  world.finally([&a] { a.require_all_over(); });
}

// A deadline, or a stop that is not raised, ends waits at any time. After a deadline both arms are
// waited for one by one.
template <class Source, int Deadlines, int Stops>
void ended_at_any_time(mc::world& world) {
  auto& a = world.make<actor<Source>>();
  a.deadlines_left = Deadlines;
  a.stops_left = Stops;
  world.thread([&a] { a.send(0); });
  world.thread([&a] { a.send(1); });
  world.thread([&a] {
    const selection first = a.select();
    a.deadlines_left = a.stops_left = 0;
    if (first.which != no_arm) a.take(first.which);
    mc::require(first.which != no_arm || first.end == wait_end::timed_out, "refused");
    for (std::size_t i = 2; i-- > 0;) {
      if (i != first.which) (void)a.receive(i);
    }
  });
  world.finally([&a] { a.require_all_over(); });
}

// The sender of one arm goes, the other one sends. A closed arm is left out, as a gap.
template <class Source, std::size_t Closed>
void a_close_against_a_send(mc::world& world) {
  auto& a = world.make<actor<Source>>();
  world.thread([&a] { a.close(Closed); });
  world.thread([&a] { a.send(1 - Closed); });
  world.thread([&a] {
    for (int i = 0; i < 2; ++i) {
      const std::size_t which = a.select_one();
      if (which != Closed) a.take(which);
      if (which == Closed) a.arms[which] = arm{};
      if (i == 0 && mc::choose(2) == 1) { // the rest plainly
        mc::require(a.receive(1 - which) == (which == Closed), "the other one comes");
        break;
      }
    }
  });
  world.finally([&a] { a.require_all_over(); });
}

// The second arm is the first one again: refused, unless the message comes first.
template <class Source>
void the_same_arm_twice(mc::world& world) {
  auto& a = world.make<actor<Source>>();
  a.arms[1] = a.arms[0];
  world.thread([&a] { a.send(0); });
  world.thread([&a] {
    const selection got = a.select();
    mc::require(got.which != no_arm || got.end == wait_end::ready, "it, or refused");
    (void)a.receive(0);
  });
  world.finally([&a] { a.require_all_over(); });
}

} // namespace

int main(int argc, char** argv) {
  using enum mistake;
  const mc::options all{.reduced = true};
  const mc::options buffered{.store_buffers = true, .reduced = true};
  const mc::options three{.preemptions = 3};
  const mc::options one_buffered{.preemptions = 1, .store_buffers = true};
  const mc::options two_buffered{.preemptions = 2, .store_buffers = true};
  mc::suite suite("select", argc, argv);

  suite.model("one_sender", buffered, &one_sender<right>);
  suite.model("two_senders", all, &two_senders<right, 1>);
  suite.model("two_senders_buffered", one_buffered, &two_senders<right, 1>);
  suite.model("two_senders_and_two_selects", three, &two_senders<right, 2>);
  suite.model("two_senders_and_two_selects_buffered", one_buffered, &two_senders<right, 2>);
  suite.model("a_deadline", all, &ended_at_any_time<right, 1, 0>);
  suite.model("a_deadline_buffered", one_buffered, &ended_at_any_time<right, 1, 0>);
  suite.model("a_stop_that_is_not_raised", three, &ended_at_any_time<right, 0, 1>);
  suite.model("a_stop_and_a_deadline", three, &ended_at_any_time<right, 1, 1>);
  suite.model("the_first_is_closed", all, &a_close_against_a_send<right, 0>);
  suite.model("the_first_is_closed_buffered", two_buffered, &a_close_against_a_send<right, 0>);
  suite.model("the_second_is_closed", all, &a_close_against_a_send<right, 1>);
  suite.model("the_second_is_closed_buffered", two_buffered, &a_close_against_a_send<right, 1>);
  suite.model("the_same_arm_twice", buffered, &the_same_arm_twice<right>);

  suite.mutation("keeps_the_losers", all, &two_senders<with<keeps_the_losers>, 1>, "registered");
  suite.mutation("keeps_the_losers_before_a_taken_arm", three,
                 &two_senders<with<keeps_the_losers_before_a_taken_arm>, 2>);
  suite.mutation("keeps_the_arms_before_a_ready_one", three,
                 &two_senders<with<keeps_the_arms_before_a_ready_one>, 2>);
  suite.mutation("keeps_an_arm_that_is_there_twice", all,
                 &the_same_arm_twice<with<keeps_the_arms_before_a_ready_one>>, "stays registered");
  suite.mutation("does_not_say_overtaken", three, &two_senders<with<does_not_say_overtaken>, 2>);
  suite.mutation("registers_with_its_first_ticket", all,
                 &ended_at_any_time<with<registers_with_its_first_ticket>, 0, 1>, "deadlock");
  suite.mutation("ignores_that_an_arm_was_taken", all,
                 &ended_at_any_time<with<ignores_that_an_arm_was_taken>, 1, 0>, "a waker had it");
  suite.mutation("does_not_wait_for_what_comes", all,
                 &two_senders<with<does_not_wait_for_what_comes>, 1>, "refused");
  suite.mutation("begins_at_the_second_arm", all, &two_senders<with<begins_at_the_second_arm>, 1>,
                 "wins");
  return suite.result();
}
