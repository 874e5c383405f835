// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The inbox under every interleaving: nothing is lost, doubled, reordered or orphaned, nobody
// sleeps for ever, and every node is freed once while nobody looks at it any more (freed nodes
// are pushed again at once).

#include "receiver.hpp"

#include <smarm/detail/inbox.hpp>

#include <array>
#include <vector>

namespace {

using smarm::detail::basic_inbox;
using smarm::detail::inbox_node;
using smarm::detail::push_result;

struct node : inbox_node<mc::atomics> {
  int value = 0;
};

using inbox = basic_inbox<node, mc::ticket, mc::atomics>;

// ---- the right one and its mutants

struct right : inbox {
  [[nodiscard]] bool registered() const noexcept { return (end_.load() & waiting_bit) != 0; }
};

struct reads_registration_late : right {
  push_result push(node& added, mc::ticket& waiter) noexcept {
    added.next.store(nullptr);
    std::uintptr_t end = end_.load();
    do {
      if (end & closed_bit) return push_result::closed;
    } while (!end_.compare_exchange_weak(end, pushed(end, added)));
    pointer(end)->next.store(&added);
    if ((end & waiting_bit) == 0) return push_result::pushed;
    waiter = registration_;
    return push_result::pushed_and_wake;
  }
};

struct reads_registration_early : right {
  push_result push(node& added, mc::ticket& waiter) noexcept {
    added.next.store(nullptr);
    std::uintptr_t end = end_.load();
    do {
      if (end & closed_bit) return push_result::closed;
      if (end & waiting_bit) waiter = registration_;
    } while (!end_.compare_exchange_weak(end, pushed(end, added)));
    pointer(end)->next.store(&added);
    return (end & waiting_bit) != 0 ? push_result::pushed_and_wake : push_result::pushed;
  }
};

struct looks_for_closed_apart : right {
  push_result push(node& added, mc::ticket& waiter) noexcept {
    added.next.store(nullptr);
    if (closed()) return push_result::closed;
    std::uintptr_t end = end_.load();
    while (!end_.compare_exchange_weak(end, pushed(end, added) | (end & closed_bit))) {
    }
    const bool wake = (end & waiting_bit) != 0;
    if (wake) waiter = registration_;
    pointer(end)->next.store(&added);
    return wake ? push_result::pushed_and_wake : push_result::pushed;
  }
};

struct exchanges_closed_away : right {
  push_result push(node& added, mc::ticket& waiter) noexcept {
    added.next.store(nullptr);
    const std::uintptr_t end = end_.exchange(bits(added));
    const bool wake = (end & waiting_bit) != 0;
    if (wake) waiter = registration_;
    pointer(end)->next.store(&added);
    if (end & closed_bit) return push_result::closed;
    return wake ? push_result::pushed_and_wake : push_result::pushed;
  }
};

struct waits_without_a_swap : right {
  bool wait(const mc::ticket& receiver) noexcept {
    const std::uintptr_t end = end_.load();
    if ((end & ~count_mask) != bits(*stub_)) return false;
    registration_ = receiver;
    end_.store(end | waiting_bit);
    return true;
  }
};

struct registers_before_looking : right {
  bool wait(const mc::ticket& receiver) noexcept {
    std::uintptr_t expected = (end_.load() & count_mask) | bits(*stub_);
    registration_ = receiver;
    return end_.compare_exchange_strong(expected, expected | waiting_bit);
  }
};

struct cancels_without_a_swap : right {
  bool cancel_wait() noexcept {
    const std::uintptr_t end = end_.load();
    if ((end & waiting_bit) == 0) return false;
    end_.store(end & ~waiting_bit);
    return true;
  }
};

struct drains_what_it_sees : right {
  node* await_front() noexcept { return front(); }
};

struct frees_the_new_stub : right {
  node* advance() noexcept {
    node* taken = front();
    (void)inbox::advance();
    return taken;
  }
};

struct closes_without_a_wake : right {
  bool close_by_sender(mc::ticket&) noexcept {
    end_.fetch_or(closed_bit);
    return false;
  }
};

struct retracts_without_a_swap : right {
  node& erase_after(link& position) noexcept {
    link& erased = *position.next.load();
    link* next = erased.next.load();
    position.next.store(next);
    if (next == nullptr && is_last(erased)) end_.store(bits(position));
    return static_cast<node&>(erased);
  }
};

struct resets_the_link_after_the_swap : right {
  node& erase_after(link& position) noexcept {
    link& erased = *position.next.load();
    link* next = erased.next.load();
    std::uintptr_t end = (end_.load() & count_mask) | bits(erased);
    if (next == nullptr && !end_.compare_exchange_strong(end, bits(position))) {
      next = await_link(erased);
    }
    position.next.store(next);
    return static_cast<node&>(erased);
  }
};

// ---- a channel around it, with as few nodes as will do, so that each is used again

template <class Inbox>
struct channel {
  static constexpr int none = -1;

  Inbox in;
  mc::sleeper receiver;
  std::array<node, 8> nodes;
  std::vector<node*> free_nodes;
  mc::atomic<int> order{0};
  std::array<int, 16> freed{}; // by value
  std::vector<int> received;
  int timeouts_left = 0;
  mc::atomic<int> senders{0};

  channel() {
    for (auto& n : nodes) free_nodes.push_back(&n);
  }

  bool send(int value) {
    node* n = take_node();
    n->value = value;
    mc::ticket waiter;
    const push_result result = in.push(*n, waiter);
    if (result == push_result::closed) give_back(n);
    if (result == push_result::pushed_and_wake) receiver.wake(waiter);
    return result != push_result::closed;
  }

  void drop_sender() {
    mc::ticket waiter;
    if (senders.fetch_sub(1) == 1 && in.close_by_sender(waiter)) receiver.wake(waiter);
  }

  // The next value, or none when the inbox is closed.
  int receive() {
    for (;;) {
      if (in.front()) return take();
      const mc::ticket wait = receiver.open_wait();
      if (in.wait(wait)) {
        sleep(wait);
      } else if (!in.await_front()) {
        return none;
      }
    }
  }

  // The next value that is `wanted`, from wherever it stands.
  int receive_match(int wanted) {
    typename Inbox::link* seen = &in.before_front();
    for (;;) {
      while (node* next = in.await_after(*seen)) {
        if (next->value == wanted) {
          node& taken = in.erase_after(*seen);
          received.push_back(taken.value);
          give_back(&taken);
          return wanted;
        }
        seen = next;
      }
      const mc::ticket wait = receiver.open_wait();
      if (in.wait_after(*seen, wait)) {
        sleep(wait);
      } else if (!in.await_after(*seen)) {
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
    const int value = in.front()->value;
    received.push_back(value);
    if (node* old = in.advance()) give_back(old);
    return value;
  }

  void drain() {
    while (in.await_front()) (void)take();
  }

  // Who gets which node depends on the order.
  node* take_node() {
    (void)order.fetch_add(1);
    mc::require(!free_nodes.empty(), "enough nodes");
    node* n = free_nodes.back();
    free_nodes.pop_back();
    return n;
  }
  void give_back(node* n) {
    (void)order.fetch_add(1);
    free_nodes.push_back(n);
  }

  // All of `expected` came, each sender's values (tens) in order.
  void require_received(int expected) const {
    mc::require(static_cast<int>(received.size()) == expected, "nothing is lost or doubled");
    for (std::size_t i = 0; i < received.size(); ++i) {
      for (std::size_t j = i + 1; j < received.size(); ++j) {
        mc::require(received[i] / 10 != received[j] / 10 || received[i] < received[j],
                    "a sender's messages come once and in order");
      }
    }
  }

  void require_nodes_back() {
    const std::size_t kept = in.retained() ? 1 : 0;
    mc::require(free_nodes.size() + kept == nodes.size(), "every node is freed");
    for (std::size_t i = 0; i < free_nodes.size(); ++i) {
      mc::require(free_nodes[i] != in.retained(), "the stub is not freed");
      for (std::size_t j = i + 1; j < free_nodes.size(); ++j) {
        mc::require(free_nodes[i] != free_nodes[j], "no node is freed twice");
      }
    }
  }
};

// Two senders, a receiver that sleeps between messages and may time out.
template <class Inbox, int Each, int Timeouts>
void push_against_wait(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  c.timeouts_left = Timeouts;
  for (int sender = 1; sender <= 2; ++sender) {
    world.thread([&c, sender] {
      for (int i = 0; i < Each; ++i) mc::require(c.send(sender * 10 + i), "the inbox is open");
    });
  }
  world.thread([&c] {
    for (int i = 0; i < 2 * Each; ++i) mc::require(c.receive() != c.none, "the inbox is open");
  });
  world.finally([&c] {
    c.require_received(2 * Each);
    c.require_nodes_back();
  });
}

// One sender and a receiver that times out more than once: the registration changes under the
// sender.
template <class Inbox, int Timeouts = 2>
void push_against_timeouts(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  c.timeouts_left = Timeouts;
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) mc::require(c.send(10 + i), "the inbox is open");
  });
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) mc::require(c.receive() != c.none, "the inbox is open");
  });
  world.finally([&c] {
    c.require_received(2);
    c.require_nodes_back();
  });
}

// The receiver takes one message or none and closes; what was accepted is drained, the rest stays
// with the senders.
template <class Inbox, int Each = 2>
void push_against_close(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  auto& accepted = world.make<mc::atomic<int>>(0);
  for (int sender = 1; sender <= 2; ++sender) {
    world.thread([&c, &accepted, sender] {
      for (int i = 0; i < Each && c.send(sender * 10 + i); ++i) accepted.fetch_add(1);
    });
  }
  world.thread([&c] {
    if (c.in.front()) (void)c.take();
    c.in.close();
    c.drain();
  });
  world.finally([&c, &accepted] {
    mc::require(!c.in.front(), "no message is orphaned");
    c.require_received(accepted.load());
    c.require_nodes_back();
  });
}

// Both senders leave; the receiver gets what they sent and learns that they are gone.
template <class Inbox>
void last_sender_against_wait(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  c.timeouts_left = 1;
  c.senders.store(2);
  for (int sender = 1; sender <= 2; ++sender) {
    world.thread([&c, sender] {
      if (sender == 1) mc::require(c.send(10), "the inbox is open");
      c.drop_sender();
    });
  }
  world.thread([&c] {
    while (c.receive() != c.none) {
    }
  });
  world.finally([&c] {
    c.require_received(1);
    c.require_nodes_back();
  });
}

// A receiver that sees no message, then that the inbox is closed, and concludes too much.
template <class Inbox>
void last_sender_against_a_look_apart(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  c.senders.store(1);
  world.thread([&c] {
    mc::require(c.send(10), "the inbox is open");
    c.drop_sender();
  });
  world.thread([&c] {
    while (!c.in.front()) {
      if (c.in.closed()) return;
      mc::atomics::pause();
    }
    (void)c.take();
  });
  world.finally([&c] { c.require_received(1); });
}

// Both sides close at once; what was sent is still there.
template <class Inbox>
void both_sides_close(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  auto& accepted = world.make<mc::atomic<int>>(0);
  c.timeouts_left = 1;
  c.senders.store(1);
  world.thread([&c, &accepted] {
    accepted.fetch_add(c.send(10) ? 1 : 0);
    c.drop_sender();
  });
  world.thread([&c] {
    if (!c.in.front()) {
      const mc::ticket wait = c.receiver.open_wait();
      if (c.in.wait(wait)) c.sleep(wait);
    }
    c.in.close();
    c.drain();
  });
  world.finally([&c, &accepted] {
    c.require_received(accepted.load());
    c.require_nodes_back();
  });
}

// The receiver picks the last of two queued messages while more arrive.
template <class Inbox>
void erase_last_against_push(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  (void)c.send(10);
  (void)c.send(20);
  for (int sender = 3; sender <= 4; ++sender) {
    world.thread([&c, sender] { mc::require(c.send(sender * 10), "the inbox is open"); });
  }
  world.thread([&c] {
    mc::require(c.receive_match(20) == 20, "it is there");
    mc::require(c.receive() == 10, "the order stays");
    for (int i = 0; i < 2; ++i) mc::require(c.receive() != c.none, "the inbox is open");
  });
  world.finally([&c] {
    c.require_received(4);
    c.require_nodes_back();
  });
}

// The receiver wants a message that comes last, sleeps behind those it does not want.
template <class Inbox>
void scan_against_push(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  c.timeouts_left = 1;
  (void)c.send(10);
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) mc::require(c.send(20 + i), "the inbox is open");
  });
  world.thread([&c] {
    mc::require(c.receive_match(21) == 21, "it comes");
    mc::require(c.receive() == 10 && c.receive() == 20, "the order stays");
  });
  world.finally([&c] {
    mc::require(c.received.size() == 3, "nothing is lost or doubled");
    c.require_nodes_back();
  });
}

// The last sender leaves while the receiver takes the last message out of the middle.
template <class Inbox>
void erase_last_against_last_sender(mc::world& world) {
  auto& c = world.make<channel<Inbox>>();
  c.senders.store(1);
  (void)c.send(10);
  (void)c.send(20);
  world.thread([&c] {
    mc::require(c.send(30), "the inbox is open");
    c.drop_sender();
  });
  world.thread([&c] {
    mc::require(c.receive_match(20) == 20, "it is there");
    mc::require(c.receive() == 10, "the order stays");
    mc::require(c.receive() == 30, "it comes");
    mc::require(c.receive() == c.none, "the sender is gone");
  });
  world.finally([&c] { c.require_nodes_back(); });
}

} // namespace

int main(int argc, char** argv) {
  const mc::options all{.reduced = true};
  const mc::options buffered{.store_buffers = true, .reduced = true};
  const mc::options three{.preemptions = 3};
  const mc::options three_buffered{.preemptions = 3, .store_buffers = true};
  const mc::options four{.preemptions = 4};
  const mc::options five{.preemptions = 5};
  mc::suite suite("inbox", argc, argv);

  suite.model("push_against_wait", all, &push_against_wait<right, 1, 0>);
  suite.model("push_against_timed_wait", four, &push_against_wait<right, 1, 1>);
  suite.model("push_against_wait_twice", three, &push_against_wait<right, 2, 1>);
  suite.model("push_against_timeout", all, &push_against_timeouts<right, 1>);
  suite.model("push_against_timeouts", five, &push_against_timeouts<right>);
  suite.model("push_against_timeout_buffered", three_buffered, &push_against_timeouts<right, 1>);
  suite.model("push_against_close", all, &push_against_close<right, 1>);
  suite.model("push_against_close_twice", four, &push_against_close<right, 2>);
  suite.model("last_sender_against_wait", all, &last_sender_against_wait<right>);
  suite.model("both_sides_close", all, &both_sides_close<right>);
  suite.model("both_sides_close_buffered", buffered, &both_sides_close<right>);
  suite.model("erase_last_against_push", all, &erase_last_against_push<right>);
  suite.model("scan_against_push", all, &scan_against_push<right>);
  suite.model("erase_last_against_last_sender", all, &erase_last_against_last_sender<right>);
  suite.model("erase_last_against_last_sender_buffered", buffered,
              &erase_last_against_last_sender<right>);

  suite.mutation("reads_registration_late", four, &push_against_timeouts<reads_registration_late>);
  suite.mutation("reads_registration_early", four, &push_against_timeouts<reads_registration_early>,
                 "deadlock");
  suite.mutation("waits_without_a_swap", four, &push_against_wait<waits_without_a_swap, 1, 0>);
  suite.mutation("registers_before_looking", four, &push_against_timeouts<registers_before_looking>,
                 "torn");
  suite.mutation("cancels_without_a_swap", four, &push_against_timeouts<cancels_without_a_swap>);
  suite.mutation("frees_the_new_stub", four, &push_against_wait<frees_the_new_stub, 2, 0>);
  suite.mutation("looks_for_closed_apart", four, &push_against_close<looks_for_closed_apart>);
  suite.mutation("exchanges_closed_away", four, &push_against_close<exchanges_closed_away>);
  suite.mutation("drains_what_it_sees", four, &push_against_close<drains_what_it_sees>);
  suite.mutation("closes_without_a_wake", four, &last_sender_against_wait<closes_without_a_wake>,
                 "deadlock");
  suite.mutation("looks_for_closed_after_the_front", four, &last_sender_against_a_look_apart<right>,
                 "nothing is lost");
  suite.mutation("retracts_without_a_swap", four,
                 &erase_last_against_push<retracts_without_a_swap>);
  suite.mutation("resets_the_link_after_the_swap", four,
                 &erase_last_against_push<resets_the_link_after_the_swap>);
  return suite.result();
}
