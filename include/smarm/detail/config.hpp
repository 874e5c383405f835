// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the compiler and the build variant tell the rest of the library: inlining attributes, branch
// hints, the cache line, and which sanitizer watches the build.

#ifndef SMARM_DETAIL_CONFIG_HPP
#define SMARM_DETAIL_CONFIG_HPP

#if __cplusplus < 202002L
#error "smarm needs C++20: compile with -std=c++20, or <cxxstd>20 in a Jamfile"
#endif

#include <cassert>
#include <cstddef>

#define SMARM_ALWAYS_INLINE inline __attribute__((always_inline))
#define SMARM_NOINLINE __attribute__((noinline))
#define SMARM_LIKELY(condition) __builtin_expect(static_cast<bool>(condition), 1)
#define SMARM_UNLIKELY(condition) __builtin_expect(static_cast<bool>(condition), 0)

// Invariants of the library itself. What a user can cause is reported, never asserted. The model
// tests put a macro of their own in its place.
#ifndef SMARM_ASSERT
#define SMARM_ASSERT(condition) assert(condition)
#endif

// 1: protocols whose invariants cost an atomic operation to check do check them. It changes what
// the inline code does, so the library and all that uses it are built with the same value; NDEBUG,
// which users set as they like, must not decide it.
#ifndef SMARM_CHECKED
#define SMARM_CHECKED 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SMARM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SMARM_ASAN 1
#endif
#endif
#ifndef SMARM_ASAN
#define SMARM_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#define SMARM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SMARM_TSAN 1
#endif
#endif
#ifndef SMARM_TSAN
#define SMARM_TSAN 0
#endif

// Valgrind cannot be detected while compiling: define SMARM_VALGRIND=1 to have stacks registered.
#ifndef SMARM_VALGRIND
#define SMARM_VALGRIND 0
#endif

// What is inlined for speed alone, and is long. Sanitizers instrument each access in it, at each place
// to which it is inlined, and compilers take minutes for that. What surrounds a switch of contexts is
// inlined in any case.
#if SMARM_ASAN || SMARM_TSAN
#define SMARM_HOT_INLINE inline
#else
#define SMARM_HOT_INLINE SMARM_ALWAYS_INLINE
#endif

namespace smarm::detail {

inline constexpr std::size_t cache_line = 64;

// x86 prefetches lines in pairs, so words of different owners are kept this far apart.
inline constexpr std::size_t line_pair = 128;

} // namespace smarm::detail

#endif
