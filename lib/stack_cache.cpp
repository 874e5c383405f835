// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The ways between a scheduler's stacks and the pool.

#include <smarm/detail/stack_cache.hpp>

#include <algorithm>

namespace smarm::detail {

boost::system::result<stack*> stack_cache::acquire() noexcept {
  if (stack* const kept = try_acquire()) return kept;
  size_ = pool_.acquire_warm(kept_.data(), at_once);
  if (stack* const kept = try_acquire()) return kept;
  return pool_.acquire();
}

boost::system::result<stack*> stack_cache::acquire(const stack_shape& shape) noexcept {
  if (shape.rounded() == pool_.shape()) return acquire();
  return pool_.acquire(shape);
}

void stack_cache::release_slowly(stack* of_no_use) noexcept {
  if (!of_no_use->pooled()) {
    pool_.release(of_no_use);
    return;
  }
  // The older half: those released last stay.
  constexpr std::size_t half = capacity / 2;
  pool_.release_pooled(kept_.data(), half);
  std::copy(kept_.begin() + half, kept_.end(), kept_.begin());
  size_ = half;
  kept_[size_++] = of_no_use;
}

void stack_cache::flush() noexcept {
  pool_.release_pooled(kept_.data(), size_);
  size_ = 0;
}

} // namespace smarm::detail
