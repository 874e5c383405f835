// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The jump itself, and the exception state of contexts that are left in a handler or during
// unwinding and go on elsewhere.

#define BOOST_TEST_MODULE context
#include <boost/test/unit_test.hpp>

#include "fiber.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace smarm::detail;
using smarm_test::fiber;

template <class F>
void on_another_thread(F f) {
  std::thread(std::move(f)).join();
}

std::string caught_by_rethrow() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  }
}

// Uncaught exceptions as seen around a yield that a destructor makes.
struct yields_on_destruction {
  fiber& self;
  int& before;
  int& after;
  ~yields_on_destruction() {
    before = std::uncaught_exceptions();
    self.yield();
    after = std::uncaught_exceptions();
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_jump_carries_its_word_both_ways) {
  stack_pool pool;
  stack* const on = pool.acquire().value();
  struct local {
    static void entry(transfer_t from) {
      for (;;) {
        int* const word = static_cast<int*>(from.data);
        ++*word;
        from = jump(from.fctx, word + 1);
      }
    }
  };
#if !SMARM_ASAN && !SMARM_TSAN
  int words[4] = {10, 20, 30, 40};
  fcontext_t context = make_context(*on, &local::entry);
  for (int i = 0; i < 3; ++i) {
    const transfer_t back = jump(context, &words[i]);
    context = back.fctx;
    BOOST_TEST(back.data == static_cast<void*>(&words[i + 1]));
  }
  BOOST_TEST(words[0] == 11);
  BOOST_TEST(words[1] == 21);
  BOOST_TEST(words[2] == 31);
  BOOST_TEST(words[3] == 40);
#endif
  pool.release(on);
}

BOOST_AUTO_TEST_CASE(values_in_registers_survive_a_switch) {
  // Enough of each kind to be spilled, kept in preserved registers, or rounded by them.
  stack_pool pool;
  long sum = 0;
  double real = 0;
  long double extended = 0;
  auto body = [&](fiber& self) {
    long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
    double x = 0.5, y = 0.25, z = 0.125;
    long double w = 1.0L / 3;
    for (int i = 0; i < 100; ++i) {
      self.yield();
      a += b, b += c, c += d, d += e, e += f, f += g, g += 1;
      x += y, y += z, z += 1;
      w += 1.0L / 3;
    }
    sum = a + b + c + d + e + f + g;
    real = x + y + z;
    extended = w;
  };
  fiber one(pool, body);
  while (!one.done()) one.resume();
  const long sum_of_one = sum;
  const double real_of_one = real;
  const long double extended_of_one = extended;
  fiber left(pool, body);
  fiber right(pool, [&](fiber& self) {
    volatile double noise = 1;
    while (!left.done()) {
      noise = noise * 1.5 + 7;
      self.yield();
    }
  });
  while (!left.done()) {
    left.resume();
    right.resume();
  }
  BOOST_TEST(sum == sum_of_one);
  BOOST_TEST(real == real_of_one);
  BOOST_TEST(extended == extended_of_one);
}

BOOST_AUTO_TEST_CASE(a_handler_left_on_one_thread_rethrows_on_another) {
  stack_pool pool;
  std::string what;
  fiber one(pool, [&](fiber& self) {
    try {
      throw std::runtime_error("mine");
    } catch (...) {
      self.yield();
      what = caught_by_rethrow();
    }
  });
  one.resume();
  BOOST_TEST(this_thread_exception_globals()->empty());
  bool empty_there = false;
  on_another_thread([&] {
    one.resume();
    empty_there = this_thread_exception_globals()->empty();
  });
  BOOST_TEST(one.done());
  BOOST_TEST(what == "mine");
  BOOST_TEST(empty_there);
}

BOOST_AUTO_TEST_CASE(two_contexts_in_handlers_on_one_thread_keep_their_own_exceptions) {
  stack_pool pool;
  std::string first_what;
  std::string second_what;
  auto handles = [](const char* text, std::string& what) {
    return [text, &what](fiber& self) {
      try {
        throw std::runtime_error(text);
      } catch (...) {
        self.yield();
        what = caught_by_rethrow();
      }
    };
  };
  fiber first(pool, handles("first", first_what));
  fiber second(pool, handles("second", second_what));
  first.resume();
  second.resume();
  first.resume();
  second.resume();
  BOOST_TEST(first_what == "first");
  BOOST_TEST(second_what == "second");
}

BOOST_AUTO_TEST_CASE(nested_handlers_are_put_back_in_their_order) {
  stack_pool pool;
  std::vector<std::string> seen;
  fiber other(pool, [](fiber& self) {
    try {
      throw std::logic_error("other");
    } catch (...) {
      self.yield();
    }
  });
  fiber one(pool, [&](fiber& self) {
    try {
      throw std::runtime_error("outer");
    } catch (...) {
      try {
        throw std::runtime_error("inner");
      } catch (...) {
        self.yield();
        seen.push_back(caught_by_rethrow());
      }
      self.yield();
      seen.push_back(caught_by_rethrow());
    }
  });
  one.resume();
  other.resume();
  on_another_thread([&] { one.resume(); });
  other.resume();
  one.resume();
  BOOST_TEST(one.done());
  BOOST_TEST(seen == (std::vector<std::string>{"inner", "outer"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_destructor_may_yield_while_unwinding_and_go_on_on_another_thread) {
  stack_pool pool;
  int before = -1;
  int after = -1;
  int in_handler = -1;
  int between = -1;
  std::string what;
  fiber one(pool, [&](fiber& self) {
    try {
      yields_on_destruction yields{self, before, after};
      throw std::runtime_error("unwinding");
    } catch (const std::exception& e) {
      in_handler = std::uncaught_exceptions();
      what = e.what();
    }
  });
  one.resume();
  between = std::uncaught_exceptions();
  on_another_thread([&] { one.resume(); });
  BOOST_TEST(one.done());
  BOOST_TEST(before == 1);
  BOOST_TEST(between == 0);
  BOOST_TEST(after == 1);
  BOOST_TEST(in_handler == 0);
  BOOST_TEST(what == "unwinding");
  BOOST_TEST(std::uncaught_exceptions() == 0);
}

BOOST_AUTO_TEST_CASE(a_context_resumed_inside_a_handler_does_not_see_that_exception) {
  stack_pool pool;
  bool nothing_there = false;
  std::string what;
  fiber one(pool, [&](fiber& self) {
    nothing_there = std::current_exception() == nullptr;
    self.yield();
    nothing_there = nothing_there && std::current_exception() == nullptr;
  });
  try {
    throw std::runtime_error("of the resumer");
  } catch (...) {
    one.resume();
    one.resume();
    what = caught_by_rethrow();
  }
  BOOST_TEST(nothing_there);
  BOOST_TEST(what == "of the resumer");
}

BOOST_AUTO_TEST_CASE(guests_called_on_one_stack_may_each_be_left_and_go_on_on_another_thread) {
  stack_pool pool;
  int sum = 0;
  fiber host(pool, [&](fiber& self) {
    for (int i = 1; i <= 3; ++i) {
      guest_fiber own(self.stack().fiber);
      [&]() SMARM_NOINLINE {
        self.yield();
        sum += i;
        self.yield();
      }();
    }
  });
  while (!host.done()) {
    host.resume();
    on_another_thread([&] { host.resume(); });
    if (sum == 6) host.resume();
  }
  BOOST_TEST(sum == 6);
}

BOOST_AUTO_TEST_CASE(nothing_is_saved_while_no_exception_is_about) {
  exception_globals none;
  saved_exceptions saved(none);
  BOOST_TEST(saved.empty());
  saved.restore(none);
  BOOST_TEST(none.empty());
}
