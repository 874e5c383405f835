// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The unbounded inbox of a channel or a server: many producers, one receiver, linked nodes. A push
// is one read-modify-write, a pop none, registering a wait one.
//
// It is Vyukov's queue in which the last node taken stays behind as the stub: its value is gone,
// its link is where the next node appears. The producers' end word points to the newest node and
// carries two flags, so that a producer learns with the very operation that enqueues its node
// whether the receiver waits and whether the inbox is closed. Above the address, where those of
// 64-bit systems have 16 bits to spare, that word counts the pushes, at the cost of a few instructions
// and no other access, so that anybody can ask how much is queued.
//
// The receiver's loop:
//   while (!(node = inbox.front())) {
//     if (inbox.wait(registration)) park; // after a timeout or a stop: cancel_wait()
//     else if (!inbox.await_front()) return closed;
//   }
//   take node->value; free(inbox.advance());
//
// Lifetime: a producer touches the inbox until its push returns, so it must own a share of what
// holds the inbox. A registration that was handed over is woken after that, at any later time:
// what it names must stay valid (slots do; a plain thread's parker must live as long as its
// thread).

#ifndef SMARM_DETAIL_INBOX_HPP
#define SMARM_DETAIL_INBOX_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/push_result.hpp>
#include <smarm/detail/spin.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace smarm::detail {

template <class Atomics = std_atomics>
struct inbox_node {
  // Written by its producer before the push, then once by the producer of the following node
  // (release, paired with the receiver's acquire).
  typename Atomics::template atomic<inbox_node*> next{nullptr};
};

// Where the stub is: the last node taken, or, for receivers that take nodes out by erase_after only,
// always the one that the inbox was made with.
enum class inbox_stub : bool { last_taken, first };

// Apart is how far the receiver's own line is from the producers': less than a cache line for inboxes
// of which there are very many, mostly idle.
template <class Node, class Registration, class Atomics = std_atomics,
          std::size_t Apart = cache_line, inbox_stub Stub = inbox_stub::last_taken>
class basic_inbox {
  static_assert(std::is_nothrow_copy_assignable_v<Registration>);

public:
  using link = inbox_node<Atomics>;

  basic_inbox() noexcept : end_(bits(first_)) {}
  basic_inbox(const basic_inbox&) = delete;
  basic_inbox& operator=(const basic_inbox&) = delete;

  // ---- producers, any thread

  // pushed_and_wake: `waiter` holds the receiver's registration, which the caller wakes. closed:
  // the node is still the caller's.
  [[nodiscard]] push_result push(Node& node, Registration& waiter) noexcept {
    link& added = node;
    added.next.store(nullptr, std::memory_order_relaxed);
    std::uintptr_t end = end_.load(std::memory_order_relaxed);
    // Acquire: the initialisation of the previous node's link, and the registration. Release: the
    // initialisation of ours.
    do {
      if (SMARM_UNLIKELY(end & closed_bit)) return push_result::closed;
    } while (!end_.compare_exchange_weak(end, pushed(end, added), std::memory_order_acq_rel,
                                         std::memory_order_relaxed));
    if (SMARM_UNLIKELY(end >= last_count)) rounds_.fetch_add(1, std::memory_order_relaxed);
    const bool wake = (end & waiting_bit) != 0;
    // Before the link: as soon as the receiver sees that, it may register anew.
    if (wake) waiter = registration_;
    pointer(end)->next.store(&added, std::memory_order_release);
    return wake ? push_result::pushed_and_wake : push_result::pushed;
  }

  // The last producer is gone. True: the receiver waited, and the caller wakes `waiter`.
  [[nodiscard]] bool close_by_sender(Registration& waiter) noexcept {
    std::uintptr_t end = end_.load(std::memory_order_relaxed);
    do {
      if (end & closed_bit) return false;
    } while (!end_.compare_exchange_weak(end, (end & ~waiting_bit) | closed_bit,
                                         std::memory_order_acq_rel, std::memory_order_relaxed));
    if ((end & waiting_bit) == 0) return false;
    waiter = registration_; // stays as it is: nobody registers with a closed inbox
    return true;
  }

  // ---- anybody

  [[nodiscard]] bool closed() const noexcept {
    return (end_.load(std::memory_order_acquire) & closed_bit) != 0;
  }

  // How many were pushed and not yet taken, at some moment of the call; about, if the receiver takes
  // one after the other meanwhile. In the moment in which a producer has pushed the 2^16th, and has
  // not said so yet, a queue longer than that seems shorter by as much.
  [[nodiscard]] std::size_t size() const noexcept {
    std::uint32_t taken = taken_.load(std::memory_order_acquire);
    for (unsigned tries = 0;; ++tries) {
      const std::uint32_t rounds = rounds_.load(std::memory_order_acquire);
      const std::uintptr_t end = end_.load(std::memory_order_acquire);
      const std::uint32_t now = taken_.load(std::memory_order_acquire);
      if ((now == taken && rounds == rounds_.load(std::memory_order_acquire)) || tries == 8) {
        const std::uint32_t queued =
            (rounds << 16 | static_cast<std::uint32_t>(end >> count_shift)) - now;
        return static_cast<std::int32_t>(queued) < 0 ? queued & 0xffff : queued;
      }
      taken = now;
    }
  }

  // ---- the receiver

  // The oldest node, or null if none is visible yet. It stays queued until advance().
  [[nodiscard]] Node* front() const noexcept { return after(stub()); }

  // As front(), but null means that the inbox is empty: see await_after().
  [[nodiscard]] Node* await_front() noexcept { return await_after(stub()); }

  // Drops the front node, whose value the caller has taken and destroyed: it becomes the stub.
  // Returns the previous stub, which is now the caller's to free, or null if there is none to free.
  [[nodiscard]] Node* advance() noexcept {
    static_assert(moving);
    link* old = stub_;
    stub_ = old->next.load(std::memory_order_relaxed);
    count_taken();
    return old == &first_ ? nullptr : static_cast<Node*>(old);
  }

  // Nothing is queued, and nothing is on its way in.
  [[nodiscard]] bool empty() const noexcept { return is_last(stub()); }

  // A push has happened whose node is not visible yet: its producer is between two instructions.
  [[nodiscard]] bool in_flight() const noexcept { return !front() && !empty(); }

  // Registers the receiver. False: something arrived, or is about to, or the inbox is closed.
  [[nodiscard]] bool wait(Registration receiver) noexcept {
    return wait_after(stub(), receiver);
  }

  // Withdraws the registration after a timeout or a stop. False: a producer has taken it and will
  // wake it, or has done so.
  [[nodiscard]] bool cancel_wait() noexcept {
    std::uintptr_t end = end_.load(std::memory_order_relaxed);
    return (end & waiting_bit) != 0 &&
           end_.compare_exchange_strong(end, end & ~waiting_bit, std::memory_order_relaxed);
  }

  // No push succeeds any more. What was pushed before is still there: take it with await_front()
  // until that returns null, so that no message is orphaned.
  void close() noexcept { end_.fetch_or(closed_bit, std::memory_order_acq_rel); }

  // The node that serves as the stub, for the owner to free at the very end; null if there is none.
  [[nodiscard]] Node* retained() noexcept {
    static_assert(moving);
    return stub_ == &first_ ? nullptr : static_cast<Node*>(stub_);
  }

  // ---- the receiver, choosing from the queue: positions are links, as in std::forward_list. A
  // scan that found nothing waits behind the node it saw last and goes on there.

  [[nodiscard]] link& before_front() noexcept { return stub(); }

  [[nodiscard]] Node* after(const link& position) const noexcept {
    return static_cast<Node*>(position.next.load(std::memory_order_acquire));
  }

  // Null: `position` is the last. Spins for the few instructions that a producer needs between its
  // push and its link; if the producer was interrupted just there, gives the processor away.
  [[nodiscard]] Node* await_after(link& position) noexcept {
    if (Node* node = after(position); SMARM_LIKELY(node != nullptr) || is_last(position)) {
      return node;
    }
    return await_link(position);
  }

  // As wait(), for a receiver that has seen everything up to `position` and wants none of it.
  [[nodiscard]] bool wait_after(link& position, Registration receiver) noexcept {
    std::uintptr_t expected = end_.load(std::memory_order_relaxed);
    // If this node is the last, then every producer that ever took a registration has linked its
    // node since, and read the registration before: nobody else looks at it now.
    if ((expected & ~count_mask) != bits(position)) return false;
    registration_ = receiver;
    return end_.compare_exchange_strong(expected, expected | waiting_bit, std::memory_order_release,
                                        std::memory_order_relaxed);
  }

  // Takes the node behind `position` out of the queue; it is the caller's, value and all. Costs a
  // read-modify-write only if the node is the last. No wait may be registered.
  Node& erase_after(link& position) noexcept {
    link& node = *position.next.load(std::memory_order_relaxed);
    link* next = node.next.load(std::memory_order_acquire);
    if (next == nullptr && !retract(position, node)) next = await_link(node);
    count_taken();
    if (next != nullptr) position.next.store(next, std::memory_order_relaxed);
    return static_cast<Node&>(node);
  }

protected: // the model tests derive mutants
  static constexpr std::uintptr_t waiting_bit = 1;
  static constexpr std::uintptr_t closed_bit = 2;
  static constexpr std::uintptr_t flags = waiting_bit | closed_bit;
  static_assert(alignof(link) > flags);
  static constexpr unsigned count_shift = 48;
  static constexpr std::uintptr_t count_mask = ~((std::uintptr_t(1) << count_shift) - 1);
  static constexpr std::uintptr_t last_count = count_mask;
  static_assert(sizeof(std::uintptr_t) == 8, "smarm needs a 64-bit system");
  static constexpr bool moving = Stub == inbox_stub::last_taken;

  [[nodiscard]] link& stub() noexcept {
    if constexpr (moving) {
      return *stub_;
    } else {
      return first_;
    }
  }
  [[nodiscard]] const link& stub() const noexcept { return const_cast<basic_inbox*>(this)->stub(); }

  [[nodiscard]] static std::uintptr_t bits(link& node) noexcept {
    return reinterpret_cast<std::uintptr_t>(&node);
  }
  [[nodiscard]] static link* pointer(std::uintptr_t end) noexcept {
    return reinterpret_cast<link*>(end & ~(flags | count_mask));
  }

  // The word after a push of `added` where it was `end`; after the last count comes zero.
  [[nodiscard]] static std::uintptr_t pushed(std::uintptr_t end, link& added) noexcept {
    const std::uintptr_t one_more = (std::uintptr_t(1) << count_shift) + bits(added);
    return (end & count_mask) + one_more;
  }
  void count_taken() noexcept {
    taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  [[nodiscard]] bool is_last(const link& node) const noexcept {
    return pointer(end_.load(std::memory_order_acquire)) == &node;
  }

  SMARM_NOINLINE Node* await_link(link& position) noexcept {
    Node* node = nullptr;
    spin_until<Atomics>([&] { return (node = after(position)) != nullptr; });
    return node;
  }

  // Makes `position` the last node again if `node`, which follows it, is still the last.
  [[nodiscard]] bool retract(link& position, link& node) noexcept {
    // A producer that finds `position` at the end sees this first, through its acquire.
    position.next.store(nullptr, std::memory_order_relaxed);
    std::uintptr_t end = end_.load(std::memory_order_relaxed);
    while (pointer(end) == &node) {
      if (end_.compare_exchange_weak(end, bits(position) | (end & (flags | count_mask)), std::memory_order_acq_rel,
                                     std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // Count, newest node and flags. Producers replace the node and clear "waits"; the receiver sets and
  // clears "waits" and steps back over the last node; either side sets "closed", for good.
  typename Atomics::template atomic<std::uintptr_t> end_;

  // Written by the receiver before it sets "waits" (release), read by whoever clears it (acquire).
  Registration registration_{};

  // How often the count in end_ came round. Raised by the producer whose push that was. This and the
  // next are for size() only, no decision reads them, and so the models leave them alone.
  std::atomic<std::uint32_t> rounds_{0};

  // On a line of its own: the receiver reads it for each message while producers write theirs. A
  // class derived from this one gets the rest of the line for what the receiver alone uses.
  struct no_pointer {
    no_pointer(link*) noexcept {}
  };
  using stub_pointer = std::conditional_t<moving, link*, no_pointer>;
  // How many were taken, modulo 2^32. Written by the receiver (release), read by anybody (acquire).
  alignas(Apart == cache_line ? cache_line : alignof(std::uint32_t))
      std::atomic<std::uint32_t> taken_{0};
  [[no_unique_address]] stub_pointer stub_ = &first_;
  link first_; // the stub until the first message was taken
};

} // namespace smarm::detail

#endif
