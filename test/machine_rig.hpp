// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine without a runtime: no actor, no inbox, and a clock that a test moves. What happens between
// two events is the library's own.

#ifndef SMARM_TEST_MACHINE_RIG_HPP
#define SMARM_TEST_MACHINE_RIG_HPP

#include <smarm/gen_statem.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <utility>

namespace smarm_test {

inline std::int64_t machine_clock = 0; // nanoseconds
inline std::int64_t read_machine_clock() noexcept { return machine_clock; }

template <class M>
class machine_rig {
public:
  using duties = smarm::detail::server_duties<M>;

  template <class... Arguments>
  explicit machine_rig(Arguments&&... arguments)
      : core_(smarm::detail::typed_server_core<M>::make(nullptr)) {
    duties::check_class();
    ::new (static_cast<void*>(std::addressof(core_.object)))
        M(std::forward<Arguments>(arguments)...);
    smarm::detail::machine_access::get(core_.object).clock = &read_machine_clock;
    (void)duties::begin(core_.object);
  }
  machine_rig(const machine_rig&) = delete;
  machine_rig& operator=(const machine_rig&) = delete;
  ~machine_rig() {
    for (auto* node : inbox_) {
      node->resolve(node, &core_, smarm::detail::request_step::refuse);
    }
    (void)duties::refuse_all(core_.object);
    smarm::detail::extras_access::drop(core_.object);
    duties::drop_kept(core_.object);
    std::destroy_at(std::addressof(core_.object));
    core_.drop_share();
    core_.drop_ref();
  }

  [[nodiscard]] M& machine() noexcept { return core_.object; }
  [[nodiscard]] bool ended() const noexcept { return duties::ends(core_.object); }

  // Into its inbox.
  template <class Event>
  void send(Event event) {
    inbox_.push_back(&smarm::detail::make_event<M, smarm::sys::event_kind::cast>(std::move(event)));
  }

  // One thing, in the order in which a server's loop looks for it. False: there is none.
  bool step() {
    if (ended()) {
      return false;
    }
    if (duties::dispatch_first(core_) || duties::dispatch_due(core_)) {
      return true;
    }
    if (!inbox_.empty()) {
      auto* const node = inbox_.front();
      inbox_.pop_front();
      (void)node->resolve(node, &core_, smarm::detail::request_step::handle);
      return true;
    }
    return duties::dispatch_last(core_);
  }
  void run() {
    while (step()) {
    }
  }
  // As long as there is nothing to do the clock stands where the next timeout is due.
  void run_until(std::int64_t time) {
    for (;;) {
      run();
      const std::int64_t next = duties::deadline(core_.object);
      if (ended() || next > time) {
        break;
      }
      machine_clock = std::max(machine_clock, next);
    }
    machine_clock = std::max(machine_clock, time);
  }

private:
  smarm::detail::typed_server_core<M>& core_;
  std::deque<smarm::detail::request_node*> inbox_;
};

} // namespace smarm_test

#endif
