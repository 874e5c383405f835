// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a server's actor ends.

#include <smarm/detail/server_loop.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/error.hpp>
#include <smarm/monitor.hpp>

#include <boost/system/system_error.hpp>

#include <cxxabi.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <typeinfo>
#include <utility>

namespace smarm::detail {
namespace {

// Of the exception that is being handled; which need not be thrown again to know.
bool is_stop_unwind() noexcept {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  return type != nullptr && *type == typeid(stop_unwind);
}

exit_reason failed_by_itself() noexcept {
  try {
    return exit_reason::failed("the server ended itself as failed");
  } catch (...) {
    return exit_reason::failed(std::current_exception());
  }
}

} // namespace

void check_ending(const exit_reason& why) {
  if (why.kind() == exit_kind::no_process) {
    throw boost::system::system_error(make_error_code(errc::invalid_config),
                                      "smarm::gen_server: no_process is no way to end");
  }
}

exit_reason reason_of_stop() noexcept {
  return current_scheduler()->current.load()->stop.requested(stop_flag::stop) ? exit_kind::stopped
                                                                              : exit_kind::shutdown;
}

server_end end_by_exception(slot& me) noexcept {
  server_end end;
  end.exception = std::current_exception();
  // A stop_unwind of another actor, kept and thrown here, is a failure.
  end.reason = me.masks.stop_raised && is_stop_unwind() ? reason_of_stop()
                                                        : exit_reason::failed(end.exception);
  return end;
}

void hide_behaviour(slot& me) noexcept {
  const std::lock_guard guard(me.record_lock);
  me.behaviour.store(nullptr, std::memory_order_relaxed);
}

// Nothing is thrown for that, not even again: to unwind the few frames of a step would cost more than
// all the rest of an ending.
void leave_actor(slot& me, server_end end) noexcept {
  switch (end.reason.kind()) {
  case exit_kind::normal: return;
  case exit_kind::failed:
    if (end.reason.exception() == nullptr) {
      end.reason = end.exception != nullptr ? exit_reason::failed(std::move(end.exception))
                                            : failed_by_itself();
    }
    me.outcome = std::move(end.reason);
    me.masks.reason_given = true;
    return;
  default: break;
  }
  const std::uint64_t flag =
      end.reason.kind() == exit_kind::stopped ? stop_flag::stop : stop_flag::shutdown;
  (void)me.stop.request(me.id().generation(), flag, me.word); // it runs: nobody is to be woken
  me.masks.stop_raised = true;
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
