// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Plain threads that use a run queue as schedulers and as strangers do, and count what comes out.

#ifndef SMARM_TEST_RUN_QUEUE_CREW_HPP
#define SMARM_TEST_RUN_QUEUE_CREW_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <latch>
#include <thread>
#include <vector>

namespace smarm_test {

struct item {
  item() = default;
  item(const item& other) : number(other.number) {}

  std::size_t number = 0;
  std::size_t rounds = 0; // plain: the queue must hand it over
  std::atomic<bool> taken{false};
};

inline std::vector<item> numbered(std::size_t count) {
  std::vector<item> items(count);
  for (std::size_t i = 0; i < count; ++i) {
    items[i].number = i;
  }
  return items;
}

struct crew_size {
  unsigned schedulers;
  unsigned foreign_threads; // these inject
  std::size_t items_each;
  std::size_t rounds = 1; // how often each item is popped
  std::size_t ring_capacity = 0;
};

template <class Queue>
class crew {
public:
  explicit crew(crew_size size)
      : size_(size), items_(numbered((size.schedulers + size.foreign_threads) * size.items_each)),
        all_(make(size)) {}

  void run() {
    std::latch start(size_.schedulers + size_.foreign_threads);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < size_.schedulers; ++i) {
      threads.emplace_back([this, i, &start] {
        start.arrive_and_wait();
        schedule(i);
      });
    }
    for (unsigned i = 0; i < size_.foreign_threads; ++i) {
      threads.emplace_back([this, i, &start] {
        start.arrive_and_wait();
        for (std::size_t k = 0; k < size_.items_each; ++k) {
          all_.inject(&items_[(size_.schedulers + i) * size_.items_each + k]);
        }
      });
    }
    for (auto& t : threads) {
      t.join();
    }
  }

  [[nodiscard]] std::size_t lost() const {
    const auto unfinished = [this](const item& i) { return i.rounds < size_.rounds; };
    return static_cast<std::size_t>(std::count_if(items_.begin(), items_.end(), unfinished));
  }
  [[nodiscard]] std::size_t twice() const { return twice_.load(); }
  [[nodiscard]] std::size_t left_over() const { return all_.size(); }

private:
  static typename Queue::shared make(const crew_size& size) {
    const std::size_t items = (size.schedulers + size.foreign_threads) * size.items_each;
    if constexpr (requires { typename Queue::ring; }) {
      return typename Queue::shared(size.schedulers, items,
                                    size.ring_capacity != 0 ? size.ring_capacity
                                                            : Queue::ring::default_capacity);
    } else {
      return typename Queue::shared(size.schedulers, items);
    }
  }

  // Pushes its own items bit by bit, runs whatever it finds, goes home when all items are done.
  void schedule(unsigned id) {
    typename Queue::local local(all_, id);
    std::size_t pushed = 0;
    while (done_.load(std::memory_order_relaxed) < items_.size()) {
      for (int burst = 0; burst < 7 && pushed < size_.items_each; ++burst) {
        local.push(&items_[id * size_.items_each + pushed++]);
      }
      item* i = local.pop();
      i = i != nullptr ? i : local.steal(false);
      i = i != nullptr ? i : local.steal(true);
      if (i == nullptr) {
        std::this_thread::yield();
        continue;
      }
      twice_ += i->taken.exchange(true, std::memory_order_relaxed);
      const std::size_t round = ++i->rounds;
      i->taken.store(false, std::memory_order_relaxed);
      if (round < size_.rounds) {
        local.push(i);
      } else if (round == size_.rounds) {
        done_.fetch_add(1, std::memory_order_relaxed);
      } else {
        twice_ += 1;
      }
    }
  }

  crew_size size_;
  std::vector<item> items_;
  typename Queue::shared all_;
  std::atomic<std::size_t> done_{0};
  std::atomic<std::size_t> twice_{0};
};

} // namespace smarm_test

#endif
