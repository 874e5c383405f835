// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where the answer to a request appears, and who frees it: the second of the answer and of the end of
// the caller's interest. So a caller whose time is up and a late answer cannot touch each other, and an
// answer goes to the call that it belongs to or to nobody.
//
// The protocol is that of an actor's end and the holder of its handle, see join_word.hpp: the answer is
// the end, abandoning is detaching. It is given once: by the server, or by whoever destroys what was
// to be answered.

#ifndef SMARM_DETAIL_REPLY_CELL_HPP
#define SMARM_DETAIL_REPLY_CELL_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/join_word.hpp>
#include <smarm/detail/reply_route.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace smarm::detail {

// Word is the join word or, in the model test, a mutation of it.
template <class Atomics, class Slot, class Word = basic_join_word<Atomics>>
class basic_reply_state {
public:
  // ---- who answers, once, after it has written the answer

  // wake(slot*, ticket) for who waits; drop() if nobody is interested any more. Otherwise the cell is
  // not the caller's any more.
  template <class Wake, class Drop>
  SMARM_ALWAYS_INLINE void answer(Wake wake, Drop drop) noexcept {
    Slot* who = nullptr;
    std::uint64_t ticket = 0;
    switch (word_.end(waiter_, who, ticket)) {
    case join_found::joiner: wake(who, ticket); break;
    case join_found::detached: drop(); break;
    default: break;
    }
  }

  // Nobody is interested: a look, which may be out of date at once.
  [[nodiscard]] bool abandoned() const noexcept { return word_.detached_now(); }

  // ---- the caller

  // False: answered already.
  [[nodiscard]] bool enroll(Slot* who, std::uint64_t ticket) noexcept {
    return word_.enroll(waiter_, who, ticket);
  }
  // False: answered meanwhile.
  [[nodiscard]] bool withdraw() noexcept { return word_.withdraw(); }
  [[nodiscard]] SMARM_ALWAYS_INLINE bool answered() const noexcept { return word_.ended(); }
  // Last: drop() if the answer is there, else who answers does it.
  template <class Drop>
  SMARM_ALWAYS_INLINE void let_go(Drop drop) noexcept {
    if (!word_.detach()) {
      drop();
    }
  }

private:
  Word word_;
  basic_joiner<Atomics, Slot> waiter_;
};

// What stands for void where a type is needed.
template <class R>
using storable = std::conditional_t<std::is_void_v<R>, std::monostate, R>;

struct reply_cell {
  basic_reply_state<std_atomics, slot> state;
  // Written by who answers, before it does. errc{}: there is a value.
  errc error = errc::server_down;
  // Destroys the value if there is one, and frees.
  void (*const drop)(reply_cell&) noexcept;

  explicit reply_cell(void (*how)(reply_cell&) noexcept) noexcept : drop(how) {}

  SMARM_ALWAYS_INLINE void answer() noexcept {
    state.answer(
        [](slot* who, std::uint64_t ticket) noexcept {
          wake({who, ticket});
        },
        [this]() noexcept { drop(*this); });
  }
  void let_go() noexcept {
    state.let_go([this]() noexcept { drop(*this); });
  }
};

template <class R>
struct typed_reply : reply_cell {
  explicit typed_reply(void (*how)(reply_cell&) noexcept) noexcept : reply_cell(how) {}
  ~typed_reply() {}
  union {
    R value;
  };

  void destroy_value() noexcept {
    if (error == errc{}) {
      std::destroy_at(std::addressof(value));
    }
  }
  [[nodiscard]] boost::system::result<R> take() {
    if (error != errc{}) {
      return {boost::system::in_place_error, make_error_code(error)};
    }
    return {boost::system::in_place_value, std::move(value)};
  }
};
template <>
struct typed_reply<void> : reply_cell {
  using reply_cell::reply_cell;
  static void destroy_value() noexcept {}
  [[nodiscard]] boost::system::result<void> take() const {
    if (error != errc{}) {
      return make_error_code(error);
    }
    return {};
  }
};

// Waiting for it.
struct basic_reply_source {
  reply_cell& cell;

  SMARM_HOT_INLINE enrolment enroll(registration r) noexcept {
    return cell.state.enroll(r.who, r.ticket) ? enrolment::enrolled : enrolment::ready;
  }
  SMARM_HOT_INLINE bool satisfied() noexcept { return cell.state.answered(); }
  bool withdraw() noexcept { return cell.state.withdraw(); }
};

struct reply_source : basic_reply_source {
  explicit reply_source(reply_cell& of, const slot* who = nullptr) noexcept
      : basic_reply_source{of}, from(who) {}
  [[nodiscard]] const slot* whom() const noexcept { return from; }

  const slot* from; // who is to answer, if that is known
};

struct routed_reply_source : basic_reply_source {
  routed_reply_source(reply_cell& of, const reply_route& to) noexcept
      : basic_reply_source{of}, route(to) {}
  [[nodiscard]] const reply_route* where() const noexcept { return &route; }

  const reply_route& route;
};

// The caller's half of a cell.
template <class R>
class reply_owner {
public:
  reply_owner() noexcept = default;
  explicit reply_owner(typed_reply<R>& cell) noexcept : cell_(&cell) {}
  reply_owner(reply_owner&& other) noexcept : cell_(std::exchange(other.cell_, nullptr)) {}
  reply_owner& operator=(reply_owner other) noexcept {
    std::swap(cell_, other.cell_);
    return *this;
  }
  ~reply_owner() {
    if (cell_ != nullptr) {
      cell_->let_go();
    }
  }
  [[nodiscard]] typed_reply<R>* cell() const noexcept { return cell_; }

  // After it was answered. If moving the value out throws, it is gone.
  [[nodiscard]] boost::system::result<R> take() {
    const reply_owner gone(std::move(*this));
    return gone.cell_->take();
  }

private:
  typed_reply<R>* cell_ = nullptr;
};

} // namespace smarm::detail

#endif
