// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The members of one group, in the order in which they joined. Each has a ticket, and later ones
// have greater tickets, so that a walk in several steps knows where it was, however the roster
// changed meanwhile. Joining costs constant time, amortised, and leaving too: who leaves leaves a
// gap, and when there are more gaps than members they are closed up. Leaving needs no memory. Under
// the caller's lock.

#ifndef SMARM_DETAIL_GROUP_ROSTER_HPP
#define SMARM_DETAIL_GROUP_ROSTER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace smarm::detail {

// A member has `who`, which is copied beside it so that listing all does not visit each, and
// `place`, which belongs to the roster.
template <class Member>
class group_roster {
public:
  using ticket = std::uint64_t;
  using identity = decltype(Member::who);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  // All tickets are below it, and those to come are not.
  [[nodiscard]] ticket next_ticket() const noexcept { return next_ticket_; }

  // Throws std::bad_alloc, and nothing has changed.
  void add(Member& m) {
    seats_.push_back({next_ticket_, m.who, &m});
    ++next_ticket_;
    m.place = seats_.size() - 1;
    ++size_;
  }

  void remove(Member& m) noexcept {
    seats_[m.place].member = nullptr;
    --size_;
    if (seats_.size() > 2 * size_ + slack) {
      close_gaps();
    }
  }

  // Each in turn. Null: there is none.
  [[nodiscard]] Member* next_in_turn(ticket& its) noexcept {
    Member* m = from(turn_, its);
    if (m != nullptr) {
      turn_ = m->place + 1;
    }
    return m;
  }

  // Any, each as likely as another, if number() gives numbers at random.
  template <class Number>
  [[nodiscard]] Member* any(Number&& number, ticket& its) noexcept {
    if (size_ == 0) {
      return nullptr;
    }
    for (;;) { // two rounds on average, since at most half of the seats, or a few, are not taken
      const seat& s = seats_[number() % seats_.size()];
      if (s.member != nullptr) {
        its = s.number;
        return s.member;
      }
    }
  }

  // The first whose ticket is at least `at_least` and below `limit`; null if there is none.
  [[nodiscard]] Member* first_from(ticket at_least, ticket limit, ticket& its) noexcept {
    auto s = std::lower_bound(seats_.begin(), seats_.end(), at_least,
                              [](const seat& one, ticket t) { return one.number < t; });
    while (s != seats_.end() && s->member == nullptr) {
      ++s;
    }
    if (s == seats_.end() || s->number >= limit) {
      return nullptr;
    }
    its = s->number;
    return s->member;
  }

  // Calls what(member, identity) for each one from `at_least` on and below `limit`, at most `most`
  // of them; returns the ticket from which to go on.
  template <class What>
  ticket visit(ticket at_least, ticket limit, std::size_t most, What&& what) {
    auto s = std::lower_bound(seats_.begin(), seats_.end(), at_least,
                              [](const seat& one, ticket t) { return one.number < t; });
    for (; s != seats_.end() && s->number < limit; ++s) {
      if (s->member != nullptr) {
        if (most == 0) {
          return s->number;
        }
        --most;
        what(*s->member, s->who);
      }
    }
    return limit;
  }

private:
  static constexpr std::size_t slack = 16; // gaps that are not worth the trouble

  struct seat {
    ticket number;
    identity who;
    Member* member; // null: has left
  };

  Member* from(std::size_t at, ticket& its) noexcept {
    if (size_ == 0) {
      return nullptr;
    }
    for (;; ++at) {
      if (at >= seats_.size()) {
        at = 0;
      }
      if (seats_[at].member != nullptr) {
        its = seats_[at].number;
        return seats_[at].member;
      }
    }
  }

  void close_gaps() noexcept {
    std::size_t to = 0;
    std::size_t turn = 0;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (i == turn_) {
        turn = to;
      }
      if (seats_[i].member != nullptr) {
        seats_[i].member->place = to;
        seats_[to++] = seats_[i];
      }
    }
    turn_ = turn_ < seats_.size() ? turn : to;
    seats_.erase(seats_.begin() + static_cast<std::ptrdiff_t>(to), seats_.end());
  }

  std::vector<seat> seats_;
  std::size_t size_ = 0;
  std::size_t turn_ = 0; // the seat whose turn it is
  ticket next_ticket_ = 0;
};

} // namespace smarm::detail

#endif
