// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a server's actor ends.

#include <smarm/detail/server_loop.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/monitor.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace smarm::detail {

server_end end_by_exception(slot& me) noexcept {
  server_end end;
  end.exception = std::current_exception();
  try {
    throw;
  } catch (const stop_unwind&) {
    // Another actor's, kept and thrown here, is a failure.
    end.reason = !me.masks.stop_raised                ? exit_reason::failed(end.exception)
                 : me.stop.requested(stop_flag::stop) ? exit_reason(exit_kind::stopped)
                                                      : exit_reason(exit_kind::shutdown);
  } catch (...) {
    end.reason = exit_reason::failed(end.exception);
  }
  return end;
}

void leave_actor(slot& me, server_end end) {
  if (end.exception != nullptr) {
    std::rethrow_exception(std::move(end.exception));
  }
  switch (end.reason.kind()) {
  case exit_kind::normal: return;
  case exit_kind::failed:
    if (end.reason.exception() != nullptr) {
      std::rethrow_exception(end.reason.exception());
    }
    std::rethrow_exception(exit_reason::failed("the server ended itself as failed").exception());
  default: break;
  }
  const std::uint64_t flag =
      end.reason.kind() == exit_kind::stopped ? stop_flag::stop : stop_flag::shutdown;
  (void)me.stop.request(me.id().generation(), flag, me.word); // it runs: nobody is to be woken
  raise_stop(me);
}

boost::system::result<void> shut_server_down(const server_core& server, exit_kind how,
                                             std::int64_t deadline) {
  if (how != exit_kind::shutdown && how != exit_kind::stopped) {
    return make_error_code(errc::invalid_config);
  }
  slot& where = *server.where;
  const pid who = server.id();
  pid from = pid::root();
  if (const scheduler* here = current_scheduler(); here != nullptr) {
    const slot& caller = *here->current.load();
    if (!here->is_actor(&caller)) {
      return make_error_code(errc::would_block_scheduler);
    }
    if (server.is(caller)) {
      return make_error_code(errc::calling_self);
    }
    from = caller.id();
  }
  // Not by way of a runtime: it may be another one than the caller's, or be gone.
  monitor_ref ended = monitor_in(where, who);
  if (how == exit_kind::shutdown) {
    (void)shut_down(where, who, from, shutdown_asked::directly);
  } else {
    (void)insist_on_stop(where, who);
  }
  const auto told =
      ended.recv_until(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline)));
  if (told) {
    return {};
  }
  if (told.error() == errc::timed_out) {
    (void)insist_on_stop(where, who);
  }
  return told.error();
}

} // namespace smarm::detail
