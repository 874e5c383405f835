// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The life of a server's actor, as a step that the host loop calls: it handles what there is and, when
// there is nothing, registers and leaves, with nothing of it on any stack. A handler that waits keeps the
// stack that the step runs on, like any actor.

#ifndef SMARM_DETAIL_SERVER_LOOP_HPP
#define SMARM_DETAIL_SERVER_LOOP_HPP

#include <smarm/detail/hears_urgent_stops.hpp>
#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/server_callbacks.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_duties.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/server_seen.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace smarm::detail {

// How a server ends: what terminate is told, and what made it end.
struct server_end {
  exit_reason reason;
  std::exception_ptr exception; // null: none left a callback
};

// Throws boost::system::system_error, errc::invalid_config, for what is no way to end.
void check_ending(const exit_reason& why);
// How the calling actor ends, by a stop that it heeds.
[[nodiscard]] exit_reason reason_of_stop() noexcept;
// Of the exception that is being handled.
[[nodiscard]] server_end end_by_exception(slot& me) noexcept;
// The actor ends for that reason as soon as its step returns.
void leave_actor(slot& me, server_end end) noexcept;

// Of the server that the slot's behaviour is. Under the record lock, and it is there.
[[nodiscard]] inline const server_type& type_of_resident(slot& s) noexcept {
  return **std::launder(reinterpret_cast<const server_type**>(s.closure + sizeof(void*)));
}

// Nobody finds the server by its actor any more; before its share of the memory goes.
void hide_behaviour(slot& me) noexcept;

template <class S>
struct server_loop {
  using core_type = typed_server_core<S>;
  using duties = server_duties<S>;
  static constexpr server_type type = duties::type();

  [[nodiscard]] static core_type*& core_in(slot& me) noexcept {
    return *std::launder(reinterpret_cast<core_type**>(me.closure));
  }
  // What the slot's closure holds: the core, and its type for those who look from outside.
  static void move_in(slot& me, core_type& core) noexcept {
    ::new (static_cast<void*>(me.closure)) core_type*(&core);
    ::new (static_cast<void*>(me.closure + sizeof(void*))) const server_type*(&type);
  }
  // The server that the calling actor is, or null.
  [[nodiscard]] static core_type* of_caller() noexcept;

  static step_result step(slot& me) {
    core_type& core = *core_in(me);
    server_end end;
    try {
      if (serve(core, end.reason)) {
        return step_result::parked;
      }
    } catch (...) {
      end = end_by_exception(me);
    }
    conclude(me, core, std::move(end));
    return step_result::finished;
  }

  // True: the server waits, and is registered. False: it is to end, as the reason says.
  static bool serve(core_type& core, exit_reason& reason) {
    // After a message its sender has taken the registration; after a stop it is still there.
    (void)core.inbox.cancel_wait();
    for (;;) {
      if (extras_access::find(core.object) != nullptr ||
          core.control.load(std::memory_order_acquire) != nullptr ||
          duties::has_more(core.object)) {
        return serve_all(core, reason);
      }
      if (!receive_point_of_step()) {
        reason = reason_of_stop();
        return false;
      }
      if (core.inbox.front() != nullptr) {
        handle_one(core);
        continue;
      }
      scheduler& here = *current_scheduler();
      slot& me = *here.current;
      if (core.inbox.wait(me.word.begin_wait())) {
        if (leave(here, me)) {
          return true;
        }
        (void)core.inbox.cancel_wait();
      } else if (core.inbox.await_front() == nullptr) {
        return false; // closed: nobody has a ref any more
      }
    }
  }

  // The same for a server that has more to wait for than its inbox, a limit for that, or somebody who
  // looks at it.
  SMARM_NOINLINE static bool serve_all(core_type& core, exit_reason& reason) {
    if (server_extras* const more = extras_access::find(core.object)) {
      more->withdraw();
    }
    (void)core.cancel_wait();
    for (;;) {
      // Anew each time: handlers make the one, anybody who looks at the server the other.
      server_extras* const more = extras_access::find(core.object);
      server_control* const control = core.control.load(std::memory_order_acquire);
      if (more != nullptr && more->ending) {
        reason = *std::move(more->ending);
        return false;
      }
      if (duties::ends(core.object)) {
        return false;
      }
      if (!receive_point_of_step()) {
        reason = reason_of_stop();
        return false;
      }
      const bool suspended = control != nullptr && control->suspended;
      if (!suspended && duties::dispatch_first(core)) {
        continue;
      }
      if (!suspended && more != nullptr && more->dispatch_first(core, &duties::hand_down)) {
        more->touched();
        continue;
      }
      if (control != nullptr && control->serve(core, type)) {
        continue;
      }
      if (suspended) {
        if (wait_suspended(core, *control)) {
          return true;
        }
        continue;
      }
      if (duties::dispatch_due(core)) {
        continue;
      }
      if (more != nullptr && more->dispatch_then(core)) {
        more->touched();
        continue;
      }
      if (control == nullptr) {
        if (core.inbox.front() != nullptr) {
          handle_one(core);
          if (more != nullptr) {
            more->touched();
          }
          continue;
        }
      } else if (request_node* const request = core.take_any()) {
        if (handle_any(core, *request) && more != nullptr) {
          more->touched();
        }
        continue;
      }
      if (duties::dispatch_last(core)) {
        continue;
      }
      scheduler& here = *current_scheduler();
      slot& me = *here.current;
      if (more != nullptr ? more->enroll(me, core, duties::deadline(core.object))
                          : core.wait({&me, me.word.begin_wait()})) {
        if (leave(here, me)) {
          return true;
        }
        if (more != nullptr) {
          more->withdraw();
        }
        (void)core.cancel_wait();
      } else if (core.finished()) {
        return false;
      }
    }
  }

  // Waits for system requests only. As leave().
  static bool wait_suspended(core_type& core, server_control& control) {
    if (core.abandoned()) { // nobody is left who could resume it
      control.suspended = false;
      return false;
    }
    scheduler& here = *current_scheduler();
    slot& me = *here.current;
    if (control.wait_for_knock(core, {&me, me.word.begin_wait()})) {
      if (leave(here, me, wait_kind::resumption)) {
        return true;
      }
      (void)core.cancel_wait();
    }
    return false;
  }

  SMARM_ALWAYS_INLINE static void handle_one(core_type& core) {
    request_node& request = core.take();
    if (is_tracing()) {
      trace_taken(request);
    }
    const auto resolve = request.resolve;
    count_received();
    try {
      resolve(&request, &core, request_step::handle);
    } catch (...) { // the node is gone
      note_failure(resolve(nullptr, nullptr, request_step::identify));
      throw;
    }
  }

  // The same, seen. False: it was only a knock.
  static bool handle_any(core_type& core, request_node& request) {
    const request_info what = request.resolve(&request, &core, request_step::identify);
    if (what.kind == sys::event_kind::none) {
      request.resolve(&request, &core, request_step::handle);
      return false;
    }
    if (is_tracing()) {
      trace_taken(request);
    }
    count_received();
    handle_seen(core, what, [&] { return request.resolve(&request, &core, request_step::handle); });
    return true;
  }

  // The wait is registered. True: the step is to return, and its stack is free. False: the server has a
  // stack of a size of its own, stays on it, and was woken.
  static bool leave(scheduler& here, slot& me, wait_kind what = wait_kind::message) noexcept {
    me.begin_waiting(what, here.coarse_tick);
    if (SMARM_LIKELY(me.stack.load()->pooled())) {
      return true;
    }
    me.masks.between_callbacks = true;
    here.park(me, handover::parked);
    me.masks.between_callbacks = false;
    return false;
  }

  // Everything that an ending is made of: requests are refused, terminate is called, outside unwinding
  // and with stops masked, and the object goes. What a report says of it is gathered before terminate
  // tidies up.
  static void conclude(slot& me, core_type& core, server_end end) {
    ++me.masks.stops;
    const std::size_t queued = core.refuse_all() + duties::refuse_all(core.object);
    const auto note_unclean = [&] {
      if (!end.reason.is_clean()) {
        const hears_urgent_stops until_it_returns(me); // describe may wait, though it should not
        note_state(me, core, type, queued);
      }
    };
    note_unclean();
    if constexpr (has_terminate<S>) {
      const bool stopped_already = me.masks.stop_raised;
      try {
        const hears_urgent_stops until_it_returns(me);
        core.object.terminate(std::as_const(end.reason));
      } catch (...) {
        server_end last = end_by_exception(me);
        const bool fails = last.reason.kind() == exit_kind::failed;
        if (end.reason.kind() == exit_kind::failed) {
          if (fails) {
            note_failure("its terminate failed, too");
          }
        } else if (fails || !stopped_already) {
          note_failure("in terminate");
          const bool noted = !end.reason.is_clean();
          end = std::move(last);
          if (!noted) {
            note_unclean();
          }
        }
      }
    }
    if (server_control* const control = core.control.load(std::memory_order_acquire)) {
      control->ended(core.id());
    }
    extras_access::drop(core.object);
    duties::drop_kept(core.object);
    std::destroy_at(std::addressof(core.object));
    leave_core(me, core);
    leave_actor(me, std::move(end));
  }

  // The same where the object was never made.
  static void conclude_unmade(slot& me, core_type& core, server_end end) {
    ++me.masks.stops;
    (void)core.refuse_all();
    leave_core(me, core);
    leave_actor(me, std::move(end));
  }

  static void leave_core(slot& me, core_type& core) noexcept {
    hide_behaviour(me);
    core.drop_share();
    --me.masks.stops;
  }
};

template <class S>
typename server_loop<S>::core_type* server_loop<S>::of_caller() noexcept {
  scheduler* here = current_scheduler();
  if (here == nullptr || !here->is_actor(here->current)) {
    return nullptr;
  }
  slot& me = *here->current;
  return me.entry == &step ? core_in(me) : nullptr;
}

} // namespace smarm::detail

#endif
