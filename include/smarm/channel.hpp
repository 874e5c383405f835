// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Channels: how actors and threads send each other values. channel<T>() makes one end to send with,
// which may be copied, and one end to receive with, which may be handed on. Messages of one sender
// arrive in the order in which they were sent.

#ifndef SMARM_CHANNEL_HPP
#define SMARM_CHANNEL_HPP

#include <smarm/bounded.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {
template <class T>
class channel_core;
struct channel_access;
} // namespace detail

// The end that sends; each copy is a sender of its own. While one exists the channel is open. Works
// from actors of any runtime, from plain threads, and in scheduler context, where it fails with
// errc::would_block_scheduler instead of waiting. One that was moved from behaves as if the receiver
// were gone. A send that fails leaves the value with the caller.
template <class T>
class sender {
public:
  sender() noexcept = default;
  sender(const sender& other) noexcept;
  sender(sender&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  sender& operator=(sender other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~sender(); // of the last one: closes the channel and wakes the receiver

  // Queues a message. Waits only where the channel is bounded, full, and its policy is
  // overflow::block; only then does it suspend and is it a stop point. Errors: closed, queue_full
  // (overflow::fail), out_of_memory, would_block_scheduler. Constant time.
  [[nodiscard]] boost::system::result<void> send(T&& value) const;
  [[nodiscard]] boost::system::result<void> send(const T& value) const;

  // The same, and waits for room no longer than that: errc::timed_out.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<void>
  send_for(T&& value, const std::chrono::duration<Rep, Period>& limit) const;
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<void>
  send_for(const T& value, const std::chrono::duration<Rep, Period>& limit) const;
  template <class Duration>
  [[nodiscard]] boost::system::result<void>
  send_until(T&& value,
             const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) const;
  template <class Duration>
  [[nodiscard]] boost::system::result<void>
  send_until(const T& value,
             const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) const;

  // The same without waiting: errc::queue_full. Neither suspends nor is a stop point.
  [[nodiscard]] boost::system::result<void> try_send(T&& value) const;
  [[nodiscard]] boost::system::result<void> try_send(const T& value) const;

  // True when the receiver is gone: no send will succeed any more. Does not suspend.
  [[nodiscard]] bool closed() const noexcept;

  // How often the channel was full so far. Does not suspend.
  [[nodiscard]] overflow_counts overflows() const noexcept;

private:
  friend struct detail::channel_access;
  explicit sender(detail::channel_core<T>* core) noexcept : core_(core) {}

  template <bool Wait, bool Timed, class Value>
  [[nodiscard]] boost::system::result<void> transmit(Value& value, std::int64_t deadline) const;

  detail::channel_core<T>* core_ = nullptr; // one of its senders, or null
};

// The end that receives: one actor or thread at a time, but it may be moved to another. When it
// goes, sends fail, and what is queued is destroyed by whoever lets it go. One that was moved from
// behaves as if the channel were closed and empty.
template <class T>
class receiver {
public:
  receiver() noexcept = default;
  receiver(receiver&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  receiver& operator=(receiver&& other) noexcept {
    receiver gone(std::move(other));
    std::swap(core_, gone.core_);
    return *this;
  }
  ~receiver();

  // Takes the oldest message, waits while there is none. Suspends. A stop point and a checkpoint,
  // even if a message is there; a stop takes none. If moving the message out throws, it stays.
  // Errors: closed (every sender is gone and nothing is left), would_block_scheduler. Throws
  // boost::system::system_error with errc::already_waiting if somebody else waits here. Constant time.
  [[nodiscard]] boost::system::result<T> recv();

  // The same, and waits no longer than that: errc::timed_out. A message that is there wins over a
  // deadline that has passed.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<T> recv_for(const std::chrono::duration<Rep, Period>& limit);
  template <class Duration>
  [[nodiscard]] boost::system::result<T>
  recv_until(const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline);

  // The same without waiting: errc::empty. Neither suspends nor is a stop point.
  [[nodiscard]] boost::system::result<T> try_recv();

  // Takes the oldest message for which matches(message) is true, waits while there is none; the
  // others keep their order. Looks at each message once, so its cost is linear in what is queued.
  // The predicate is called with a constant reference, under no lock; it may throw, which takes
  // nothing, but not use this receiver. Suspends. A stop point and a checkpoint. Errors: closed
  // (every sender is gone and nothing left matches), would_block_scheduler; of a bounded channel,
  // whose messages it sets aside as it passes them over, also out_of_memory.
  template <class Predicate>
  [[nodiscard]] boost::system::result<T> recv_match(Predicate&& matches);
  template <class Predicate, class Rep, class Period>
  [[nodiscard]] boost::system::result<T>
  recv_match_for(Predicate&& matches, const std::chrono::duration<Rep, Period>& limit);
  template <class Predicate, class Duration>
  [[nodiscard]] boost::system::result<T>
  recv_match_until(Predicate&& matches,
                   const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline);

  // The same without waiting: errc::empty. Neither suspends nor is a stop point.
  template <class Predicate>
  [[nodiscard]] boost::system::result<T> try_recv_match(Predicate&& matches);

  // True when every sender is gone: what is queued is all there will be. Does not suspend.
  [[nodiscard]] bool closed() const noexcept;

  // As the sender's.
  [[nodiscard]] overflow_counts overflows() const noexcept;

private:
  friend struct detail::channel_access;
  explicit receiver(detail::channel_core<T>* core) noexcept : core_(core) {}

  template <bool Timed>
  [[nodiscard]] boost::system::result<T> receive(std::int64_t deadline);
  template <bool Wait, bool Timed, class Predicate>
  [[nodiscard]] boost::system::result<T> receive_match(Predicate& matches, std::int64_t deadline);

  detail::channel_core<T>* core_ = nullptr; // its receiver, or null
};

// An unbounded channel: a send never waits, and memory is the limit. Throws std::bad_alloc.
template <class T>
[[nodiscard]] std::pair<sender<T>, receiver<T>> channel();

// A channel that holds so many messages. Throws std::bad_alloc, and boost::system::system_error with
// errc::invalid_config for a capacity out of range.
template <class T>
[[nodiscard]] std::pair<sender<T>, receiver<T>> channel(const bounded& how);

} // namespace smarm

#include <smarm/impl/channel.hpp>

#endif
