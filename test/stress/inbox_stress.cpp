// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Threads at one inbox: every message once, each producer's in order, through sleeps, timeouts,
// selective receive and closing from either side; every node freed once.

#define BOOST_TEST_MODULE inbox_stress
#include <boost/test/unit_test.hpp>

#include "thread_parker.hpp"

#include <smarm/detail/inbox.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace {

using smarm::detail::basic_inbox;
using smarm::detail::inbox_node;
using smarm::detail::push_result;
using registration = thread_parker::registration;

constexpr int producers = 3;
constexpr std::int64_t each = 5'000;

std::atomic<long> nodes_alive{0};

struct node : inbox_node<> {
  node(int from, std::int64_t number) : producer(from), sequence(number) { ++nodes_alive; }
  ~node() { --nodes_alive; }
  int producer;
  std::int64_t sequence;
};

class channel {
public:
  explicit channel(std::uint64_t seed) : random_(seed) {}

  ~channel() { delete in_.retained(); }

  // Any thread. False: closed.
  bool send(int producer, std::int64_t sequence) {
    auto owned = std::make_unique<node>(producer, sequence);
    registration waiter;
    const push_result result = in_.push(*owned, waiter);
    if (result == push_result::closed) return false;
    (void)owned.release();
    if (result == push_result::pushed_and_wake) waiter.wake();
    return true;
  }

  void drop_sender() {
    registration waiter;
    if (senders_.fetch_sub(1, std::memory_order_acq_rel) == 1 && in_.close_by_sender(waiter)) {
      waiter.wake();
    }
  }

  // The receiver. False: closed and empty.
  bool receive() {
    while (in_.front() == nullptr) {
      if (in_.wait(parker_.open_wait())) {
        sleep();
      } else if (in_.await_front() == nullptr) {
        return false;
      }
    }
    note(*in_.front());
    delete in_.advance();
    return true;
  }

  // The next message of one producer, from wherever it stands. False: closed, and none is there.
  bool receive_from(int producer) {
    auto* seen = &in_.before_front();
    for (;;) {
      while (node* next = in_.await_after(*seen)) {
        if (next->producer == producer) {
          note(*next);
          delete &in_.erase_after(*seen);
          return true;
        }
        seen = next;
      }
      if (in_.wait_after(*seen, parker_.open_wait())) {
        sleep();
      } else if (in_.await_after(*seen) == nullptr) {
        return false;
      }
    }
  }

  void close() {
    in_.close();
    while (in_.await_front() != nullptr) {
      note(*in_.front());
      delete in_.advance();
    }
  }

  std::mt19937_64& random() { return random_; }
  std::int64_t received(int from) const { return received_[from]; }
  bool in_order() const { return in_order_; }

private:
  // Sometimes with a deadline that passes.
  void sleep() {
    if (random_() % 4 != 0) {
      parker_.sleep();
    } else if (!parker_.sleep_for(std::chrono::microseconds(random_() % 30))) {
      (void)in_.cancel_wait();
    }
  }

  void note(const node& taken) { in_order_ &= received_[taken.producer]++ == taken.sequence; }

  basic_inbox<node, registration> in_;
  std::atomic<int> senders_{producers};
  thread_parker parker_;
  std::mt19937_64 random_;
  std::int64_t received_[producers] = {};
  bool in_order_ = true;
};

// Producers that pause now and then, so that the receiver gets to sleep.
void pause_sometimes(std::mt19937_64& random) {
  if (random() % 64 == 0) std::this_thread::yield();
  if (random() % 512 == 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

template <class Receive>
void run(std::uint64_t seed, std::int64_t (&accepted)[producers], channel& c, Receive receive) {
  BOOST_TEST_MESSAGE("seed " << seed);
  std::vector<std::thread> threads;
  for (int p = 0; p < producers; ++p) {
    threads.emplace_back([&c, &accepted, seed, p] {
      std::mt19937_64 random(seed * 100 + static_cast<unsigned>(p));
      std::int64_t sent = 0;
      while (sent < each && c.send(p, sent)) {
        ++sent;
        pause_sometimes(random);
      }
      accepted[p] = sent;
      c.drop_sender();
    });
  }
  receive();
  for (auto& thread : threads) thread.join();
}

} // namespace

BOOST_AUTO_TEST_CASE(every_message_comes_once_and_in_order, *boost::unit_test::timeout(120)) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    channel c(seed);
    std::int64_t accepted[producers] = {};
    run(seed, accepted, c, [&c] {
      while (c.receive()) {
      }
    });
    for (int p = 0; p < producers; ++p) BOOST_TEST(c.received(p) == each);
    BOOST_TEST(c.in_order());
  }
  BOOST_TEST(nodes_alive == 0);
}

BOOST_AUTO_TEST_CASE(a_choosing_receiver_gets_everything_too, *boost::unit_test::timeout(120)) {
  for (std::uint64_t seed = 11; seed <= 13; ++seed) {
    channel c(seed);
    std::int64_t accepted[producers] = {};
    run(seed, accepted, c, [&c] {
      for (bool open = true; open;) {
        const auto choice = static_cast<int>(c.random()() % (2 * producers));
        open = choice < producers ? c.receive_from(choice) || c.receive() : c.receive();
      }
    });
    for (int p = 0; p < producers; ++p) BOOST_TEST(c.received(p) == each);
    BOOST_TEST(c.in_order());
  }
  BOOST_TEST(nodes_alive == 0);
}

BOOST_AUTO_TEST_CASE(what_was_accepted_before_the_close_is_received,
                     *boost::unit_test::timeout(120)) {
  for (std::uint64_t seed = 21; seed <= 60; ++seed) {
    channel c(seed);
    std::int64_t accepted[producers] = {};
    run(seed, accepted, c, [&c] {
      for (auto n = c.random()() % 2000; n > 0; --n) (void)c.receive();
      c.close();
    });
    for (int p = 0; p < producers; ++p) BOOST_TEST(c.received(p) == accepted[p]);
    BOOST_TEST(c.in_order());
  }
  BOOST_TEST(nodes_alive == 0);
}
