// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/actor_local.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/local_values.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace smarm::detail {
namespace {

// As pthread keys have it: enough for destructors that use each other, and an end to those that go
// in circles.
constexpr int most_rounds = 4;

// The number that was given last; written by whoever needs another one.
std::atomic<local_key> last_key{0};

void tell_trouble(slot& me, const exit_reason& reason, const char* what) noexcept {
  me.runtime->tell_made([&] {
    const actor_record* record = me.record.load(std::memory_order_acquire);
    return report{.kind = report_kind::callback_failed,
                  .actor = me.id(),
                  .parent = {},
                  .label = record != nullptr ? record->label : std::string(),
                  .reason = reason,
                  .text = reason.kind() == exit_kind::failed ? what + reason.text() : what};
  });
}

void destroy_in_order(slot& me, local_values& mine, local_list& values) noexcept {
  while (!values.empty()) {
    local_value& newest = values.back();
    values.pop_back();
    mine.forget(newest);
    try {
      newest.destroy(newest);
    } catch (...) {
      tell_trouble(me, exit_reason::failed(std::current_exception()),
                   "the destructor of an actor-local value threw: ");
    }
  }
}

} // namespace

local_values& need_local_values() {
  if (local_values* mine = local_values_here()) {
    return *mine;
  }
  scheduler* here = current_scheduler();
  slot* me = nullptr;
  if (here != nullptr) {
    me = here->is_actor(here->current) ? here->current.load() : here->on_errand;
  }
  if (me == nullptr) {
    throw boost::system::system_error(
        make_error_code(errc::not_in_actor),
        "smarm::actor_local: only an actor has a value; use thread_local on a plain thread");
  }
  auto fresh = std::make_unique<local_values>();
  actor_record& mine = own_record(*me);
  mine.locals = std::move(fresh);
  return *mine.locals;
}

local_key need_local_key(std::atomic<local_key>& key) {
  local_key mine = key.load(std::memory_order_relaxed);
  if (mine == 0) {
    local_key next = last_key.load(std::memory_order_relaxed);
    do {
      if (next == std::numeric_limits<local_key>::max()) {
        throw std::length_error(
            "smarm::actor_local: there have been 2^32 variables; define them at "
            "namespace scope, and not again and again");
      }
    } while (!last_key.compare_exchange_weak(next, next + 1, std::memory_order_relaxed));
    if (key.compare_exchange_strong(mine, next + 1, std::memory_order_relaxed)) {
      mine = next + 1; // else somebody else was first, and one number goes unused
    }
  }
  return mine;
}

void throw_made_by_itself() {
  throw boost::system::system_error(
      make_error_code(errc::would_deadlock),
      "smarm::actor_local: the function that makes the value asks for that value");
}

void destroy_locals(slot& me) noexcept {
  const actor_record* record = me.record.load(std::memory_order_acquire);
  local_values* mine = record != nullptr ? record->locals.get() : nullptr;
  if (mine == nullptr) {
    return;
  }
  for (int round = 0; round < most_rounds && !mine->empty(); ++round) {
    local_list values;
    mine->take_all(values);
    destroy_in_order(me, *mine, values);
  }
  if (!mine->empty()) {
    local_list left_behind;
    mine->take_all(left_behind);
    left_behind.clear();
    tell_trouble(
        me, {},
        "actor-local values whose destructors make each other anew were left behind: break "
        "the circle, with get_if() instead of get() in destructors");
  }
}

} // namespace smarm::detail
