// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// This program's operator new, which can be told to fail; for one file of a program. Not there under
// ThreadSanitizer, which brings, with clang, functions that cannot be replaced.

#ifndef SMARM_TEST_FAILING_MEMORY_HPP
#define SMARM_TEST_FAILING_MEMORY_HPP

#include <smarm/detail/config.hpp>

#if !SMARM_TSAN

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace smarm_test {

// How many allocations succeed before one fails; below zero: none fails.
inline std::atomic<int> left{-1};
inline std::atomic<bool> all_fail{false}; // and those after it, too
inline std::atomic<bool> has_failed{false};

inline bool fails_now() {
  if (left != 0) {
    left -= left > 0;
    return false;
  }
  left = all_fail ? 0 : -1;
  has_failed = true;
  return true;
}

// Too large for the blocks that are kept, so each one is an allocation.
struct bulk {
  bulk() { ++alive; }
  bulk(const bulk& other) : value(other.value) { ++alive; }
  bulk& operator=(const bulk&) = default;
  ~bulk() { --alive; }
  int value = 7;
  char rest[1000]{};
  static inline int alive = 0;
};

} // namespace smarm_test

// Not inlined: compilers take a free that meets its operator new for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* p = smarm_test::fails_now() ? nullptr : std::malloc(size != 0 ? size : 1);
  if (p == nullptr) {
    throw std::bad_alloc();
  }
  return p;
}
// A sanitizer has one of its own for this form, which would not go with the delete below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return smarm_test::fails_now() ? nullptr : std::malloc(size != 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

#endif
#endif
