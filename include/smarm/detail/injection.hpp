// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A queue that anybody may push to and pop from: a boost::lockfree::queue with a count, since the
// queue itself cannot tell whether it is empty while others work on it. Entries come in from
// threads that are no schedulers, and from rings that could not grow.
//
// The count follows the queue: it is raised after a push and lowered after a pop. So it may say
// "empty" although an entry is in, but only while its pusher has not returned from push; and a
// pusher wakes somebody afterwards. The other order would keep schedulers awake for a pusher that
// was descheduled halfway.

#ifndef SMARM_DETAIL_INJECTION_HPP
#define SMARM_DETAIL_INJECTION_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/quiet_allocation.hpp>

#include <boost/lockfree/queue.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

namespace smarm::detail {

// A push here is a wake on its way: it must not fail.
[[noreturn]] SMARM_NOINLINE inline void queue_overflow() noexcept {
  std::fputs("smarm: a run queue is full and there is no memory to extend it\n", stderr);
  std::abort();
}

// boost::lockfree::queue with pushes that do not fail.
template <class T>
class node_list {
public:
  explicit node_list(std::size_t nodes) : queue_(nodes) {}

  void add_nodes(std::size_t nodes) { queue_.reserve(nodes); }

  void push(T* item) noexcept {
    if (SMARM_UNLIKELY(!queue_.bounded_push(item))) {
      push_beyond(item);
    }
  }
  [[nodiscard]] bool pop(T*& item) noexcept { return queue_.pop(item); }

private:
  SMARM_NOINLINE void push_beyond(T* item) noexcept {
    const quiet_allocation quiet;
    constexpr int patience = 1000; // pops set nodes free, without any memory
    for (int i = 0; i < patience; ++i) {
      try {
        if (queue_.push(item)) {
          return;
        }
      } catch (const std::bad_alloc&) {
        std::this_thread::yield();
      }
    }
    queue_overflow();
  }

  boost::lockfree::queue<T*> queue_;
};

// The explorer's atomics bring a list of their own.
template <class T, class Atomics>
struct list_for {
  using type = node_list<T>;
};

template <class T, class Atomics = std_atomics>
class injection {
public:
  // Throws std::bad_alloc.
  explicit injection(std::size_t nodes) : list_(nodes), nodes_(nodes) {}

  // From then on so many entries fit in without any memory being asked for. Not to be called by two
  // threads at once. False: there is no memory.
  [[nodiscard]] bool reserve(std::size_t entries) noexcept {
    try {
      if (entries > nodes_) {
        list_.add_nodes(entries - nodes_);
        nodes_ = entries;
      }
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  // True: it was empty before. Whoever wakes a sleeper for it fences before looking for one.
  bool push(T* item) noexcept {
    list_.push(item);
    return count_.fetch_add(1, std::memory_order_acq_rel) <= 0;
  }

  [[nodiscard]] T* pop() noexcept {
    T* item = nullptr;
    if (empty() || !list_.pop(item)) {
      return nullptr;
    }
    count_.fetch_sub(1, std::memory_order_acq_rel);
    return item;
  }

  [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_acquire) <= 0; }
  [[nodiscard]] std::size_t size() const noexcept {
    const std::ptrdiff_t count = count_.load(std::memory_order_acquire);
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }

protected:
  typename list_for<T, Atomics>::type list_;
  std::size_t nodes_;
  // Written after each push and pop, by whoever did it; below zero while a push that was popped
  // already is not counted yet. Looked at by every scheduler, hence apart from the list.
  alignas(line_pair) typename Atomics::template atomic<std::ptrdiff_t> count_{0};
};

} // namespace smarm::detail

#endif
