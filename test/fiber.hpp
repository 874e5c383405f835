// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A context with a function to run, resumed by hand from any thread: the whole protocol of a switch
// without a runtime around it. For tests of what lies below the runtime.

#ifndef SMARM_TEST_FIBER_HPP
#define SMARM_TEST_FIBER_HPP

#include <smarm/detail/context.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/stack_pool.hpp>

#include <functional>
#include <utility>

namespace smarm_test {

namespace detail = smarm::detail;

class fiber {
public:
  fiber(detail::stack_pool& pool, detail::stack* on, std::function<void(fiber&)> body)
      : pool_(pool), stack_(on), body_(std::move(body)) {
    detail::begin_fiber(stack_->fiber, stack_->low(), stack_->size());
    context_ = detail::make_context(*stack_, &fiber::entry);
  }
  fiber(detail::stack_pool& pool, std::function<void(fiber&)> body)
      : fiber(pool, pool.acquire().value(), std::move(body)) {}

  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  ~fiber() {
    detail::end_fiber(stack_->fiber);
    pool_.release(stack_);
  }

  // From a thread's own context; runs the body up to its next yield or its end.
  SMARM_NOINLINE void resume() {
    detail::fiber_state thread;
    detail::adopt_thread(thread);
    resumer_ = &thread;
    detail::saved_exceptions saved(*detail::this_thread_exception_globals());
    detail::leaving(thread, stack_->fiber);
    const detail::transfer_t back = detail::jump(context_, this);
    detail::arrived(thread, stack_->fiber);
    context_ = back.fctx;
    stack_->note_park(context_);
    saved.restore(*detail::this_thread_exception_globals());
  }

  // From inside the body.
  SMARM_NOINLINE void yield() { yield_inline(); }

  // The same in the caller's frame, as the runtime's own fast paths do it.
  SMARM_ALWAYS_INLINE void yield_inline() {
    detail::saved_exceptions saved(*detail::this_thread_exception_globals());
    detail::leaving(stack_->fiber, *resumer_);
    const detail::transfer_t back = detail::jump(resumer_context_, this);
    detail::arrived(stack_->fiber, *resumer_);
    resumer_context_ = back.fctx;
    saved.restore(*detail::this_thread_exception_globals());
  }

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] detail::stack& stack() const { return *stack_; }

private:
  static void entry(detail::transfer_t from) {
    fiber& self = *static_cast<fiber*>(from.data);
    detail::arrived(self.stack_->fiber, *self.resumer_);
    self.resumer_context_ = from.fctx;
    self.body_(self);
    self.done_ = true;
    detail::leaving_for_good(self.stack_->fiber, *self.resumer_);
    (void)detail::jump(self.resumer_context_, &self);
    __builtin_trap();
  }

  detail::stack_pool& pool_;
  detail::stack* stack_;
  std::function<void(fiber&)> body_;
  detail::fcontext_t context_ = nullptr;
  detail::fcontext_t resumer_context_ = nullptr;
  detail::fiber_state* resumer_ = nullptr;
  bool done_ = false;
};

} // namespace smarm_test

#endif
