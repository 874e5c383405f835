// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What sleeping and waking cost: round trips between two threads that sleep or search, and what a
// message pays on its way while nobody sleeps.

#include "bench.hpp"

#include <smarm/detail/coordinator.hpp>
#include <smarm/detail/parker.hpp>
#include <smarm/detail/raw_lock.hpp>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

using namespace smarm::detail;
using smarm_bench::keep;
using smarm_bench::report;
using smarm_bench::scaled;

void park_and_unpark() {
  const auto rounds = scaled(20'000);
  report("park_round_trip", 2, "futex", static_cast<double>(rounds), [rounds] {
    parker here;
    parker there;
    std::thread other([&] {
      for (std::uint64_t i = 0; i < rounds; ++i) {
        there.park();
        here.unpark();
      }
    });
    for (std::uint64_t i = 0; i < rounds; ++i) {
      there.unpark();
      here.park();
    }
    other.join();
  });
  const auto permits = scaled(10'000'000);
  report("park_with_permit", 1, "", static_cast<double>(permits), [permits] {
    parker p;
    for (std::uint64_t i = 0; i < permits; ++i) {
      p.unpark();
      keep(p.park());
    }
  });
}

// One item at a time from outside, and an answer that this thread spins for.
struct letter_box {
  std::atomic<int> item{0};
  std::atomic<bool> closed{false};

  bool take(bool) noexcept {
    int present = 1;
    return item.load(std::memory_order_acquire) == 1 && item.compare_exchange_strong(present, 0);
  }
  bool pending(bool) noexcept { return item.load(std::memory_order_acquire) == 1; }
  bool finished() noexcept { return closed.load(std::memory_order_acquire); }
};

void inject_and_answer(const char* params, std::int64_t spin_ns, unsigned schedulers) {
  const auto rounds = scaled(20'000);
  report("inject_round_trip", 2, params, static_cast<double>(rounds), [=] {
    futex_driver driver;
    coordinator c(schedulers, driver, {.spin_ns = spin_ns});
    letter_box box;
    std::atomic<std::uint64_t> answered{0};
    std::thread scheduler([&] {
      while (c.idle(0, box) == idle_result::work_found) {
        answered.store(answered.load(std::memory_order_relaxed) + 1, std::memory_order_release);
      }
    });
    for (std::uint64_t i = 0; i < rounds; ++i) {
      box.item.store(1, std::memory_order_release);
      c.wake_for_injection();
      while (answered.load(std::memory_order_acquire) != i + 1) {
        std_atomics::pause();
      }
    }
    box.closed = true;
    c.verdict_changed();
    scheduler.join();
  });
}

template <class F>
void call(const char* workload, const char* params, unsigned schedulers, F f) {
  const auto ops = scaled(20'000'000);
  report(workload, 1, params, static_cast<double>(ops), [=] {
    futex_driver driver;
    coordinator c(schedulers, driver);
    for (std::uint64_t i = 0; i < ops; ++i) {
      f(c, i);
    }
    keep(c);
  });
}

void locks() {
  const auto ops = scaled(20'000'000);
  report("raw_lock", 1, "uncontended", static_cast<double>(ops), [ops] {
    raw_lock lock;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < ops; ++i) {
      const std::lock_guard guard(lock);
      keep(++sum);
    }
  });
  const auto contended = scaled(1'000'000);
  report("raw_lock", 2, "contended", static_cast<double>(2 * contended), [contended] {
    raw_lock lock;
    std::uint64_t sum = 0;
    const auto work = [&] {
      for (std::uint64_t i = 0; i < contended; ++i) {
        const std::lock_guard guard(lock);
        keep(++sum);
      }
    };
    std::thread other(work);
    work();
    other.join();
    smarm_bench::require(sum == 2 * contended, "raw_lock");
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start(argc, argv);
  park_and_unpark();
  inject_and_answer("sleeps", 0, 1);
  inject_and_answer("searches", 20'000, 1);
  locks();
  call("wake_nobody", "message=surplus;schedulers=2", 2,
       [](coordinator& c, auto) { c.wake_for_work(0); });
  call("wake_nobody", "injection;schedulers=1", 1,
       [](coordinator& c, auto) { c.wake_for_injection(); });
  call("deadline_due", "none armed", 2, [](coordinator& c, auto) { keep(c.deadline_due(0)); });
  call("note_deadline", "earlier;schedulers=2", 2, [](coordinator& c, auto i) {
    c.note_own_deadline(0, no_deadline - 1 - static_cast<std::int64_t>(i));
  });
  call("note_deadline", "earlier;schedulers=1", 1, [](coordinator& c, auto i) {
    c.note_own_deadline(0, no_deadline - 1 - static_cast<std::int64_t>(i));
  });
}
