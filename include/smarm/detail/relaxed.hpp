// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A field with one writer at a time, handed on with the slot word, that others may look at without
// being handed it: introspection, a backtrace of a parked actor. As cheap as a plain field.

#ifndef SMARM_DETAIL_RELAXED_HPP
#define SMARM_DETAIL_RELAXED_HPP

#include <smarm/detail/config.hpp>

#include <atomic>

namespace smarm::detail {

template <class T>
class relaxed {
public:
  constexpr relaxed() noexcept = default;
  constexpr relaxed(T value) noexcept : value_(value) {}
  relaxed(const relaxed&) = delete;
  relaxed& operator=(const relaxed&) = delete;

  SMARM_ALWAYS_INLINE T operator=(T value) noexcept {
    value_.store(value, std::memory_order_relaxed);
    return value;
  }
  SMARM_ALWAYS_INLINE operator T() const noexcept { return load(); }
  [[nodiscard]] SMARM_ALWAYS_INLINE T load() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }
  SMARM_ALWAYS_INLINE T operator->() const noexcept { return load(); }

private:
  // Relaxed both ways: whoever acts on the value was handed it by a release of something else.
  std::atomic<T> value_{};
};

} // namespace smarm::detail

#endif
