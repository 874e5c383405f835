// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the run queues take from others, as the explorer knows it: boost::lockfree::queue becomes a
// list whose operations are single steps, std::mutex a lock to block on.

#ifndef SMARM_TEST_MODEL_MC_QUEUES_HPP
#define SMARM_TEST_MODEL_MC_QUEUES_HPP

#include "mc_atomic.hpp"

#include <smarm/detail/injection.hpp>
#include <smarm/detail/mutex_queue.hpp>

#include <cstddef>
#include <deque>

namespace mc {

template <class T>
class list {
public:
  explicit list(std::size_t) {}
  void add_nodes(std::size_t) {}

  void push(T* item) noexcept {
    step_.fetch_add(1);
    items_.push_back(item);
  }
  [[nodiscard]] bool pop(T*& item) noexcept {
    step_.fetch_add(1);
    if (items_.empty()) {
      return false;
    }
    item = items_.front();
    items_.pop_front();
    return true;
  }

private:
  atomic<int> step_{0};
  std::deque<T*> items_;
};

class mutex {
public:
  void lock() noexcept {
    held_.block_until_and_store([](int held) { return held == 0; }, 1);
  }
  void unlock() noexcept { held_.store(0, std::memory_order_release); }

private:
  atomic<int> held_{0};
};

} // namespace mc

namespace smarm::detail {

template <class T, mc::weakened Weakened>
struct list_for<T, mc::basic_atomics<Weakened>> {
  using type = mc::list<T>;
};

template <mc::weakened Weakened>
struct lock_for<mc::basic_atomics<Weakened>> {
  using type = mc::mutex;
};

} // namespace smarm::detail

#endif
