// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/server_core.hpp>

#include <smarm/detail/pooled.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/wait.hpp>

#include <new>

namespace smarm::detail {
namespace {

// Wakes a server that waits at its inbox, and asks for nothing: what it is about is elsewhere.
struct knock_node : request_node {
  knock_node() noexcept : request_node(&step) {}

  static request_info step(request_node* me, server_core*, request_step what) {
    if (what != request_step::identify) {
      pooled<knock_node>::destroy(static_cast<knock_node&>(*me));
    }
    return {};
  }
};

void wake_if_any(const registration& who) noexcept {
  if (who.who != nullptr) {
    wake(who);
  }
}

// A sender that waits until it is let in by the server in that slot, or turned away when it ends.
struct room_source {
  request_limit& limit;
  limit_sender& entry;
  const slot* server;

  [[nodiscard]] const slot* whom() const noexcept { return server; }
  enrolment enroll(registration r) noexcept {
    entry.who = r;
    return limit.block(entry) ? enrolment::enrolled : enrolment::ready;
  }
  bool satisfied() noexcept { return limit.state_of(entry) != limit_sender::state::listed; }
  bool withdraw() noexcept { return limit.unblock(entry); }
};

} // namespace

server_core::~server_core() { delete control.load(std::memory_order_acquire); }

void* server_core::allocate(std::size_t size, std::size_t alignment) {
  return alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__
             ? ::operator new(size, std::align_val_t(alignment))
             : ::operator new(size);
}

void server_core::destroy(server_core& core) noexcept {
  const server_control* const c = core.control.load(std::memory_order_acquire);
  const std::size_t alignment = c != nullptr ? c->alignment : 0;
  core.~server_core();
  if (alignment != 0) {
    ::operator delete(&core, std::align_val_t(alignment));
  } else {
    ::operator delete(&core);
  }
}

void server_core::close_by_refs() noexcept {
  wait_ticket ticket = 0;
  if (inbox.close_by_sender(ticket)) {
    wake({where, ticket});
  }
  if (request_limit* const l = limit()) {
    registration at_limit;
    l->close_by_sender(at_limit);
    wake_if_any(at_limit);
  }
}

errc server_core::push_limited(request_node& node, std::int64_t deadline, when_full how) {
  request_limit& to = *limit();
  for (;;) {
    registration waiter;
    request_node* dropped = nullptr;
    const limit_result result = to.push(node, waiter, dropped);
    if (result == limit_result::pushed) {
      wake_if_any(waiter);
    }
    if (dropped != nullptr) {
      dropped->resolve(dropped, this, request_step::drop);
    }
    switch (result) {
    case limit_result::pushed: return errc{};
    case limit_result::dropped_newest: node.resolve(&node, this, request_step::drop); return errc{};
    case limit_result::closed: return errc::server_down;
    case limit_result::full: break;
    }
    const scheduler* const here = current_scheduler();
    const bool itself = here != nullptr && is(*here->current); // would wait for itself
    if (how == when_full::fails || to.bound().when_full == overflow::fail || itself) {
      to.count_refused();
      return errc::queue_full;
    }
    // A message may hold the very ref that it is sent through: it may be let in and handled before the
    // sender runs again.
    struct kept {
      server_core& core;
      explicit kept(server_core& c) noexcept : core(c) { core.add_ref(); }
      ~kept() { core.drop_ref(); }
    } const until_it_has_looked(*this);
    limit_sender me(node);
    room_source source{to, me, where};
    switch (deadline == no_deadline ? wait_for_source<false>(source, wait_kind::room)
                                    : wait_for_source<true>(source, wait_kind::room, deadline)) {
    case wait_end::ready: break;
    case wait_end::timed_out: return errc::timed_out;
    case wait_end::would_block: return errc::would_block_scheduler;
    }
    switch (to.state_of(me)) {
    case limit_sender::state::let_in: return errc{};
    case limit_sender::state::closed: return errc::server_down;
    default: break; // there was room before it had to wait
    }
  }
}

server_control* server_core::looked_at() noexcept {
  server_control* seen = control.load(std::memory_order_acquire);
  if (seen != nullptr) {
    return seen;
  }
  const quiet_allocation quiet; // nothing of a look switches
  auto* const fresh = new (std::nothrow) server_control;
  if (fresh == nullptr) {
    return nullptr;
  }
  if (control.compare_exchange_strong(seen, fresh, std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
    return fresh;
  }
  delete fresh;
  return seen;
}

errc server_core::submit(system_request& request) noexcept {
  server_control* const c = looked_at();
  if (c == nullptr) {
    return errc::out_of_memory;
  }
  knock_node* knock = nullptr;
  if (!c->limit) {
    void* const memory = pooled<knock_node>::allocate();
    if (memory == nullptr) {
      return errc::out_of_memory;
    }
    knock = ::new (memory) knock_node;
  }
  const auto unused = [&] {
    if (knock != nullptr) {
      pooled<knock_node>::destroy(*knock);
    }
  };
  if (!c->requests.push(request)) {
    unused();
    return errc::server_down;
  }
  registration waiter;
  bool heard = false;
  if (c->limit) {
    heard = c->limit->knock(waiter);
    wake_if_any(waiter);
  } else {
    heard = push_unlimited(*knock);
  }
  if (!heard) { // the server has ended, and may have closed the list before this was in it
    unused();
    detail::refuse_all(c->requests.close());
  }
  return errc{};
}

overflow_counts server_core::overflows() const noexcept {
  request_limit* const l = limit();
  return l != nullptr ? l->counts() : overflow_counts();
}

std::size_t server_core::queued() const noexcept {
  request_limit* const l = limit();
  return l != nullptr ? l->size() : inbox.size();
}

request_node* server_core::take_any() noexcept {
  server_control* const c = control.load(std::memory_order_acquire);
  if (c != nullptr && c->limit) {
    registration sender;
    request_node* const taken = c->limit->take(sender);
    wake_if_any(sender);
    return taken;
  }
  if (inbox.front() == nullptr) {
    return nullptr;
  }
  if (c != nullptr) {
    c->first_taken();
  }
  return &take();
}

bool server_core::ready() noexcept {
  request_limit* const l = limit();
  return l != nullptr ? l->ready() : inbox.front() != nullptr || inbox.closed();
}

bool server_core::settled() noexcept {
  request_limit* const l = limit();
  return l != nullptr ? l->ready() : inbox.await_front() != nullptr || inbox.closed();
}

bool server_core::wait(registration me) noexcept {
  request_limit* const l = limit();
  return l != nullptr ? l->wait(me) : inbox.wait(me.ticket);
}

bool server_core::cancel_wait() noexcept {
  request_limit* const l = limit();
  return l != nullptr ? l->cancel_wait() : inbox.cancel_wait();
}

bool server_core::finished() noexcept {
  request_limit* const l = limit();
  return l != nullptr
             ? l->closed() && l->size() == 0
             : inbox.await_front() == nullptr && inbox.closed(); // what is on its way first
}

std::size_t server_core::refuse_all() noexcept {
  std::size_t refused = 0;
  const auto refuse = [&](request_node& node) {
    refused += node.resolve(&node, nullptr, request_step::identify).kind != sys::event_kind::none;
    node.resolve(&node, this, request_step::refuse);
  };
  inbox.close();
  server_control* const c = control.load(std::memory_order_acquire);
  if (c != nullptr && c->limit) {
    c->limit->close();
    registration sender;
    while (c->limit->turn_away(sender)) {
      wake(sender);
    }
    while (request_node* const rest = c->limit->take(sender)) {
      refuse(*rest);
    }
  }
  while (inbox.await_front() != nullptr) {
    refuse(take());
  }
  // After the inbox: see system_list.hpp.
  if (server_control* const looked = control.load(std::memory_order_acquire)) {
    detail::refuse_all(looked->requests.close());
  }
  return refused;
}

} // namespace smarm::detail
