// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the senders and the receiver of a channel share. Unbounded: an inbox of nodes. Bounded: what
// bounded_part.hpp says.

#ifndef SMARM_DETAIL_CHANNEL_CORE_HPP
#define SMARM_DETAIL_CHANNEL_CORE_HPP

#include <smarm/detail/bounded_part.hpp>
#include <smarm/detail/channel_counts.hpp>
#include <smarm/detail/inbox.hpp>
#include <smarm/detail/message_list.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/detail/stops_later.hpp>
#include <smarm/detail/trace.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>

namespace smarm::detail {

template <class T>
class channel_core {
public:
  using node = message_node<T>;
  using inbox_type = basic_inbox<node, registration>;

  channel_core() = default;
  explicit channel_core(const bounded& how) : bound(std::make_unique<bounded_part<T>>(how)) {}
  ~channel_core() { node::release(inbox.retained()); }

  // ---- senders, any thread

  // errc{}: sent. On any other result the value is as it was.
  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send(T& value, std::int64_t deadline) {
    if (SMARM_UNLIKELY(bound != nullptr)) {
      return bound->template send<Wait, Timed>(value, deadline);
    }
    if constexpr (!std::is_trivially_copyable_v<T>) {
      if (SMARM_UNLIKELY(inbox.closed())) { // or it would be moved there and back
        return errc::closed;
      }
    }
    node* message = node::create_with(std::move(value));
    const errc result = push(message);
    if (SMARM_UNLIKELY(result != errc{}) && message != nullptr) {
      take_back(*message, value);
    }
    return result;
  }
  template <bool Wait, bool Timed>
  [[nodiscard]] SMARM_HOT_INLINE errc send_copy(const T& value, std::int64_t deadline) {
    if (SMARM_UNLIKELY(bound != nullptr)) {
      return bound->template send_copy<Wait, Timed>(value, deadline);
    }
    node* message = node::create_with(value);
    const errc result = push(message);
    if (SMARM_UNLIKELY(result != errc{}) && message != nullptr) {
      node::destroy(message);
    }
    return result;
  }

  // Queues what was made beforehand, so that no memory is needed now. The node is the channel's: it is
  // destroyed if the receiver is gone, and that is what false means. Unbounded channels only.
  bool deliver(node& message) noexcept {
    if (push(&message) == errc{}) {
      return true;
    }
    node::destroy(&message);
    return false;
  }

  void add_sender() noexcept { counts_.add_sender(); }
  void drop_sender() noexcept {
    if (!counts_.drop_sender()) {
      return;
    }
    registration waiter;
    if (bound != nullptr ? bound->close_by_sender(waiter) : inbox.close_by_sender(waiter)) {
      wake(waiter);
    }
    drop_share();
  }

  // ---- anybody

  // No more messages will come: the receiver is gone, or the last sender.
  [[nodiscard]] bool closed() const noexcept {
    return SMARM_UNLIKELY(bound != nullptr) ? bound->closed() : inbox.closed();
  }

  // What is queued, but for what a bounded channel's selective receive has passed over.
  [[nodiscard]] std::size_t queued() const noexcept {
    return bound != nullptr ? bound->size() : inbox.size();
  }

  // ---- the receiver

  // A receive would return at once, with a message or because the channel is closed.
  [[nodiscard]] bool ready() noexcept {
    return (SMARM_UNLIKELY(bound != nullptr) ? bound->ready() : inbox.front() != nullptr) ||
           closed();
  }

  // There is a message for take().
  [[nodiscard]] SMARM_HOT_INLINE bool fetch() noexcept {
    return SMARM_UNLIKELY(bound != nullptr) ? bound->fetch() : inbox.front() != nullptr;
  }

  // As fetch(), but false means that nothing is on its way either.
  [[nodiscard]] bool await() noexcept {
    return bound != nullptr ? bound->await() : inbox.await_front() != nullptr;
  }

  // After fetch(). If moving the message out throws, it stays where it is.
  [[nodiscard]] SMARM_HOT_INLINE boost::system::result<T> take() {
    if (SMARM_UNLIKELY(bound != nullptr)) {
      return bound->take();
    }
    node& front = *inbox.front();
    if (is_tracing()) {
      trace_message(event_kind::receive, &front, typeid(T).name());
    }
    boost::system::result<T> taken(boost::system::in_place_value, std::move(front.value));
    std::destroy_at(std::addressof(front.value));
    node::release(inbox.advance());
    return taken;
  }

  // The receiver goes: nothing is sent any more, and what is queued is destroyed, under no lock. A
  // destructor that waits meets no stop, which could not leave it.
  void drop_receiver() noexcept {
    [[maybe_unused]] std::conditional_t<std::is_trivially_destructible_v<T>, std::monostate,
                                        const stops_later> masked;
    if (bound != nullptr) {
      bound->close();
    } else {
      inbox.close();
      while (node* rest = inbox.await_front()) {
        std::destroy_at(std::addressof(rest->value));
        node::release(inbox.advance());
      }
    }
    drop_share();
  }

  inbox_type inbox; // unless bounded
  const std::unique_ptr<bounded_part<T>> bound;

private:
  [[nodiscard]] SMARM_HOT_INLINE errc push(node* message) noexcept {
    if (SMARM_UNLIKELY(message == nullptr)) {
      return errc::out_of_memory;
    }
    if (is_tracing()) {
      trace_message(event_kind::send, message, typeid(T).name());
    }
    registration waiter;
    switch (inbox.push(*message, waiter)) {
    case push_result::pushed: return errc{};
    case push_result::pushed_and_wake: wake(waiter); return errc{};
    default: return errc::closed;
    }
  }

  // The receiver went between the look and the push.
  SMARM_NOINLINE static void take_back(node& message, T& value) {
    const message_box<T> box(message); // frees it, whatever the move does
    give_back(value, message.value);
  }

  void drop_share() noexcept {
    if (counts_.drop_share()) {
      delete this;
    }
  }

  basic_channel_counts<> counts_;
};

} // namespace smarm::detail

#endif
