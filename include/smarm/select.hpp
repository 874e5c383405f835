// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for the first of several channels. A select tells which one is ready and takes nothing:
// the caller receives from it, which then does not wait.
//
// Ready means that a receive would return at once: a message is there, or the channel is closed. A
// closed channel stays ready, so leave it out once that was seen.
//
// Several may be ready. The select and try_select forms return the lowest index: earlier arms have
// priority, and one that is always ready starves those behind it. The fair forms begin the search
// at another arm each time.

#ifndef SMARM_SELECT_HPP
#define SMARM_SELECT_HPP

#include <smarm/detail/select_arm.hpp>

#include <boost/system/result.hpp>

#include <array>
#include <chrono>
#include <cstddef>

namespace smarm {

namespace detail {

template <class... Arms>
using arm_array = std::array<select_arm, sizeof...(Arms)>;

template <class... Arms>
concept all_selectable = sizeof...(Arms) != 0 && (selectable<Arms> && ...);

} // namespace detail

// Waits until one of the arms is ready and returns its index. Suspends. A stop point and a
// checkpoint, even if one is ready. Throws boost::system::system_error: would_block_scheduler in
// scheduler context; already_waiting if a receiver is named twice, or another actor waits for it.
// Linear in the number of arms.
template <class... Arms>
  requires detail::all_selectable<Arms...>
std::size_t select(Arms&&... arms) {
  const detail::arm_array<Arms...> all{detail::arm_of(arms)...};
  return detail::selected(detail::select_arms(all, detail::select_from::front));
}

// The same, and waits no longer than that: errc::timed_out. An arm that is ready wins over a
// deadline that has passed. would_block_scheduler is returned, too.
template <class Rep, class Period, class... Arms>
  requires detail::all_selectable<Arms...>
[[nodiscard]] boost::system::result<std::size_t>
select_for(const std::chrono::duration<Rep, Period>& limit, Arms&&... arms) {
  const detail::arm_array<Arms...> all{detail::arm_of(arms)...};
  return detail::select_arms(all, detail::select_from::front, true, detail::deadline_after(limit));
}
template <class Duration, class... Arms>
  requires detail::all_selectable<Arms...>
[[nodiscard]] boost::system::result<std::size_t>
select_until(const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline,
             Arms&&... arms) {
  const detail::arm_array<Arms...> all{detail::arm_of(arms)...};
  return detail::select_arms(all, detail::select_from::front, true,
                             detail::deadline_of(deadline));
}

// The same without waiting: errc::empty. Neither suspends nor is a stop point.
template <class... Arms>
  requires detail::all_selectable<Arms...>
[[nodiscard]] boost::system::result<std::size_t> try_select(Arms&&... arms) noexcept {
  const detail::arm_array<Arms...> all{detail::arm_of(arms)...};
  return detail::try_select_arms(all, 0);
}

// As select, but the search begins at another arm each time, so that no arm starves another, also
// where the caller takes turns between several fair selects.
template <class... Arms>
  requires detail::all_selectable<Arms...>
std::size_t select_fair(Arms&&... arms) {
  const detail::arm_array<Arms...> all{detail::arm_of(arms)...};
  return detail::selected(detail::select_arms(all, detail::select_from::turn));
}

} // namespace smarm

#endif
