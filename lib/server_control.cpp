// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/server_control.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/bounded_part.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/exit_reason.hpp>

#include <exception>
#include <utility>

namespace smarm::detail {

void refuse_all(system_request* first) noexcept {
  while (first != nullptr) {
    system_request* const rest = first->following; // it is gone once it is answered
    std::exchange(first, rest)->refuse();
  }
}

server_control::server_control() noexcept : counted_since(monotonic_now()) {}
server_control::server_control(const bounded& how) : counted_since(monotonic_now()) {
  check_bound(how);
  limit.emplace(how, lock_class::channel);
}

bool server_control::serve(server_core& server, const server_type& type) {
  if (requests.empty()) {
    return false;
  }
  struct remaining {
    system_request* first;
    ~remaining() { refuse_all(first); }
  } rest{requests.take_all()};
  while (rest.first != nullptr) {
    system_request& one = *std::exchange(rest.first, rest.first->following);
    one.run(server, type);
  }
  return true;
}

void server_control::received(pid server, const request_info& what, sys::event_stage as) noexcept {
  if (as == sys::event_stage::received) {
    count(what);
  }
  if (trace) {
    tell({server, what.kind, as, what.type});
  }
}

void server_control::count(const request_info& what) noexcept {
  switch (what.kind) {
  case sys::event_kind::call:
    ++counts.calls;
    counts.deferred += what.answered_later;
    break;
  case sys::event_kind::cast: ++counts.casts; break;
  case sys::event_kind::info: ++counts.infos; break;
  case sys::event_kind::down: ++counts.downs; break;
  case sys::event_kind::timer: ++counts.timers; break;
  case sys::event_kind::reply: ++counts.replies; break;
  case sys::event_kind::continuation: ++counts.continuations; break;
  case sys::event_kind::idle: ++counts.idle; break;
  case sys::event_kind::internal: ++counts.internal; break;
  case sys::event_kind::none:
  case sys::event_kind::ended: break;
  }
}

void server_control::handled(pid server, const request_info& what, sys::event_stage how) noexcept {
  if (trace) {
    tell({server, what.kind, how, what.type});
  }
}

void server_control::ended(pid server) noexcept {
  if (trace) {
    tell({server, sys::event_kind::ended, sys::event_stage::handled, nullptr});
    trace = nullptr;
  }
}

// A stop in the sink would end the server for somebody's looking at it.
void server_control::tell(const sys::event& what) noexcept {
  slot& me = *current_scheduler()->current;
  ++me.masks.stops;
  std::exception_ptr thrown;
  try {
    trace(what);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (thrown != nullptr) {
    trace = nullptr;
    current_scheduler()->runtime.tell_made([&] { // if there is memory for it
      const exit_reason why = exit_reason::failed(thrown);
      return report{.kind = report_kind::callback_failed,
                    .actor = what.server,
                    .label = label_of(me),
                    .reason = why,
                    .text = "the sink of sys::trace threw, and is not called again: " + why.text()};
    });
  }
  --me.masks.stops;
}

std::size_t server_control::walk(server_core& server, bool& knocked) noexcept {
  if (limit) {
    return limit->size();
  }
  auto& inbox = server.inbox;
  inbox_node<>* at = last_walked_ != nullptr ? last_walked_ : &inbox.before_front();
  while (request_node* const next = inbox.await_after(*at)) {
    if (next->resolve(next, nullptr, request_step::identify).kind == sys::event_kind::none) {
      knocked = true;
      request_node& knock = inbox.erase_after(*at);
      knock.resolve(&knock, &server, request_step::refuse);
      continue;
    }
    at = last_walked_ = next;
    ++walked_;
  }
  return walked_;
}

bool server_control::wait_for_knock(server_core& server, registration me) noexcept {
  if (limit) {
    return limit->wait_for_knock(me);
  }
  bool knocked = false;
  (void)walk(server, knocked);
  return !knocked && server.inbox.wait_after(last_walked_ != nullptr ? *last_walked_
                                                                     : server.inbox.before_front(),
                                             me.ticket);
}

} // namespace smarm::detail
