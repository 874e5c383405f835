// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// By which an object outside the runtime, a thread, a library with threads of its own, says that it has
// ended: see bridge.hpp.

#ifndef SMARM_BRIDGE_END_HPP
#define SMARM_BRIDGE_END_HPP

#include <smarm/channel.hpp>
#include <smarm/exit_reason.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

namespace smarm {

namespace detail {
class bridge_exit;
}

// Cheap to copy; from any thread, and longer than the runtime lives. What is said first counts. When the
// last copy goes and nothing was said, the object has failed. None of its members waits.
class bridge_end {
public:
  // Of nothing: nobody hears what is said.
  bridge_end() noexcept = default;

  // It has ended, normally, and nothing of it runs any more.
  void ended() const noexcept;
  // Likewise, by that exception.
  void failed(std::exception_ptr why) const noexcept;

private:
  friend class detail::bridge_exit;
  explicit bridge_end(std::shared_ptr<detail::bridge_exit> to) noexcept : to_(std::move(to)) {}

  std::shared_ptr<detail::bridge_exit> to_;
};

namespace detail {

// The one message that there is, to the bridge as long as it serves, and to the same when it ends. There
// is memory for both from the beginning.
class bridge_exit {
public:
  struct made {
    bridge_end end;
    receiver<exit_reason> while_it_serves, when_it_ends;
  };

  bridge_exit(sender<exit_reason> first, sender<exit_reason> second) noexcept
      : to_{std::move(first), std::move(second)} {}
  bridge_exit(const bridge_exit&) = delete;
  bridge_exit& operator=(const bridge_exit&) = delete;
  ~bridge_exit();

  // A handle, and where what it says arrives. Throws std::bad_alloc.
  [[nodiscard]] static made make();
  // Once; what is said later is lost.
  void say(const exit_reason& how) noexcept;

private:
  const sender<exit_reason> to_[2]; // with room for one
  // Exchanged by all who say something (relaxed): only which of them is the first is told by it.
  std::atomic<bool> said_{false};
};

} // namespace detail
} // namespace smarm

#endif
