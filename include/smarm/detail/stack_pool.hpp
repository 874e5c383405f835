// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where stacks come from and go to: one pool for all schedulers of a runtime, any thread may call.
// Stacks of the default shape are carved from slabs of address space that double in size; those of
// any other shape have a mapping of their own.

#ifndef SMARM_DETAIL_STACK_POOL_HPP
#define SMARM_DETAIL_STACK_POOL_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/stack.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace smarm::detail {

class stack_pool {
public:
  struct options {
    stack_shape shape{};
    guard_method guard = guard_method::automatic;
    // Released stacks kept with their pages; those beyond keep none.
    std::size_t warm = 16 * 1024;
    // Released stacks of other shapes kept for a tenant that asks for the same.
    std::size_t spare = 64;
  };

  struct counts {
    std::size_t live = 0;  // handed out, those in caches included
    std::size_t warm = 0;  // ready, with their pages
    std::size_t spare = 0; // the same for other shapes
  };

  stack_pool() : stack_pool(options{}) {}
  explicit stack_pool(const options& chosen);
  ~stack_pool(); // every stack must be back

  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  // The last stack released, else a new one. Fails with errc::out_of_stacks when the kernel refuses
  // memory or another mapping; once some stack was released it works again.
  [[nodiscard]] boost::system::result<stack*> acquire() noexcept;
  [[nodiscard]] boost::system::result<stack*> acquire(const stack_shape& shape) noexcept;

  void release(stack* of_no_use) noexcept;

  // For caches: up to `most` released stacks of the default shape, hottest last, none made; and the
  // way back of such stacks, recycled already.
  [[nodiscard]] std::size_t acquire_warm(stack** out, std::size_t most) noexcept;
  void release_pooled(stack** of_no_use, std::size_t count) noexcept;

  [[nodiscard]] const stack_shape& shape() const noexcept { return chosen_.shape; }
  // The method in use: never automatic once a stack was made.
  [[nodiscard]] guard_method guard() const noexcept;
  [[nodiscard]] counts count() const noexcept;

private:
  struct state;
  options chosen_;
  std::unique_ptr<state> state_;
};

} // namespace smarm::detail

#endif
