// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A runtime of toys for tests of the coordinator: scheduler threads, work that is a number, and one
// mutex around everything that a real runtime would do without one.

#ifndef SMARM_TEST_IDLE_RIG_HPP
#define SMARM_TEST_IDLE_RIG_HPP

#include <smarm/detail/coordinator.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace smarm_test {

using smarm::detail::coordinator;
using smarm::detail::idle_options;
using smarm::detail::idle_result;
using smarm::detail::no_deadline;
using smarm::detail::nobody;

// Sleeps at once and never of itself: what is not woken stays asleep.
inline constexpr idle_options never_looks{.spin_ns = 0, .standby_first_ns = 0};

class idle_rig {
public:
  using handler = std::function<void(unsigned id, int item)>;

  explicit idle_rig(unsigned schedulers, const idle_options& options = {},
                    smarm::detail::idle_driver* driver = nullptr)
    : own_(schedulers), wheels_(schedulers), thread_ids_(schedulers),
      coordinator_(schedulers, driver != nullptr ? *driver : driver_, options) {}
  ~idle_rig() { stop(); }

  // Runs on the scheduler that took the item; for a timer, the item is minus one minus its number.
  void start(handler on_item) {
    on_item_ = std::move(on_item);
    for (unsigned id = 0; id < own_.size(); ++id) {
      threads_.emplace_back([this, id] { run(id); });
    }
  }
  void stop() {
    finished_.store(true);
    coordinator_.verdict_changed();
    join();
  }
  void join() {
    for (auto& t : threads_) {
      t.join();
    }
    threads_.clear();
  }
  // The verdict for one who is already inside.
  void end() {
    finished_.store(true);
    coordinator_.verdict_changed();
  }

  // Any thread.
  void inject(int item) {
    {
      const std::lock_guard guard(mutex_);
      outside_.push_back(item);
    }
    coordinator_.wake_for_injection();
  }
  // In a handler on scheduler `id`.
  void message(unsigned id, int item) {
    if (push(id, item)) {
      coordinator_.wake_for_work(id);
    }
  }
  void arm_own(unsigned id, std::int64_t deadline, int timer) {
    const std::lock_guard guard(mutex_);
    wheels_[id].emplace(deadline, timer);
    coordinator_.note_own_deadline(id, wheels_[id].begin()->first);
  }
  // Any thread.
  void arm(unsigned wheel, std::int64_t deadline, int timer) {
    const std::lock_guard guard(mutex_);
    wheels_[wheel].emplace(deadline, timer);
    coordinator_.note_deadline(wheel, wheels_[wheel].begin()->first);
  }

  [[nodiscard]] coordinator& idle() { return coordinator_; }
  // What the kernel calls the thread of a scheduler; 0 before it runs.
  [[nodiscard]] pid_t thread_id(unsigned id) const { return thread_ids_[id].load(); }

  // Until all are asleep, and the last look of the one that stood by has been.
  void wait_until_quiet() {
    wait_until([this] {
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - own_.size());
      return coordinator_.sleepers() == all && coordinator_.standby() == nobody;
    });
  }
  template <class Condition>
  static void wait_until(Condition condition) {
    while (!condition()) {
      std::this_thread::yield();
    }
  }

private:
  struct source {
    idle_rig& rig;
    unsigned id;
    int item = 0;

    bool take(bool lone) noexcept {
      const std::lock_guard guard(rig.mutex_);
      if (take_from(rig.own_[id], 1) || take_from(rig.outside_, 1)) {
        return true;
      }
      for (auto& other : rig.own_) {
        if (take_from(other, lone ? 1 : 2)) {
          return true;
        }
      }
      return false;
    }
    bool pending(bool lone) noexcept {
      const std::lock_guard guard(rig.mutex_);
      bool any = !rig.own_[id].empty() || !rig.outside_.empty();
      for (const auto& other : rig.own_) {
        any = any || other.size() >= (lone ? 1 : 2);
      }
      return any;
    }
    bool finished() noexcept { return rig.finished_.load(); }

  private:
    bool take_from(std::deque<int>& queue, std::size_t least) {
      if (queue.size() < least) {
        return false;
      }
      item = queue.front();
      queue.pop_front();
      return true;
    }
  };

  // True: there was something before.
  bool push(unsigned id, int item) {
    const std::lock_guard guard(mutex_);
    own_[id].push_back(item);
    return own_[id].size() > 1;
  }

  void run(unsigned id) {
    thread_ids_[id] = ::gettid();
    source from{*this, id};
    for (;;) {
      if (pop(from) || fire(id)) {
        continue;
      }
      switch (coordinator_.idle(id, from)) {
      case idle_result::work_found:
        on_item_(id, from.item);
        break;
      case idle_result::timed_out:
        fire(id);
        break;
      case idle_result::finished:
        return;
      }
    }
  }
  bool pop(source& from) {
    {
      const std::lock_guard guard(mutex_);
      if (own_[from.id].empty()) {
        return false;
      }
      from.item = own_[from.id].front();
      own_[from.id].pop_front();
    }
    on_item_(from.id, from.item);
    return true;
  }
  bool fire(unsigned id) {
    const std::int64_t now = smarm::detail::linux_futex::now();
    std::vector<int> due;
    {
      const std::lock_guard guard(mutex_);
      for (unsigned wheel = 0; wheel < wheels_.size(); ++wheel) {
        auto& timers = wheels_[wheel];
        const std::size_t before = timers.size();
        while (!timers.empty() && timers.begin()->first <= now) {
          due.push_back(timers.begin()->second);
          timers.erase(timers.begin());
        }
        if (timers.size() != before) {
          coordinator_.note_deadline(wheel, timers.empty() ? no_deadline : timers.begin()->first);
        }
      }
    }
    if (!due.empty()) {
      coordinator_.cover(id);
    }
    for (const int timer : due) {
      on_item_(id, -1 - timer);
    }
    return !due.empty();
  }

  std::mutex mutex_;
  std::deque<int> outside_;
  std::vector<std::deque<int>> own_;
  std::vector<std::multimap<std::int64_t, int>> wheels_;
  std::vector<std::atomic<pid_t>> thread_ids_;
  std::atomic<bool> finished_{false};
  smarm::detail::futex_driver driver_;
  coordinator coordinator_;
  handler on_item_;
  std::vector<std::thread> threads_;
};

} // namespace smarm_test

#endif
