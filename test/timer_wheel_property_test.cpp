// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timer wheel against a sorted map: random arming, cancelling, re-arming and sweeping under a
// clock that jumps to the edges of slots and levels, next to them, and years ahead.

#define BOOST_TEST_MODULE timer_wheel_property
#include <boost/test/unit_test.hpp>

#include <smarm/detail/timer_wheel.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

using smarm::detail::no_deadline;
using smarm::detail::timer_node;
using smarm::detail::timer_wheel;

constexpr std::int64_t us = 1000;
constexpr std::int64_t year = 365ll * 24 * 3600 * 1'000'000 * us;

struct timer : timer_node {
  int id = 0;
};

int id_of(timer_node* node) { return node ? static_cast<timer*>(node)->id : -1; }

// What the wheel has to agree with: (microsecond, order of arming) -> timer.
struct model {
  using key = std::pair<std::int64_t, std::uint64_t>;

  std::map<key, int> armed;
  std::vector<key> keys;
  std::uint64_t sequence = 0;
  std::int64_t position = 0;

  void arm(int id, std::int64_t deadline) {
    const std::int64_t up = deadline <= 0 ? 0 : deadline / us + (deadline % us != 0);
    keys[static_cast<std::size_t>(id)] = {std::max(up, position), sequence++};
    armed[keys[static_cast<std::size_t>(id)]] = id;
  }
  bool cancel(int id) { return armed.erase(keys[static_cast<std::size_t>(id)]) != 0; }
  int expire(std::int64_t now) {
    const std::int64_t limit = std::max(now / us, position);
    if (armed.empty() || armed.begin()->first.first > limit) {
      position = limit;
      return -1;
    }
    const auto [first, id] = *armed.begin();
    armed.erase(armed.begin());
    position = first.first;
    return id;
  }
};

// Distances that meet the edges of slots and levels.
std::int64_t distance(std::mt19937_64& random) {
  const auto level = random() % 9;
  const auto width = std::int64_t{1} << (6 * level);
  const auto count = static_cast<std::int64_t>(random() % 66);
  const auto ticks = width * count + static_cast<std::int64_t>(random() % 3) - 1;
  const auto limit = 100 * year / us;
  return std::min(ticks, limit) * us + static_cast<std::int64_t>(random() % 3) - 1;
}

// A time at or next to the next edge of a level.
std::int64_t edge_after(std::int64_t now, std::mt19937_64& random) {
  const auto shift = 6 * (random() % 8);
  const auto edge = ((now / us >> shift) + 1) << shift;
  return (edge + static_cast<std::int64_t>(random() % 3) - 1) * us +
         static_cast<std::int64_t>(random() % 3) - 1;
}

class comparison {
public:
  explicit comparison(std::uint64_t seed)
      : random_(seed), now_(static_cast<std::int64_t>(random_() % (2 * year))), wheel_(now_),
        timers_(1 + random_() % 200) {
    for (std::size_t i = 0; i < timers_.size(); ++i) timers_[i].id = static_cast<int>(i);
    expected_.keys.resize(timers_.size(), {-1, 0});
    expected_.position = now_ / us;
  }

  ~comparison() {
    while (wheel_.take_any()) {
    }
  }

  // False at the first difference.
  [[nodiscard]] bool step() {
    timer& one = timers_[random_() % timers_.size()];
    switch (random_() % 8) {
    case 0:
    case 1:
    case 2: {
      const bool same = cancel(one);
      const std::int64_t deadline = any_deadline();
      wheel_.arm(one, deadline);
      expected_.arm(one.id, deadline);
      return same && sizes_agree();
    }
    case 3: return cancel(one) && sizes_agree();
    case 4: // part of a sweep: what is armed next meets a wheel in the middle of it
      for (auto n = random_() % 4; n > 0; --n) {
        if (!expire_one(nullptr)) return false;
      }
      return sizes_agree();
    default: return advance() && sweep() && sizes_agree();
    }
  }

  // The rest, by nothing but the wheel's own word on when to look: that has to converge.
  [[nodiscard]] bool run_out() {
    for (int fruitless = 0; !expected_.armed.empty();) {
      const std::int64_t next = wheel_.next_deadline_ns();
      if (next == no_deadline) return expected_.armed.begin()->first.first > no_deadline / us;
      now_ = std::max(now_, next);
      bool fired = false;
      if (!expire_one(&fired)) return false;
      fruitless = fired ? 0 : fruitless + 1;
      if (fruitless > 8) return false;
    }
    return wheel_.empty();
  }

private:
  bool cancel(timer& one) { return wheel_.cancel(one) == expected_.cancel(one.id); }
  bool sizes_agree() const { return wheel_.size() == expected_.armed.size(); }

  bool expire_one(bool* fired) {
    const int id = expected_.expire(now_);
    if (fired) *fired = id != -1;
    return id_of(wheel_.expire(now_)) == id;
  }

  bool sweep() {
    for (bool fired = true; fired;) {
      if (!expire_one(&fired)) return false;
    }
    return true;
  }

  // Now and then in the past, long ago, or for ever.
  std::int64_t any_deadline() {
    const auto kind = random_() % 64;
    if (kind == 0) return no_deadline - static_cast<std::int64_t>(random_() % 2000);
    if (kind == 1) return -distance(random_);
    const std::int64_t apart = std::min(distance(random_), no_deadline - now_);
    return kind < 6 ? now_ - apart : now_ + apart;
  }

  bool advance() {
    const auto how = random_() % 16;
    if (how == 0 && now_ < 150 * year) {
      now_ += static_cast<std::int64_t>(random_() % (3 * year));
    } else if (how < 6) {
      now_ = std::max(now_, edge_after(now_, random_));
    } else if (how < 12) { // where the wheel says, which never is later than the earliest timer
      const std::int64_t next = wheel_.next_deadline_ns();
      if (next < 200 * year) now_ = std::max(now_, next);
      return expected_.armed.empty() ? next == no_deadline
                                     : next / us <= expected_.armed.begin()->first.first;
    } else {
      now_ += static_cast<std::int64_t>(random_() % (100 * us));
    }
    return true;
  }

  std::mt19937_64 random_;
  std::int64_t now_;
  timer_wheel wheel_;
  std::vector<timer> timers_;
  model expected_;
};

} // namespace

BOOST_AUTO_TEST_CASE(agrees_with_a_sorted_map_under_a_jumping_clock,
                     *boost::unit_test::timeout(300)) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    BOOST_TEST_MESSAGE("seed " << seed);
    comparison both(seed);
    int step = 0;
    while (step < 10'000 && both.step()) ++step;
    BOOST_TEST(step == 10'000, "seed " << seed << " differs at step " << step);
    BOOST_TEST(both.run_out(), "seed " << seed << " differs when run out");
  }
}
