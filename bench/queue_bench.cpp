// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the run queues and the slot word cost by themselves. One operation is
//   queue_cycle   a pop and a push, as a yield makes them; each thread has 100 entries
//   queue_inject  one entry from a stranger to a scheduler
//   queue_steal   one entry that is stolen, in a theft of half of what there is
//   slot_yield    the word's part of a yield: requeue, claim
//   slot_wait     the word's part of a wait: begin_wait, park, wake, claim

#include "bench.hpp"

#include <smarm/detail/lockfree_queue.hpp>
#include <smarm/detail/mutex_queue.hpp>
#include <smarm/detail/slot_word.hpp>
#include <smarm/detail/striped_queue.hpp>

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace detail = smarm::detail;
using smarm_bench::quick;
using smarm_bench::report;
using smarm_bench::scaled;

struct alignas(detail::line_pair) slot {
  detail::slot_word word;
  std::uint64_t runs = 0;
};

void pin(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu % std::max(1U, std::thread::hardware_concurrency()), &set);
  ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

// Threads that are started once and run f(id) together whenever told to.
template <class F>
class team {
public:
  team(unsigned size, F f) : f_(f), gate_(static_cast<std::ptrdiff_t>(size)) {
    for (unsigned id = 1; id < size; ++id) {
      threads_.emplace_back([this, id] {
        pin(id);
        for (;;) {
          gate_.arrive_and_wait();
          if (over_) {
            return;
          }
          f_(id);
          gate_.arrive_and_wait();
        }
      });
    }
    pin(0);
  }
  ~team() {
    over_ = true;
    gate_.arrive_and_wait();
    for (auto& t : threads_) {
      t.join();
    }
  }
  void operator()() {
    gate_.arrive_and_wait();
    f_(0U);
    gate_.arrive_and_wait();
  }

private:
  F f_;
  std::barrier<> gate_;
  bool over_ = false; // written before the barrier that the threads wait at
  std::vector<std::thread> threads_;
};

constexpr std::size_t entries = 100;

template <class Queue>
void cycle(const std::string& name, unsigned threads) {
  const std::uint64_t ops = scaled(1'000'000);
  std::vector<slot> slots(entries * threads);
  typename Queue::shared all(threads, slots.size());
  std::vector<typename Queue::local> locals;
  for (unsigned id = 0; id < threads; ++id) {
    locals.emplace_back(all, id);
    for (std::size_t i = 0; i < entries; ++i) {
      locals[id].push(&slots[id * entries + i]);
    }
  }
  team run(threads, [&](unsigned id) {
    auto local = locals[id]; // as the scheduler's own object: not shared with anybody
    for (std::uint64_t done = 0; done < ops;) {
      if (slot* const s = local.pop()) {
        ++s->runs;
        local.push(s);
        ++done;
      }
    }
  });
  report("queue_cycle", threads, "queue=" + name, static_cast<double>(ops * threads),
         [&] { run(); });
}

template <class Queue>
void inject(const std::string& name) {
  const std::uint64_t ops = scaled(100'000);
  std::vector<slot> slots(1024);
  typename Queue::shared all(1, slots.size());
  std::atomic<std::uint64_t> received{0};
  team run(2, [&](unsigned id) {
    if (id == 0) {
      typename Queue::local local(all, 0);
      for (std::uint64_t n = 0; n < ops;) {
        if (local.pop() != nullptr) {
          received.store(++n, std::memory_order_release);
        } else {
          std::this_thread::yield();
        }
      }
      received.store(0, std::memory_order_release);
    } else {
      for (std::uint64_t n = 0; n < ops; ++n) {
        while (n >= received.load(std::memory_order_acquire) + slots.size() / 2) {
          std::this_thread::yield();
        }
        all.inject(&slots[n % slots.size()]);
      }
    }
  });
  report("queue_inject", 2, "queue=" + name, static_cast<double>(ops), [&] { run(); });
}

void steal() {
  using queue = detail::striped_queue<slot>;
  const std::uint64_t thefts = scaled(20'000);
  std::vector<slot> slots(128);
  queue::shared all(2, slots.size());
  queue::local victim(all, 0);
  queue::local thief(all, 1);
  for (auto& s : slots) {
    victim.push(&s);
  }
  pin(0);
  report("queue_steal", 1, "queue=striped", static_cast<double>(thefts * 64), [&] {
    for (std::uint64_t i = 0; i < thefts; ++i) { // 64 are stolen, and handed back one by one
      for (slot* s = thief.steal(false); s != nullptr; s = thief.pop()) {
        victim.push(s);
      }
    }
  });
}

void words() {
  const std::uint64_t ops = scaled(1'000'000);
  std::vector<slot> slots(entries);
  for (auto& s : slots) {
    s.word.publish_queued();
    smarm_bench::require(s.word.claim(), "slot_yield");
  }
  pin(0);
  report("slot_yield", 1, "-", static_cast<double>(ops), [&] {
    bool right = true;
    for (std::uint64_t i = 0; i < ops; ++i) {
      auto& word = slots[i % entries].word;
      word.requeue();
      right &= word.claim();
    }
    smarm_bench::require(right, "slot_yield");
  });
  report("slot_wait", 1, "-", static_cast<double>(ops), [&] {
    bool right = true;
    for (std::uint64_t i = 0; i < ops; ++i) {
      auto& word = slots[i % entries].word;
      const auto ticket = word.begin_wait();
      right &= word.park(false);
      right &= word.wake(ticket) == detail::wake_result::enqueue;
      right &= word.claim();
    }
    smarm_bench::require(right, "slot_wait");
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start(argc, argv);
  for (const unsigned threads : {1U, 2U}) {
    cycle<detail::striped_queue<slot>>("striped", threads);
    cycle<detail::lockfree_queue<slot>>("lockfree", threads);
    cycle<detail::mutex_queue<slot>>("mutex", threads);
  }
  inject<detail::striped_queue<slot>>("striped");
  inject<detail::lockfree_queue<slot>>("lockfree");
  inject<detail::mutex_queue<slot>>("mutex");
  steal();
  words();
}
