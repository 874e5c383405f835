// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/spawn.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/spawn_limits.hpp>

#include <boost/system/system_error.hpp>

#include <cstddef>
#include <mutex>
#include <new>
#include <string>

namespace smarm::detail {

void throw_spawn_error(const boost::system::error_code& error, const spawn_options* options,
                       const runtime_state* in) {
  std::string what = "smarm::spawn";
  if (in == nullptr && current_scheduler() != nullptr) {
    in = &current_scheduler()->runtime;
  }
  if (error == errc::invalid_config && options != nullptr && in != nullptr) {
    what += ": " + beyond_limits(*options, in->settings.schedulers);
  }
  throw boost::system::system_error(error, what);
}

errc equip_slot(runtime_state& owner, scheduler* here, slot& s, const spawn_options& options) {
  // A switch would take the caller to another scheduler than `here`, or leave a lock behind.
  const quiet_allocation quiet;
  errc error{};
  try {
    error = owner.equip(here, s, options);
  } catch (const std::bad_alloc&) {
    error = errc::out_of_memory;
  }
  if (error != errc{}) {
    owner.return_slot(here, s);
  }
  return error;
}

slot* runtime_state::take_slot(scheduler* here, errc& error) noexcept {
  if (here != nullptr) {
    return here->vacant.take(error);
  }
  const quiet_allocation quiet; // the caller may be an actor, and the table is locked
  std::size_t taken = 0;
  slot* s = slots.take(1, taken, error);
  if (s != nullptr && !reserve_queue()) {
    slots.give(s, s);
    error = errc::out_of_memory;
    return nullptr;
  }
  return s;
}

bool runtime_state::reserve_queue() noexcept {
  const std::size_t wanted = slots.capacity();
  const std::lock_guard guard(reserve_lock_);
  if (wanted <= reserved_) {
    return true;
  }
  if (!ready.reserve(wanted)) {
    return false;
  }
  reserved_ = wanted;
  return true;
}

void runtime_state::return_slot(scheduler* here, slot& s) noexcept {
  const actor_record* record = s.record.load(std::memory_order_acquire);
  if (record != nullptr && record->own_stack != nullptr) {
    stacks.release(record->own_stack);
  }
  drop_record(s);
  s.pinned_to = not_pinned;
  if (here != nullptr) {
    here->vacant.give(s);
  } else {
    slots.give(&s, &s);
  }
}

errc runtime_state::equip(scheduler* here, slot& s, const spawn_options& options) {
  if (!within_limits(options, settings.schedulers)) {
    return errc::invalid_config;
  }
  if (options.pinned_to != spawn_options::anywhere) {
    static_assert(max_schedulers <= not_pinned);
    s.pinned_to = static_cast<std::uint8_t>(options.pinned_to);
  }
  if (options.label.empty() && options.stack_size == 0 && options.guard_size == 0) {
    return errc{};
  }
  auto made = std::make_unique<actor_record>();
  made->label = options.label;
  actor_record& record = *made;
  s.record.store(made.release(), std::memory_order_release);
  if (options.stack_size != 0 || options.guard_size != 0) {
    const stack_shape shape =
      stack_shape{options.stack_size != 0 ? options.stack_size : settings.stack_size,
                  options.guard_size != 0 ? options.guard_size : settings.guard_size}
        .rounded();
    if (shape != default_shape) {
      // Found here and now, since there is a caller who can be told if there is none.
      auto own = here != nullptr ? here->stacks.acquire(shape) : stacks.acquire(shape);
      if (!own) {
        return own.error().category() == error_category() ? static_cast<errc>(own.error().value())
                                                          : errc::not_supported;
      }
      record.own_stack = *own;
      record.own_stack_size = (*own)->size();
    }
  }
  return errc{};
}

void runtime_state::publish_from_outside(slot& s) noexcept {
  const pid who = s.id();
  life.spawned_outside();
  if (is_tracing()) {
    trace_actor(event_kind::spawn, s);
  }
  s.word.publish_queued();
  inject(s);
  // No death of a parent will ask for a sweep that sees it, if the last one is over.
  if (root_end_.announced_before_spawn()) {
    (void)shut_down(*this, who, pid::root(), shutdown_asked::by_sweep);
  }
}

void runtime_state::publish_parentless(scheduler& here, slot& s) noexcept {
  const pid who = s.id();
  publish(here, s);
  if (root_end_.announced_before_spawn()) {
    (void)shut_down(*this, who, pid::root(), shutdown_asked::by_sweep);
  }
  life.leave();
}

} // namespace smarm::detail
