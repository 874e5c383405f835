// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only some servers have: a limit for the inbox, and what there is to those that somebody looks
// at. Made with the server if it has a limit, else by whoever looks first, and kept as long as the
// server's memory; where there is none the server pays for one look at a null pointer a message.

#ifndef SMARM_DETAIL_SERVER_CONTROL_HPP
#define SMARM_DETAIL_SERVER_CONTROL_HPP

#include <smarm/behaviour_kind.hpp>
#include <smarm/bounded.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/request_limit.hpp>
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/system_list.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/sys_event.hpp>
#include <smarm/sys_statistics.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <typeinfo>

namespace smarm::detail {

struct server_core;

// What is known of a server's class where its type is not.
struct server_type {
  const std::type_info* type;
  behaviour_kind kind;
  void (*describe)(const server_core& server, std::ostream& out); // null: it has no describe
  std::size_t (*postponed)(const server_core& server);            // null: it postpones nothing
};

// A request to the server itself, which passes the inbox by.
class system_request {
public:
  system_request() = default;
  system_request(const system_request&) = delete;
  system_request& operator=(const system_request&) = delete;

  // In the server's context: does what it asks for and answers it. What it throws ends the server.
  virtual void run(server_core& server, const server_type& type) = 0;
  // The server has ended: answers so.
  virtual void refuse() noexcept = 0;

  system_request* following = nullptr;

protected:
  ~system_request() = default; // the answer frees it, see reply_cell.hpp
};

void refuse_all(system_request* first) noexcept;

using request_limit = basic_request_limit<request_node, registration, raw_lock>;
using limit_sender = limit_entry<request_node, registration>;

class server_control {
public:
  server_control() noexcept;
  explicit server_control(const bounded& how);

  // ---- any thread

  basic_system_list<system_request> requests;
  std::optional<request_limit> limit; // never changes

  // The server's memory is aligned to that, if not as usual. Set before anybody else knows it.
  std::size_t alignment = 0;

  // ---- the server

  // Runs what there is. False: nothing was. Throws what a request throws; the others are refused then.
  bool serve(server_core& server, const server_type& type);

  bool suspended = false;
  sys::trace_sink trace;

  // A handler is about to be called, the first time or again; and what became of that.
  void received(pid server, const request_info& what, sys::event_stage as) noexcept;
  void handled(pid server, const request_info& what, sys::event_stage how) noexcept;
  void ended(pid server) noexcept;

  // How many calls and casts are queued; looks at each once in its life, however often it is asked.
  // With `knocked` set: there was a knock among them, which is out of the way now.
  [[nodiscard]] std::size_t walk(server_core& server, bool& knocked) noexcept;
  // Registers the server for knocks. False: there was one, or the inbox was closed.
  [[nodiscard]] bool wait_for_knock(server_core& server, registration me) noexcept;
  // The first one in the inbox was taken out.
  void first_taken() noexcept {
    if (walked_ != 0 && --walked_ == 0) {
      last_walked_ = nullptr;
    }
  }

  sys::handled_counts counts;
  std::int64_t counted_since; // nanoseconds of the monotonic clock

private:
  void count(const request_info& what) noexcept;
  void tell(const sys::event& what) noexcept;

  // The requests that the walk has seen and that are still queued: how many, and the last of them.
  std::size_t walked_ = 0;
  inbox_node<>* last_walked_ = nullptr;
};

} // namespace smarm::detail

#endif
