// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bounded ring under every interleaving, with the list of blocked producers that a channel puts
// around it: nothing is lost, doubled, overwritten or orphaned, and nobody sleeps for ever, neither
// the receiver nor a producer for whom there is room.

#include "receiver.hpp"

#include <smarm/detail/bounded_ring.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

namespace {

using smarm::detail::basic_bounded_ring;
using smarm::detail::push_result;

template <class Atomics>
using ring_of = basic_bounded_ring<int, mc::ticket, Atomics>;
using ring = ring_of<mc::atomics>;

// ---- the right one and its mutants

template <class Atomics>
struct basic_right : ring_of<Atomics> {
  using ring_of<Atomics>::ring_of;
  [[nodiscard]] bool registered() const noexcept {
    return (this->end_.load() & this->waiting_bit) != 0;
  }
};
using right = basic_right<mc::atomics>;
using settles_without_a_fence = basic_right<mc::atomics_without_fences>;

// What all pushes but for one step are made of.
struct mutant : right {
  using right::right;

protected:
  push_result fill(std::uint64_t end, int value) noexcept {
    const std::uint64_t index = end >> index_shift;
    cell& to = cells_[index & mask_];
    ::new (static_cast<void*>(to.storage)) int(value);
    to.filled.store(index + 1);
    return (end & waiting_bit) != 0 ? push_result::pushed_and_wake : push_result::pushed;
  }
  static std::uint64_t next(std::uint64_t end) { return ((end >> index_shift) + 1) << index_shift; }
  bool is_full(std::uint64_t end) const noexcept { return full(end, taken_.load()); }
};

struct reads_registration_late : mutant {
  using mutant::mutant;
  push_result try_push(int& value, mc::ticket& waiter) noexcept {
    std::uint64_t end = end_.load();
    do {
      if (end & closed_bit) return push_result::closed;
      if (is_full(end)) return push_result::full;
    } while (!end_.compare_exchange_weak(end, next(end)));
    const push_result result = fill(end, value);
    if (result == push_result::pushed_and_wake) waiter = registration_;
    return result;
  }
};

struct reads_registration_early : mutant {
  using mutant::mutant;
  push_result try_push(int& value, mc::ticket& waiter) noexcept {
    std::uint64_t end = end_.load();
    do {
      if (end & closed_bit) return push_result::closed;
      if (is_full(end)) return push_result::full;
      if (end & waiting_bit) waiter.number = registration_.number;
    } while (!end_.compare_exchange_weak(end, next(end)));
    return fill(end, value);
  }
};

struct looks_for_closed_apart : mutant {
  using mutant::mutant;
  push_result try_push(int& value, mc::ticket& waiter) noexcept {
    if (closed()) return push_result::closed;
    std::uint64_t end = end_.load();
    do {
      if (is_full(end)) return push_result::full;
    } while (!end_.compare_exchange_weak(end, next(end) | (end & closed_bit)));
    if (end & waiting_bit) waiter = registration_;
    return fill(end, value);
  }
};

struct looks_for_room_apart : mutant {
  using mutant::mutant;
  push_result try_push(int& value, mc::ticket& waiter) noexcept {
    std::uint64_t end = end_.load();
    if (is_full(end)) return push_result::full;
    do {
      if (end & closed_bit) return push_result::closed;
    } while (!end_.compare_exchange_weak(end, next(end)));
    if (end & waiting_bit) waiter = registration_;
    return fill(end, value);
  }
};

struct compares_unsigned : mutant {
  using mutant::mutant;
  push_result try_push(int& value, mc::ticket& waiter) noexcept {
    std::uint64_t end = end_.load();
    do {
      if (end & closed_bit) return push_result::closed;
      if ((end >> index_shift) - taken_.load() >= capacity()) return push_result::full;
    } while (!end_.compare_exchange_weak(end, next(end)));
    if (end & waiting_bit) waiter = registration_;
    return fill(end, value);
  }
};

struct waits_without_a_swap : mutant {
  using mutant::mutant;
  bool wait(const mc::ticket& receiver) noexcept {
    const std::uint64_t end = end_.load();
    if (end != taken_.load() << index_shift) return false;
    registration_ = receiver;
    settled_ = taken_.load();
    end_.store(end | waiting_bit);
    return true;
  }
};

struct cancels_without_a_swap : mutant {
  using mutant::mutant;
  bool cancel_wait() noexcept {
    const std::uint64_t end = end_.load();
    if ((end & waiting_bit) == 0) return false;
    end_.store(end & ~waiting_bit);
    return true;
  }
};

struct drains_what_it_sees : mutant {
  using mutant::mutant;
  int* await_front() noexcept { return front(); }
};

struct blocks_without_looking_again : mutant {
  using mutant::mutant;
  bool block() noexcept {
    blocked_.fetch_add(1);
    return true;
  }
};

struct looks_again_before_announcing : mutant {
  using mutant::mutant;
  bool block() noexcept {
    if ((end_.load() & closed_bit) != 0 || !full(end_.load(), taken_.load())) return false;
    blocked_.fetch_add(1);
    return true;
  }
};

struct blocks_in_a_closed_ring : mutant {
  using mutant::mutant;
  bool block() noexcept {
    blocked_.fetch_add(1);
    if (full(end_.load(), taken_.load())) return true;
    unblock();
    return false;
  }
};

struct closes_without_a_look_at_the_blocked : mutant {
  using mutant::mutant;
  bool close() noexcept {
    (void)right::close();
    return false;
  }
};

struct closes_without_a_wake : mutant {
  using mutant::mutant;
  bool close_by_sender(mc::ticket&) noexcept {
    end_.fetch_or(closed_bit);
    return false;
  }
};

// When the receiver tells blocked producers that there is room.
enum class settling {
  each_time,
  when_due_and_before_waiting,
  when_due,     // and not before it waits for something else
  when_drained, // only as it waits for the ring itself
  never
};

// ---- a channel around it

template <class Ring>
struct channel {
  static constexpr int none = -1;

  struct producer {
    mc::sleeper sleeping;
    mc::ticket wait;
  };

  explicit channel(std::size_t capacity, settling how = settling::when_due_and_before_waiting)
      : in(capacity), policy(how) {}

  Ring in;
  settling policy;
  mc::sleeper receiver;
  mc::lock list_lock;
  std::deque<producer*> list;
  std::array<producer, 3> producers;
  std::vector<int> received;
  int timeouts_left = 0;
  bool pass_on = true;
  mc::atomic<int> senders{0};

  // Blocks while the ring is full; false: it is closed.
  bool send(int value) {
    for (;;) {
      switch (try_send(value)) {
      case push_result::full: wait_for_room(producers[value / 10]); break;
      case push_result::closed: return false;
      default: return true;
      }
    }
  }

  push_result try_send(int value) {
    mc::ticket waiter;
    const push_result result = in.try_push(value, waiter);
    if (result == push_result::pushed_and_wake) receiver.wake(waiter);
    return result;
  }

  void wait_for_room(producer& me) {
    me.wait = me.sleeping.open_wait();
    list_lock.acquire();
    list.push_back(&me);
    const bool blocked = in.block();
    if (!blocked) list.erase(std::find(list.begin(), list.end(), &me));
    list_lock.release();
    if (blocked) me.sleeping.sleep(me.wait);
  }

  // A producer that was stopped while it waited for room: if it is in the list no more, it was
  // woken for a cell that it will not use.
  void stop_waiting(producer& me) {
    list_lock.acquire();
    const auto entry = std::find(list.begin(), list.end(), &me);
    const bool woken = entry == list.end();
    if (!woken) {
      list.erase(entry);
      in.unblock();
    }
    list_lock.release();
    if (woken && pass_on) wake_producers(1);
  }

  void wake_producers(std::size_t at_most) {
    std::vector<producer*> woken;
    list_lock.acquire();
    for (; at_most > 0 && !list.empty(); --at_most) {
      woken.push_back(list.front());
      list.pop_front();
      in.unblock();
    }
    list_lock.release();
    for (auto* one : woken) one->sleeping.wake(one->wait);
  }

  void settle() {
    if (in.settle()) wake_producers(in.capacity() - in.size());
  }

  // To be called before the receiver waits for anything.
  void before_waiting() {
    if (policy == settling::when_due_and_before_waiting && in.unsettled()) settle();
  }

  void drop_sender() {
    mc::ticket waiter;
    if (senders.fetch_sub(1) == 1 && in.close_by_sender(waiter)) receiver.wake(waiter);
  }

  int receive() {
    for (;;) {
      if (in.front()) return take();
      const mc::ticket wait = receiver.open_wait();
      if (in.wait(wait)) {
        if (policy != settling::never && in.producers_blocked()) {
          wake_producers(in.capacity() - in.size());
        }
        sleep(wait);
      } else if (!in.await_front()) {
        return none;
      }
    }
  }

  void sleep(const mc::ticket& wait) {
    if (timeouts_left > 0 && mc::choose(2) == 1) {
      --timeouts_left;
      (void)in.cancel_wait();
      return;
    }
    receiver.sleep(wait);
    mc::require(!in.registered(), "a wake comes from whoever took the registration");
  }

  int take() {
    const int value = *in.front();
    in.pop();
    received.push_back(value);
    if (policy == settling::each_time || (policy < settling::when_drained && in.settle_due())) {
      settle();
    }
    return value;
  }

  void close() {
    if (in.close()) wake_producers(producers.size());
    while (in.await_front()) (void)take();
  }

  void require_received(int expected) const {
    mc::require(static_cast<int>(received.size()) == expected, "nothing is lost or doubled");
    for (std::size_t i = 0; i < received.size(); ++i) {
      for (std::size_t j = i + 1; j < received.size(); ++j) {
        mc::require(received[i] / 10 != received[j] / 10 || received[i] < received[j],
                    "a sender's messages come once and in order");
      }
    }
  }
};

// Producers block, the receiver sleeps: the ring is lapped more than once.
template <class Ring, int Capacity, int Senders, int Each, settling How>
void lapped(mc::world& world) {
  auto& c = world.make<channel<Ring>>(Capacity, How);
  for (int sender = 0; sender < Senders; ++sender) {
    world.thread([&c, sender] {
      for (int i = 0; i < Each; ++i) mc::require(c.send(sender * 10 + i), "the ring is open");
    });
  }
  world.thread([&c] {
    for (int i = 0; i < Senders * Each; ++i) {
      mc::require(c.receive() != c.none, "the ring is open");
    }
  });
  world.finally([&c] { c.require_received(Senders * Each); });
}

// The receiver takes one message of a full ring, then waits for what the blocked producer does
// next.
template <class Ring, settling How>
void waits_elsewhere(mc::world& world) {
  auto& c = world.make<channel<Ring>>(4, How);
  auto& next = world.make<mc::atomic<bool>>(false);
  for (int i = 0; i < 4; ++i) (void)c.try_send(i);
  world.thread([&c, &next] {
    mc::require(c.send(4), "the ring is open");
    next.store(true);
  });
  world.thread([&c, &next] {
    mc::require(c.receive() == 0, "it is there");
    c.before_waiting();
    mc::block([&next] { return next.load(); });
  });
  world.finally([&c] { c.require_received(1); });
}

// One message is taken from a full ring of one; of two blocked producers the first is stopped. The
// receiver then waits for what the second does next.
template <bool PassOn>
void stopped_producer(mc::world& world) {
  auto& c = world.make<channel<right>>(1, settling::each_time);
  c.pass_on = PassOn;
  auto& next = world.make<mc::atomic<bool>>(false);
  (void)c.try_send(0);
  for (int i = 1; i <= 2; ++i) { // both are blocked already
    c.producers[i].wait = c.producers[i].sleeping.open_wait();
    c.list.push_back(&c.producers[i]);
    (void)c.in.block();
  }
  world.thread([&c] { c.stop_waiting(c.producers[1]); });
  world.thread([&c, &next] {
    c.producers[2].sleeping.sleep(c.producers[2].wait);
    mc::require(c.send(20), "the ring is open");
    next.store(true);
  });
  world.thread([&c, &next] {
    mc::require(c.receive() == 0, "it is there");
    mc::block([&next] { return next.load(); });
  });
}

// A receiver that times out more than once: the registration changes under the producer.
template <class Ring>
void push_against_timeouts(mc::world& world) {
  auto& c = world.make<channel<Ring>>(4);
  c.timeouts_left = 2;
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) mc::require(c.send(i), "the ring is open");
  });
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) mc::require(c.receive() != c.none, "the ring is open");
  });
  world.finally([&c] { c.require_received(2); });
}

// Two producers that never have more than two messages in a ring of two are never refused.
template <class Ring>
void never_full(mc::world& world) {
  auto& c = world.make<channel<Ring>>(2);
  for (int sender = 0; sender < 2; ++sender) {
    world.thread([&c, sender] {
      mc::require(c.try_send(sender * 10) != push_result::full, "there is room");
    });
  }
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) (void)c.receive();
  });
  world.finally([&c] { c.require_received(2); });
}

// The receiver closes a ring of one while producers push and block; what was accepted is drained.
template <class Ring>
void push_against_close(mc::world& world) {
  auto& c = world.make<channel<Ring>>(1);
  auto& accepted = world.make<mc::atomic<int>>(0);
  for (int sender = 0; sender < 2; ++sender) {
    world.thread([&c, &accepted, sender] {
      for (int i = 0; i < 2 && c.send(sender * 10 + i); ++i) accepted.fetch_add(1);
    });
  }
  world.thread([&c] {
    if (c.in.front()) (void)c.take();
    c.close();
  });
  world.finally([&c, &accepted] {
    mc::require(!c.in.front(), "no message is orphaned");
    c.require_received(accepted.load());
  });
}

template <class Ring>
void last_sender_against_wait(mc::world& world) {
  auto& c = world.make<channel<Ring>>(1);
  c.timeouts_left = 1;
  c.senders.store(2);
  for (int sender = 0; sender < 2; ++sender) {
    world.thread([&c, sender] {
      if (sender == 0) mc::require(c.send(0), "the ring is open");
      c.drop_sender();
    });
  }
  world.thread([&c] {
    while (c.receive() != c.none) {
    }
  });
  world.finally([&c] { c.require_received(1); });
}

} // namespace

int main(int argc, char** argv) {
  using enum settling;
  const mc::options all{.reduced = true};
  const mc::options buffered{.store_buffers = true, .reduced = true};
  const mc::options two{.preemptions = 2};
  const mc::options two_buffered{.preemptions = 2, .store_buffers = true};
  const mc::options three{.preemptions = 3};
  const mc::options four{.preemptions = 4};
  const mc::options five{.preemptions = 5};
  mc::suite suite("bounded_ring", argc, argv);

  suite.model("capacity_1", five, &lapped<right, 1, 1, 2, each_time>);
  suite.model("capacity_1_lapped_twice", three, &lapped<right, 1, 1, 3, each_time>);
  suite.model("capacity_1_buffered", two_buffered, &lapped<right, 1, 1, 2, each_time>);
  suite.model("capacity_1_two_producers", three, &lapped<right, 1, 2, 1, each_time>);
  suite.model("capacity_2_two_producers", two,
              &lapped<right, 2, 2, 2, when_due_and_before_waiting>);
  suite.model("capacity_2_settled_each_time", two, &lapped<right, 2, 2, 2, each_time>);
  suite.model("capacity_2_settled_when_drained", three, &lapped<right, 2, 1, 4, when_drained>);
  suite.model("capacity_1_settled_when_drained_buffered", two_buffered,
              &lapped<right, 1, 1, 2, when_drained>);
  suite.model("capacity_4_settled_late", three,
              &lapped<right, 4, 1, 6, when_due_and_before_waiting>);
  suite.model("waits_elsewhere", all, &waits_elsewhere<right, when_due_and_before_waiting>);
  suite.model("waits_elsewhere_buffered", buffered,
              &waits_elsewhere<right, when_due_and_before_waiting>);
  suite.model("waits_elsewhere_settled_each_time", buffered, &waits_elsewhere<right, each_time>);
  suite.model("stopped_producer", all, &stopped_producer<true>);
  suite.model("push_against_timeouts", five, &push_against_timeouts<right>);
  suite.model("never_full", all, &never_full<right>);
  suite.model("push_against_close", three, &push_against_close<right>);
  suite.model("last_sender_against_wait", all, &last_sender_against_wait<right>);

  suite.mutation("reads_registration_late", four, &push_against_timeouts<reads_registration_late>);
  suite.mutation("reads_registration_early", four, &push_against_timeouts<reads_registration_early>,
                 "deadlock");
  suite.mutation("waits_without_a_swap", four, &push_against_timeouts<waits_without_a_swap>);
  suite.mutation("cancels_without_a_swap", four, &push_against_timeouts<cancels_without_a_swap>);
  suite.mutation("looks_for_room_apart", four, &lapped<looks_for_room_apart, 1, 2, 1, each_time>);
  suite.mutation("compares_unsigned", four, &never_full<compares_unsigned>, "there is room");
  suite.mutation("looks_for_closed_apart", four, &push_against_close<looks_for_closed_apart>);
  suite.mutation("drains_what_it_sees", four, &push_against_close<drains_what_it_sees>, "orphaned");
  suite.mutation("closes_without_a_wake", four, &last_sender_against_wait<closes_without_a_wake>,
                 "deadlock");
  suite.mutation("blocks_without_looking_again", four,
                 &lapped<blocks_without_looking_again, 1, 1, 3, each_time>, "deadlock");
  suite.mutation("looks_again_before_announcing", four,
                 &lapped<looks_again_before_announcing, 1, 1, 3, each_time>, "deadlock");
  suite.mutation("settles_without_a_fence", buffered,
                 &waits_elsewhere<settles_without_a_fence, each_time>, "deadlock");
  suite.mutation("settles_when_due_only", four, &waits_elsewhere<right, when_due>, "deadlock");
  suite.mutation("settles_when_drained_only", four, &waits_elsewhere<right, when_drained>,
                 "deadlock");
  suite.mutation("registers_without_a_look_at_the_blocked", four, &lapped<right, 2, 1, 4, never>,
                 "deadlock");
  suite.mutation("stopped_producer_passes_nothing_on", four, &stopped_producer<false>, "deadlock");
  suite.mutation("blocks_in_a_closed_ring", four, &push_against_close<blocks_in_a_closed_ring>,
                 "deadlock");
  suite.mutation("closes_without_a_look_at_the_blocked", four,
                 &push_against_close<closes_without_a_look_at_the_blocked>, "deadlock");
  return suite.result();
}
