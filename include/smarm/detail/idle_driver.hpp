// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a scheduler sleeps in: the one that keeps time, where the driver knows nothing but time, as the
// one that the library comes with; the last one to fall asleep, where it waits for input and output as
// well. At most one scheduler at a time is inside wait_until; the others sleep on their own parkers.

#ifndef SMARM_DETAIL_IDLE_DRIVER_HPP
#define SMARM_DETAIL_IDLE_DRIVER_HPP

#include <smarm/detail/parker.hpp>
#include <smarm/io_stats.hpp>

#include <cstdint>

namespace smarm::detail {

template <class Parker>
class basic_idle_driver : public interruptible {
public:
  basic_idle_driver() = default;
  basic_idle_driver(const basic_idle_driver&) = delete;
  basic_idle_driver& operator=(const basic_idle_driver&) = delete;
  virtual ~basic_idle_driver() = default;

  // Sleeps until `own` has a permit (true: and consumes it), the deadline has passed, or something
  // happened in the driver, whose handlers then ran here and enqueued actors. May return early.
  // A driver that sleeps in a loop of its own does so between own.enter(*this) and own.leave().
  virtual bool wait_until(std::int64_t deadline, Parker& own) noexcept = 0;

  // Called by busy schedulers now and then, several at a time, on their threads' own stacks: looks
  // once, does not wait, and does nothing while somebody else is in the driver. True: something
  // happened.
  virtual bool poll() noexcept = 0;

  // Whether things happen here besides the passing of time: then somebody must be in wait_until when all
  // are idle, even if no timer is armed, and else who is busy must poll.
  [[nodiscard]] virtual bool needs_sleeper() const noexcept = 0;

  // Whether it is the one of input and output.
  [[nodiscard]] virtual bool does_io() const noexcept { return false; }

  // Anybody.
  [[nodiscard]] virtual io_stats stats() noexcept { return {}; }
};

using idle_driver = basic_idle_driver<parker>;

template <class Parker>
class basic_futex_driver final : public basic_idle_driver<Parker> {
public:
  bool wait_until(std::int64_t deadline, Parker& own) noexcept override {
    return own.park(deadline); // which a permit ends by itself
  }
  void interrupt() noexcept override {}
  bool poll() noexcept override { return false; }
  [[nodiscard]] bool needs_sleeper() const noexcept override { return false; }
};

using futex_driver = basic_futex_driver<parker>;

} // namespace smarm::detail

#endif
