// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Objects that come from the current scheduler's pool of small blocks and go back to that of whoever
// lets them go. Never switches.

#ifndef SMARM_DETAIL_POOLED_HPP
#define SMARM_DETAIL_POOLED_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/node_pool.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/scheduler.hpp>

#include <cstddef>
#include <memory>
#include <new>

namespace smarm::detail {

template <class T>
struct pooled {
  static constexpr bool over_aligned = alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

  // Null: memory is exhausted.
  [[nodiscard]] SMARM_ALWAYS_INLINE static void* allocate() noexcept {
    if constexpr (over_aligned) {
      const quiet_allocation quiet;
      return ::operator new(sizeof(T), std::align_val_t(alignof(T)), std::nothrow);
    } else {
      return node_pool::allocate(current_pool(), sizeof(T));
    }
  }
  SMARM_ALWAYS_INLINE static void release(void* memory) noexcept {
    if constexpr (over_aligned) {
      ::operator delete(memory, sizeof(T), std::align_val_t(alignof(T)));
    } else {
      node_pool::release(current_pool(), memory, sizeof(T));
    }
  }

  SMARM_ALWAYS_INLINE static void destroy(T& object) noexcept {
    std::destroy_at(std::addressof(object));
    release(std::addressof(object));
  }

private:
  [[nodiscard]] SMARM_ALWAYS_INLINE static node_pool* current_pool() noexcept {
    scheduler* here = current_scheduler();
    return here != nullptr ? &here->nodes : nullptr;
  }
};

} // namespace smarm::detail

#endif
