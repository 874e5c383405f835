// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A message that is sent when its time has come: the block behind a timer_id. It is shared by the
// handles and, until it has ended, by the wheel. What it carries is destroyed at its end, by who
// ended it and under no lock; the memory goes with the last share.

#ifndef SMARM_DETAIL_TIMED_DELIVERY_HPP
#define SMARM_DETAIL_TIMED_DELIVERY_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/delivery_state.hpp>
#include <smarm/detail/node_pool.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/timed_destination.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/timer_id.hpp>

#include <boost/system/error_code.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace smarm::detail {

struct timed_delivery : callback_timer {
  basic_delivery_state<raw_lock> state;
  // Written by everybody who has a share. The release of each drop pairs with the acquire of the
  // last one, which frees.
  std::atomic<std::uint32_t> shares{2}; // the first handle's and the wheel's
  const bool repeats;
  bool told = false; // what went wrong was reported; the firing scheduler's
  void (*const destroy_contents)(timed_delivery&) noexcept;
  void (*const free_block)(timed_delivery&) noexcept;

  timed_delivery(bool again, void (*fire)(callback_timer&, std::int64_t) noexcept,
                 void (*contents)(timed_delivery&) noexcept,
                 void (*memory)(timed_delivery&) noexcept) noexcept;

  // By who ended it: destroys what it carries, and gives up the wheel's share.
  void finish() noexcept;
  void add_share() noexcept { shares.fetch_add(1, std::memory_order_relaxed); }
  void drop_share() noexcept;

  // A send at the fire came to nothing. Reports it if nobody else counts on it; false if there will
  // never be anybody to send to.
  bool note_failure(const boost::system::error_code& why) noexcept;
  // The same for the exception that is being handled.
  void note_exception() noexcept;
};

struct timer_id_access {
  // Takes over a share.
  [[nodiscard]] static timer_id make(timed_delivery& d) noexcept {
    timer_id id;
    id.delivery_ = &d;
    return id;
  }
};

// By who has taken it off the wheel, or never put it there, at the end of the run.
void destroy_unfired(callback_timer& t) noexcept;

// Arms what was just made. After the end of the run it has ended at once.
[[nodiscard]] timer_id arm_delivery(timer_set& in, timed_delivery& fresh,
                                    std::int64_t deadline) noexcept;

// Throws boost::system::system_error, errc::not_in_actor, on a plain thread.
void check_scheduler(const char* call_and_remedy);

// What every block carries, and where it lies. Derived is constructed by `make`.
template <class Derived, class Destination>
struct delivery_of : timed_delivery {
  using message = message_of_t<Destination>;
  static_assert(timed_destination<Destination>,
                "smarm: a timer sends by try_send(T&&) const, which returns result<void>");

  struct contents {
    contents(const Destination& there, message&& value) : to(there), what(std::move(value)) {}
    const Destination to;
    message what;
  };
  union {
    contents carried;
  };

  delivery_of(bool again, const Destination& to, message&& what)
      : timed_delivery(again, &fire, &destroy_carried, &free_memory), carried(to, std::move(what)) {
  }
  ~delivery_of() {} // destroy_carried was called

  // Throws std::bad_alloc and what moving the message throws.
  template <class... Arguments>
  [[nodiscard]] static Derived& make(Arguments&&... arguments) {
    void* const memory = allocate();
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    struct undo {
      void* memory;
      ~undo() {
        if (memory != nullptr) {
          release(memory);
        }
      }
    } guard{memory};
    auto* made = ::new (memory) Derived(std::forward<Arguments>(arguments)...);
    guard.memory = nullptr;
    return *made;
  }

private:
  static constexpr bool over_aligned() noexcept {
    return alignof(Derived) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  }
  static node_pool* current_pool() noexcept {
    scheduler* here = current_scheduler();
    return here != nullptr ? &here->nodes : nullptr;
  }
  static void* allocate() noexcept {
    if constexpr (over_aligned()) {
      const quiet_allocation quiet;
      return ::operator new(sizeof(Derived), std::align_val_t(alignof(Derived)), std::nothrow);
    } else {
      return node_pool::allocate(current_pool(), sizeof(Derived));
    }
  }
  static void release(void* memory) noexcept {
    if constexpr (over_aligned()) {
      ::operator delete(memory, sizeof(Derived), std::align_val_t(alignof(Derived)));
    } else {
      node_pool::release(current_pool(), memory, sizeof(Derived));
    }
  }

  static void fire(callback_timer& t, std::int64_t now) noexcept {
    static_cast<Derived&>(t).fire_now(now);
  }
  static void destroy_carried(timed_delivery& d) noexcept {
    std::destroy_at(std::addressof(static_cast<delivery_of&>(d).carried));
  }
  static void free_memory(timed_delivery& d) noexcept {
    auto* const whole = static_cast<Derived*>(&d);
    std::destroy_at(whole);
    release(whole);
  }
};

} // namespace smarm::detail

#endif
