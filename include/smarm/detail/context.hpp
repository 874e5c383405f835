// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The context switch: Boost.Context's fcontext, entered so that the processor goes on predicting
// returns. Whoever switches uses jump() together with the exception globals and the fiber
// annotations of the two headers below; neither costs anything in an ordinary build.

#ifndef SMARM_DETAIL_CONTEXT_HPP
#define SMARM_DETAIL_CONTEXT_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/exception_globals.hpp>
#include <smarm/detail/fiber_state.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

// Define SMARM_JUMP_BY_CALL=1 where calls and returns are checked (a shadow stack in user space).
#ifndef SMARM_JUMP_BY_CALL
#if defined(__x86_64__) && !defined(__ILP32__) && !SMARM_ASAN && !SMARM_TSAN
#define SMARM_JUMP_BY_CALL 0
#else
#define SMARM_JUMP_BY_CALL 1
#endif
#endif

namespace smarm::detail {

// A suspended context. It is its saved stack pointer: everything below it is dead.
using fcontext_t = boost::context::detail::fcontext_t;

// What arrives with a jump: the context that was left, and the word it passed.
using transfer_t = boost::context::detail::transfer_t;

using context_entry = void (*)(transfer_t);

// A context that will run `entry` on the `size` bytes below `top`. The entry never returns and lets
// no exception out.
[[nodiscard]] inline fcontext_t make_context(void* top, std::size_t size,
                                             context_entry entry) noexcept {
  return boost::context::detail::make_fcontext(top, size, entry);
}

#if SMARM_JUMP_BY_CALL

SMARM_ALWAYS_INLINE transfer_t jump(fcontext_t to, void* data) noexcept {
  transfer_t arrived = boost::context::detail::jump_fcontext(to, data);
  // Keeps an unused result from turning the last jump of an entry function into a tail call.
  asm volatile("" : "+r"(arrived.fctx), "+r"(arrived.data) : : "memory");
  return arrived;
}

#else

#if defined(__AVX512F__)
#define SMARM_AVX512_CLOBBERS                                                                     \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",     \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",   \
      "k7"
#else
#define SMARM_AVX512_CLOBBERS
#endif

#if defined(__CET__) && (__CET__ & 1)
#define SMARM_LANDING_PAD "endbr64\n\t"
#else
#define SMARM_LANDING_PAD
#endif

// jump_fcontext ends in an indirect jump. Called, it would leave an entry on the return predictor
// that no return ever takes, and every later return of the resumed context would be mispredicted.
// So the return address is pushed by hand, below the red zone that the compiler may be using.
SMARM_ALWAYS_INLINE transfer_t jump(fcontext_t to, void* data) noexcept {
  transfer_t arrived;
  asm volatile("leaq -128(%%rsp), %%rsp\n\t"
               "leaq 1f(%%rip), %%rax\n\t"
               "pushq %%rax\n\t"
               "jmp jump_fcontext@PLT\n"
               "1:\n\t" SMARM_LANDING_PAD "leaq 128(%%rsp), %%rsp\n\t"
               : "=a"(arrived.fctx), "=d"(arrived.data), "+D"(to), "+S"(data)
               :
               : "memory", "cc", "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
                 "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                 "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)",
                 "st(6)", "st(7)" SMARM_AVX512_CLOBBERS);
  return arrived;
}

#undef SMARM_AVX512_CLOBBERS
#undef SMARM_LANDING_PAD

#endif

} // namespace smarm::detail

#endif
