// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The third kind of who waits, after actors and threads: a function that is called when the wait has
// ended. It has a slot as they do, so that every waker has one interface and every wait source serves all
// three.

#ifndef SMARM_DETAIL_CALLBACK_WAITER_HPP
#define SMARM_DETAIL_CALLBACK_WAITER_HPP

#include <smarm/detail/slot.hpp>
#include <smarm/detail/wait.hpp>

namespace smarm::detail {

class callback_waiter final : public outside_waiter {
public:
  // From a pool, and back. Throws std::bad_alloc.
  [[nodiscard]] static callback_waiter& take();
  static void give_back(callback_waiter& w) noexcept;

  // Registers with the source. Once it is satisfied call(argument) is called, by whoever satisfied it
  // or, if it is so already, from here: then false is returned. Neither blocks nor throws.
  template <wait_source Source>
  bool wait(Source& source, void (*call)(void* argument) noexcept, void* argument) noexcept {
    call_ = call;
    argument_ = argument;
    ticket_ = self_.word.begin_wait();
    const enrolment got = source.enroll({&self_, ticket_});
    if (got == enrolment::enrolled) {
      if (self_.word.park(true)) {
        return true; // and may have been called by now
      }
      (void)self_.word.claim();
    } else if (got == enrolment::overtaken) {
      (void)self_.word.retire();
    }
    call(argument);
    return false;
  }

  // Ends a wait whose registration was withdrawn: nobody calls.
  void forget() noexcept {
    [[maybe_unused]] const wake_result mine = self_.word.wake(ticket_);
    SMARM_ASSERT(mine == wake_result::enqueue);
    (void)self_.word.claim();
  }

  void ready() noexcept override {
    (void)self_.word.claim();
    call_(argument_);
  }

private:
  callback_waiter();

  slot self_;
  std::uint64_t ticket_ = 0;
  void (*call_)(void*) noexcept = nullptr;
  void* argument_ = nullptr;
  callback_waiter* next_ = nullptr;        // in the pool
  callback_waiter* made_before_ = nullptr; // those that nobody gave back are no leak

  friend struct callback_pool;
};

} // namespace smarm::detail

#endif
