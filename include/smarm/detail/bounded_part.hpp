// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a bounded channel has in place of the inbox: a ring, or, if the oldest message is dropped, a
// queue under a lock. Besides, the messages that a selective receive has passed over: they are the
// receiver's alone, and take no room.

#ifndef SMARM_DETAIL_BOUNDED_PART_HPP
#define SMARM_DETAIL_BOUNDED_PART_HPP

#include <smarm/bounded.hpp>
#include <smarm/detail/dropping_queue.hpp>
#include <smarm/detail/message_list.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/detail/overflow_counters.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/ring_part.hpp>
#include <smarm/detail/trace.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <optional>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

// Throws boost::system::system_error, errc::invalid_config, if it is out of range.
void check_bound(const bounded& how);

template <class T>
class bounded_part {
public:
  using node = message_node<T>;

  explicit bounded_part(const bounded& how) {
    if (how.when_full == overflow::drop_oldest) {
      queue_.emplace(how.capacity, lock_class::channel);
    } else {
      ring_.emplace(how, counters_);
    }
  }

  // ---- senders, any thread

  // errc{}: sent. On any other result the value is as it was.
  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send(T& value, std::int64_t deadline) {
    if (SMARM_LIKELY(ring_.has_value())) {
      return ring_->template send<Wait, Timed>(value, deadline);
    }
    return send_dropping(node::create_with(std::move(value)), &value);
  }
  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send_copy(const T& value, std::int64_t deadline) {
    if (SMARM_LIKELY(ring_.has_value())) {
      return ring_->template send_copy<Wait, Timed>(value, deadline);
    }
    return send_dropping(node::create_with(value), nullptr);
  }

  [[nodiscard]] bool close_by_sender(registration& waiter) noexcept {
    return ring_ ? ring_->close_by_sender(waiter) : queue_->close_by_sender(waiter);
  }

  // ---- anybody

  [[nodiscard]] bool closed() noexcept { return ring_ ? ring_->closed() : queue_->closed(); }
  // What takes room.
  [[nodiscard]] std::size_t size() noexcept { return ring_ ? ring_->size() : queue_->size(); }
  [[nodiscard]] overflow_counts counts() noexcept {
    overflow_counts all = counters_.read();
    if (queue_) {
      all.dropped_oldest = queue_->dropped();
    }
    return all;
  }

  // ---- the receiver

  // Something can be taken at once.
  [[nodiscard]] bool ready() noexcept { return passed_over.first() != nullptr || more(); }

  // The same, and makes it the next that take() takes.
  [[nodiscard]] SMARM_HOT_INLINE bool fetch() noexcept {
    if (SMARM_LIKELY(ring_.has_value())) {
      return SMARM_LIKELY(ring_->front() != nullptr) || passed_over.first() != nullptr;
    }
    return passed_over.first() != nullptr || fetch_from_queue();
  }

  // As fetch(), but false means that nothing is on its way either.
  [[nodiscard]] bool await() noexcept {
    return passed_over.first() != nullptr || (ring_ ? ring_->await() : fetch_from_queue());
  }

  // After fetch(). If moving it out throws, it stays. Not inlined: recv is, everywhere.
  [[nodiscard]] SMARM_NOINLINE boost::system::result<T> take() {
    if (SMARM_UNLIKELY(passed_over.first() != nullptr)) {
      return passed_over.take_after(nullptr);
    }
    return ring_->take();
  }

  [[nodiscard]] bool wait(registration receiver) noexcept {
    return passed_over.first() == nullptr && wait_for_more(receiver);
  }
  // The same, whatever was passed over.
  [[nodiscard]] bool wait_for_more(registration receiver) noexcept {
    return ring_ ? ring_->wait(receiver) : queue_->wait(receiver);
  }
  [[nodiscard]] bool cancel_wait() noexcept {
    return ring_ ? ring_->cancel_wait() : queue_->cancel_wait();
  }

  // No send succeeds any more; destroys what is queued, oldest first.
  void close() noexcept {
    ring_ ? ring_->close() : queue_->close();
    passed_over.clear();
    if (ring_) {
      ring_->clear();
      return;
    }
    while (node* rest = queue_->take()) {
      node::destroy(rest);
    }
  }

  // ---- the receiver, choosing; see message_scan.hpp

  // Something can be seen that was not passed over.
  [[nodiscard]] bool more() noexcept {
    return ring_ ? ring_->front() != nullptr : !queue_->empty();
  }
  [[nodiscard]] bool await_more() noexcept { return ring_ ? ring_->await() : !queue_->empty(); }

  // The oldest message in the ring, or null. A dropping queue has its messages fetched instead.
  [[nodiscard]] T* front() noexcept { return ring_ ? ring_->front() : nullptr; }
  [[nodiscard]] boost::system::result<T> take_front() { return ring_->take(); }

  // Sets front() aside. False: memory is exhausted, nothing was changed.
  [[nodiscard]] bool pass_over_front() noexcept { return set_aside(ring_->take_node()); }

  // Sets the oldest of the dropping queue aside, where it can be looked at in peace.
  [[nodiscard]] bool fetch_from_queue() noexcept { return queue_ && set_aside(queue_->take()); }

  message_list<T> passed_over;

private:
  [[nodiscard]] bool set_aside(node* taken) noexcept {
    if (taken != nullptr) {
      passed_over.append(*taken);
    }
    return taken != nullptr;
  }

  [[nodiscard]] SMARM_NOINLINE errc send_dropping(node* with_value, T* came_from) {
    if (with_value == nullptr) {
      return errc::out_of_memory;
    }
    message_box<T> box(*with_value);
    if (is_tracing()) {
      trace_message(event_kind::send, with_value, typeid(T).name());
    }
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
    // The message may have held the last sender: the channel may be gone.
    if (dropped != nullptr) {
      node::destroy(dropped);
    }
    return errc{};
  }

  overflow_counters counters_;
  std::optional<ring_part<T>> ring_; // unless drop_oldest
  std::optional<basic_dropping_queue<node, registration, raw_lock>> queue_;
};

} // namespace smarm::detail

#endif
