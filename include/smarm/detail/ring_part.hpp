// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A bounded channel's ring of cells, and the senders that wait for one of them. Every policy but
// overflow::drop_oldest is carried out here.

#ifndef SMARM_DETAIL_RING_PART_HPP
#define SMARM_DETAIL_RING_PART_HPP

#include <smarm/bounded.hpp>
#include <smarm/detail/blocked_senders.hpp>
#include <smarm/detail/bounded_ring.hpp>
#include <smarm/detail/message_list.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/detail/overflow_counters.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/trace.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

template <class T>
class ring_part {
public:
  using node = message_node<T>;
  // A cell that was claimed must be filled: what may throw as it is moved goes in a node.
  static constexpr bool boxed = !std::is_nothrow_move_constructible_v<T>;
  using cell = std::conditional_t<boxed, message_box<T>, T>;

  ring_part(const bounded& how, overflow_counters& counters)
      : policy_(how.when_full), counters_(counters), ring_(how.capacity) {}

  // ---- senders, any thread

  // errc{}: sent, or dropped. On any other result the value is as it was.
  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send(T& value, std::int64_t deadline) {
    if constexpr (boxed) {
      return send_boxed<Wait, Timed>(node::create_with(std::move(value)), &value, deadline);
    } else {
      return send_cell<Wait, Timed>(value, deadline);
    }
  }
  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send_copy(const T& value, std::int64_t deadline) {
    if constexpr (boxed) {
      return send_boxed<Wait, Timed>(node::create_with(value), nullptr, deadline);
    } else {
      T copy(value);
      return send_cell<Wait, Timed>(copy, deadline);
    }
  }

  [[nodiscard]] bool close_by_sender(registration& waiter) noexcept {
    return ring_.close_by_sender(waiter);
  }

  // ---- anybody

  [[nodiscard]] bool closed() const noexcept { return ring_.closed(); }
  [[nodiscard]] std::size_t size() const noexcept { return ring_.size(); }

  // ---- the receiver

  // The oldest message, or null if none can be seen.
  [[nodiscard]] SMARM_HOT_INLINE T* front() noexcept {
    cell* at = ring_.front();
    return SMARM_LIKELY(at != nullptr) ? &value_of(*at) : nullptr;
  }

  // The same, but null means that none is on its way either.
  [[nodiscard]] bool await() noexcept { return ring_.await_front() != nullptr; }

  // Takes front(), which is there. If its move throws, it stays.
  [[nodiscard]] SMARM_HOT_INLINE boost::system::result<T> take() {
    const std::uint64_t index = ring_.front_index();
    boost::system::result<T> taken(boost::system::in_place_value, std::move(*front()));
    if (is_tracing()) {
      trace_message(event_kind::receive, traced_as(index), typeid(T).name());
    }
    pop();
    return taken;
  }

  // The same, as a node; null: memory is exhausted, and it stays.
  [[nodiscard]] node* take_node() noexcept {
    cell& at = *ring_.front();
    node* taken = nullptr;
    if constexpr (boxed) {
      taken = at.release();
    } else {
      taken = node::create_with(std::move(at));
      if (taken == nullptr) {
        return nullptr;
      }
    }
    if (is_tracing()) {
      trace_passed_over(traced_as(ring_.front_index()), taken);
    }
    pop();
    return taken;
  }

  // Of the blocked senders, each that there is room for was woken as the room was made.
  [[nodiscard]] bool wait(registration receiver) noexcept { return ring_.wait(receiver); }
  [[nodiscard]] bool cancel_wait() noexcept { return ring_.cancel_wait(); }

  // No send succeeds any more; all who wait for room are woken.
  void close() noexcept {
    if (ring_.close()) {
      while (wake_one()) {
      }
    }
  }

  // Destroys what is left of a closed ring.
  void clear() noexcept {
    while (ring_.await_front() != nullptr) {
      ring_.pop();
    }
  }

private:
  using ring = basic_bounded_ring<cell, registration>;
  using senders = basic_blocked_senders<ring, registration, raw_lock>;

  // Waits for room.
  struct room_source {
    ring_part& of;
    senders::entry entry;
    bool counted = false;

    enrolment enroll(registration r) noexcept {
      entry.who = r;
      if (!of.blocked_.add(of.ring_, entry)) {
        return enrolment::ready;
      }
      if (!std::exchange(counted, true)) {
        overflow_counters::add(of.counters_.blocked);
      }
      return enrolment::enrolled;
    }
    bool satisfied() noexcept { return of.blocked_.taken(entry); }
    bool withdraw() noexcept { return of.blocked_.remove(of.ring_, entry); }
  };

  [[nodiscard]] static T& value_of(cell& at) noexcept {
    if constexpr (boxed) {
      return at.value();
    } else {
      return at;
    }
  }

  // What names the message at that index in a trace, until the ring has been filled some million times: no
  // address of anything has bits so high.
  [[nodiscard]] std::uint64_t traced_as(std::uint64_t index) const noexcept {
    constexpr unsigned index_bits = 23;
    const auto place = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&ring_));
    return place / cache_line << index_bits | (index & ((std::uint64_t{1} << index_bits) - 1));
  }

  [[nodiscard]] SMARM_HOT_INLINE errc push(cell& value) noexcept {
    registration waiter;
    push_result result{};
    const auto claimed = [this](std::uint64_t index) noexcept {
      if (is_tracing()) {
        trace_message(event_kind::send, traced_as(index), typeid(T).name());
      }
    };
    if constexpr (std::is_trivially_move_constructible_v<cell>) {
      result = ring_.try_push(value, waiter, claimed);
    } else {
      const quiet_allocation quiet; // the receiver may wait for the cell that the value moves into
      result = ring_.try_push(value, waiter, claimed);
    }
    switch (result) {
    case push_result::pushed: return errc{};
    case push_result::pushed_and_wake: wake(waiter); return errc{};
    case push_result::full: return errc::queue_full;
    case push_result::closed: break;
    }
    return errc::closed;
  }

  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send_cell(cell& value, std::int64_t deadline) {
    const errc result = push(value);
    return SMARM_LIKELY(result != errc::queue_full) ? result
                                                    : send_to_full<Wait, Timed>(value, deadline);
  }

  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_NOINLINE errc send_to_full(cell& value, std::int64_t deadline) {
    if (policy_ == overflow::drop_newest) {
      [[maybe_unused]] const cell dropped(std::move(value));
      overflow_counters::add(counters_.dropped_newest);
      return errc{};
    }
    if constexpr (Wait) {
      if (policy_ == overflow::block) {
        return send_when_room<Timed>(value, deadline);
      }
    }
    overflow_counters::add(counters_.refused);
    return errc::queue_full;
  }

  // The receiver, if it is an actor of the same runtime, does not run while the caller does.
  [[nodiscard]] static bool alone() noexcept {
    const scheduler* here = current_scheduler();
    return here != nullptr && here->solo;
  }

  template <bool Timed>
  [[nodiscard]] errc send_when_room(cell& value, std::int64_t deadline) {
    room_source source{*this, {}};
    for (;;) {
      if (!alone()) {
        ring_.await_room();
        if (const errc result = push(value); result != errc::queue_full) {
          return result;
        }
      }
      switch (wait_for_source<Timed>(source, wait_kind::room, deadline)) {
      case wait_end::ready: break;
      case wait_end::timed_out: return errc::timed_out;
      case wait_end::would_block: return errc::would_block_scheduler;
      }
      const errc result = push(value);
      if (result != errc::queue_full) {
        return result;
      }
    }
  }

  template <bool Wait, bool Timed>
  [[nodiscard]] errc send_boxed(node* with_value, T* came_from, std::int64_t deadline) {
    if (with_value == nullptr) {
      return errc::out_of_memory;
    }
    message_box<T> box(*with_value);
    // A stop leaves the value with its sender too.
    return_value back{box, came_from};
    const errc result = send_cell<Wait, Timed>(box, deadline);
    if (result == errc{}) {
      back.to = nullptr;
    } else {
      back.now();
    }
    return result;
  }

  struct return_value {
    message_box<T>& from;
    T* to;

    void now() {
      if (T* there = std::exchange(to, nullptr); there != nullptr) {
        give_back(*there, from.value());
      }
    }
    // An exception is on its way: one more is not let out.
    ~return_value() {
      try {
        now();
      } catch (...) {
      }
    }
  };

  // Frees the front cell and wakes one of those who wait for it. The fence in settle() cannot be
  // put off until the next message: the receiver may go on to wait for a blocked sender.
  SMARM_HOT_INLINE void pop() noexcept {
    ring_.pop();
    if (policy_ == overflow::block) {
      if (SMARM_UNLIKELY(ring_.settle())) {
        (void)wake_one();
      }
    } else if (ring_.settle_due()) {
      (void)ring_.settle();
    }
  }

  SMARM_NOINLINE bool wake_one() noexcept {
    registration who;
    if (!blocked_.take_first(ring_, who)) {
      return false;
    }
    wake(who);
    return true;
  }

  const overflow policy_;
  overflow_counters& counters_;
  ring ring_;
  senders blocked_{lock_class::channel};
};

} // namespace smarm::detail

#endif
