// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a bounded channel has in place of the inbox: a ring of cells and the list of the senders that
// wait for one, or, if the oldest message is dropped, a queue under a lock. Besides, the messages
// that a selective receive has passed over: they are the receiver's alone, and take no room.

#ifndef SMARM_DETAIL_BOUNDED_PART_HPP
#define SMARM_DETAIL_BOUNDED_PART_HPP

#include <smarm/bounded.hpp>
#include <smarm/detail/blocked_senders.hpp>
#include <smarm/detail/bounded_ring.hpp>
#include <smarm/detail/dropping_queue.hpp>
#include <smarm/detail/message_list.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/detail/overflow_counters.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// Throws boost::system::system_error, errc::invalid_config, if it is out of range.
void check_bound(const bounded& how);

template <class T>
class bounded_part {
public:
  using node = message_node<T>;
  // A cell that was claimed must be filled: what may throw as it is moved goes in a node.
  static constexpr bool boxed = !std::is_nothrow_move_constructible_v<T>;
  using cell = std::conditional_t<boxed, message_box<T>, T>;

  explicit bounded_part(const bounded& how) : policy_(how.when_full), capacity_(how.capacity) {
    if (drops_oldest()) {
      queue_.emplace(capacity_, lock_class::channel);
    } else {
      ring_.emplace(capacity_);
    }
  }

  // ---- senders, any thread

  // errc{}: sent. On any other result the value is as it was.
  template <bool Wait, bool Timed>
  [[nodiscard]] errc send(T& value, std::int64_t deadline) {
    if (SMARM_UNLIKELY(drops_oldest())) {
      return send_dropping(node::create_with(std::move(value)), &value);
    }
    if constexpr (boxed) {
      return send_boxed<Wait, Timed>(node::create_with(std::move(value)), &value, deadline);
    } else {
      return send_cell<Wait, Timed>(value, deadline);
    }
  }
  template <bool Wait, bool Timed>
  [[nodiscard]] errc send_copy(const T& value, std::int64_t deadline) {
    if (SMARM_UNLIKELY(drops_oldest())) {
      return send_dropping(node::create_with(value), nullptr);
    }
    if constexpr (boxed) {
      return send_boxed<Wait, Timed>(node::create_with(value), nullptr, deadline);
    } else {
      T copy(value);
      return send_cell<Wait, Timed>(copy, deadline);
    }
  }

  [[nodiscard]] bool close_by_sender(registration& waiter) noexcept {
    return queue_ ? queue_->close_by_sender(waiter) : ring_->close_by_sender(waiter);
  }

  // ---- anybody

  [[nodiscard]] bool closed() noexcept { return queue_ ? queue_->closed() : ring_->closed(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] overflow_counts counts() const noexcept { return counters_.read(); }

  // ---- the receiver

  // Something can be taken at once.
  [[nodiscard]] bool ready() noexcept {
    return passed_over.first() != nullptr || more();
  }

  // The same, and makes it the next that take() takes.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool fetch() noexcept {
    if (SMARM_LIKELY(!drops_oldest())) {
      return SMARM_LIKELY(ring_->front() != nullptr) || passed_over.first() != nullptr;
    }
    return passed_over.first() != nullptr || fetch_from_queue();
  }

  // As fetch(), but false means that nothing is on its way either.
  [[nodiscard]] bool await() noexcept {
    return passed_over.first() != nullptr ||
           (queue_ ? fetch_from_queue() : ring_->await_front() != nullptr);
  }

  // After fetch().
  [[nodiscard]] SMARM_ALWAYS_INLINE boost::system::result<T> take() {
    if (SMARM_UNLIKELY(passed_over.first() != nullptr)) {
      return passed_over.take_after(nullptr);
    }
    return take_from_ring();
  }

  [[nodiscard]] bool wait(const registration& receiver) noexcept {
    // Of blocked senders each that there is room for has been woken as the room was made.
    return passed_over.first() == nullptr && wait_for_more(receiver);
  }
  // The same, whatever was passed over.
  [[nodiscard]] bool wait_for_more(const registration& receiver) noexcept {
    return queue_ ? queue_->wait(receiver) : ring_->wait(receiver);
  }
  [[nodiscard]] bool cancel_wait() noexcept {
    return queue_ ? queue_->cancel_wait() : ring_->cancel_wait();
  }

  // No send succeeds any more; destroys what is queued.
  void close() noexcept {
    if (queue_) {
      queue_->close();
    } else if (ring_->close()) {
      while (wake_one()) {
      }
    }
    passed_over.clear();
    if (queue_) {
      while (node* rest = queue_->take()) {
        node::destroy(rest);
      }
    } else {
      while (ring_->await_front() != nullptr) {
        ring_->pop();
      }
    }
  }

  // ---- the receiver, choosing; see message_scan.hpp

  // The oldest value in the ring, or null. A dropping queue has its messages fetched instead.
  [[nodiscard]] T* front() noexcept {
    if (queue_) {
      return nullptr;
    }
    cell* at = ring_->front();
    return at != nullptr ? &value_of(*at) : nullptr;
  }
  [[nodiscard]] bool fetch_from_queue() noexcept {
    node* taken = queue_ ? queue_->take() : nullptr;
    if (taken == nullptr) {
      return false;
    }
    passed_over.append(*taken);
    return true;
  }
  // Something can be seen that was not passed over.
  [[nodiscard]] bool more() noexcept {
    return queue_ ? !queue_->empty() : ring_->front() != nullptr;
  }
  [[nodiscard]] bool await_more() noexcept {
    return queue_ ? !queue_->empty() : ring_->await_front() != nullptr;
  }
  // Moves front() behind what was passed over. False: memory is exhausted, nothing was changed.
  [[nodiscard]] bool pass_over_front() noexcept {
    cell& at = *ring_->front();
    node* aside = nullptr;
    if constexpr (boxed) {
      aside = at.release();
    } else {
      aside = node::create_with(std::move(at));
      if (aside == nullptr) {
        return false;
      }
    }
    passed_over.append(*aside);
    pop();
    return true;
  }
  [[nodiscard]] SMARM_ALWAYS_INLINE boost::system::result<T> take_from_ring() {
    // If the move throws, the message stays where it is.
    boost::system::result<T> taken(boost::system::in_place_value,
                                   std::move(value_of(*ring_->front())));
    pop();
    return taken;
  }

  message_list<T> passed_over;

private:
  using ring = basic_bounded_ring<cell, registration>;
  using senders = basic_blocked_senders<ring, registration, raw_lock>;

  // Waits for room.
  struct room_source {
    bounded_part& of;
    senders::entry entry;

    enrolment enroll(const registration& r) noexcept {
      entry.who = r;
      const bool first_time = entry.place == 0;
      if (!of.blocked_.add(*of.ring_, entry)) {
        return enrolment::ready;
      }
      if (first_time) {
        overflow_counters::add(of.counters_.blocked);
      }
      return enrolment::enrolled;
    }
    bool satisfied() noexcept { return of.blocked_.taken(entry); }
    bool withdraw() noexcept { return of.blocked_.remove(*of.ring_, entry); }
  };

  [[nodiscard]] bool drops_oldest() const noexcept { return policy_ == overflow::drop_oldest; }

  [[nodiscard]] static T& value_of(cell& at) noexcept {
    if constexpr (boxed) {
      return at.value();
    } else {
      return at;
    }
  }

  [[nodiscard]] SMARM_ALWAYS_INLINE errc push(cell& value) noexcept {
    registration waiter;
    push_result result{};
    if constexpr (std::is_trivially_move_constructible_v<cell>) {
      result = ring_->try_push(value, waiter);
    } else {
      const quiet_allocation quiet; // the receiver may wait for the cell that the value moves into
      result = ring_->try_push(value, waiter);
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
  [[nodiscard]] SMARM_ALWAYS_INLINE errc send_cell(cell& value, std::int64_t deadline) {
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

  template <bool Timed>
  [[nodiscard]] errc send_when_room(cell& value, std::int64_t deadline) {
    room_source source{*this, {}};
    for (;;) {
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

  [[nodiscard]] errc send_dropping(node* with_value, T* came_from) {
    if (with_value == nullptr) {
      return errc::out_of_memory;
    }
    message_box<T> box(*with_value);
    registration waiter;
    node* dropped = nullptr;
    const push_result result = queue_->push(*with_value, waiter, dropped);
    if (result == push_result::closed) {
      if (came_from != nullptr) {
        give_back(*came_from, box.value());
      }
      return errc::closed;
    }
    (void)box.release();
    if (result == push_result::pushed_and_wake) {
      wake(waiter);
    }
    if (dropped != nullptr) {
      overflow_counters::add(counters_.dropped_oldest);
      node::destroy(dropped);
    }
    return errc{};
  }

  // Frees the front cell and wakes one of those who wait for it. The fence in settle() cannot be
  // put off until the next message: the receiver may go on to wait for a blocked sender.
  SMARM_ALWAYS_INLINE void pop() noexcept {
    ring_->pop();
    if (policy_ == overflow::block) {
      if (SMARM_UNLIKELY(ring_->settle())) {
        (void)wake_one();
      }
    } else if (ring_->settle_due()) {
      (void)ring_->settle();
    }
  }

  SMARM_NOINLINE bool wake_one() noexcept {
    registration who;
    if (!blocked_.take_first(*ring_, who)) {
      return false;
    }
    wake(who);
    return true;
  }

  const overflow policy_;
  const std::size_t capacity_;
  std::optional<ring> ring_; // unless drop_oldest
  std::optional<basic_dropping_queue<node, registration, raw_lock>> queue_;
  senders blocked_{lock_class::channel};
  overflow_counters counters_;
};

} // namespace smarm::detail

#endif
