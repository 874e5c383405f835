// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Puts a callable into a slot: inline where it fits, else on the heap. The callable is destroyed on
// the actor's own stack, when it has been called.

#ifndef SMARM_DETAIL_CONSTRUCT_ACTOR_HPP
#define SMARM_DETAIL_CONSTRUCT_ACTOR_HPP

#include <smarm/detail/runtime_state.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace smarm {

struct handle_access {
  static join_handle make(detail::slot& s, pid id) noexcept { return join_handle(s, id); }
  // Null: it is not joinable.
  [[nodiscard]] static detail::slot* target(const join_handle& h) noexcept { return h.slot_; }
};

namespace detail {

template <class Body>
inline constexpr bool fits_slot = sizeof(Body) <= inline_closure_size &&
                                  alignof(Body) <= cache_line;

// Destroys the callable; no stop is raised meanwhile, since it could not leave a destructor.
template <class Body, bool Inline>
struct body_owner {
  slot& me;
  Body* body;

  ~body_owner() {
    if constexpr (!std::is_trivially_destructible_v<Body>) {
      ++me.masks.stops;
    }
    if constexpr (Inline) {
      body->~Body();
    } else {
      delete body;
    }
    if constexpr (!std::is_trivially_destructible_v<Body>) {
      --me.masks.stops;
    }
  }
};

template <class Body>
step_result run_inline(slot& me) {
  const body_owner<Body, true> owned{me, std::launder(reinterpret_cast<Body*>(me.closure))};
  (void)std::invoke(std::move(*owned.body));
  return step_result::finished;
}

template <class Body>
step_result run_from_heap(slot& me) {
  const body_owner<Body, false> owned{me, *std::launder(reinterpret_cast<Body**>(me.closure))};
  (void)std::invoke(std::move(*owned.body));
  return step_result::finished;
}

// Everything but making the slot visible. May throw what the callable's constructor throws.
template <class Body>
SMARM_HOT_INLINE void fill_slot(runtime_state& owner, slot& s, std::uint64_t parent, Body&& body) {
  using stored = std::decay_t<Body>;
  static_assert(std::is_invocable_v<stored>,
                "smarm: an actor's body is called without arguments, and as an rvalue");
  if constexpr (fits_slot<stored>) {
    new (static_cast<void*>(s.closure)) stored(std::forward<Body>(body));
    s.entry = &run_inline<stored>;
  } else {
    new (static_cast<void*>(s.closure)) stored*(new stored(std::forward<Body>(body)));
    s.entry = &run_from_heap<stored>;
  }
  s.runtime = &owner;
  s.masks = {};
  s.join.begin();
  s.stop.begin(s.word.snapshot().generation);
  s.parent.store(parent, std::memory_order_release);
  s.messages_received.store(0, std::memory_order_release);
  s.overruns.store(0, std::memory_order_release);
  s.stack_account.store(0, std::memory_order_release);
#if SMARM_BUDGET
  s.budget_cycles.store(0, std::memory_order_release);
#endif
}

// Of options out of range the text names the field, its value and the range. A runtime that is not
// named is the caller's.
[[noreturn]] void throw_spawn_error(const boost::system::error_code& error,
                                    const spawn_options* options = nullptr,
                                    const runtime_state* in = nullptr);

inline join_handle checked_spawn(boost::system::result<join_handle> made,
                                 const spawn_options* options = nullptr,
                                 const runtime_state* in = nullptr) {
  if (!made) {
    throw_spawn_error(made.error(), options, in);
  }
  return *std::move(made);
}

// A body that no actor will call.
template <class Body>
void destroy_body(slot& s) noexcept {
  using stored = std::decay_t<Body>;
  if constexpr (fits_slot<stored>) {
    std::launder(reinterpret_cast<stored*>(s.closure))->~stored();
  } else {
    delete *std::launder(reinterpret_cast<stored**>(s.closure));
  }
}

// What the options of a spawn ask for. Gives the slot back if they cannot be had.
[[nodiscard]] errc equip_slot(runtime_state& owner, scheduler* here, slot& s,
                              const spawn_options& options);

// Starts an actor of the caller's runtime. Null: see error.
template <class Body>
SMARM_HOT_INLINE slot* spawn_here(const spawn_options* options, Body&& body, errc& error) {
  scheduler* here = current_scheduler();
  if (SMARM_UNLIKELY(here == nullptr)) {
    error = errc::not_in_actor;
    return nullptr;
  }
  // Actors that start on the system's last stacks would only add to those that wait for one.
  if (SMARM_UNLIKELY(here->runtime.starving())) {
    error = errc::out_of_stacks;
    return nullptr;
  }
  slot* s = here->vacant.take(error);
  if (SMARM_UNLIKELY(s == nullptr)) {
    return nullptr;
  }
  runtime_state& owner = here->runtime;
  if (SMARM_UNLIKELY(options != nullptr)) {
    error = equip_slot(owner, here, *s, *options);
    if (error != errc{}) {
      return nullptr;
    }
  }
  // In scheduler context there is none, and perhaps nobody alive who keeps the runtime from ending.
  const bool parentless = SMARM_UNLIKELY(!here->is_actor(here->current));
  const pid parent = parentless ? pid::root() : here->current->id();
  if (parentless && !runtime_state::visit(owner).open()) {
    owner.return_slot(here, *s);
    error = errc::runtime_down;
    return nullptr;
  }
  struct undo {
    runtime_state& owner;
    slot* s;
    ~undo() {
      if (SMARM_UNLIKELY(s != nullptr)) {
        owner.return_slot(current_scheduler(), *s);
      }
    }
  } guard{owner, s};
  // The constructor is the user's and may throw, or even switch: the scheduler is looked up anew.
  fill_slot(owner, *s, std::uint64_t{parent.index()} << 32 | parent.generation(),
            std::forward<Body>(body));
  if (SMARM_UNLIKELY(parentless) && !owner.life.enter()) { // until it is published
    owner.life.leave();
    destroy_body<Body>(*s);
    error = errc::runtime_down;
    return nullptr;
  }
  guard.s = nullptr;
  return s;
}

// Makes the actor visible and ready, and gives the caller its handle.
SMARM_HOT_INLINE join_handle launch(slot& s) noexcept {
  scheduler& here = *current_scheduler();
  const pid id = s.id();
  if (SMARM_LIKELY(here.is_actor(here.current))) {
    here.runtime.publish(here, s);
  } else {
    here.runtime.publish_parentless(here, s);
  }
  return handle_access::make(s, id);
}

enum class root_actor : bool { no, yes };

// From a plain thread or from another runtime's actor. The body is constructed outside any visit: how
// long that takes is the user's affair, and the verdict that a run is over waits for visitors. Calls
// prepare(slot), noexcept, before anybody else knows the actor.
template <class Body, class Prepare>
boost::system::result<join_handle>
spawn_prepared_from_outside(runtime_state& owner, const spawn_options* options, Body&& body,
                            Prepare&& prepare, root_actor is_root = root_actor::no) {
  static_assert(noexcept(prepare(std::declval<slot&>())));
  const auto wanted = [&](const runtime_state::visit& here) {
    return here.open() && (!owner.ends() || is_root == root_actor::yes);
  };
  if (!wanted(runtime_state::visit(owner))) {
    return make_error_code(errc::runtime_down);
  }
  if (owner.starving()) {
    return make_error_code(errc::out_of_stacks);
  }
  errc error{};
  slot* s = owner.take_slot(nullptr, error);
  if (s == nullptr) {
    return make_error_code(error);
  }
  if (options != nullptr) {
    error = equip_slot(owner, nullptr, *s, *options);
    if (error != errc{}) {
      return make_error_code(error);
    }
  }
  try {
    const pid parent = pid::root();
    fill_slot(owner, *s, std::uint64_t{parent.index()} << 32 | parent.generation(),
              std::forward<Body>(body));
  } catch (...) {
    owner.return_slot(nullptr, *s);
    throw;
  }
  const pid id = s->id();
  s->masks.is_root = is_root == root_actor::yes;
  prepare(*s);
  {
    const runtime_state::visit here(owner);
    if (wanted(here)) {
      owner.publish_from_outside(*s);
      return handle_access::make(*s, id);
    }
  }
  destroy_body<Body>(*s);
  owner.return_slot(nullptr, *s);
  return make_error_code(errc::runtime_down);
}

template <class Body>
boost::system::result<join_handle> spawn_from_outside(runtime_state& owner,
                                                      const spawn_options* options, Body&& body,
                                                      root_actor is_root = root_actor::no) {
  return spawn_prepared_from_outside(
      owner, options, std::forward<Body>(body), [](slot&) noexcept {}, is_root);
}

} // namespace detail
} // namespace smarm

#endif
