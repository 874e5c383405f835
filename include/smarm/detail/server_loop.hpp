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

#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/server_callbacks.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace smarm::detail {

// How a server ends: what terminate is told, and what is thrown at the end of it all.
struct server_end {
  exit_reason reason;
  std::exception_ptr exception; // null: none left a callback
};

// Throws boost::system::system_error, errc::invalid_config, for what is no way to end.
void check_ending(const exit_reason& why);
// Of the exception that is being handled.
[[nodiscard]] server_end end_by_exception(slot& me) noexcept;
// Ends the actor for that reason: returns for a normal end, throws for any other.
void leave_actor(slot& me, server_end end);

template <class S>
struct server_loop {
  using core_type = typed_server_core<S>;

  // What the slot's closure holds.
  [[nodiscard]] static core_type*& core_in(slot& me) noexcept {
    return *std::launder(reinterpret_cast<core_type**>(me.closure));
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
      if (extras_access::find(core.object) != nullptr) {
        return serve_all(core, reason);
      }
      receive_point();
      if (core.inbox.front() != nullptr) {
        handle_one(core);
        continue;
      }
      slot& me = *current_scheduler()->current;
      if (core.inbox.wait({&me, me.word.begin_wait()})) {
        if (leave(me)) {
          return true;
        }
        (void)core.inbox.cancel_wait();
      } else if (core.inbox.await_front() == nullptr) {
        return false; // closed: nobody has a ref any more
      }
    }
  }

  // The same for a server that has more to wait for than its inbox.
  SMARM_NOINLINE static bool serve_all(core_type& core, exit_reason& reason) {
    server_extras& more = *extras_access::find(core.object);
    more.withdraw();
    for (;;) {
      if (more.ending) {
        reason = *std::move(more.ending);
        return false;
      }
      receive_point();
      if (more.dispatch(&core.object, &hand_down)) {
        more.touched();
        continue;
      }
      if (core.inbox.front() != nullptr) {
        handle_one(core);
        more.touched();
        continue;
      }
      if constexpr (takes_idle<S>) {
        if (more.idle_due()) {
          core.object.handle_idle();
          continue;
        }
      }
      slot& me = *current_scheduler()->current;
      if (more.enroll(me, core)) {
        if (leave(me)) {
          return true;
        }
        more.withdraw();
      } else if (core.inbox.closed() && core.inbox.await_front() == nullptr) {
        return false;
      }
    }
  }

  static void hand_down(void* server, down what) {
    if constexpr (takes_down<S>) {
      static_cast<S*>(server)->handle_down(std::move(what));
    } else {
      (void)server, (void)what;
    }
  }

  SMARM_ALWAYS_INLINE static void handle_one(core_type& core) {
    request_node& request = core.take();
    count_received();
    request.resolve(request, &core);
  }

  // The wait is registered. True: the step is to return, and its stack is free. False: the server has a
  // stack of a size of its own, stays on it, and was woken.
  static bool leave(slot& me) noexcept {
    me.waits_for.store(wait_kind::message, std::memory_order_relaxed);
    if (SMARM_LIKELY(me.stack.load()->pooled())) {
      return true;
    }
    current_scheduler()->park(me, false);
    return false;
  }

  // Everything that an ending is made of: requests are refused, terminate is called, outside unwinding
  // and with stops masked, and the object goes.
  static void conclude(slot& me, core_type& core, server_end end) {
    ++me.masks.stops;
    core.refuse_all();
    if constexpr (has_terminate<S>) {
      try {
        core.object.terminate(std::as_const(end.reason));
      } catch (...) {
        if (end.reason.kind() != exit_kind::failed) { // the first failure is the one that is told
          end = end_by_exception(me);
        }
      }
    }
    extras_access::drop(core.object);
    std::destroy_at(std::addressof(core.object));
    core.drop_share();
    --me.masks.stops;
    leave_actor(me, std::move(end));
  }

  // The same where the object was never made.
  static void conclude_unmade(slot& me, core_type& core, server_end end) {
    ++me.masks.stops;
    core.refuse_all();
    core.drop_share();
    --me.masks.stops;
    leave_actor(me, std::move(end));
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
