// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One selective receive: looks at each queued message once, in order, then waits for more and goes
// on behind what it has seen. Also the wait source for that. An unbounded channel's messages stay in
// place; a bounded one's that are passed over are set aside.

#ifndef SMARM_DETAIL_MESSAGE_SCAN_HPP
#define SMARM_DETAIL_MESSAGE_SCAN_HPP

#include <smarm/detail/channel_core.hpp>
#include <smarm/detail/wait.hpp>

#include <boost/system/result.hpp>

#include <memory>
#include <utility>

namespace smarm::detail {

template <class T>
class message_scan {
public:
  explicit message_scan(channel_core<T>& core) noexcept
      : core_(core), position_(&core.inbox.before_front()) {}

  // The next one that was not looked at; null if none can be seen.
  [[nodiscard]] T* next() noexcept {
    if (bounded_part<T>* bound = core_.bound.get()) {
      in_ring_ = false;
      if (node* n = bound->passed_over.after(passed_); n != nullptr) {
        return &n->value;
      }
      if (T* front = bound->front(); front != nullptr) {
        in_ring_ = true;
        return front;
      }
      return bound->fetch_from_queue() ? &bound->passed_over.after(passed_)->value : nullptr;
    }
    node* n = core_.inbox.after(*position_);
    return n != nullptr ? &n->value : nullptr;
  }

  // After next(): not this one. False: there is no memory to set it aside, and it stays the next.
  [[nodiscard]] bool pass() noexcept {
    if (bounded_part<T>* bound = core_.bound.get()) {
      if (in_ring_ && !bound->pass_over_front()) {
        return false;
      }
      passed_ = bound->passed_over.after(passed_);
    } else {
      position_ = core_.inbox.after(*position_);
    }
    return true;
  }

  // After next(): this one. If moving it out throws, it stays.
  [[nodiscard]] boost::system::result<T> take() {
    if (bounded_part<T>* bound = core_.bound.get()) {
      return in_ring_ ? bound->take_front() : bound->passed_over.take_after(passed_);
    }
    if (position_ == &core_.inbox.before_front()) {
      return core_.take();
    }
    if (is_tracing()) {
      trace_message(event_kind::receive, core_.inbox.after(*position_), typeid(T).name());
    }
    boost::system::result<T> taken(boost::system::in_place_value,
                                   std::move(core_.inbox.after(*position_)->value));
    node::destroy(&core_.inbox.erase_after(*position_));
    return taken;
  }

  // False: there is nothing more, and nothing is on its way.
  [[nodiscard]] bool await() noexcept {
    return core_.bound != nullptr ? core_.bound->await_more()
                                  : core_.inbox.await_after(*position_) != nullptr;
  }

  // ---- the wait source

  enrolment enroll(registration r) noexcept {
    const bool waits = core_.bound != nullptr ? core_.bound->wait_for_more(r)
                                              : core_.inbox.wait_after(*position_, r);
    return waits ? enrolment::enrolled : enrolment::ready;
  }
  bool satisfied() noexcept {
    return (core_.bound != nullptr ? core_.bound->more() : next() != nullptr) || core_.closed();
  }
  bool withdraw() noexcept {
    return core_.bound != nullptr ? core_.bound->cancel_wait() : core_.inbox.cancel_wait();
  }

private:
  using node = message_node<T>;

  channel_core<T>& core_;
  typename channel_core<T>::inbox_type::link* position_; // unbounded: the last one looked at
  node* passed_ = nullptr;                               // bounded: the same
  bool in_ring_ = false;
};

} // namespace smarm::detail

#endif
