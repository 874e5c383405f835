// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The error category: one table with the text and the general condition of each errc.

#include <smarm/error.hpp>

#include <boost/system/errc.hpp>

#include <cstddef>
#include <string>

namespace smarm {
namespace {

namespace generic = boost::system::errc;

constexpr int no_condition = 0;

struct entry {
  errc code;
  int condition; // of the generic category, or no_condition
  const char* text;
};

// In the order of errc. A text says what happened and, behind the colon, what to do about it.
constexpr entry entries[] = {
    {errc::too_many_actors, generic::resource_unavailable_try_again,
     "too many actors: raise max_actors in the runtime's configuration, or spawn fewer at once"},
    {errc::too_many_schedulers, generic::invalid_argument,
     "too many schedulers: a runtime has at most 64; leave the number out to get what fits"},
    {errc::out_of_stacks, generic::not_enough_memory,
     "no more stacks for actors: raise vm.max_map_count (sysctl) or the memory limit, or let fewer "
     "actors wait at once"},
    {errc::out_of_memory, generic::not_enough_memory,
     "out of memory: raise the process's memory limit, or bound queues and actors"},
    {errc::too_many_children, generic::resource_unavailable_try_again,
     "too many children: raise the supervisor's max_children, or retry when one has ended"},
    {errc::out_of_threads, generic::resource_unavailable_try_again,
     "no thread for blocking calls: raise the limit on processes (RLIMIT_NPROC, pids.max), or retry"},

    {errc::invalid_config, generic::invalid_argument,
     "invalid configuration: see the field named in the exception"},
    {errc::not_supported, generic::operation_not_supported,
     "not supported by this system or this build: see the manual's chapter on limits"},
    {errc::not_in_actor, generic::operation_not_permitted,
     "not in an actor: make this call from inside smarm::spawn or runtime::run"},
    {errc::would_block_scheduler, generic::operation_not_permitted,
     "the call would block a scheduler: use the form that suspends the actor, or smarm::blocking"},
    {errc::nested_run, generic::operation_not_permitted,
     "not while a runtime runs: spawn an actor in it, or wait for its end"},
    {errc::calling_self, generic::resource_deadlock_would_occur,
     "a server cannot call itself: call the member function, or cast"},
    {errc::would_deadlock, generic::resource_deadlock_would_occur,
     "the caller would wait for itself: release what it holds before waiting for it again"},
    {errc::already_waiting, generic::device_or_resource_busy,
     "somebody else is waiting there: only one can at a time"},
    {errc::owner_ended, generic::owner_dead,
     "its owner has ended without unlocking it: hold it by a lock guard, within one actor"},
    {errc::count_out_of_range, generic::result_out_of_range,
     "more were counted than it was made for: count each arrival once, or make it with a larger "
     "count"},
    {errc::wrong_state, generic::operation_not_permitted,
     "the machine is in another state: the data of a state is there only while the machine is in "
     "it"},
    {errc::already_answered, generic::operation_not_permitted,
     "the call has its answer, or its reply_to was moved away: leave the reply_to of a call that "
     "is "
     "to be postponed where it is"},
    {errc::nested_blocking, generic::resource_deadlock_would_occur,
     "on a thread for blocking calls already: call the function itself, it may block here"},

    {errc::no_process, generic::no_such_process,
     "no such actor: it has ended or never was; monitor it, or address it by name"},
    {errc::unresolved, no_condition,
     "nobody is registered under this name: start the server first, or retry"},
    {errc::no_channel, no_condition,
     "the actor takes no messages of this type: let it publish a channel for them"},
    {errc::no_member, no_condition, "the group has no live member: let a worker join it first"},
    {errc::name_taken, generic::address_in_use,
     "the name is taken by another live actor: choose another, or wait for its end"},
    {errc::no_child, no_condition,
     "the supervisor has no such child: see which_children for those it has"},

    {errc::closed, generic::broken_pipe, "closed: the other side is gone for good"},
    {errc::empty, generic::resource_unavailable_try_again,
     "nothing there at the moment: try again, or use the form that waits"},
    {errc::queue_full, generic::no_buffer_space,
     "the queue is full: slow down, drop the message, or raise its bound"},
    {errc::timed_out, generic::timed_out, "the deadline passed before it happened"},
    {errc::expired, generic::timed_out,
     "the deadline passed before the server took the request up: it is overloaded"},
    {errc::dropped, generic::no_buffer_space,
     "the server's inbox was full and dropped the request: call again later, or raise its limit"},

    {errc::server_down, no_condition,
     "the server ended before it answered: retry when its supervisor has restarted it"},
    {errc::runtime_down, no_condition,
     "the runtime is not running: start it first, and keep it as long as it is used"},
    {errc::start_ignored, no_condition, "the server chose not to start: its init returned ignore"},
    {errc::start_failed, no_condition, "the server failed to start: see its exit reason"},
    {errc::already_started, generic::device_or_resource_busy,
     "the child is running already: terminate it first, or use it"},
    {errc::already_present, generic::file_exists,
     "the supervisor has a child of this id, which does not run: restart it, or delete it first"},
    {errc::child_restarting, generic::device_or_resource_busy,
     "the supervisor is about to start the child anew: wait, or terminate it first"},
};

const entry* find(int value) noexcept {
  for (const entry& e : entries) {
    if (static_cast<int>(e.code) == value) {
      return &e;
    }
  }
  return nullptr;
}

class category final : public boost::system::error_category {
public:
  // A fixed identity, so that codes compare equal across shared libraries.
  constexpr category() noexcept : error_category(0x736d61726d657272) {}

  [[nodiscard]] const char* name() const noexcept override { return "smarm"; }

  [[nodiscard]] const char* message(int value, char*, std::size_t) const noexcept override {
    const entry* e = find(value);
    return e != nullptr ? e->text : "unknown smarm error";
  }

  [[nodiscard]] std::string message(int value) const override { return message(value, nullptr, 0); }

  [[nodiscard]] boost::system::error_condition
  default_error_condition(int value) const noexcept override {
    const entry* e = find(value);
    if (e == nullptr || e->condition == no_condition) {
      return {value, *this};
    }
    return {e->condition, boost::system::generic_category()};
  }
};

} // namespace

const boost::system::error_category& error_category() noexcept {
  // Constant initialised: usable before main begins and after it ends.
  static constexpr category instance;
  return instance;
}

} // namespace smarm
