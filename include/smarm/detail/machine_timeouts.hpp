// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timeouts of one machine: one for the state, one for the silence between events, and any number
// with a name. Each brings an event, which is here from the start, so that firing needs no memory.
// Cancelling takes it out whether it is due or not: nothing fires late.

#ifndef SMARM_DETAIL_MACHINE_TIMEOUTS_HPP
#define SMARM_DETAIL_MACHINE_TIMEOUTS_HPP

#include <smarm/detail/deadline.hpp>

#include <boost/intrusive/set.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace smarm::detail {

template <class Event>
class machine_timeouts {
public:
  using free_event = void (*)(Event&) noexcept;

  // A deadline of a timeout of no time: it comes before what is outside the machine.
  static constexpr std::int64_t at_once = INT64_MIN;

  explicit machine_timeouts(free_event free) noexcept : free_(free) {}
  machine_timeouts(const machine_timeouts&) = delete;
  machine_timeouts& operator=(const machine_timeouts&) = delete;
  ~machine_timeouts() {
    cancel(state_);
    cancel(silence_);
    while (!named_.empty()) {
      cancel(named_.begin()->second);
    }
  }

  // ---- setting takes the event over, and ends the one that was set before. Those with a name may throw
  // std::bad_alloc, and have changed nothing then.

  void set_state_timeout(std::int64_t deadline, Event& event) noexcept {
    set(state_, deadline, event);
    state_is_new_ = true;
  }
  void set_event_timeout(std::int64_t deadline, Event& event) noexcept {
    set(silence_, deadline, event);
  }
  void set_named(std::string_view name, std::int64_t deadline, Event& event) {
    const auto at = named_.find(name);
    set(at != named_.end() ? at->second : make(name), deadline, event);
  }

  // Another event at the time that was set, or at once if none is.
  void update_state_timeout(Event& event) noexcept {
    if (!state_.set()) {
      state_is_new_ = true;
    } else if (!state_is_new_ && state_updated_ == 0) {
      state_updated_ = ++last_turn_;
    }
    update(state_, event);
  }
  void update_event_timeout(Event& event) noexcept { update(silence_, event); }
  void update_named(std::string_view name, Event& event) {
    const auto at = named_.find(name);
    update(at != named_.end() ? at->second : make(name), event);
  }

  // True: it was set, and will not come.
  bool cancel_state_timeout() noexcept { return cancel(state_); }
  bool cancel_event_timeout() noexcept { return cancel(silence_); }
  bool cancel_named(std::string_view name) noexcept {
    const auto at = named_.find(name);
    return at != named_.end() && cancel(at->second);
  }

  // A state timeout that is set from here on outlives a change of the state, until the next of these.
  void settle() noexcept {
    state_is_new_ = false;
    state_updated_ = 0;
  }
  // One that was set before ends, and an update since then has found none: its event comes at once.
  void state_changed() noexcept {
    if (state_is_new_ || !state_.set()) {
      return;
    }
    if (state_updated_ == 0) {
      cancel(state_);
      return;
    }
    by_time_.erase(by_time_.iterator_to(state_));
    state_.deadline = at_once;
    state_.turn = state_updated_;
    by_time_.insert(state_);
  }

  // ---- taking: the event is the caller's

  [[nodiscard]] bool has_immediate() const noexcept {
    return !by_time_.empty() && by_time_.begin()->deadline == at_once;
  }
  [[nodiscard]] Event* take_immediate() noexcept {
    return has_immediate() ? take(*by_time_.begin()) : nullptr;
  }
  // But for the event timeout, which anything else that is there forestalls.
  [[nodiscard]] Event* take_due(std::int64_t now) noexcept {
    for (auto at = by_time_.begin(); at != by_time_.end() && at->deadline <= now; ++at) {
      if (&*at != &silence_) {
        return take(*at);
      }
    }
    return nullptr;
  }
  [[nodiscard]] Event* take_event_timeout(std::int64_t now) noexcept {
    return silence_.set() && silence_.deadline <= now ? take(silence_) : nullptr;
  }
  [[nodiscard]] std::int64_t deadline() const noexcept {
    return by_time_.empty() ? no_deadline : by_time_.begin()->deadline;
  }

private:
  struct timeout : boost::intrusive::set_base_hook<> {
    [[nodiscard]] bool set() const noexcept { return event != nullptr; }
    friend bool operator<(const timeout& a, const timeout& b) noexcept {
      return a.deadline != b.deadline ? a.deadline < b.deadline : a.turn < b.turn;
    }
    std::int64_t deadline = no_deadline;
    std::uint64_t turn = 0;            // ties in the order of setting
    Event* event = nullptr;            // null: not set
    const std::string* name = nullptr; // its key, if it has one
  };

  [[nodiscard]] timeout& make(std::string_view name) {
    const auto at = named_.try_emplace(std::string(name)).first;
    at->second.name = &at->first;
    return at->second;
  }
  void set(timeout& which, std::int64_t deadline, Event& event) noexcept {
    if (which.set()) {
      by_time_.erase(by_time_.iterator_to(which));
      free_(*which.event);
    }
    which.deadline = deadline;
    which.turn = ++last_turn_;
    which.event = &event;
    by_time_.insert(which);
  }
  void update(timeout& which, Event& event) noexcept {
    if (which.set()) {
      free_(*std::exchange(which.event, &event));
    } else {
      set(which, at_once, event);
    }
  }
  bool cancel(timeout& which) noexcept {
    const bool was_set = which.set();
    if (was_set) {
      free_(*take(which));
    }
    return was_set;
  }
  Event* take(timeout& which) noexcept {
    by_time_.erase(by_time_.iterator_to(which));
    Event* const event = std::exchange(which.event, nullptr);
    if (which.name != nullptr) { // there may be any number, each used once
      named_.erase(named_.find(*which.name));
    }
    return event;
  }

  const free_event free_;
  timeout state_;
  timeout silence_;
  bool state_is_new_ = false;       // set since settle()
  std::uint64_t state_updated_ = 0; // the turn of its first update since settle(); zero: there was none
  std::uint64_t last_turn_ = 0;
  std::map<std::string, timeout, std::less<>> named_;
  boost::intrusive::set<timeout> by_time_;
};

} // namespace smarm::detail

#endif
