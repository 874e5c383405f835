// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who runs next where chance is to decide and not who came first: for tests that look for orders in
// which something breaks.

#ifndef SMARM_DETAIL_DRAWN_ORDER_HPP
#define SMARM_DETAIL_DRAWN_ORDER_HPP

#include <cstddef>
#include <new>
#include <random>
#include <utility>
#include <vector>

namespace smarm::detail {

struct slot;

// One scheduler's ready actors, out of whose queue all are taken before one is drawn.
class drawn_order {
public:
  explicit drawn_order(std::mt19937_64& chance) noexcept : chance_(chance) {}

  // Null: nobody is ready. Without memory for the others the first in the queue is next.
  template <class Queue>
  [[nodiscard]] slot* next(Queue& queue) noexcept {
    while (slot* const s = queue.pop()) {
      try {
        ready_.push_back(s);
      } catch (const std::bad_alloc&) {
        return s;
      }
    }
    if (ready_.empty()) {
      return nullptr;
    }
    std::swap(ready_[chance_() % ready_.size()], ready_.back());
    slot* const drawn = ready_.back();
    ready_.pop_back();
    return drawn;
  }

private:
  std::mt19937_64& chance_;
  std::vector<slot*> ready_;
};

} // namespace smarm::detail

#endif
