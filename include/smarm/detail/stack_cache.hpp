// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The few stacks a scheduler keeps at hand: the one released last is the warmest and is taken
// first. Not thread safe. A full cache hands its older half to the pool, an empty one asks there.

#ifndef SMARM_DETAIL_STACK_CACHE_HPP
#define SMARM_DETAIL_STACK_CACHE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/stack_pool.hpp>

#include <boost/system/result.hpp>

#include <array>
#include <cstddef>

namespace smarm::detail {

class stack_cache {
public:
  static constexpr std::size_t capacity = 1024;
  static constexpr std::size_t at_once = 32; // warm stacks that an empty cache takes from the pool

  explicit stack_cache(stack_pool& pool) noexcept : pool_(pool) {}
  ~stack_cache() { flush(); }

  stack_cache(const stack_cache&) = delete;
  stack_cache& operator=(const stack_cache&) = delete;

  // The hot path: null if the cache is empty, and then acquire() says more.
  [[nodiscard]] SMARM_ALWAYS_INLINE stack* try_acquire() noexcept {
    if (SMARM_UNLIKELY(size_ == 0)) return nullptr;
    stack* const taken = kept_[--size_];
    // In a burst of spawns they are long unused. What lies there is a stack, or was one: a hint.
    __builtin_prefetch(kept_[size_ >= 4 ? size_ - 4 : 0], 1);
    taken->begin_tenancy();
    return taken;
  }

  [[nodiscard]] boost::system::result<stack*> acquire() noexcept;
  [[nodiscard]] boost::system::result<stack*> acquire(const stack_shape& shape) noexcept;

  // Any stack of the pool, whoever acquired it.
  SMARM_ALWAYS_INLINE void release(stack* of_no_use) noexcept {
    of_no_use->recycle();
    if (SMARM_UNLIKELY(size_ == capacity || !of_no_use->pooled())) {
      release_slowly(of_no_use);
      return;
    }
    kept_[size_++] = of_no_use;
  }

  // Everything to the pool.
  void flush() noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  SMARM_NOINLINE void release_slowly(stack* of_no_use) noexcept;

  stack_pool& pool_;
  std::size_t size_ = 0;
  std::array<stack*, capacity> kept_;
};

} // namespace smarm::detail

#endif
