// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The part of accept_each that does not depend on the protocol: the connections that there are, what
// becomes of failures, and the end.

#ifndef SMARM_DETAIL_ACCEPT_LOOP_HPP
#define SMARM_DETAIL_ACCEPT_LOOP_HPP

#include <smarm/detail/accept_backoff.hpp>
#include <smarm/detail/task_list.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smarm::detail {

enum class accept_outcome : std::uint8_t { accepted, none_waits, again };

class accept_loop {
public:
  // Throws boost::system::system_error: invalid_config; not_in_actor, would_block_scheduler.
  accept_loop(std::size_t limit, std::chrono::nanoseconds drain);
  accept_loop(const accept_loop&) = delete;
  accept_loop& operator=(const accept_loop&) = delete;
  // Asks the connections that are left to shut down, and waits for them.
  ~accept_loop() { tasks_.abandon(); }

  // Waits until there may be one more. A stop point.
  void await_place() { tasks_.acquire_place(); }
  // That one, which gives its place back when it goes. A stop point: waits while there is no memory.
  [[nodiscard]] task_place add();

  // Takes the next connection of that descriptor, closed on exec. After `again` it may have waited. A
  // checkpoint. Throws what the system says if it will never do.
  [[nodiscard]] accept_outcome accept(int listening, int& accepted);

  // Waits a little, after a report unless that was made. A stop point.
  void back_off(boost::system::error_code why);

  // Waits for the end of all connections, for as long as they may go on.
  void drain();

private:
  [[nodiscard]] bool drained_unless_asked(std::int64_t deadline);

  task_list tasks_;
  const std::chrono::nanoseconds drain_;
  accept_backoff backoff_;
};

// Whether a spawn that failed so may succeed later.
[[nodiscard]] bool room_comes_back(boost::system::error_code why) noexcept;

// Set for the acceptor, too: a program that inherits it keeps its port taken.
void close_on_exec(int fd) noexcept;
void close_descriptor(int fd) noexcept;

} // namespace smarm::detail

#endif
