// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#ifndef SMARM_IMPL_CHANNEL_HPP
#define SMARM_IMPL_CHANNEL_HPP

#include <smarm/channel.hpp>

#include <smarm/detail/channel_core.hpp>
#include <smarm/detail/message_scan.hpp>
#include <smarm/detail/receive_source.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/this_actor.hpp>

#include <functional>

namespace smarm {

namespace detail {

// For what is built on channels.
struct channel_access {
  template <class T>
  [[nodiscard]] static std::pair<sender<T>, receiver<T>> ends(channel_core<T>* core) noexcept {
    static_assert(
        std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>,
        "smarm: a channel's messages are values: neither references nor arrays nor const");
    static_assert(std::is_move_constructible_v<T>, "smarm: a channel's messages must be movable");
    static_assert(std::is_nothrow_destructible_v<T>,
                  "smarm: a message's destructor must not throw");
    return {sender<T>(core), receiver<T>(core)};
  }
  template <class T>
  [[nodiscard]] static channel_core<T>* core(const receiver<T>& r) noexcept {
    return r.core_;
  }
  template <class T>
  [[nodiscard]] static channel_core<T>* core(const sender<T>& s) noexcept {
    return s.core_;
  }
};

// Receiving is a stop point and a checkpoint, whether it waits or not.
SMARM_HOT_INLINE void receive_point() {
  scheduler* here = current_scheduler();
  if (SMARM_LIKELY(here != nullptr && here->is_actor(here->current))) {
    slot& me = *here->current;
    if (SMARM_UNLIKELY(--here->checkpoints == 0)) {
      this_actor::impl::slice_check(*here, me);
      here = current_scheduler();
    }
    stop_point(*here, me);
  }
}

// A message was taken.
SMARM_HOT_INLINE void count_received() noexcept {
  scheduler* here = current_scheduler();
  if (SMARM_LIKELY(here != nullptr)) {
    std::atomic<std::uint64_t>& count = here->current->messages_received;
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
}

template <class T>
[[nodiscard]] boost::system::result<T> not_received(errc why) {
  return {boost::system::in_place_error, make_error_code(why)};
}

} // namespace detail

// ---- sender

template <class T>
sender<T>::sender(const sender& other) noexcept : core_(other.core_) {
  if (core_ != nullptr) {
    core_->add_sender();
  }
}

template <class T>
sender<T>::~sender() {
  if (core_ != nullptr) {
    core_->drop_sender();
  }
}

template <class T>
template <bool Wait, bool Timed, class Value>
SMARM_HOT_INLINE boost::system::result<void> sender<T>::transmit(Value& value,
                                                                    std::int64_t deadline) const {
  errc result = errc::closed;
  if (SMARM_LIKELY(core_ != nullptr)) {
    if constexpr (std::is_const_v<Value>) {
      result = core_->template send_copy<Wait, Timed>(value, deadline);
    } else {
      result = core_->template send<Wait, Timed>(value, deadline);
    }
  }
  if (SMARM_LIKELY(result == errc{})) {
    return {};
  }
  return make_error_code(result);
}

template <class T>
boost::system::result<void> sender<T>::send(T&& value) const {
  return transmit<true, false>(value, detail::no_deadline);
}
template <class T>
boost::system::result<void> sender<T>::send(const T& value) const {
  return transmit<true, false>(value, detail::no_deadline);
}

template <class T>
template <class Rep, class Period>
boost::system::result<void>
sender<T>::send_for(T&& value, const std::chrono::duration<Rep, Period>& limit) const {
  return transmit<true, true>(value, detail::deadline_after(limit));
}
template <class T>
template <class Rep, class Period>
boost::system::result<void>
sender<T>::send_for(const T& value, const std::chrono::duration<Rep, Period>& limit) const {
  return transmit<true, true>(value, detail::deadline_after(limit));
}

template <class T>
template <class Duration>
boost::system::result<void> sender<T>::send_until(
    T&& value, const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) const {
  return transmit<true, true>(value, detail::deadline_of(deadline));
}
template <class T>
template <class Duration>
boost::system::result<void> sender<T>::send_until(
    const T& value,
    const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) const {
  return transmit<true, true>(value, detail::deadline_of(deadline));
}

template <class T>
boost::system::result<void> sender<T>::try_send(T&& value) const {
  return transmit<false, false>(value, detail::no_deadline);
}
template <class T>
boost::system::result<void> sender<T>::try_send(const T& value) const {
  return transmit<false, false>(value, detail::no_deadline);
}

template <class T>
bool sender<T>::closed() const noexcept {
  return core_ == nullptr || core_->closed();
}

template <class T>
overflow_counts sender<T>::overflows() const noexcept {
  return core_ != nullptr && core_->bound != nullptr ? core_->bound->counts() : overflow_counts{};
}

// ---- receiver

template <class T>
receiver<T>::~receiver() {
  if (core_ != nullptr) {
    core_->drop_receiver();
  }
}

template <class T>
template <bool Timed>
SMARM_HOT_INLINE boost::system::result<T> receiver<T>::receive(std::int64_t deadline) {
  detail::channel_core<T>* core = core_;
  if (SMARM_UNLIKELY(core == nullptr)) {
    return detail::not_received<T>(errc::closed);
  }
  detail::receive_point();
  detail::receive_source<T> source{*core};
  while (SMARM_UNLIKELY(!core->fetch())) {
    const detail::wait_end end =
        detail::wait_for_source<Timed>(source, detail::wait_kind::message, deadline);
    if (SMARM_LIKELY(end == detail::wait_end::ready && core->fetch())) {
      break;
    }
    if (end == detail::wait_end::timed_out) {
      return detail::not_received<T>(errc::timed_out);
    }
    const bool closed = core->closed(); // and then nothing comes that cannot be seen below
    if (core->await()) {
      break;
    }
    if (closed || end == detail::wait_end::would_block) {
      return detail::not_received<T>(closed ? errc::closed : errc::would_block_scheduler);
    }
    detail::refuse_second_receiver();
  }
  detail::count_received();
  return core->take();
}

template <class T>
SMARM_HOT_INLINE boost::system::result<T> receiver<T>::recv() {
  return receive<false>(detail::no_deadline);
}

template <class T>
template <class Rep, class Period>
boost::system::result<T> receiver<T>::recv_for(const std::chrono::duration<Rep, Period>& limit) {
  return receive<true>(detail::deadline_after(limit));
}

template <class T>
template <class Duration>
boost::system::result<T> receiver<T>::recv_until(
    const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) {
  return receive<true>(detail::deadline_of(deadline));
}

template <class T>
boost::system::result<T> receiver<T>::try_recv() {
  detail::channel_core<T>* core = core_;
  if (core == nullptr) {
    return detail::not_received<T>(errc::closed);
  }
  if (!core->fetch()) {
    const bool closed = core->closed();
    if (!core->await()) {
      return detail::not_received<T>(closed ? errc::closed : errc::empty);
    }
  }
  detail::count_received();
  return core->take();
}

template <class T>
template <bool Wait, bool Timed, class Predicate>
boost::system::result<T> receiver<T>::receive_match(Predicate& matches, std::int64_t deadline) {
  if (core_ == nullptr) {
    return detail::not_received<T>(errc::closed);
  }
  if constexpr (Wait) {
    detail::receive_point();
  }
  detail::message_scan<T> scan(*core_);
  for (bool told = false;;) { // told: that there is something to look at
    while (T* message = scan.next()) {
      told = false;
      if (std::invoke(matches, std::as_const(*message))) {
        detail::count_received();
        return scan.take();
      }
      if (!scan.pass()) {
        return detail::not_received<T>(errc::out_of_memory);
      }
    }
    const bool closed = core_->closed();
    if (scan.await()) {
      continue;
    }
    if (closed) {
      return detail::not_received<T>(errc::closed);
    }
    if constexpr (!Wait) {
      return detail::not_received<T>(errc::empty);
    } else {
      if (told) {
        detail::refuse_second_receiver();
      }
      switch (detail::wait_for_source<Timed>(scan, detail::wait_kind::message, deadline)) {
      case detail::wait_end::ready: told = true; break;
      case detail::wait_end::timed_out: return detail::not_received<T>(errc::timed_out);
      case detail::wait_end::would_block:
        return detail::not_received<T>(errc::would_block_scheduler);
      }
    }
  }
}

template <class T>
template <class Predicate>
boost::system::result<T> receiver<T>::recv_match(Predicate&& matches) {
  return receive_match<true, false>(matches, detail::no_deadline);
}

template <class T>
template <class Predicate, class Rep, class Period>
boost::system::result<T>
receiver<T>::recv_match_for(Predicate&& matches, const std::chrono::duration<Rep, Period>& limit) {
  return receive_match<true, true>(matches, detail::deadline_after(limit));
}

template <class T>
template <class Predicate, class Duration>
boost::system::result<T> receiver<T>::recv_match_until(
    Predicate&& matches,
    const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) {
  return receive_match<true, true>(matches, detail::deadline_of(deadline));
}

template <class T>
template <class Predicate>
boost::system::result<T> receiver<T>::try_recv_match(Predicate&& matches) {
  return receive_match<false, false>(matches, detail::no_deadline);
}

template <class T>
bool receiver<T>::closed() const noexcept {
  return core_ == nullptr || core_->closed();
}

template <class T>
overflow_counts receiver<T>::overflows() const noexcept {
  return core_ != nullptr && core_->bound != nullptr ? core_->bound->counts() : overflow_counts{};
}

// ---- channel

template <class T>
std::pair<sender<T>, receiver<T>> channel() {
  return detail::channel_access::ends(new detail::channel_core<T>);
}

template <class T>
std::pair<sender<T>, receiver<T>> channel(const bounded& how) {
  detail::check_bound(how);
  return detail::channel_access::ends(new detail::channel_core<T>(how));
}

} // namespace smarm

#endif
