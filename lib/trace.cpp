// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Recording: what is called at the places that record something.

#include <smarm/trace.hpp>

#include "trace_recording.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/error.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace smarm::detail {

std::atomic<std::uint32_t> trace_session{0};

trace_recording& the_recording() {
  static trace_recording& only = *new trace_recording; // threads may outlive what is static
  return only;
}

trace_ring::record trace_record::words() const noexcept {
  const auto bits = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  return {static_cast<std::uint64_t>(at),
          std::uint64_t{static_cast<std::uint32_t>(thread)} << 32 | std::uint64_t{detail} << 8 |
              static_cast<std::uint64_t>(what),
          bits(actor.where),
          bits(other.where),
          std::uint64_t{actor.generation} << 32 | other.generation,
          message,
          bits(text),
          renamed};
}

trace_record trace_record::from(const trace_ring::record& w) noexcept {
  trace_record out;
  out.at = static_cast<std::int64_t>(w[0]);
  out.thread = static_cast<int>(w[1] >> 32);
  out.detail = static_cast<std::uint8_t>(w[1] >> 8);
  out.what = static_cast<event_kind>(w[1] & 0xff);
  out.actor = {reinterpret_cast<const slot*>(w[2]), static_cast<std::uint32_t>(w[4] >> 32)};
  out.other = {reinterpret_cast<const slot*>(w[3]), static_cast<std::uint32_t>(w[4])};
  out.message = w[5];
  out.text = reinterpret_cast<const char*>(w[6]);
  out.renamed = w[7];
  return out;
}

namespace {

traced_actor actor_in(const slot& s) noexcept { return {&s, s.word.snapshot().generation}; }

traced_actor running_here() noexcept {
  const scheduler* const here = current_scheduler();
  const slot* const me = here != nullptr ? here->current.load() : nullptr;
  return me != nullptr && here->is_actor(me) ? actor_in(*me) : traced_actor();
}

// The calling scheduler's ring in that session; null if there is none.
trace_ring* ring_of(scheduler& here, std::uint32_t session) noexcept {
  trace_place& mine = here.traces;
  if (mine.session == session) {
    return mine.ring.get();
  }
  const quiet_allocation quiet; // this may be the middle of a switch
  trace_recording& all = the_recording();
  const std::lock_guard guard(all.lock);
  if (trace_session.load(std::memory_order_relaxed) != session) {
    return nullptr;
  }
  mine.session = session; // whatever comes of it: it is tried once
  mine.ring = nullptr;
  try {
    const auto known = std::find(all.runtimes.begin(), all.runtimes.end(),
                                 here.runtime.number_in_process);
    const auto number = static_cast<unsigned>(known - all.runtimes.begin());
    if (known == all.runtimes.end()) {
      all.runtimes.push_back(here.runtime.number_in_process);
    }
    auto made = std::make_shared<trace_ring>(all.capacity);
    all.sources.push_back({made, number, here.id});
    mine.ring = std::move(made);
  } catch (...) {
  }
  return mine.ring.get();
}

void add(trace_record what) noexcept {
  const std::uint32_t session = trace_session.load(std::memory_order_acquire);
  if (session == 0) {
    return;
  }
  if (what.at == 0) {
    what.at = monotonic_now();
  }
  if (scheduler* const here = current_scheduler()) {
    if (trace_ring* const ring = ring_of(*here, session)) {
      ring->add(what.words());
    }
    return;
  }
  what.thread = static_cast<int>(::syscall(SYS_gettid));
  trace_recording& all = the_recording();
  const std::lock_guard guard(all.lock);
  if (trace_session.load(std::memory_order_relaxed) == session) {
    all.sources.front().ring->add(what.words());
  }
}

// The records of one recording that changes under its lock; does nothing without one.
template <class Change>
void change_recording(Change change) noexcept {
  const quiet_allocation quiet;
  try {
    trace_recording& all = the_recording();
    const std::lock_guard guard(all.lock);
    if (trace_session.load(std::memory_order_relaxed) != 0) {
      change(all);
    }
  } catch (...) {
  }
}

} // namespace

void trace_label(const slot& whom, const std::string& label) noexcept {
  constexpr std::size_t most = 65'536;
  change_recording([&](trace_recording& all) {
    if (all.labels.size() < most) {
      all.labels.insert_or_assign(actor_in(whom), label);
    }
  });
}

void trace_actor(event_kind what, const slot& whom) noexcept {
  trace_record r{.what = what, .actor = actor_in(whom), .other = running_here()};
  if (what == event_kind::park) {
    r.detail = static_cast<std::uint8_t>(whom.waits_for.load(std::memory_order_relaxed));
  } else if (what == event_kind::end) {
    r.detail = static_cast<std::uint8_t>(whom.outcome.kind());
  }
  if (what == event_kind::spawn || what == event_kind::end) {
    // Nobody has it yet, or the actor itself calls this.
    const actor_record* const record = whom.record.load(std::memory_order_acquire);
    if (record != nullptr && !record->label.empty()) {
      trace_label(whom, record->label);
    }
  }
  if (r.other == r.actor) {
    r.other = {};
  }
  add(r);
}

void trace_own_wake(const slot& whom) noexcept {
  add({.what = event_kind::wake, .actor = actor_in(whom)});
}

void trace_switch(const slot& from, const slot& to, handover how) noexcept {
  const scheduler& here = *current_scheduler();
  const std::int64_t now = monotonic_now();
  if (here.is_actor(&from)) {
    trace_record r{.at = now, .actor = actor_in(from)};
    r.what = how == handover::yielded ? event_kind::yield : event_kind::park;
    if (r.what == event_kind::park) {
      r.detail = static_cast<std::uint8_t>(from.waits_for.load(std::memory_order_relaxed));
    }
    add(r);
  }
  if (here.is_actor(&to)) {
    add({.at = now, .what = event_kind::resume, .actor = actor_in(to)});
  }
}

void trace_message(event_kind what, std::uint64_t message, const char* type) noexcept {
  add({.what = what, .actor = running_here(), .message = message, .text = type});
}

void trace_message(event_kind what, const void* message, const char* type) noexcept {
  trace_message(what, reinterpret_cast<std::uintptr_t>(message), type);
}

void trace_passed_over(std::uint64_t message, const void* now) noexcept {
  add({.what = event_kind::pass_over,
       .actor = running_here(),
       .message = message,
       .renamed = reinterpret_cast<std::uintptr_t>(now)});
}

void trace_io(std::uint64_t count) noexcept { add({.what = event_kind::io, .message = count}); }

void trace_restart(const std::string& child) noexcept {
  const char* text = nullptr;
  constexpr std::size_t most = 65'536;
  change_recording([&](trace_recording& all) {
    if (all.texts.size() < most) {
      text = all.texts.insert(child).first->c_str();
    }
  });
  add({.what = event_kind::restart, .actor = running_here(), .text = text});
}

void trace_request(request_node& request, const slot& server, std::uint32_t generation) noexcept {
  const request_info what = request.resolve(&request, nullptr, request_step::identify);
  add({.what = what.kind == sys::event_kind::call ? event_kind::call : event_kind::cast,
       .actor = running_here(),
       .other = {&server, generation},
       .message = reinterpret_cast<std::uintptr_t>(&request),
       .text = what.type != nullptr ? what.type->name() : nullptr});
}

void trace_taken(request_node& request) noexcept {
  const request_info what = request.resolve(&request, nullptr, request_step::identify);
  if (what.type != nullptr) {
    trace_message(event_kind::receive, &request, what.type->name());
  }
}

} // namespace smarm::detail

namespace smarm::trace {

boost::system::result<void> start(const options& how) {
  if constexpr (!detail::tracing) {
    return make_error_code(errc::not_supported);
  }
  if (how.events_per_thread < 64 || how.events_per_thread > std::size_t{1} << 24) {
    return make_error_code(errc::invalid_config);
  }
  const detail::quiet_allocation quiet; // under a lock
  detail::trace_recording& all = detail::the_recording();
  const std::lock_guard guard(all.lock);
  if (detail::trace_session.load(std::memory_order_relaxed) != 0) {
    return make_error_code(errc::already_waiting);
  }
  const std::size_t capacity = std::bit_ceil(how.events_per_thread);
  std::vector<detail::trace_source> sources;
  sources.push_back({.ring = std::make_shared<detail::trace_ring>(capacity)});
  all.sources.swap(sources);
  all.capacity = capacity;
  all.runtimes.clear();
  all.labels.clear();
  all.last_session += all.last_session == 0xffff'ffff ? 2 : 1; // never 0
  detail::trace_session.store(all.last_session, std::memory_order_release);
  return {};
}

void stop() noexcept {
  const std::lock_guard guard(detail::the_recording().lock);
  detail::trace_session.store(0, std::memory_order_release);
}

bool recording() noexcept { return detail::is_tracing(); }

} // namespace smarm::trace
