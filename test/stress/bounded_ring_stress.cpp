// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Threads at one bounded ring, with blocking producers listed as a channel lists them: every
// message once, each producer's in order, at small capacities, through sleeps, timeouts on both
// sides and closing from either side.

#define BOOST_TEST_MODULE bounded_ring_stress
#include <boost/test/unit_test.hpp>

#include "thread_parker.hpp"

#include <smarm/detail/bounded_ring.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

using smarm::detail::basic_bounded_ring;
using smarm::detail::push_result;
using registration = thread_parker::registration;

constexpr int producers = 3;
constexpr std::int64_t each = 3'000;

struct message {
  int producer;
  std::int64_t sequence;
};

enum class sent { yes, closed, timed_out };

class channel {
public:
  channel(std::size_t capacity, bool settle_each_time, std::uint64_t seed)
      : ring_(capacity), settle_each_time_(settle_each_time), random_(seed) {}

  struct producer {
    thread_parker parker;
    registration wait;
    std::mt19937_64 random;
  };

  // Any thread: waits for room, sometimes not for long.
  sent send(producer& me, std::unique_ptr<message>& value) {
    for (;;) {
      registration waiter;
      switch (ring_.try_push(value, waiter)) {
      case push_result::closed: return sent::closed;
      case push_result::full: break;
      case push_result::pushed_and_wake: waiter.wake(); return sent::yes;
      case push_result::pushed: return sent::yes;
      }
      me.wait = me.parker.open_wait();
      if (!enlist(me)) continue;
      if (me.random() % 4 != 0) {
        me.parker.sleep();
      } else if (!me.parker.sleep_for(std::chrono::microseconds(me.random() % 30))) {
        leave(me);
        return sent::timed_out;
      }
    }
  }

  void drop_sender() {
    registration waiter;
    if (senders_.fetch_sub(1, std::memory_order_acq_rel) == 1 && ring_.close_by_sender(waiter)) {
      waiter.wake();
    }
  }

  // The receiver. False: closed and empty.
  bool receive() {
    while (ring_.front() == nullptr) {
      if (ring_.wait(parker_.open_wait())) {
        if (ring_.producers_blocked()) wake_producers(ring_.capacity() - ring_.size());
        sleep();
      } else if (ring_.await_front() == nullptr) {
        return false;
      }
    }
    take();
    return true;
  }

  void close() {
    if (ring_.close()) wake_producers(producers);
    while (ring_.await_front() != nullptr) take();
  }

  std::mt19937_64& random() { return random_; }
  std::int64_t received(int from) const { return received_[from]; }
  bool in_order() const { return in_order_; }

private:
  bool enlist(producer& me) {
    const std::lock_guard lock(mutex_);
    list_.push_back(&me);
    if (ring_.block()) return true;
    list_.pop_back();
    return false;
  }

  // Not in the list: it was woken for a cell that it will not use.
  void leave(producer& me) {
    {
      const std::lock_guard lock(mutex_);
      const auto entry = std::find(list_.begin(), list_.end(), &me);
      if (entry != list_.end()) {
        list_.erase(entry);
        ring_.unblock();
        return;
      }
    }
    wake_producers(1);
  }

  void wake_producers(std::size_t at_most) {
    std::vector<registration> woken;
    {
      const std::lock_guard lock(mutex_);
      for (; at_most > 0 && !list_.empty(); --at_most) {
        woken.push_back(list_.front()->wait);
        list_.pop_front();
        ring_.unblock();
      }
    }
    for (const auto& wait : woken) wait.wake();
  }

  void settle() {
    if (ring_.settle()) wake_producers(ring_.capacity() - ring_.size());
  }

  void take() {
    const message& front = **ring_.front();
    in_order_ &= received_[front.producer]++ == front.sequence;
    ring_.pop();
    if (settle_each_time_ || ring_.settle_due()) settle();
  }

  void sleep() {
    if (random_() % 4 != 0) {
      parker_.sleep();
    } else if (!parker_.sleep_for(std::chrono::microseconds(random_() % 30))) {
      (void)ring_.cancel_wait();
    }
  }

  basic_bounded_ring<std::unique_ptr<message>, registration> ring_;
  const bool settle_each_time_;
  std::mutex mutex_;
  std::deque<producer*> list_; // under the mutex
  std::atomic<int> senders_{producers};
  thread_parker parker_;
  std::mt19937_64 random_;
  std::int64_t received_[producers] = {};
  bool in_order_ = true;
};

template <class Receive>
void run(std::uint64_t seed, std::int64_t (&accepted)[producers], channel& c, Receive receive) {
  BOOST_TEST_MESSAGE("seed " << seed);
  std::vector<channel::producer> senders(producers);
  std::vector<std::thread> threads;
  for (int p = 0; p < producers; ++p) {
    senders[p].random.seed(seed * 100 + static_cast<unsigned>(p));
    threads.emplace_back([&c, &accepted, &me = senders[p], p] {
      sent last = sent::yes;
      for (std::int64_t i = 0; i < each && last != sent::closed; i += last == sent::yes) {
        auto value = std::make_unique<message>(message{p, i});
        last = c.send(me, value);
        accepted[p] += last == sent::yes;
        if (me.random() % 256 == 0) std::this_thread::yield();
      }
      c.drop_sender();
    });
  }
  receive();
  for (auto& thread : threads) thread.join();
}

} // namespace

BOOST_AUTO_TEST_CASE(every_message_comes_once_and_in_order, *boost::unit_test::timeout(240)) {
  for (std::size_t capacity : {1u, 2u, 3u, 64u}) {
    for (bool settle_each_time : {true, false}) {
      channel c(capacity, settle_each_time, capacity);
      std::int64_t accepted[producers] = {};
      run(capacity, accepted, c, [&c] {
        while (c.receive()) {
        }
      });
      for (int p = 0; p < producers; ++p) BOOST_TEST(c.received(p) == each);
      BOOST_TEST(c.in_order());
    }
  }
}

BOOST_AUTO_TEST_CASE(what_was_accepted_before_the_close_is_received,
                     *boost::unit_test::timeout(240)) {
  for (std::uint64_t seed = 21; seed <= 60; ++seed) {
    channel c(1 + seed % 5, seed % 2 == 0, seed);
    std::int64_t accepted[producers] = {};
    run(seed, accepted, c, [&c] {
      for (auto n = c.random()() % 500; n > 0; --n) (void)c.receive();
      c.close();
    });
    for (int p = 0; p < producers; ++p) BOOST_TEST(c.received(p) == accepted[p]);
    BOOST_TEST(c.in_order());
  }
}
