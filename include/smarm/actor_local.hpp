// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A variable of which every actor has one of its own, as thread_local gives one to every thread. It
// stays with the actor on whichever thread that runs.
//
//     smarm::actor_local<request_context> context;
//     context->id = 42;                              // made at the first use
//
// The value is made when its actor first asks for it, and destroyed when the actor ends, however it
// does: in the actor, on its stack, newest first, after its body and before anybody hears of the
// end. Stops are masked meanwhile. A destructor may use other actor-local values; those that it
// makes anew are destroyed afterwards, in up to four rounds, and what is made even then is reported
// and left behind. What a destructor throws is reported, and the rest goes on. What the sink of
// reports makes while it tells of an actor's failure goes with that actor, too.

#ifndef SMARM_ACTOR_LOCAL_HPP
#define SMARM_ACTOR_LOCAL_HPP

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/local_values.hpp>
#include <smarm/detail/scheduler.hpp>

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {

// Where the values of the calling actor are, also inside run_on_thread_stack; null if it has none,
// or if no actor calls.
[[nodiscard]] SMARM_ALWAYS_INLINE local_values* local_values_here() noexcept {
  scheduler* here = current_scheduler();
  if (SMARM_UNLIKELY(here == nullptr)) {
    return nullptr;
  }
  slot* me = here->is_actor(here->current) ? here->current.load() : here->on_errand;
  const actor_record* record =
      SMARM_LIKELY(me != nullptr) ? me->record.load(std::memory_order_acquire) : nullptr;
  return SMARM_LIKELY(record != nullptr) ? record->locals.get() : nullptr;
}

// The same, made if there is none. Throws system_error(errc::not_in_actor), std::bad_alloc.
[[nodiscard]] local_values& need_local_values();
// Gives the variable its number, if nobody has. Throws std::length_error when there are no more.
[[nodiscard]] local_key need_local_key(std::atomic<local_key>& key);
[[noreturn]] void throw_made_by_itself();

template <class T>
struct local_holder final : local_value {
  template <class Make>
  local_holder(local_key of, Make& make) : value(make()) {
    key = of;
    destroy = [](local_value& self) { delete static_cast<local_holder*>(&self); };
  }
  ~local_holder() noexcept(std::is_nothrow_destructible_v<T>) = default;

  T value;
};

} // namespace detail

// Define it at namespace scope or as a static member: each one takes a place in every actor that
// uses it, for good. It holds nothing itself.
template <class T>
class actor_local {
  static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>,
                "smarm: an actor-local value is an object: no reference, array or const");

public:
  // Values begin as T().
  constexpr actor_local() noexcept requires std::is_default_constructible_v<T>
      : make_([] { return T(); }) {}
  // Values begin as what the function returns; it runs in the actor and may do there what it likes,
  // but ask for this same variable.
  explicit constexpr actor_local(T (*make)()) noexcept : make_(make) {}
  actor_local(const actor_local&) = delete;
  actor_local& operator=(const actor_local&) = delete;

  // The calling actor's value, made if there is none yet; valid until reset() or the actor's end.
  // Costs a few nanoseconds once it is made. Suspends and is a stop point only where the function
  // that makes it does. Throws boost::system::system_error: not_in_actor (use thread_local on plain
  // threads), would_deadlock (that function asked for this value); std::bad_alloc; and what that
  // function throws, after which there is none yet.
  [[nodiscard]] T& get() const {
    T* made = get_if();
    return SMARM_LIKELY(made != nullptr) ? *made : make_value();
  }
  [[nodiscard]] T& operator*() const { return get(); }
  [[nodiscard]] T* operator->() const { return std::addressof(get()); }

  // The calling actor's value; null if it has none yet, and where no actor calls. Neither suspends
  // nor is a stop point.
  [[nodiscard]] T* get_if() const noexcept {
    const detail::local_values* mine = detail::local_values_here();
    if (SMARM_UNLIKELY(mine == nullptr)) {
      return nullptr;
    }
    detail::local_value* found = mine->find(key_.load(std::memory_order_relaxed));
    return SMARM_LIKELY(found != nullptr)
               ? std::addressof(static_cast<detail::local_holder<T>*>(found)->value)
               : nullptr;
  }

  // Destroys the calling actor's value now; the next use makes another one. False: there was none.
  // Throws what the destructor throws, the value being gone.
  bool reset() const {
    detail::local_values* mine = detail::local_values_here();
    detail::local_value* found =
        mine != nullptr ? mine->find(key_.load(std::memory_order_relaxed)) : nullptr;
    if (found == nullptr) {
      return false;
    }
    mine->remove(*found);
    found->destroy(*found);
    return true;
  }

private:
  SMARM_NOINLINE T& make_value() const {
    detail::local_values& mine = detail::need_local_values();
    const detail::local_key key = detail::need_local_key(key_);
    for (auto* at = mine.making; at != nullptr; at = at->outer) {
      if (at->key == key) {
        detail::throw_made_by_itself();
      }
    }
    struct mark : detail::local_values::in_the_making {
      detail::local_values& of;
      mark(detail::local_values& where, detail::local_key k) noexcept
          : in_the_making{k, where.making}, of(where) {
        of.making = this;
      }
      ~mark() { of.making = outer; }
    };
    std::unique_ptr<detail::local_holder<T>> made;
    {
      const mark here(mine, key);
      made = std::make_unique<detail::local_holder<T>>(key, make_);
    }
    mine.reserve(key);
    mine.keep(*made);
    return made.release()->value;
  }

  T (*make_)();
  // 0: no number yet. Written once, by whoever comes first; relaxed, since the number is all there
  // is.
  mutable std::atomic<detail::local_key> key_{0};
};

} // namespace smarm

#endif
