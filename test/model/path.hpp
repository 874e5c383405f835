// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The choices that make up one schedule, and the next schedule in depth-first order: the last
// choice that has another way takes it, and what came after is forgotten.

#ifndef SMARM_TEST_MODEL_PATH_HPP
#define SMARM_TEST_MODEL_PATH_HPP

#include <cstddef>
#include <utility>
#include <vector>

namespace mc {

class path {
public:
  // Forgets all schedules. The first one takes these choices as far as they go, then the first way.
  void reset(std::vector<int> first = {}) {
    choices_.clear();
    first_ = std::move(first);
  }
  void rewind() { depth_ = 0; }

  // One of 0 … ways-1; -1 if the same choices led to another number of ways before.
  [[nodiscard]] int choose(int ways) {
    if (depth_ == choices_.size()) {
      choices_.push_back({ways, depth_ < first_.size() ? first_[depth_] : 0});
    }
    const choice& here = choices_[depth_++];
    return here.ways == ways ? here.taken : -1;
  }

  // False: that was the last schedule.
  [[nodiscard]] bool advance() {
    while (!choices_.empty() && ++choices_.back().taken == choices_.back().ways) {
      choices_.pop_back();
    }
    return !choices_.empty();
  }

  [[nodiscard]] std::vector<int> taken() const {
    std::vector<int> result;
    for (const auto& c : choices_) {
      result.push_back(c.taken);
    }
    return result;
  }

private:
  struct choice {
    int ways;
    int taken;
  };
  std::vector<choice> choices_;
  std::vector<int> first_;
  std::size_t depth_ = 0;
};

} // namespace mc

#endif
