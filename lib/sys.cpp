// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/sys.hpp>

#include <smarm/detail/name_table.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/server_seen.hpp>
#include <smarm/detail/slot.hpp>
#include <smarm/detail/timers.hpp>

#include <boost/core/demangle.hpp>

#include <chrono>
#include <iomanip>
#include <mutex>
#include <ostream>
#include <string>
#include <utility>

namespace smarm {
namespace detail {
namespace {

using boost::system::result;
using std::chrono::system_clock;

// While the lock is held no server gets past the point where it takes itself out of its slot, so that
// its memory is there. If the slot has changed hands since it was seen to be live, what is found in it
// is another server's, or nothing.
result<any_server> find_by_pid(runtime_state& in, pid actor) {
  slot* const s = in.slots.find(actor.index());
  if (s == nullptr) {
    return make_error_code(errc::no_process);
  }
  const std::lock_guard guard(s->record_lock);
  if (s->word.status(actor.generation()) != slot_status::live) {
    return make_error_code(errc::no_process);
  }
  auto* const core = static_cast<server_core*>(s->behaviour.load(std::memory_order_acquire));
  if (core == nullptr) {
    // It is no server, or one that ends and has taken itself out.
    return make_error_code(errc::no_channel);
  }
  if (core->id() != actor) {
    return make_error_code(errc::no_process);
  }
  if (!core->try_add_ref()) {
    return make_error_code(errc::server_down);
  }
  return any_server_access::make(*core);
}

result<any_server> find_by_name(runtime_state& in, std::string_view name) {
  const pid holder = in.names->find(name);
  if (holder == pid::none()) {
    return make_error_code(errc::unresolved);
  }
  return find_by_pid(in, holder);
}

system_clock::time_point as_system_time(std::int64_t monotonic) {
  const std::chrono::nanoseconds ago(monotonic_now() - monotonic);
  return system_clock::now() - std::chrono::duration_cast<system_clock::duration>(ago);
}

template <class R, class Work>
result<R> run_in(const sys::target& whom, std::int64_t deadline, Work work) {
  if (!whom.server()) {
    return whom.server().error();
  }
  return run_in_server<R>(any_server_access::core(*whom.server()), deadline, std::move(work));
}

server_control& control_of(server_core& core) noexcept {
  return *core.control.load(std::memory_order_acquire); // it serves the request
}

} // namespace

result<std::string> state_of(const sys::target& of, std::int64_t deadline) {
  return run_in<std::string>(of, deadline, [](server_core& core, const server_type& type) {
    return type.describe != nullptr ? describe_server(core, type)
                                    : boost::core::demangle(type.type->name());
  });
}

result<void> set_suspended(const sys::target& whom, bool suspended, std::int64_t deadline) {
  return run_in<void>(whom, deadline, [suspended](server_core& core, const server_type&) {
    control_of(core).suspended = suspended;
  });
}

result<void> set_trace(const sys::target& whom, sys::trace_sink sink, std::int64_t deadline) {
  return run_in<void>(whom, deadline,
                      [sink = std::move(sink)](server_core& core, const server_type&) mutable {
                        control_of(core).trace = std::move(sink);
                      });
}

result<sys::server_statistics> statistics_of(const sys::target& of, std::int64_t deadline) {
  return run_in<sys::server_statistics>(
      of, deadline, [](server_core& core, const server_type& type) {
        server_control& control = control_of(core);
        bool knocked = false; // what it is about is being served, or looked for before each wait
        const slot& me = *current_scheduler()->current;
        return sys::server_statistics{
            .server = core.id(),
            .type = boost::core::demangle(type.type->name()),
            .started = as_system_time(std::int64_t{me.behaves_since} * 1'000'000'000),
            .suspended = control.suspended,
            .traced = control.trace != nullptr,
            .queued = control.walk(core, knocked),
            .postponed = type.postponed != nullptr ? type.postponed(core) : 0,
            .capacity = control.limit ? control.limit->bound().capacity : 0,
            .overflows = core.overflows(),
            .expired = core.expired.load(std::memory_order_relaxed),
            .received = me.messages_received.load(std::memory_order_relaxed),
            .handled = control.counts,
            .handled_since = as_system_time(control.counted_since)};
      });
}

} // namespace detail

namespace sys {
namespace {

void put_time(std::ostream& out, std::chrono::system_clock::time_point at) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) != nullptr) {
    out << std::put_time(&parts, "%Y-%m-%d %H:%M:%S UTC");
  }
}

boost::system::result<any_server> find_in(const runtime_handle& in, auto find) {
  const auto state = detail::runtime_access::state(in).lock();
  if (state == nullptr) {
    return make_error_code(errc::runtime_down);
  }
  return find(*state);
}

} // namespace

boost::system::result<any_server> find(pid actor) {
  return detail::find_by_pid(detail::runtime_of_caller("smarm::sys::find"), actor);
}
boost::system::result<any_server> find(std::string_view name) {
  return detail::find_by_name(detail::runtime_of_caller("smarm::sys::find"), name);
}
boost::system::result<any_server> find(const runtime_handle& in, pid actor) {
  return find_in(in,
                 [&](detail::runtime_state& state) { return detail::find_by_pid(state, actor); });
}
boost::system::result<any_server> find(const runtime_handle& in, std::string_view name) {
  return find_in(in,
                 [&](detail::runtime_state& state) { return detail::find_by_name(state, name); });
}

const char* to_string(event_kind kind) noexcept {
  switch (kind) {
  case event_kind::none: return "nothing";
  case event_kind::call: return "a call of";
  case event_kind::cast: return "a cast of";
  case event_kind::info: return "an info of";
  case event_kind::down: return "a down";
  case event_kind::timer: return "a timer of";
  case event_kind::reply: return "a reply for";
  case event_kind::continuation: return "a continuation of";
  case event_kind::idle: return "a quiet time";
  case event_kind::internal: return "an internal";
  case event_kind::ended: return "its end";
  }
  return "unknown";
}

const char* to_string(event_stage stage) noexcept {
  switch (stage) {
  case event_stage::received: return "received";
  case event_stage::handled: return "handled";
  case event_stage::replied: return "replied to";
  case event_stage::expired: return "skipped, too late,";
  case event_stage::postponed: return "postponed";
  case event_stage::retried: return "retried";
  }
  return "unknown";
}

std::ostream& operator<<(std::ostream& out, const event& e) {
  out << e.server << ' ' << to_string(e.stage) << ' ' << to_string(e.kind);
  if (e.type != nullptr) {
    out << ' ' << boost::core::demangle(e.type->name());
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const server_statistics& s) {
  out << s.server << ' ' << s.type << ", started ";
  put_time(out, s.started);
  out << (s.suspended ? ", suspended" : "") << (s.traced ? ", traced" : "") << "\n  queued "
      << s.queued;
  if (s.capacity != 0) {
    out << " of " << s.capacity << "; senders blocked " << s.overflows.blocked << ", refused "
        << s.overflows.refused << ", dropped " << s.overflows.dropped_newest << " new, "
        << s.overflows.dropped_oldest << " old";
  }
  if (s.postponed != 0) {
    out << "; postponed " << s.postponed;
  }
  out << "\n  expired " << s.expired << ", messages received " << s.received << "\n  since ";
  put_time(out, s.handled_since);
  const handled_counts& h = s.handled;
  out << ": calls " << h.calls << " (" << h.deferred << " deferred), casts " << h.casts
      << ", infos " << h.infos << ", downs " << h.downs << ", timers " << h.timers << ", replies "
      << h.replies << ", continuations " << h.continuations << ", idle " << h.idle;
  if (h.internal != 0) {
    out << ", internal " << h.internal;
  }
  return out << '\n';
}

} // namespace sys
} // namespace smarm
