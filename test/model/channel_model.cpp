// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a channel is made of besides its queue, under every interleaving: who closes it and who frees
// it; the senders that wait for room, who may give up at any moment; the queue that drops its
// oldest message. The queues themselves have models of their own.

#include "receiver.hpp"

#include <smarm/detail/blocked_senders.hpp>
#include <smarm/detail/bounded_ring.hpp>
#include <smarm/detail/channel_counts.hpp>
#include <smarm/detail/dropping_queue.hpp>
#include <smarm/detail/inbox.hpp>

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace {

using namespace smarm::detail;

struct guarded {
  void lock() { inner.acquire(); }
  void unlock() { inner.release(); }
  mc::lock inner;
};

// Holds nobody off.
struct no_lock {
  void lock() { mc::world::now()->point(mc::access::anything, nullptr); }
  void unlock() { mc::world::now()->point(mc::access::anything, nullptr); }
};

// ---- closing and freeing

using counts = basic_channel_counts<mc::atomics>;

struct drops_senders_in_two_steps : counts {
  bool drop_sender() noexcept {
    const auto before = senders_.load();
    senders_.store(before - 1);
    return before == 1;
  }
};

struct drops_shares_in_two_steps : counts {
  bool drop_share() noexcept {
    const auto before = shares_.load();
    shares_.store(before - 1);
    return before == 1;
  }
};

struct adds_no_share : counts {
  void add_sender_again() noexcept { add_sender(); }
};

struct looks_before_it_adds : counts {
  void add_sender_again() noexcept {
    if (senders_.load() == 0) shares_.fetch_add(1);
    add_sender();
  }
};

enum class ending { right, share_before_close, drains_what_it_sees, drains_before_close };

template <class Counts, ending Ending>
struct unbounded {
  struct node : inbox_node<mc::atomics> {};
  using inbox = basic_inbox<node, mc::ticket, mc::atomics>;

  // Only while it is not freed.
  inbox& in() {
    mc::require(!freed, "the channel is used after it was freed");
    return in_;
  }

  // As channel_core.
  bool send(node& message) {
    mc::ticket waiter;
    const push_result result = in().push(message, waiter);
    if (result == push_result::pushed_and_wake) receiver.wake(waiter);
    return result != push_result::closed;
  }
  void drop_sender() {
    mc::require(!freed, "the channel is used after it was freed");
    if (!counts_.drop_sender()) return;
    if (Ending == ending::share_before_close) drop_share();
    mc::ticket waiter;
    if (in().close_by_sender(waiter)) receiver.wake(waiter);
    if (Ending != ending::share_before_close) drop_share();
  }
  void drop_receiver() {
    if (Ending == ending::drains_before_close) drain();
    in().close();
    if (Ending != ending::drains_before_close) drain();
    drop_share();
  }
  bool receive() {
    for (;;) {
      if (in().front()) {
        take();
        return true;
      }
      const mc::ticket wait = receiver.open_wait();
      if (in().wait(wait)) {
        receiver.sleep(wait);
      } else if (!in().await_front()) {
        return false;
      }
    }
  }

  int taken = 0;
  bool freed = false;
  mc::sleeper receiver;
  Counts counts_;

private:
  void drain() {
    while (Ending == ending::drains_what_it_sees ? in().front() : in().await_front()) take();
  }
  void take() {
    ++taken;
    (void)in().advance();
  }
  void drop_share() {
    if (!counts_.drop_share()) return;
    mc::require(!freed, "freed twice");
    mc::require(in_.empty(), "a message is orphaned");
    freed = true;
  }

  inbox in_;
};

// Two senders send and go; the receiver takes one message at most, and goes.
template <class Counts, ending Ending, bool Receives>
void everybody_goes(mc::world& world) {
  using channel = unbounded<Counts, Ending>;
  auto& c = world.make<channel>();
  auto& accepted = world.make<mc::atomic<int>>(0);
  auto& nodes = world.make<std::array<typename channel::node, 2>>();
  c.counts_.add_sender();
  for (std::size_t s = 0; s < 2; ++s) {
    world.thread([&c, &accepted, &message = nodes[s]] {
      accepted.fetch_add(c.send(message) ? 1 : 0);
      c.drop_sender();
    });
  }
  world.thread([&c] {
    if (Receives) (void)c.receive();
    c.drop_receiver();
  });
  world.finally([&c, &accepted] {
    mc::require(c.freed, "the channel is never freed");
    mc::require(c.taken == accepted.load(), "what was sent is received or destroyed, once");
  });
}

// The receiving end makes senders of its own, whether there are others or not.
template <class Counts>
void receiver_sends_again(mc::world& world) {
  auto& c = world.make<unbounded<Counts, ending::right>>();
  world.thread([&c] { c.drop_sender(); });
  world.thread([&c] {
    for (int i = 0; i < 2; ++i) {
      c.counts_.add_sender_again();
      c.drop_sender();
    }
    c.drop_receiver();
  });
  world.finally([&c] { mc::require(c.freed, "the channel is never freed"); });
}

// The receiver waits for the end.
template <class Counts, ending Ending>
void last_sender_wakes(mc::world& world) {
  auto& c = world.make<unbounded<Counts, Ending>>();
  c.counts_.add_sender();
  for (int s = 0; s < 2; ++s) {
    world.thread([&c] { c.drop_sender(); });
  }
  world.thread([&c] {
    mc::require(!c.receive(), "nothing was sent");
    c.drop_receiver();
  });
  world.finally([&c] { mc::require(c.freed, "the channel is never freed"); });
}

// ---- waiting for room

using ring = basic_bounded_ring<int, mc::ticket, mc::atomics>;

template <class Lock>
using senders_of = basic_blocked_senders<ring, mc::ticket, Lock>;

struct right : senders_of<guarded> {};

struct unlocked : senders_of<no_lock> {};

struct removes_without_a_look : senders_of<guarded> {
  bool remove(ring& r, entry& e) noexcept {
    const std::lock_guard held(lock_);
    if (e.listed) {
      unlink(e);
      r.unblock();
    }
    return true;
  }
};

struct stays_blocked_when_removed : senders_of<guarded> {
  bool remove(ring&, entry& e) noexcept {
    const std::lock_guard held(lock_);
    if (!e.listed) return false;
    unlink(e);
    return true;
  }
};

struct announces_before_the_list : senders_of<guarded> {
  bool add(ring& r, entry& e) noexcept {
    if (!r.block()) return false;
    const std::lock_guard held(lock_);
    if (e.place == 0) e.place = ++places_;
    link(e);
    return true;
  }
};

struct goes_to_the_end : senders_of<guarded> {
  bool add(ring& r, entry& e) noexcept {
    e.place = 0;
    return senders_of<guarded>::add(r, e);
  }
};

enum class room { right, gives_up_though_woken, wakes_nobody };

template <class Senders, room Room = room::right>
struct bounded_channel {
  explicit bounded_channel(std::size_t capacity) : in(capacity) {}

  ring in;
  Senders blocked;
  mc::sleeper receiver;
  std::array<mc::sleeper, 4> sleeping;
  std::vector<int> received;
  std::array<int, 4> give_ups_left{};

  bool try_send(int value, push_result* why = nullptr) {
    mc::ticket waiter;
    const push_result result = in.try_push(value, waiter);
    if (result == push_result::pushed_and_wake) receiver.wake(waiter);
    if (why != nullptr) *why = result;
    return result == push_result::pushed || result == push_result::pushed_and_wake;
  }

  // False: closed, or gave up. The number of the sender is value / 10.
  bool send(int value) {
    const auto me = static_cast<std::size_t>(value / 10);
    typename Senders::entry entry;
    for (;;) {
      push_result why{};
      if (try_send(value, &why)) return true;
      if (why == push_result::closed) return false;
      if (!wait_for_room(entry, me)) return false;
    }
  }

  // As the wait scope does it with the channel's source.
  bool wait_for_room(typename Senders::entry& entry, std::size_t me) {
    for (;;) {
      const mc::ticket wait = sleeping[me].open_wait();
      entry.who.number = static_cast<int>(me) * 8 + wait.number;
      if (!blocked.add(in, entry)) return true;
      bool gives_up = false;
      if (give_ups_left[me] > 0 && mc::choose(2) == 1) {
        --give_ups_left[me];
        gives_up = true;
      } else {
        sleeping[me].sleep(wait);
      }
      if (gives_up && Room == room::gives_up_though_woken) {
        (void)blocked.remove(in, entry);
        return false;
      }
      if (blocked.taken(entry) || !blocked.remove(in, entry)) return true;
      if (gives_up) return false;
    }
  }

  bool wake_one() {
    mc::ticket who;
    if (!blocked.take_first(in, who)) return false;
    sleeping[static_cast<std::size_t>(who.number) / 8].wake(mc::ticket(who.number % 8));
    return true;
  }

  void take() {
    received.push_back(*in.front());
    in.pop();
    if (in.settle() && Room != room::wakes_nobody) (void)wake_one();
  }

  bool receive() {
    for (;;) {
      if (in.front()) {
        take();
        return true;
      }
      const mc::ticket wait = receiver.open_wait();
      if (in.wait(wait)) {
        receiver.sleep(wait);
      } else if (!in.await_front()) {
        return false;
      }
    }
  }

  void close() {
    if (in.close()) {
      while (wake_one()) {
      }
    }
    while (in.await_front()) take();
  }
};

// So many senders that may give up, one that does not wait for its turn, and a receiver that takes
// all that was sent.
template <class Senders, room Room, int Waiting, int GiveUps, bool Barges>
void through_one_cell(mc::world& world) {
  using channel = bounded_channel<Senders, Room>;
  auto& c = world.make<channel>(std::size_t{1});
  auto& sent = world.make<mc::atomic<int>>(1);
  auto& left = world.make<mc::atomic<int>>(Waiting + (Barges ? 1 : 0));
  (void)c.try_send(0);
  for (int s = 1; s <= Waiting; ++s) {
    c.give_ups_left[static_cast<std::size_t>(s)] = s <= GiveUps ? 1 : 0;
    world.thread([&c, &sent, &left, s] {
      if (c.send(s * 10)) sent.fetch_add(1);
      left.fetch_sub(1);
    });
  }
  if (Barges) {
    world.thread([&c, &sent, &left] {
      if (c.try_send(1)) sent.fetch_add(1);
      left.fetch_sub(1);
    });
  }
  world.thread([&c, &left] {
    // Waits for the senders, never for the ring: what it takes must be enough to let them go on.
    for (int taken = 0; taken < Waiting + 1 + (Barges ? 1 : 0); ++taken) {
      mc::block([&c, &left] { return c.in.front() != nullptr || left.load() == 0; });
      if (c.in.front() == nullptr) break;
      c.take();
    }
  });
  world.finally([&c, &sent] {
    while (c.in.front()) c.take();
    mc::require(static_cast<int>(c.received.size()) == sent.load(), "nothing is lost or doubled");
    mc::require(!c.in.producers_blocked(), "nobody is counted who has gone");
  });
}

// The receiver waits for the ring between messages.
template <class Senders, room Room, int GiveUps>
void received_by_waiting(mc::world& world) {
  auto& c = world.make<bounded_channel<Senders, Room>>(std::size_t{1});
  (void)c.try_send(0);
  for (int s = 1; s <= 2; ++s) {
    c.give_ups_left[static_cast<std::size_t>(s)] = s <= GiveUps ? 1 : 0;
    world.thread([&c, s] {
      while (!c.send(s * 10)) {
      }
    });
  }
  world.thread([&c] {
    for (int i = 0; i < 3; ++i) mc::require(c.receive(), "the ring is open");
  });
  world.finally([&c] { mc::require(c.received.size() == 3, "nothing is lost or doubled"); });
}

template <class Senders, room Room, int GiveUps>
void closed_on_the_blocked(mc::world& world) {
  auto& c = world.make<bounded_channel<Senders, Room>>(std::size_t{1});
  auto& sent = world.make<mc::atomic<int>>(1);
  (void)c.try_send(0);
  for (int s = 1; s <= 2; ++s) {
    c.give_ups_left[static_cast<std::size_t>(s)] = s <= GiveUps ? 1 : 0;
    world.thread([&c, &sent, s] {
      if (c.send(s * 10)) sent.fetch_add(1);
    });
  }
  world.thread([&c] { c.close(); });
  world.finally([&c, &sent] {
    mc::require(!c.in.front(), "no message is orphaned");
    mc::require(static_cast<int>(c.received.size()) == sent.load(), "nothing is lost or doubled");
  });
}

// Two wait in a known order, and the room of the first is taken by one that did not wait.
template <class Senders>
void place_is_kept(mc::world& world) {
  auto& c = world.make<bounded_channel<Senders>>(std::size_t{1});
  (void)c.try_send(0);
  auto& entries = world.make<std::array<typename Senders::entry, 3>>();
  for (int s = 1; s <= 2; ++s) {
    entries[static_cast<std::size_t>(s)].who.number = s;
    (void)c.blocked.add(c.in, entries[static_cast<std::size_t>(s)]);
  }
  world.thread([&c, &entries] {
    c.take(); // wakes the first
    mc::require(c.try_send(1), "there is room");
    mc::require(c.blocked.add(c.in, entries[1]), "there is none");
    mc::ticket next;
    mc::require(c.blocked.take_first(c.in, next) && next.number == 1, "its place is kept");
  });
}

// ---- dropping the oldest

struct letter {
  int value = 0;
  letter* next = nullptr;
  [[nodiscard]] letter* following() const noexcept { return next; }
  void set_following(letter* n) noexcept { next = n; }
};

template <class Lock>
using queue_of = basic_dropping_queue<letter, mc::ticket, Lock>;

struct closes_without_a_wake : queue_of<guarded> {
  using queue_of<guarded>::queue_of;
  bool close_by_sender(mc::ticket&) noexcept {
    close();
    return false;
  }
};

struct looks_before_it_locks : queue_of<guarded> {
  using queue_of<guarded>::queue_of;
  bool wait(const mc::ticket& receiver) noexcept {
    if (!empty() || closed()) return false;
    const std::lock_guard held(lock_);
    receiver_.number = receiver.number;
    waiting_ = true;
    return true;
  }
};

struct unlocked_queue : queue_of<no_lock> {
  using queue_of<no_lock>::queue_of;
};

// Two senders, room for one, and a receiver that may run out of time.
template <class Queue, bool Closes>
void dropping(mc::world& world) {
  struct state {
    Queue queue{1};
    mc::sleeper receiver;
    std::array<letter, 4> letters{};
    mc::atomic<int> senders{2};
    mc::atomic<int> dropped{0};
    mc::atomic<int> refused{0};
    int received = 0;
    int timeouts_left = 1;
  };
  auto& s = world.make<state>();
  for (std::size_t sender = 0; sender < 2; ++sender) {
    world.thread([&s, sender] {
      for (std::size_t i = 0; i < 2; ++i) {
        mc::ticket waiter;
        letter* dropped = nullptr;
        const push_result result = s.queue.push(s.letters[sender * 2 + i], waiter, dropped);
        if (result == push_result::pushed_and_wake) s.receiver.wake(waiter);
        if (result == push_result::closed) s.refused.fetch_add(1);
        if (dropped != nullptr) s.dropped.fetch_add(++dropped->value);
      }
      mc::ticket waiter;
      if (s.senders.fetch_sub(1) == 1 && s.queue.close_by_sender(waiter)) s.receiver.wake(waiter);
    });
  }
  world.thread([&s] {
    if (Closes) s.queue.close();
    for (;;) {
      if (letter* l = s.queue.take()) {
        s.received += ++l->value;
        continue;
      }
      const mc::ticket wait = s.receiver.open_wait();
      if (s.queue.wait(wait)) {
        if (s.timeouts_left > 0 && mc::choose(2) == 1) {
          --s.timeouts_left;
          (void)s.queue.cancel_wait();
        } else {
          s.receiver.sleep(wait);
        }
      } else if (s.queue.empty()) {
        break; // closed
      }
    }
  });
  world.finally([&s] {
    mc::require(s.received + s.dropped.load() + s.refused.load() == 4,
                "each is received, dropped or refused, once");
  });
}

} // namespace

int main(int argc, char** argv) {
  using enum ending;
  const mc::options all{.reduced = true};
  const mc::options buffered{.preemptions = 3, .store_buffers = true};
  const mc::options two{.preemptions = 2};
  const mc::options three{.preemptions = 3};
  const mc::options four{.preemptions = 4};
  mc::suite suite("channel", argc, argv);
  constexpr auto as_it_is = room::right;

  suite.model("everybody_goes", four, &everybody_goes<counts, ending::right, false>);
  suite.model("everybody_goes_buffered", buffered, &everybody_goes<counts, ending::right, false>);
  suite.model("everybody_goes_after_a_message", three,
              &everybody_goes<counts, ending::right, true>);
  suite.model("last_sender_wakes", all, &last_sender_wakes<counts, ending::right>);
  suite.model("receiver_sends_again", all, &receiver_sends_again<counts>);
  suite.model("one_cell", three, &through_one_cell<::right, as_it_is, 2, 0, false>);
  suite.model("one_cell_and_one_gives_up", two, &through_one_cell<::right, as_it_is, 2, 1, false>);
  suite.model("one_cell_and_both_may_give_up", two,
              &through_one_cell<::right, as_it_is, 2, 2, false>);
  suite.model("one_cell_and_one_barges", two, &through_one_cell<::right, as_it_is, 2, 1, true>);
  suite.model("received_by_waiting", two, &received_by_waiting<::right, as_it_is, 1>);
  suite.model("closed_on_the_blocked", three, &closed_on_the_blocked<::right, as_it_is, 1>);
  suite.model("place_is_kept", all, &place_is_kept<::right>);
  suite.model("dropping", three, &dropping<queue_of<guarded>, false>);
  suite.model("dropping_and_closed", three, &dropping<queue_of<guarded>, true>);

  suite.mutation("drops_senders_in_two_steps", four,
                 &last_sender_wakes<drops_senders_in_two_steps, ending::right>);
  suite.mutation("drops_shares_in_two_steps", four,
                 &last_sender_wakes<drops_shares_in_two_steps, ending::right>, "freed");
  suite.mutation("adds_no_share", all, &receiver_sends_again<adds_no_share>, "freed");
  suite.mutation("looks_before_it_adds", all, &receiver_sends_again<looks_before_it_adds>, "freed");
  suite.mutation("share_before_close", four, &everybody_goes<counts, share_before_close, false>,
                 "after it was freed");
  suite.mutation("drains_what_it_sees", four, &everybody_goes<counts, drains_what_it_sees, false>);
  suite.mutation("drains_before_close", four, &everybody_goes<counts, drains_before_close, false>,
                 "orphaned");
  suite.mutation("gives_up_though_woken", two,
                 &through_one_cell<::right, room::gives_up_though_woken, 2, 1, false>, "deadlock");
  suite.mutation("wakes_nobody", four, &through_one_cell<::right, room::wakes_nobody, 1, 0, false>,
                 "deadlock");
  suite.mutation("removes_without_a_look", two,
                 &through_one_cell<removes_without_a_look, as_it_is, 2, 1, false>, "deadlock");
  suite.mutation("stays_blocked_when_removed", four,
                 &through_one_cell<stays_blocked_when_removed, as_it_is, 1, 1, false>, "counted");
  suite.mutation("announces_before_the_list", four,
                 &through_one_cell<announces_before_the_list, as_it_is, 1, 0, false>, "deadlock");
  suite.mutation("unlocked_list", four, &through_one_cell<unlocked, as_it_is, 2, 1, false>);
  suite.mutation("goes_to_the_end", four, &place_is_kept<goes_to_the_end>, "place");
  suite.mutation("closes_without_a_wake", three, &dropping<closes_without_a_wake, false>,
                 "deadlock");
  suite.mutation("looks_before_it_locks", four, &dropping<looks_before_it_locks, false>,
                 "deadlock");
  suite.mutation("unlocked_queue", four, &dropping<unlocked_queue, false>);
  return suite.result();
}
