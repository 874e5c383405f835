// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/server_seen.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/slot.hpp>
#include <smarm/stop.hpp>

#include <boost/core/demangle.hpp>

#include <exception>
#include <sstream>
#include <string>

namespace smarm::detail {
namespace {

std::string name_of_type(const std::type_info& type) { return boost::core::demangle(type.name()); }

// A failure for want of memory leaves none to tell more of it.
template <class Make>
void add_details(slot& me, Make make) noexcept {
  try {
    std::string text = make();
    std::string& all = own_record(me).details;
    all += all.empty() ? text : "; " + text;
  } catch (...) {
  }
}

// The exception that is handled is a shutdown on its way, of which there is no report.
bool is_shutdown(const slot& me) noexcept {
  if (!me.masks.stop_raised || me.stop.requested(stop_flag::stop)) {
    return false;
  }
  try {
    throw;
  } catch (const stop_unwind&) {
    return true;
  } catch (...) {
    return false; // a failure on the way
  }
}

} // namespace

void note_failure(const request_info& handled) noexcept {
  slot& me = *current_scheduler()->current;
  if (!is_shutdown(me)) {
    add_details(me, [&] {
      std::string text = std::string("while it handled ") + sys::to_string(handled.kind);
      return handled.type != nullptr ? text + ' ' + name_of_type(*handled.type) : text;
    });
  }
}

void note_failure(const char* doing) noexcept {
  slot& me = *current_scheduler()->current;
  if (!is_shutdown(me)) {
    add_details(me, [&] { return std::string(doing); });
  }
}

// What describe throws is part of the text: there is nobody else to tell.
std::string describe_server(const server_core& core, const server_type& type) {
  if (type.describe == nullptr) {
    return {};
  }
  std::ostringstream out;
  try {
    type.describe(core, out);
  } catch (const stop_unwind&) {
    throw; // the server ends
  } catch (const std::exception& e) {
    out << " (its describe threw: " << e.what() << ')';
  } catch (...) {
    out << " (its describe threw)";
  }
  return std::move(out).str();
}

void note_state(slot& me, const server_core& core, const server_type& type,
                std::size_t queued) noexcept {
  add_details(me, [&] {
    std::string text = "a " + name_of_type(*type.type) + " with " + std::to_string(queued) +
                       (queued == 1 ? " request" : " requests") + " queued";
    const std::string state = describe_server(core, type);
    return state.empty() ? text : text + ", state: " + state;
  });
}

} // namespace smarm::detail
