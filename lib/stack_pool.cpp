// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Slabs, and the stacks that are ready to be taken.

#include <smarm/detail/stack_pool.hpp>

#include "stack_slab.hpp"

#include <smarm/error.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace smarm::detail {
namespace {

constexpr std::size_t first_slab_stacks = 16;
constexpr std::size_t most_slab_bytes = std::size_t{4} << 30;

} // namespace

struct stack_pool::state {
  guard_choice guards;
  mutable std::mutex mutex;
  // All below under the mutex.
  std::unique_ptr<stack_slab> slabs; // newest first
  std::size_t next_slab_stacks = first_slab_stacks;
  // Last released last. An array, since a list would lead from one cold stack to the next. Has room
  // for all there are, so that a release needs no memory.
  std::vector<stack*> warm;
  std::size_t places = 0; // in all slabs
  stack* spare = nullptr; // of other shapes
  std::size_t spare_count = 0;
  std::size_t cold_count = 0; // places of released stacks that kept no page
  std::size_t live = 0;

  stack* pop_warm() noexcept {
    if (warm.empty()) return nullptr;
    stack* const last = warm.back();
    warm.pop_back();
    return last;
  }

  stack* take_spare(const stack_shape& shape) noexcept {
    for (stack** link = &spare; *link != nullptr; link = &(*link)->next) {
      stack* const found = *link;
      if (found->shape() != shape) continue;
      *link = found->next;
      --spare_count;
      return found;
    }
    return nullptr;
  }

  void push_spare(stack* of_no_use) noexcept {
    of_no_use->next = spare;
    spare = of_no_use;
    ++spare_count;
  }

  // Guarded places first, wherever they are: they cost no mapping, of which there may be none left.
  stack_slab* slab_with_guarded_place() noexcept {
    if (cold_count == 0) return nullptr;
    stack_slab* slab = slabs.get();
    while (!slab->has_guarded_place()) slab = slab->next.get();
    return slab;
  }

  stack_slab* slab_with_new_place() noexcept {
    stack_slab* slab = slabs.get();
    while (slab != nullptr && !slab->has_new_place()) slab = slab->next.get();
    return slab;
  }

  // A slab of the size it is time for, smaller if the kernel has no more.
  boost::system::result<stack_slab*> grow(const stack_shape& shape, std::size_t most_warm) {
    const std::size_t one = shape.reserve + shape.guard;
    std::size_t count = std::clamp<std::size_t>(most_slab_bytes / one, 1, next_slab_stacks);
    for (;;) {
      auto slab = stack_slab::map(shape, count, true);
      if (slab) {
        warm.reserve(std::min(places + count, most_warm));
        places += count;
        next_slab_stacks = count * 2;
        (*slab)->next = std::move(slabs);
        slabs = std::move(*slab);
        return slabs.get();
      }
      if (count == 1) return slab.error();
      count /= 2;
    }
  }
};

stack_pool::stack_pool(const options& chosen) : chosen_(chosen), state_(new state) {
  chosen_.shape = chosen.shape.rounded();
  state_->guards.wanted = chosen.guard;
  state_->guards.used = chosen.guard;
}

stack_pool::~stack_pool() {
  SMARM_ASSERT(state_->live == 0);
  while (state_->spare != nullptr) {
    stack* const gone = state_->spare;
    state_->spare = gone->next;
    const std::unique_ptr<stack_slab> slab(&gone->slab());
  }
  while (state_->slabs != nullptr) state_->slabs = std::move(state_->slabs->next);
}

boost::system::result<stack*> stack_pool::acquire() noexcept {
  std::unique_lock lock(state_->mutex);
  if (stack* const warm = state_->pop_warm()) {
    ++state_->live;
    lock.unlock();
    warm->begin_tenancy();
    return warm;
  }
  stack_slab* slab = state_->slab_with_guarded_place();
  stack_slab::place place{};
  if (slab != nullptr) {
    place = slab->take_guarded_place();
    --state_->cold_count;
  } else {
    slab = state_->slab_with_new_place();
    if (slab == nullptr) {
      try {
        auto grown = state_->grow(chosen_.shape, chosen_.warm);
        if (!grown) return grown.error();
        slab = *grown;
      } catch (const std::bad_alloc&) {
        return make_error_code(errc::out_of_stacks);
      }
    }
    place = slab->take_new_place();
  }
  ++state_->live;
  lock.unlock();
  auto made = slab->make(place, state_->guards);
  if (made) return made;
  lock.lock();
  slab->give(place);
  --state_->live;
  return made;
}

boost::system::result<stack*> stack_pool::acquire(const stack_shape& wish) noexcept {
  const stack_shape shape = wish.rounded();
  if (shape == chosen_.shape) return acquire();
  {
    std::unique_lock lock(state_->mutex);
    if (stack* const spare = state_->take_spare(shape)) {
      ++state_->live;
      lock.unlock();
      spare->begin_tenancy();
      return spare;
    }
  }
  try {
    auto slab = stack_slab::map(shape, 1, false);
    if (!slab) return slab.error();
    const stack_slab::place place = (*slab)->take_new_place();
    auto made = (*slab)->make(place, state_->guards);
    if (!made) {
      (*slab)->give(place);
      return made;
    }
    (void)slab->release(); // owned by the stack from here on
    const std::lock_guard lock(state_->mutex);
    ++state_->live;
    return made;
  } catch (const std::bad_alloc&) {
    return make_error_code(errc::out_of_stacks);
  }
}

std::size_t stack_pool::acquire_warm(stack** out, std::size_t most) noexcept {
  const std::lock_guard lock(state_->mutex);
  const std::size_t count = std::min(most, state_->warm.size());
  std::copy(state_->warm.end() - static_cast<std::ptrdiff_t>(count), state_->warm.end(), out);
  state_->warm.resize(state_->warm.size() - count);
  state_->live += count;
  return count;
}

void stack_pool::release(stack* of_no_use) noexcept {
  of_no_use->recycle();
  if (of_no_use->pooled()) {
    release_pooled(&of_no_use, 1);
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    --state_->live;
    if (state_->spare_count < chosen_.spare) {
      state_->push_spare(of_no_use);
      return;
    }
  }
  std::unique_ptr<stack_slab> slab(&of_no_use->slab());
  if (slab->unmap()) return;
  // The mapping stays although nobody wants it: kept, beyond the bound, for the next of its shape.
  auto again = slab->make({0, true}, state_->guards);
  SMARM_ASSERT(again.has_value());
  (void)slab.release();
  const std::lock_guard lock(state_->mutex);
  state_->push_spare(*again);
}

void stack_pool::release_pooled(stack** of_no_use, std::size_t count) noexcept {
  std::size_t surplus = 0;
  {
    const std::lock_guard lock(state_->mutex);
    state_->live -= count;
    const std::size_t room = chosen_.warm - std::min(chosen_.warm, state_->warm.size());
    surplus = count - std::min(count, room);
    state_->warm.insert(state_->warm.end(), of_no_use + surplus, of_no_use + count);
  }
  for (std::size_t i = 0; i < surplus; ++i) {
    stack_slab& slab = of_no_use[i]->slab();
    const stack_slab::place place = stack_slab::drop(of_no_use[i]);
    const std::lock_guard lock(state_->mutex);
    slab.give(place);
    ++state_->cold_count;
  }
}

guard_method stack_pool::guard() const noexcept {
  return state_->guards.used.load(std::memory_order_relaxed);
}

stack_pool::counts stack_pool::count() const noexcept {
  const std::lock_guard lock(state_->mutex);
  return {state_->live, state_->warm.size(), state_->spare_count};
}

} // namespace smarm::detail
