// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of channels send: values that are hard to move, and short ways to look at results.

#ifndef SMARM_TEST_MESSAGES_HPP
#define SMARM_TEST_MESSAGES_HPP

#include <smarm/config.hpp>
#include <smarm/error.hpp>
#include <smarm/report.hpp>

#include <cstdint>
#include <stdexcept>

namespace smarm_test {

inline const smarm::report_sink no_reports = [](const smarm::report&) {};

inline smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = no_reports};
}

// errc{} if it succeeded.
template <class Result>
smarm::errc error_of(const Result& result) {
  if (result.has_value()) {
    return {};
  }
  return result.error().category() == smarm::error_category()
           ? static_cast<smarm::errc>(result.error().value())
           : static_cast<smarm::errc>(-1);
}

template <class Call>
bool thrown(Call call) {
  try {
    call();
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

struct alignas(256) over_aligned {
  over_aligned(int v) noexcept : value(v) {}
  over_aligned(over_aligned&& other) noexcept
      : value(other.value),
        placed(other.placed && reinterpret_cast<std::uintptr_t>(this) % 256 == 0) {}
  int value;
  bool placed = true;
};

struct large {
  int value;
  char rest[5000];
};

struct unassignable {
  unassignable(int v) noexcept : value(v) {}
  const int value;
};

// Its moves and copies may throw, and do when told to.
struct reluctant {
  explicit reluctant(int v) : value(v) { ++alive; }
  reluctant(reluctant&& other) : value(count_down(other.value)) {
    ++alive;
    other.value = -1;
  }
  reluctant(const reluctant& other) : value(count_down(other.value)) { ++alive; }
  reluctant& operator=(reluctant&& other) {
    value = count_down(other.value);
    other.value = -1;
    return *this;
  }
  ~reluctant() { --alive; }

  int value;
  static inline int alive = 0;
  static inline int moves_until_throw = -1; // below zero: never

private:
  static int count_down(int v) {
    if (moves_until_throw == 0) {
      moves_until_throw = -1;
      throw std::runtime_error("cannot be moved");
    }
    if (moves_until_throw > 0) {
      --moves_until_throw;
    }
    return v;
  }
};

} // namespace smarm_test

#endif
