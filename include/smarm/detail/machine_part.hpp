// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What every machine has besides its own members, whatever its states: made when it first tells itself
// something, postpones, sets a timeout, or if it has data for single states. It is the machine's own.

#ifndef SMARM_DETAIL_MACHINE_PART_HPP
#define SMARM_DETAIL_MACHINE_PART_HPP

#include <smarm/detail/machine_agenda.hpp>
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/fwd.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace smarm::detail {

struct machine_part {
  static void free(request_node& event) noexcept {
    event.resolve(&event, nullptr, request_step::refuse);
  }

  // Of a timeout. No time, or less, is at once.
  template <class Rep, class Period>
  [[nodiscard]] std::int64_t deadline(const std::chrono::duration<Rep, Period>& delay) const {
    const std::int64_t by = nanoseconds_of(delay);
    const std::int64_t now = clock();
    return by <= 0                   ? machine_timeouts<request_node>::at_once
           : by >= no_deadline - now ? no_deadline
                                     : now + by;
  }
  template <class Clock, class Duration>
  [[nodiscard]] std::int64_t deadline(const std::chrono::time_point<Clock, Duration>& at) const {
    return deadline_of(at);
  }

  basic_machine_agenda<request_node> agenda{&free};
  std::unique_ptr<void, void (*)(void*)> data{nullptr, nullptr}; // a state_store
  std::int64_t (*clock)() noexcept = &monotonic_now;             // a test's may be another
};

// The base of a machine's class.
class machine_base : public extras_holder {
  friend struct machine_access;
  std::unique_ptr<machine_part> part_;
  bool stopping_ = false; // a row said so
};

struct machine_access {
  [[nodiscard]] static machine_part* find(const machine_base& m) noexcept { return m.part_.get(); }
  [[nodiscard]] static machine_part& get(machine_base& m) {
    if (m.part_ == nullptr) {
      m.part_ = std::make_unique<machine_part>();
    }
    return *m.part_;
  }
  static void drop(machine_base& m) noexcept { m.part_.reset(); }
  [[nodiscard]] static bool stopping(const machine_base& m) noexcept { return m.stopping_; }
  static void stop(machine_base& m) noexcept { m.stopping_ = true; }
  // The state of a gen_statem, which is friends with this.
  template <class M>
  [[nodiscard]] static typename M::state_type& state(M& m) noexcept {
    return static_cast<gen_statem<M, typename M::state_type>&>(m).state_;
  }
};

template <class M>
concept machine_class = std::is_base_of_v<machine_base, M>;

} // namespace smarm::detail

#endif
