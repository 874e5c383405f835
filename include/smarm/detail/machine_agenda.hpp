// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The events that a machine keeps: what it has told itself, what it has postponed, and its timeouts, in
// the order of OTP's gen_statem:
//
//   1. what a row told the machine by next_event, the first of them first, before what was there
//   2. what was postponed, when the state has changed, in the order of arrival
//   3. timeouts of no time, in the order of their setting
// and then what is outside: timeouts that are due, what comes from others, and, if there is nothing at
// all, the event timeout. The machine's own, so nothing here is atomic. An Event is linked by
// following() and set_following().

#ifndef SMARM_DETAIL_MACHINE_AGENDA_HPP
#define SMARM_DETAIL_MACHINE_AGENDA_HPP

#include <smarm/detail/deadline.hpp>
#include <smarm/detail/machine_timeouts.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace smarm::detail {

template <class Event>
class event_list {
public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void append(Event& event) noexcept {
    event.set_following(nullptr);
    (last_ != nullptr ? last_->set_following(&event) : void(first_ = &event));
    last_ = &event;
    ++size_;
  }
  // All of the other list, before what is here; it is empty then.
  void put_before(event_list& others) noexcept {
    if (others.empty()) {
      return;
    }
    others.last_->set_following(first_);
    first_ = others.first_;
    last_ = last_ != nullptr ? last_ : others.last_;
    size_ += others.size_;
    others = event_list();
  }
  // Null: empty.
  [[nodiscard]] Event* take_first() noexcept {
    Event* const first = first_;
    if (first != nullptr) {
      first_ = first->following();
      last_ = first_ != nullptr ? last_ : nullptr;
      --size_;
    }
    return first;
  }

private:
  Event* first_ = nullptr;
  Event* last_ = nullptr;
  std::size_t size_ = 0;
};

// Free is called with events that are not wanted any more.
template <class Event>
class basic_machine_agenda {
public:
  using free_event = void (*)(Event&) noexcept;

  explicit basic_machine_agenda(free_event free) noexcept : free_(free), timeouts_(free) {}
  basic_machine_agenda(const basic_machine_agenda&) = delete;
  basic_machine_agenda& operator=(const basic_machine_agenda&) = delete;
  ~basic_machine_agenda() {
    refuse_all([this](Event& event) {
      free_(event);
      return 1u;
    });
  }

  // ---- around the handling of each event

  // It is taken up: that ends the event timeout, whatever becomes of it.
  void begin() noexcept {
    retry_if_changed();
    timeouts_.cancel_event_timeout();
    timeouts_.settle();
  }
  // The state has changed: the state timeout ends, unless it was set since begin(), and what is postponed
  // is retried, the present event too if it will be.
  void state_changed() noexcept {
    timeouts_.state_changed();
    changed_ = true;
  }

  // ---- what rows ask for

  void tell(Event& event) noexcept { told_.append(event); }
  // The event that is being handled.
  void postpone(Event& event) noexcept { postponed_.append(event); }

  [[nodiscard]] machine_timeouts<Event>& timeouts() noexcept { return timeouts_; }

  // ---- what is next

  // Something that comes before what is outside: take_ready() first, then take_immediate().
  [[nodiscard]] bool has_next() const noexcept {
    return !told_.empty() || !ready_.empty() || (changed_ && !postponed_.empty()) ||
           timeouts_.has_immediate();
  }
  [[nodiscard]] Event* take_ready() noexcept {
    retry_if_changed();
    ready_.put_before(told_);
    return ready_.take_first();
  }
  [[nodiscard]] Event* take_immediate() noexcept { return timeouts_.take_immediate(); }
  [[nodiscard]] Event* take_due(std::int64_t now) noexcept { return timeouts_.take_due(now); }
  // Nothing else is there.
  [[nodiscard]] Event* take_event_timeout(std::int64_t now) noexcept {
    return timeouts_.take_event_timeout(now);
  }
  // When there is something to take, if nothing comes: no_deadline is never.
  [[nodiscard]] std::int64_t deadline() const noexcept { return timeouts_.deadline(); }

  // ---- looking, and the end

  [[nodiscard]] std::size_t postponed() const noexcept { return changed_ ? 0 : postponed_.size(); }
  // refuse(event) frees it, and says how many it counts for. Returns the sum. Timeouts go with the agenda.
  template <class Refuse>
  std::size_t refuse_all(Refuse refuse) noexcept {
    std::size_t refused = 0;
    for (event_list<Event>* list : {&told_, &ready_, &postponed_}) {
      while (Event* const event = list->take_first()) {
        refused += refuse(*event);
      }
    }
    return refused;
  }

private:
  void retry_if_changed() noexcept {
    if (std::exchange(changed_, false)) {
      ready_.put_before(postponed_);
    }
  }

  const free_event free_;
  bool changed_ = false;        // the state, by the event that was handled last
  event_list<Event> told_;      // since something was taken last
  event_list<Event> ready_;     // told before, and retried
  event_list<Event> postponed_; // in the order of arrival
  machine_timeouts<Event> timeouts_;
};

} // namespace smarm::detail

#endif
