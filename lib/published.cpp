// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/published.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <boost/system/system_error.hpp>

#include <mutex>
#include <string>

namespace smarm::detail {

errc find_inbox(runtime_state& runtime, pid of, const inbox_wanted& wanted, void* to) noexcept {
  slot* s = runtime.slots.find(of.index());
  if (s == nullptr) {
    return errc::no_process;
  }
  const std::lock_guard guard(s->record_lock);
  actor_record* record = s->record.load(std::memory_order_acquire);
  // After the record, which is that tenant's then, or an earlier one's.
  if (s->word.status(of.generation()) != slot_status::live) {
    return errc::no_process;
  }
  const relations* known = record != nullptr ? relations_in(*record) : nullptr;
  if (known == nullptr) {
    return errc::no_channel;
  }
  if (known->ending) {
    return errc::no_process;
  }
  for (const published_inbox& one : known->inboxes) {
    if (one.message == wanted.message && (wanted.actor == nullptr || one.actor == wanted.actor)) {
      if (wanted.copy != nullptr) {
        wanted.copy(one, to);
      }
      return errc{};
    }
  }
  return errc::no_channel;
}

runtime_state& runtime_of_caller(const char* call) {
  scheduler* here = current_scheduler();
  if (here == nullptr) {
    throw boost::system::system_error(
        make_error_code(errc::not_in_actor),
        std::string(call) + ": a plain thread belongs to no runtime; use runtime_handle");
  }
  return here->runtime;
}

} // namespace smarm::detail
