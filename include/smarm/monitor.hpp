// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Hearing of another actor's end. A monitor is one-way and delivers exactly one message, however the
// actor ends, and at once if it has ended already:
//
//     smarm::monitor_ref m = smarm::monitor(worker);
//     smarm::down end = m.recv().value();        // or as an arm of a select
//     if (!end.reason.is_clean()) { ... }
//
// By the time that the message is there the actor's names are free again and its slot counts as dead.

#ifndef SMARM_MONITOR_HPP
#define SMARM_MONITOR_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/monitor_entry.hpp>
#include <smarm/detail/select_arm.hpp>
#include <smarm/detail/watched_spawn.hpp>
#include <smarm/down.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/pid.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <utility>

namespace smarm {

namespace detail {
struct monitor_access;
}

// The one who monitors keeps it; may be moved to another actor, or thread, and may outlive the target
// and the runtime. Its destructor demonitors. Not thread-safe.
class monitor_ref {
public:
  // Monitors nobody.
  monitor_ref() noexcept = default;
  monitor_ref(monitor_ref&& other) noexcept
      : entry_(std::exchange(other.entry_, nullptr)), target_(other.target_),
        inbox_(std::move(other.inbox_)) {}
  monitor_ref& operator=(monitor_ref&& other) noexcept {
    monitor_ref gone(std::move(other));
    std::swap(entry_, gone.entry_);
    std::swap(target_, gone.target_);
    std::swap(inbox_, gone.inbox_);
    return *this;
  }
  ~monitor_ref() { (void)demonitor(); }

  // Whom it monitors, or did.
  [[nodiscard]] pid target() const noexcept { return target_; }

  // Gives up the monitor: afterwards no message arrives, and one that had arrived is gone. True if the
  // target had not ended yet. Neither suspends nor is a stop point; constant time.
  bool demonitor() noexcept;

  // Waits for the end. As those of a receiver, which see; after the message, and after demonitor:
  // errc::closed.
  [[nodiscard]] boost::system::result<down> recv() { return inbox_.recv(); }
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<down>
  recv_for(const std::chrono::duration<Rep, Period>& limit) {
    return inbox_.recv_for(limit);
  }
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<down>
  recv_until(const std::chrono::time_point<Clock, Duration>& deadline) {
    return inbox_.recv_until(deadline);
  }
  [[nodiscard]] boost::system::result<down> try_recv() { return inbox_.try_recv(); }

  // Where the message arrives, for when().
  [[nodiscard]] receiver<down>& inbox() noexcept { return inbox_; }

private:
  friend struct detail::monitor_access;

  detail::monitor_entry* entry_ = nullptr; // a share of it; null: the target was dead already
  pid target_;
  receiver<down> inbox_;
};

// Monitors an actor of the caller's runtime, as often as one likes. A dead one, and a pid that never
// was, gives a message with exit_kind::no_process at once. Neither suspends nor is a stop point.
// Throws std::bad_alloc, and system_error(errc::not_in_actor) on a plain thread, where
// runtime_handle::monitor works.
[[nodiscard]] monitor_ref monitor(pid target);

// As m.demonitor().
inline bool demonitor(monitor_ref& m) noexcept { return m.demonitor(); }

namespace detail {

struct monitor_access {
  // A monitor of nobody yet, and what its target will have to keep. Throws std::bad_alloc.
  [[nodiscard]] static monitor_ref prepare();
  // The same for one whose message arrives in somebody's inbox; it cannot be received from.
  [[nodiscard]] static monitor_ref prepare(sender<down> to);
  static monitor_entry& entry(monitor_ref& m) noexcept { return *m.entry_; }
  // Into the record of the target, under its lock.
  static void begin(monitor_ref& m, slot& where, pid target, relations& record) noexcept;
  // The target is dead, or never was.
  static void refuse(monitor_ref& m, pid target) noexcept;
};

[[nodiscard]] monitor_ref monitor_in(runtime_state& runtime, pid target);
// For who has the target's slot, of whichever runtime.
[[nodiscard]] monitor_ref monitor_in(slot& where, pid target);
// The message arrives in that inbox.
[[nodiscard]] monitor_ref monitor_into(sender<down> to, runtime_state& runtime, pid target);

template <class Body>
[[nodiscard]] boost::system::result<std::pair<join_handle, monitor_ref>>
try_spawn_monitored(const spawn_options* options, Body&& body) {
  monitor_ref m = monitor_access::prepare();
  auto h = try_watched_spawn(options, std::forward<Body>(body),
                             [&](slot& s, pid who, relations& known) noexcept {
                               monitor_access::begin(m, s, who, known);
                             });
  if (!h) {
    return h.error();
  }
  return std::pair(*std::move(h), std::move(m));
}
template <class Body>
[[nodiscard]] std::pair<join_handle, monitor_ref> spawn_monitored(const spawn_options* options,
                                                                  Body&& body) {
  auto made = try_spawn_monitored(options, std::forward<Body>(body));
  if (!made) {
    throw_spawn_error(made.error(), options);
  }
  return *std::move(made);
}

template <>
struct select_arm_maker<monitor_ref> {
  [[nodiscard]] static select_arm make(monitor_ref& m) noexcept {
    return select_arm_maker<receiver<down>>::make(m.inbox());
  }
};

} // namespace detail

// Spawns and monitors in one step: the message comes even from an actor that ends at once. As spawn
// otherwise.
template <class Body>
[[nodiscard]] std::pair<join_handle, monitor_ref> spawn_monitor(const spawn_options& options,
                                                                Body&& body) {
  return detail::spawn_monitored(&options, std::forward<Body>(body));
}
template <class Body>
[[nodiscard]] std::pair<join_handle, monitor_ref> spawn_monitor(Body&& body) {
  return detail::spawn_monitored(nullptr, std::forward<Body>(body));
}

// The same with the errors of try_spawn; nobody is monitored then.
template <class Body>
[[nodiscard]] boost::system::result<std::pair<join_handle, monitor_ref>>
try_spawn_monitor(const spawn_options& options, Body&& body) {
  return detail::try_spawn_monitored(&options, std::forward<Body>(body));
}
template <class Body>
[[nodiscard]] boost::system::result<std::pair<join_handle, monitor_ref>>
try_spawn_monitor(Body&& body) {
  return detail::try_spawn_monitored(nullptr, std::forward<Body>(body));
}

} // namespace smarm

#endif
