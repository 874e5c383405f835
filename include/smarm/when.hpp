// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A select that receives as well, and runs a handler for each arm:
//
//     while (smarm::select(smarm::when(orders, [&](order o) { take(o); }),
//                          smarm::when(ticks, [&](tick) { flush(); }))) {
//     }
//
// A handler that is called with the message leaves the end of its channel to the select: a closed
// arm is passed over, and when all are closed the select says errc::closed. A handler whose parameter
// is a boost::system::result of the message is called with errc::closed, too, each time.

#ifndef SMARM_WHEN_HPP
#define SMARM_WHEN_HPP

#include <smarm/select.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {

// The decayed type of the one parameter of a function, or of a class's only call operator; void for
// what has several or is a template.
template <class F>
struct parameter_of {
  using type = void;
};
template <class R, class A, bool Noexcept>
struct parameter_of<R (*)(A) noexcept(Noexcept)> {
  using type = std::remove_cvref_t<A>;
};
template <class C, class R, class A, bool Noexcept>
struct parameter_of<R (C::*)(A) noexcept(Noexcept)> : parameter_of<R (*)(A)> {};
template <class C, class R, class A, bool Noexcept>
struct parameter_of<R (C::*)(A) const noexcept(Noexcept)> : parameter_of<R (*)(A)> {};
template <class F>
  requires requires { &F::operator(); }
struct parameter_of<F> : parameter_of<decltype(&F::operator())> {};

template <class Handler, class T>
inline constexpr bool takes_a_result =
  std::is_same_v<typename parameter_of<std::decay_t<Handler>>::type, boost::system::result<T>>;

} // namespace detail

// An arm and its handler, made by when().
template <class T, class Handler>
class select_case {
public:
  using message = T;
  static constexpr bool hears_of_the_end = detail::takes_a_result<Handler, T>;

  select_case(receiver<T>& from, Handler handler)
      : from_(&from), handler_(std::forward<Handler>(handler)) {}

  [[nodiscard]] detail::select_arm arm() const noexcept { return detail::arm_of(*from_); }

  // Receives and calls the handler. False: there was nothing to call it with.
  bool run() {
    boost::system::result<T> got = from_->try_recv();
    if constexpr (hears_of_the_end) {
      if (got.has_error() && got.error() == errc::empty) {
        return false;
      }
      std::invoke(handler_, std::move(got));
      return true;
    } else {
      if (!got) {
        return false;
      }
      std::invoke(handler_, *std::move(got));
      return true;
    }
  }

private:
  receiver<T>* from_;
  Handler handler_;
};

// Receives from `from` when that arm is selected, and calls handler(message) or
// handler(result<message>), outside of the wait and under no lock. The select returns first what
// the handler throws; the message is then gone.
template <class T, class Handler>
[[nodiscard]] select_case<T, Handler> when(receiver<T>& from, Handler&& handler) {
  static_assert(detail::takes_a_result<Handler, T> || std::invocable<Handler&, T>,
                "smarm::when: the handler takes the channel's message, or a "
                "boost::system::result of it");
  return {from, std::forward<Handler>(handler)};
}

namespace detail {

template <class T>
inline constexpr bool is_select_case = false;
template <class T, class Handler>
inline constexpr bool is_select_case<select_case<T, Handler>> = true;

template <class... Cases>
concept select_cases =
  sizeof...(Cases) != 0 && (is_select_case<std::remove_cvref_t<Cases>> && ...);

template <class... Cases>
boost::system::result<std::size_t> run_one(select_from start, bool timed, std::int64_t deadline,
                                           Cases&... cases) {
  arm_array<Cases...> arms{cases.arm()...};
  std::size_t open = arms.size();
  while (open != 0) {
    const auto which = select_arms(arms, start, timed, deadline);
    if (!which) {
      return which;
    }
    std::size_t i = 0;
    // One of them is the one, and says whether its handler ran.
    if (((i++ == *which && cases.run()) || ...)) {
      return which;
    }
    arms[*which] = {}; // closed, and nothing is left
    --open;
  }
  return make_error_code(errc::closed);
}

} // namespace detail

// Waits for the first case that is ready, receives, runs its handler, and returns its index. Errors:
// closed; would_block_scheduler. Suspends. A stop point and a checkpoint. Throws what the handler
// throws, and system_error(already_waiting) as select does.
template <class... Cases>
  requires detail::select_cases<Cases...>
boost::system::result<std::size_t> select(Cases&&... cases) {
  return detail::run_one(detail::select_from::front, false, detail::no_deadline, cases...);
}

// The same, and waits no longer than that: errc::timed_out.
template <class Rep, class Period, class... Cases>
  requires detail::select_cases<Cases...>
boost::system::result<std::size_t>
select_for(const std::chrono::duration<Rep, Period>& limit, Cases&&... cases) {
  return detail::run_one(detail::select_from::front, true, detail::deadline_after(limit), cases...);
}

// The same with a search that begins at another arm each time.
template <class... Cases>
  requires detail::select_cases<Cases...>
boost::system::result<std::size_t> select_fair(Cases&&... cases) {
  return detail::run_one(detail::select_from::turn, false, detail::no_deadline, cases...);
}

} // namespace smarm

#endif
