// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bounded inbox of a channel: many producers, one receiver, a ring of cells that holds exactly
// `capacity` values. A push is one read-modify-write, a pop none, registering a wait one. Producers
// claim a cell by a compare-and-swap of one word: next index, "the receiver waits", "closed".
//
// A producer that finds the ring full and wants to block:
//   lock the list; add an entry;
//   if (ring.block()) unlock and park; else take the entry out, unlock, try again
// Entries leave the list under its lock, each with one unblock(). A producer that was woken for a
// free cell and does not use it (a stop, a deadline) wakes the next entry in its place.
//
// The receiver calls settle() after it took something; if that says so, it takes as many entries
// from the list as there are free cells, and wakes them. To settle after each pop is always right
// and costs a fence. It is enough to do it when settle_due() says so (half of the ring
// was freed) and, without fail, before the receiver waits for anything, yields or ends: else it may
// wait for somebody who waits for the space. A wait for the ring itself settles as it registers.
//
// The receiver's loop, lifetimes and registrations are those of inbox.hpp, but for one line:
// between wait() and parking, if (ring.producers_blocked()) wake them as above.

#ifndef SMARM_DETAIL_BOUNDED_RING_HPP
#define SMARM_DETAIL_BOUNDED_RING_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/push_result.hpp>
#include <smarm/detail/spin.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace smarm::detail {

struct nobody_told {
  constexpr void operator()(std::uint64_t) const noexcept {}
};

template <class T, class Registration, class Atomics = std_atomics>
class basic_bounded_ring {
  // A cell that was claimed must be filled: what may throw is boxed by the caller.
  static_assert(std::is_nothrow_move_constructible_v<T>);
  static_assert(std::is_nothrow_copy_assignable_v<Registration>);

public:
  // capacity >= 1; std::bad_alloc if the cells cannot be had.
  explicit basic_bounded_ring(std::size_t capacity)
      : capacity_(static_cast<std::int64_t>(capacity)), mask_(std::bit_ceil(capacity) - 1),
        cells_(std::make_unique<cell[]>(mask_ + 1)) {
    SMARM_ASSERT(capacity >= 1);
  }

  basic_bounded_ring(const basic_bounded_ring&) = delete;
  basic_bounded_ring& operator=(const basic_bounded_ring&) = delete;

  ~basic_bounded_ring() {
    while (front()) pop();
  }

  // ---- producers, any thread

  // pushed_and_wake: `waiter` holds the receiver's registration, which the caller wakes. full,
  // closed: the value was not touched. Calls claimed(index), a few instructions, when the value has its
  // place and cannot be seen yet.
  template <class Claimed = nobody_told>
  [[nodiscard]] push_result try_push(T& value, Registration& waiter, Claimed claimed = {}) noexcept {
    std::uint64_t end = end_.load(std::memory_order_relaxed);
    do {
      if (SMARM_UNLIKELY(end & closed_bit)) return push_result::closed;
      // An earlier head first, whose line changes seldom; the exact one only if that says full.
      if (SMARM_UNLIKELY(full(end, published_.load(std::memory_order_acquire))) &&
          full(end, taken_.load(std::memory_order_acquire))) {
        return push_result::full;
      }
    } while (!end_.compare_exchange_weak(end, ((end >> index_shift) + 1) << index_shift,
                                         std::memory_order_acq_rel, std::memory_order_relaxed));
    const std::uint64_t index = end >> index_shift;
    claimed(index);
    const bool wake = (end & waiting_bit) != 0;
    // Before the cell is filled: as soon as the receiver sees that, it may register anew.
    if (wake) waiter = registration_;
    cell& to = cells_[index & mask_];
    ::new (static_cast<void*>(to.storage)) T(std::move(value));
    to.filled.store(index + 1, std::memory_order_release);
    return wake ? push_result::pushed_and_wake : push_result::pushed;
  }

  // The last producer is gone. True: the receiver waited, and the caller wakes `waiter`.
  [[nodiscard]] bool close_by_sender(Registration& waiter) noexcept {
    std::uint64_t end = end_.load(std::memory_order_relaxed);
    do {
      if (end & closed_bit) return false;
    } while (!end_.compare_exchange_weak(end, (end & ~waiting_bit) | closed_bit,
                                         std::memory_order_acq_rel, std::memory_order_relaxed));
    if ((end & waiting_bit) == 0) return false;
    waiter = registration_; // stays as it is: nobody registers with a closed ring
    return true;
  }

  // For a producer that found the ring full and has a processor of its own. While the receiver takes
  // one value after the other this looks on, for some microseconds at most, until a good part of the
  // ring is free: to block, and be woken, for each single cell costs both sides many times what a push
  // does. Returns after one look if nothing is taken. Promises nothing.
  void await_room() const noexcept {
    std::uint64_t seen = taken_.load(std::memory_order_relaxed);
    for (unsigned look = 0; look < looks_for_room; ++look) {
      for (unsigned i = 0; i < pauses_between_looks; ++i) { // else the receiver loses its line
        Atomics::pause();
      }
      const std::uint64_t now = taken_.load(std::memory_order_relaxed);
      const auto queued = static_cast<std::int64_t>(
          (end_.load(std::memory_order_relaxed) >> index_shift) - now);
      if (now == seen || queued <= capacity_ - capacity_ / 4) return;
      seen = now;
    }
  }

  // Announces a producer that is about to block, its entry being in the list. False, and
  // withdrawn: there is room, or the ring is closed.
  [[nodiscard]] bool block() noexcept {
    // Sequentially consistent against settle(), wait() and close(): either they count this
    // producer, or it sees what was freed, or closed, before.
    blocked_.fetch_add(1, std::memory_order_seq_cst);
    const std::uint64_t end = end_.load(std::memory_order_seq_cst);
    const std::uint64_t head = taken_.load(std::memory_order_seq_cst);
    if ((end & closed_bit) == 0 && full(end, head)) return true;
    unblock();
    return false;
  }

  // An entry left the list: woken, timed out or stopped.
  void unblock() noexcept { blocked_.fetch_sub(1, std::memory_order_relaxed); }

  // ---- anybody

  [[nodiscard]] bool closed() const noexcept {
    return (end_.load(std::memory_order_acquire) & closed_bit) != 0;
  }

  // What is queued or on its way in; a snapshot.
  [[nodiscard]] std::size_t size() const noexcept {
    const std::uint64_t taken = taken_.load(std::memory_order_acquire);
    return static_cast<std::size_t>((end_.load(std::memory_order_acquire) >> index_shift) - taken);
  }

  [[nodiscard]] std::size_t capacity() const noexcept {
    return static_cast<std::size_t>(capacity_);
  }

  // ---- the receiver

  // The oldest value, or null if none is visible yet. It stays until pop().
  [[nodiscard]] T* front() noexcept {
    const std::uint64_t head = taken_.load(std::memory_order_relaxed);
    cell& at = cells_[head & mask_];
    return at.filled.load(std::memory_order_acquire) == head + 1 ? at.value() : nullptr;
  }

  // The index of the front value.
  [[nodiscard]] std::uint64_t front_index() const noexcept {
    return taken_.load(std::memory_order_relaxed);
  }

  // As front(), but null means that the ring is empty. Spins for the few instructions that a
  // producer needs to fill the cell that it claimed; if it was interrupted there, gives the
  // processor away.
  [[nodiscard]] T* await_front() noexcept {
    if (T* value = front(); SMARM_LIKELY(value != nullptr) || empty()) return value;
    return await_fill();
  }

  // Destroys the front value, which is there, and frees its cell.
  void pop() noexcept {
    const std::uint64_t head = taken_.load(std::memory_order_relaxed) + 1;
    std::destroy_at(cells_[(head - 1) & mask_].value());
    taken_.store(head, std::memory_order_release);
    if (half(head - published_.load(std::memory_order_relaxed))) {
      published_.store(head, std::memory_order_release);
    }
  }

  [[nodiscard]] bool empty() const noexcept {
    return end_.load(std::memory_order_acquire) >> index_shift ==
           taken_.load(std::memory_order_relaxed);
  }

  // Half of the ring was freed since the receiver settled.
  [[nodiscard]] bool settle_due() const noexcept {
    return half(taken_.load(std::memory_order_relaxed) - settled_);
  }

  // Something was freed since the receiver settled.
  [[nodiscard]] bool unsettled() const noexcept {
    return taken_.load(std::memory_order_relaxed) != settled_;
  }

  // True: producers are blocked, and the caller wakes as many as can go on.
  [[nodiscard]] bool settle() noexcept {
    settled_ = taken_.load(std::memory_order_relaxed);
    // What was freed comes before the look at who is blocked, see block().
    Atomics::fence(std::memory_order_seq_cst);
    return producers_blocked();
  }

  // Registers the receiver and settles: true: look at producers_blocked() before you park. False:
  // something arrived, or is about to, or the ring is closed; nothing is settled.
  [[nodiscard]] bool wait(Registration receiver) noexcept {
    const std::uint64_t head = taken_.load(std::memory_order_relaxed);
    std::uint64_t expected = head << index_shift;
    // If every claimed cell was taken, then whoever took a registration has filled its cell since,
    // and read the registration before: nobody else looks at it now.
    if (end_.load(std::memory_order_relaxed) != expected) return false;
    registration_ = receiver;
    // As the fence in settle(): the swap comes before producers_blocked().
    if (!end_.compare_exchange_strong(expected, expected | waiting_bit, std::memory_order_seq_cst,
                                      std::memory_order_relaxed)) {
      return false;
    }
    settled_ = head;
    return true;
  }

  [[nodiscard]] bool producers_blocked() const noexcept {
    return blocked_.load(std::memory_order_seq_cst) != 0;
  }

  // Withdraws the registration after a timeout or a stop. False: a producer has taken it and will
  // wake it, or has done so.
  [[nodiscard]] bool cancel_wait() noexcept {
    std::uint64_t end = end_.load(std::memory_order_relaxed);
    return (end & waiting_bit) != 0 &&
           end_.compare_exchange_strong(end, end & ~waiting_bit, std::memory_order_relaxed);
  }

  // No push succeeds any more; what was pushed is taken with await_front() until that returns null.
  // True: producers are blocked, and the caller wakes all of them.
  [[nodiscard]] bool close() noexcept {
    end_.fetch_or(closed_bit, std::memory_order_seq_cst);
    return producers_blocked();
  }

protected: // the model tests derive mutants
  static constexpr std::uint64_t waiting_bit = 1;
  static constexpr std::uint64_t closed_bit = 2;
  static constexpr unsigned index_shift = 2;

  struct cell {
    // Index + 1 of the value in here. Written by the producer that claimed the cell (release,
    // paired with the receiver's acquire).
    typename Atomics::template atomic<std::uint64_t> filled{0};
    alignas(T) std::byte storage[sizeof(T)];

    [[nodiscard]] T* value() noexcept { return std::launder(reinterpret_cast<T*>(storage)); }
  };

  static constexpr unsigned looks_for_room = 16;
  static constexpr unsigned pauses_between_looks = 8;

  // Signed: an old `end` may lie before the head.
  [[nodiscard]] bool full(std::uint64_t end, std::uint64_t head) const noexcept {
    return static_cast<std::int64_t>((end >> index_shift) - head) >= capacity_;
  }

  [[nodiscard]] bool half(std::uint64_t freed) const noexcept {
    return static_cast<std::int64_t>(freed) * 2 >= capacity_;
  }

  SMARM_NOINLINE T* await_fill() noexcept {
    T* value = nullptr;
    spin_until<Atomics>([&] { return (value = front()) != nullptr; });
    return value;
  }

  const std::int64_t capacity_;
  const std::uint64_t mask_;
  const std::unique_ptr<cell[]> cells_;

  // Next index and flags. Producers advance the index and clear "waits"; the receiver sets and
  // clears "waits"; either side sets "closed", for good.
  alignas(cache_line) typename Atomics::template atomic<std::uint64_t> end_{0};

  // Written by the receiver before it sets "waits" (release), read by whoever clears it (acquire).
  Registration registration_{};

  // An earlier head: written by the receiver each time that it has freed half of the ring, so that
  // producers need not fetch the line of the exact one with every push (acquire: the cells before
  // it are free).
  alignas(cache_line) typename Atomics::template atomic<std::uint64_t> published_{0};

  // Producers in the list of blocked ones: raised by block(), lowered by unblock(), read by the
  // receiver.
  typename Atomics::template atomic<std::uint32_t> blocked_{0};

  // The head: written by the receiver (release: the cell is free again), read by producers that
  // find the ring full by the earlier one (acquire).
  alignas(cache_line) typename Atomics::template atomic<std::uint64_t> taken_{0};

  std::uint64_t settled_ = 0; // the receiver's: blocked producers know of what was freed up to here
};

} // namespace smarm::detail

#endif
