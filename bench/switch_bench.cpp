// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What one switch costs: entered by a jump as the runtime does it and by a plain call, with the
// switch in the frame that asks or in a function of its own, from one place and from two, and below
// a few ordinary calls whose returns must still be predicted. Then what the exception state adds.

#include "bench.hpp"

#include <smarm/detail/context.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/stack_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace smarm::detail;

// Two contexts of one thread that pass control to and fro.
struct pair {
  fcontext_t other = nullptr;
  exception_globals* exceptions = nullptr;
  std::uint64_t turns = 0;
};

struct by_jump {
  static SMARM_ALWAYS_INLINE void swap(pair& p) { p.other = jump(p.other, &p).fctx; }
};

struct by_call {
  static SMARM_ALWAYS_INLINE void swap(pair& p) {
    p.other = boost::context::detail::jump_fcontext(p.other, &p).fctx;
  }
};

template <class Swap>
struct out_of_line {
  static SMARM_NOINLINE void swap(pair& p) {
    Swap::swap(p);
    asm volatile("" : : : "memory"); // a return of its own, not a tail call
  }
};

// As the runtime switches: nothing is saved while no exception is about.
struct with_exceptions {
  static SMARM_ALWAYS_INLINE void swap(pair& p) {
    const saved_exceptions saved(*p.exceptions);
    by_jump::swap(p);
    saved.restore(*p.exceptions);
  }
};

struct with_accessor {
  static SMARM_ALWAYS_INLINE void swap(pair& p) {
    const saved_exceptions saved(*this_thread_exception_globals());
    by_jump::swap(p);
    saved.restore(*this_thread_exception_globals());
  }
};

template <class Swap>
struct below_calls {
  static SMARM_NOINLINE void third(pair& p) {
    Swap::swap(p);
    asm volatile("" : : : "memory");
  }
  static SMARM_NOINLINE void second(pair& p) {
    third(p);
    asm volatile("" : : : "memory");
  }
  static SMARM_NOINLINE void swap(pair& p) {
    second(p);
    asm volatile("" : : : "memory");
  }
};

// The other side: one place to switch from, or two.
template <class Swap, bool TwoPlaces>
void entry(transfer_t from) {
  pair& p = *static_cast<pair*>(from.data);
  p.other = from.fctx;
  for (;;) {
    ++p.turns;
    Swap::swap(p);
    if constexpr (TwoPlaces) {
      ++p.turns;
      asm volatile("" : : : "memory");
      Swap::swap(p);
    }
  }
}

template <class Swap, bool TwoPlaces>
void measure(const std::string& how) {
  stack_pool pool;
  stack* const on = pool.acquire().value();
  const std::uint64_t rounds = smarm_bench::scaled(1'000'000);
  pair p;
  p.exceptions = this_thread_exception_globals();
  p.other = make_context(*on, &entry<Swap, TwoPlaces>);
  const std::string params = "how=" + how + (TwoPlaces ? ";places=2" : ";places=1");
  // A round is a switch there and one back.
  smarm_bench::report("switch", 1, params, 2.0 * static_cast<double>(rounds), [&] {
    p.turns = 0;
    for (std::uint64_t i = 0; i < rounds; i += 2) {
      Swap::swap(p);
      if constexpr (TwoPlaces) asm volatile("" : : : "memory");
      Swap::swap(p);
    }
    smarm_bench::require(p.turns == rounds + rounds % 2, "switch");
  });
  pool.release(on);
}

template <class Swap>
void measure(const std::string& how) {
  measure<Swap, false>(how);
  measure<Swap, true>(how);
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start(argc, argv);
#if SMARM_ASAN || SMARM_TSAN
  return 0; // they would have to be told of each switch
#endif
  measure<by_jump>("jump");
  measure<by_call>("call");
  measure<with_exceptions>("jump_exceptions");
  measure<with_accessor>("jump_exceptions_accessor");
  measure<out_of_line<by_jump>>("jump_out_of_line");
  measure<out_of_line<by_call>>("call_out_of_line");
  measure<below_calls<by_jump>>("jump_below_3_calls");
  measure<below_calls<by_call>>("call_below_3_calls");
}
