// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Hearing of who joins and leaves a process group. It begins with who is a member at that moment
// and misses no change afterwards:
//
//     auto [watch, members] = pool.monitor();
//     smarm::group_event<worker> change = watch.recv().value();   // or as an arm of a select

#ifndef SMARM_GROUP_MONITOR_HPP
#define SMARM_GROUP_MONITOR_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/group_watch.hpp>
#include <smarm/detail/select_arm.hpp>
#include <smarm/group_event.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace smarm {

namespace detail {
struct group_monitor_access;
}

// The one who monitors keeps it; may be moved to another actor, or thread, and may outlive the
// runtime. Its destructor demonitors. Not thread-safe. Events wait in an unbounded channel. It
// closes, after what is queued, when the runtime object goes, or if there was no memory for an
// event: then monitor anew.
template <class A>
class group_monitor {
public:
  // Monitors nothing.
  group_monitor() noexcept = default;
  group_monitor(group_monitor&&) noexcept = default;
  group_monitor& operator=(group_monitor&& other) noexcept {
    group_monitor gone(std::move(other));
    std::swap(table_, gone.table_);
    std::swap(watch_, gone.watch_);
    std::swap(inbox_, gone.inbox_);
    return *this;
  }
  ~group_monitor() { demonitor(); }

  // Gives up the monitor: afterwards no event arrives, and those that had arrived are gone. Neither
  // suspends nor is a stop point.
  void demonitor() noexcept {
    if (watch_ != nullptr) {
      detail::group_table::unwatch(*watch_);
      watch_.reset();
    }
    table_.reset();
    inbox_ = {};
  }

  // Waits for the next change. As those of a receiver, which see; after demonitor: errc::closed.
  [[nodiscard]] boost::system::result<group_event<A>> recv() { return inbox_.recv(); }
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<group_event<A>>
  recv_for(const std::chrono::duration<Rep, Period>& limit) {
    return inbox_.recv_for(limit);
  }
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<group_event<A>>
  recv_until(const std::chrono::time_point<Clock, Duration>& deadline) {
    return inbox_.recv_until(deadline);
  }
  [[nodiscard]] boost::system::result<group_event<A>> try_recv() { return inbox_.try_recv(); }

  // Where the events arrive, for when().
  [[nodiscard]] receiver<group_event<A>>& inbox() noexcept { return inbox_; }

private:
  friend struct detail::group_monitor_access;

  std::shared_ptr<detail::group_table> table_; // which the watch is part of
  std::unique_ptr<detail::typed_group_watch<A>> watch_;
  receiver<group_event<A>> inbox_;
};

namespace detail {

struct group_monitor_access {
  // One that is not in any group yet. Throws std::bad_alloc.
  template <class A>
  [[nodiscard]] static group_monitor<A> prepare() {
    auto [to, inbox] = channel<group_event<A>>();
    group_monitor<A> m;
    m.inbox_ = std::move(inbox);
    m.watch_ = std::make_unique<typed_group_watch<A>>(std::move(to));
    return m;
  }
  // Throws std::bad_alloc.
  template <class A>
  [[nodiscard]] static std::pair<group_monitor<A>, std::vector<pid>>
  begin(std::shared_ptr<group_table> table, const group_key& key) {
    group_monitor<A> m = prepare<A>();
    auto watch = std::move(m.watch_);
    std::vector<pid> there = table->watch(key, *watch); // in its group from here on
    m.watch_ = std::move(watch);
    m.table_ = std::move(table);
    return {std::move(m), std::move(there)};
  }
};

template <class A>
struct select_arm_maker<group_monitor<A>> {
  [[nodiscard]] static select_arm make(group_monitor<A>& m) noexcept {
    return select_arm_maker<receiver<group_event<A>>>::make(m.inbox());
  }
};

} // namespace detail
} // namespace smarm

#endif
