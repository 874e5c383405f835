// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The right to answer one call, for a server that answers later than its handler returns, or lets
// somebody else answer:
//
//     void handle_call(lookup m, smarm::reply_to<entry> r) { waiting_[m.key].push_back(std::move(r)); }
//     ...
//     std::move(r).reply(found);

#ifndef SMARM_REPLY_TO_HPP
#define SMARM_REPLY_TO_HPP

#include <smarm/detail/reply_cell.hpp>
#include <smarm/error.hpp>

#include <concepts>
#include <memory>
#include <utility>

namespace smarm {

namespace detail {
struct reply_access;
}

// May be kept, moved to another actor or thread, and used when the server has ended. Exactly one answer
// is given: if it is destroyed without one the caller gets errc::server_down. Not thread-safe.
template <class R>
class [[nodiscard]] reply_to {
public:
  reply_to(reply_to&& other) noexcept : cell_(std::exchange(other.cell_, nullptr)) {}
  reply_to& operator=(reply_to&& other) noexcept {
    reply_to gone(std::move(other));
    std::swap(cell_, gone.cell_);
    return *this;
  }
  ~reply_to() { give_up(); }

  // Answers with a value made of the arguments; for reply_to<void> there are none. Nothing happens if
  // the caller has given up waiting, or if this was used already. Neither suspends nor is a stop
  // point. If making the value throws, the call is not answered yet. Constant time.
  template <class... Arguments>
    requires(std::is_void_v<R> ? sizeof...(Arguments) == 0
                               : std::constructible_from<detail::storable<R>, Arguments...>)
  void reply(Arguments&&... arguments) {
    if (cell_ != nullptr) {
      if constexpr (!std::is_void_v<R>) {
        std::construct_at(std::addressof(cell_->value), std::forward<Arguments>(arguments)...);
      }
      answer(errc{});
    }
  }

  // The caller has given up, by a deadline, a stop, or because it wants no answer any more: no need to
  // work for it. False may be out of date at once. Does not suspend.
  [[nodiscard]] bool abandoned() const noexcept {
    return cell_ == nullptr || cell_->state.abandoned();
  }

private:
  friend struct detail::reply_access;
  explicit reply_to(detail::typed_reply<R>& cell) noexcept : cell_(&cell) {}

  void answer(errc how) noexcept {
    cell_->error = how;
    std::exchange(cell_, nullptr)->answer();
  }
  void give_up() noexcept {
    if (cell_ != nullptr) {
      answer(errc::server_down);
    }
  }

  detail::typed_reply<R>* cell_; // null: answered, or moved from
};

namespace detail {
struct reply_access {
  template <class R>
  [[nodiscard]] static reply_to<R> make(typed_reply<R>& cell) noexcept {
    return reply_to<R>(cell);
  }
  // Answered, or moved from.
  template <class R>
  [[nodiscard]] static bool used(const reply_to<R>& r) noexcept {
    return r.cell_ == nullptr;
  }
  // The call stays unanswered, for another one to be made of its cell.
  template <class R>
  static void forget(reply_to<R>& r) noexcept {
    r.cell_ = nullptr;
  }
  template <class R>
  static void fail(reply_to<R>& r, errc why) noexcept {
    r.answer(why);
  }
  // What make() returns becomes the value, before anything of the call can be seen by the caller.
  template <class R, class Make>
  static void construct(reply_to<R>& r, Make make) {
    ::new (static_cast<void*>(std::addressof(r.cell_->value))) R(make());
  }
  template <class R>
  static void succeed(reply_to<R>& r) noexcept {
    r.answer(errc{});
  }
};
} // namespace detail
} // namespace smarm

#endif
