// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/timed_delivery.hpp>

#include <smarm/detail/runtime_state.hpp>
#include <smarm/error.hpp>
#include <smarm/report.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace smarm::detail {
namespace {

void tell(timed_delivery& about, const std::string& what_happened) {
  scheduler* here = current_scheduler();
  if (!std::exchange(about.told, true) && here != nullptr) {
    here->runtime.tell({.kind = report_kind::callback_failed,
                        .actor = {},
                        .parent = {},
                        .label = {},
                        .reason = {},
                        .text = "a timer's message was dropped: " + what_happened});
  }
}

} // namespace

timed_delivery::timed_delivery(bool again, void (*fire)(callback_timer&, std::int64_t) noexcept,
                               void (*contents)(timed_delivery&) noexcept,
                               void (*memory)(timed_delivery&) noexcept) noexcept
    : repeats(again), destroy_contents(contents), free_block(memory) {
  call = fire;
  destroy = &destroy_unfired;
}

void destroy_unfired(callback_timer& t) noexcept {
  auto& d = static_cast<timed_delivery&>(t);
  d.state.end();
  d.finish();
}

void timed_delivery::finish() noexcept {
  destroy_contents(*this);
  drop_share();
}

void timed_delivery::drop_share() noexcept {
  if (shares.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    free_block(*this);
  }
}

bool timed_delivery::note_failure(const boost::system::error_code& why) noexcept {
  // Nobody there is what a timer must expect.
  if (why == errc::closed || why == errc::no_process) {
    return false;
  }
  if (why == errc::unresolved || why == errc::no_channel || why == errc::no_member) {
    return true;
  }
  try {
    tell(*this, why == errc::queue_full
                    ? "its channel was full. Raise the bound, let the receiver keep up, or choose "
                      "overflow::drop_oldest; a timer cannot wait for room"
                    : why.message());
  } catch (...) { // no memory for a text
  }
  return true;
}

void timed_delivery::note_exception() noexcept {
  try {
    try {
      throw;
    } catch (const std::exception& e) {
      tell(*this, std::string("moving or copying it threw an exception, ") + e.what());
    } catch (...) {
      tell(*this, "moving or copying it threw an exception");
    }
  } catch (...) { // no memory for a text
  }
}

timer_id arm_delivery(timer_set& in, timed_delivery& fresh, std::int64_t deadline) noexcept {
  timer_id id = timer_id_access::make(fresh);
  if (!in.arm(fresh, deadline)) {
    destroy_unfired(fresh);
  }
  return id;
}

void check_scheduler(const char* call_and_remedy) {
  if (current_scheduler() == nullptr) {
    throw boost::system::system_error(make_error_code(errc::not_in_actor), call_and_remedy);
  }
}

} // namespace smarm::detail
