// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One stack: where its parts are, and the accounts by which deep pages are given back.

#define BOOST_TEST_MODULE stack
#include <boost/test/unit_test.hpp>

#include "fiber.hpp"
#include "memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace {

using namespace smarm::detail;
using smarm_test::fiber;

constexpr std::size_t kib = 1024;

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

void touch(stack& on, std::size_t from_depth, std::size_t to_depth) {
  for (std::size_t depth = from_depth; depth <= to_depth; depth += page_size()) {
    *static_cast<volatile std::byte*>(on.top() - depth) = std::byte{1};
  }
}

struct one_stack {
  stack_pool pool;
  stack* on = pool.acquire().value();
  one_stack() = default;
  explicit one_stack(const stack_shape& shape) : on(pool.acquire(shape).value()) {}
  ~one_stack() {
    if (on != nullptr) pool.release(on);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(shapes_are_rounded_up_to_pages) {
  const std::size_t page = page_size();
  BOOST_TEST((stack_shape{5 * page - 1, 1}.rounded() == stack_shape{5 * page, page}));
  BOOST_TEST((stack_shape{5 * page, 2 * page}.rounded() == stack_shape{5 * page, 2 * page}));
  BOOST_TEST((stack_shape{0, 0}.rounded() == stack_shape{4 * page, page}));
  const stack_shape huge = stack_shape{SIZE_MAX, SIZE_MAX}.rounded();
  BOOST_TEST(huge.reserve + huge.guard > huge.reserve);
  BOOST_TEST(huge.reserve % page == 0u);
}

BOOST_AUTO_TEST_CASE(a_stack_is_the_header_at_the_top_of_its_own_memory) {
  one_stack one;
  stack& on = *one.on;
  BOOST_TEST(number(on.low()) % page_size() == 0u);
  BOOST_TEST(number(on.top()) % alignof(std::max_align_t) == 0u);
  BOOST_TEST((on.shape() == stack_shape{}.rounded()));
  BOOST_TEST(on.size() > on.shape().reserve - page_size());
  BOOST_TEST(on.contains(on.low()));
  BOOST_TEST(on.contains(on.top() - 1));
  BOOST_TEST(!on.contains(on.low() - 1));
  BOOST_TEST(!on.contains(on.top()));
  BOOST_TEST(on.context == nullptr);
  BOOST_TEST(on.high_water() == 0u);
}

BOOST_AUTO_TEST_CASE(the_whole_guard_is_out_of_bounds_and_nothing_above_it) {
  one_stack one;
  const std::byte* const low = one.on->low();
  for (std::size_t below = 1; below <= one.on->shape().guard; below += page_size()) {
    BOOST_TEST(!smarm_test::readable(low - below));
  }
  BOOST_TEST(!smarm_test::readable(low - one.on->shape().guard));
  BOOST_TEST(smarm_test::readable(low));
}

BOOST_AUTO_TEST_CASE(sixteen_neighbours_have_their_tops_in_different_lines_of_a_page) {
  stack_pool pool;
  std::vector<stack*> taken;
  std::set<std::uintptr_t> offsets;
  for (int i = 0; i < 16; ++i) {
    taken.push_back(pool.acquire().value());
    offsets.insert(number(taken.back()) % page_size());
  }
  BOOST_TEST(offsets.size() == 16u);
  std::sort(taken.begin(), taken.end());
  for (std::size_t i = 1; i < taken.size(); ++i) {
    const auto stride = static_cast<std::size_t>(taken[i]->low() - taken[i - 1]->low());
    BOOST_TEST(stride / page_size() % 2 == 1u);
  }
  for (stack* on : taken) pool.release(on);
}

BOOST_AUTO_TEST_CASE(resident_counts_the_pages_touched) {
  one_stack one;
  const std::size_t before = one.on->resident();
  BOOST_TEST(before <= 2 * page_size());
  touch(*one.on, 64 * kib, 64 * kib + 3 * page_size());
  BOOST_TEST(one.on->resident() == before + 4 * page_size());
  BOOST_TEST(one.on->resident_depth() >= 64 * kib + 3 * page_size());
  BOOST_TEST(one.on->resident_depth() <= 64 * kib + 5 * page_size());
}

BOOST_AUTO_TEST_CASE(high_water_is_the_deepest_switch_of_the_tenancy) {
  one_stack one;
  stack& on = *one.on;
  on.note_switch(on.top() - 3000);
  on.note_switch(on.top() - 1000);
  BOOST_TEST(on.high_water() == 3000u);
  on.note_park(on.top() - 5000);
  BOOST_TEST(on.high_water() == 5000u);
  on.begin_tenancy();
  BOOST_TEST(on.high_water() == 0u);
}

BOOST_AUTO_TEST_CASE(deep_pages_are_given_back_once_the_tenant_parked_often_enough) {
  one_stack one;
  stack& on = *one.on;
  touch(on, page_size(), 200 * kib);
  std::memset(on.top() - 2 * page_size(), 0x5a, page_size());
  on.note_park(on.top() - 200 * kib);
  for (std::uint32_t i = 2; i < stack::shrink_cooldown; ++i) on.note_park(on.top() - page_size());
  BOOST_TEST(on.shrinks() == 0u);
  BOOST_TEST(smarm_test::smaps_kib(on.low(), "LazyFree") == 0u);
  on.note_park(on.top() - 2 * page_size());
  BOOST_TEST(on.shrinks() == 1u);
  BOOST_TEST(on.parks_since_shrink() == 0u);
  BOOST_TEST(on.high_water() == 2 * page_size());
  // The kernel moves pages there in batches, so the last few are still missing.
  BOOST_TEST(smarm_test::smaps_kib(on.low(), "LazyFree") >= 64u);
  BOOST_TEST(std::to_integer<int>(*(on.top() - 2 * page_size())) == 0x5a);
}

BOOST_AUTO_TEST_CASE(a_tenant_that_stays_deep_or_never_was_keeps_its_pages) {
  one_stack one;
  stack& on = *one.on;
  for (int i = 0; i < 200; ++i) on.note_park(on.top() - 200 * kib);
  BOOST_TEST(on.shrinks() == 0u);
  on.begin_tenancy();
  on.note_park(on.top() - (stack::shrink_threshold - page_size()));
  for (int i = 0; i < 200; ++i) on.note_park(on.top() - 64);
  BOOST_TEST(on.shrinks() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_live_survives_a_shrink_in_the_midst_of_a_run) {
  stack_pool pool;
  long sum = 0;
  struct deep {
    SMARM_NOINLINE static long down(fiber& self, int levels) {
      char frame[4096] = {static_cast<char>(levels)};
      asm volatile("" : : "r"(frame) : "memory"); // all of it, not only what is read
      if (levels == 0) {
        self.yield();
        return frame[0];
      }
      long below = down(self, levels - 1);
      asm volatile("" : "+r"(below)); // a call of its own, whatever the optimiser knows
      return below + frame[0];
    }
  };
  fiber one(pool, pool.acquire({1024 * kib, 64 * kib}).value(), [&](fiber& self) {
    for (int i = 0; i < 2; ++i) {
      const long here = i + 1;
      sum += deep::down(self, 60);
      for (std::uint32_t k = 0; k < stack::shrink_cooldown; ++k) self.yield();
      sum += here;
    }
  });
  while (!one.done()) one.resume();
  BOOST_TEST(one.stack().shrinks() == 2u);
  BOOST_TEST(sum == 2 * (60 * 61 / 2) + 3);
}

BOOST_AUTO_TEST_CASE(a_released_stack_keeps_its_top_and_gives_back_what_was_deeper) {
  stack_pool pool;
  stack* const on = pool.acquire().value();
  touch(*on, page_size(), 240 * kib);
  on->note_park(on->top() - 240 * kib);
  BOOST_TEST(on->resident() > 200 * kib);
  pool.release(on);
  stack* const again = pool.acquire().value();
  BOOST_TEST(again == on);
  BOOST_TEST(on->resident() <= stack::recycle_retain + 2 * page_size());
  BOOST_TEST(on->resident() >= stack::recycle_retain - 2 * page_size());
  pool.release(again);
}

BOOST_AUTO_TEST_CASE(what_went_deep_unseen_is_given_back_in_the_long_run) {
  stack_pool pool;
  stack* const on = pool.acquire().value();
  touch(*on, page_size(), 240 * kib);
  pool.release(on);
  for (int i = 0; i < stack::recycle_blindly; ++i) pool.release(pool.acquire().value());
  BOOST_TEST(on->resident() <= stack::recycle_retain + 2 * page_size());
}
