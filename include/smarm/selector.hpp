// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A select that is prepared once and waited for in a loop, over any number of arms, which may come
// and go. See select.hpp for what ready means and which arm wins.

#ifndef SMARM_SELECTOR_HPP
#define SMARM_SELECTOR_HPP

#include <smarm/detail/select_arm.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

namespace smarm {

// Refers to its arms: they stay where they are until they are removed, or the selector is gone. For
// one actor or thread at a time.
class selector {
public:
  // Which arm wins when several are ready.
  enum class order : unsigned char {
    by_index, // the lowest
    fair,     // the next one after the one that won last
  };

  explicit selector(order which = order::by_index) noexcept : order_(which) {}

  template <detail::selectable... Arms>
    requires(sizeof...(Arms) != 0)
  explicit selector(Arms&... arms) {
    arms_.reserve(sizeof...(Arms));
    (add(arms), ...);
  }

  // Adds an arm and returns its index, which it keeps: the lowest that is free. Throws
  // boost::system::system_error(errc::already_waiting) if it is there already, and std::bad_alloc.
  // Linear in the number of arms.
  template <detail::selectable Arm>
  std::size_t add(Arm& arm) {
    return add_arm(detail::arm_of(arm));
  }

  // Takes the arm of this index out; nothing happens if there is none.
  void remove(std::size_t index) noexcept;

  // How many arms there are.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

  // Waits until an arm is ready and returns its index. Suspends. A stop point and a checkpoint.
  // Throws boost::system::system_error: would_block_scheduler in scheduler context; already_waiting
  // if another actor waits for an arm; empty if there is no arm, which would wait for ever.
  std::size_t wait();

  // The same, and waits no longer than that: errc::timed_out. would_block_scheduler is returned.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<std::size_t>
  wait_for(const std::chrono::duration<Rep, Period>& limit) {
    return wait_timed(detail::deadline_after(limit));
  }
  template <class Duration>
  [[nodiscard]] boost::system::result<std::size_t>
  wait_until(const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline) {
    return wait_timed(detail::deadline_of(deadline));
  }

  // The same without waiting: errc::empty. Neither suspends nor is a stop point.
  [[nodiscard]] boost::system::result<std::size_t> try_wait() noexcept;

private:
  std::size_t add_arm(detail::select_arm arm);
  [[nodiscard]] boost::system::result<std::size_t> wait_timed(std::int64_t deadline);
  [[nodiscard]] std::size_t first() const noexcept;
  [[nodiscard]] boost::system::result<std::size_t>
  won(boost::system::result<std::size_t> which) noexcept;

  std::vector<detail::select_arm> arms_; // a removed one leaves a gap, so that the others keep theirs
  std::size_t count_ = 0;
  std::size_t last_ = ~std::size_t{0}; // who won last; nobody yet
  order order_ = order::by_index;
};

} // namespace smarm

#endif
