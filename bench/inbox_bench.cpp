// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a message costs below the actors: push and pop of the inbox and of the bounded ring, in
// bursts on one thread, and from one thread to another (the receiver spins where an actor would
// park).

#include "bench.hpp"

#include <smarm/detail/bounded_ring.hpp>
#include <smarm/detail/inbox.hpp>
#include <smarm/detail/node_pool.hpp>

#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <thread>

namespace {

using smarm::detail::basic_bounded_ring;
using smarm::detail::basic_inbox;
using smarm::detail::inbox_node;
using smarm::detail::node_pool;
using smarm::detail::push_result;
using smarm::detail::spin_until;
using smarm::detail::std_atomics;

struct registration {
  void* who = nullptr;
  std::uint64_t wait = 0;
};

struct node : inbox_node<> {
  explicit node(std::uint64_t v) : value(v) {}
  std::uint64_t value;
};

class unbounded {
public:
  ~unbounded() {
    if (node* stub = in_.retained()) destroy(nullptr, stub);
  }

  bool send(node_pool* pool, std::uint64_t value) {
    auto* added = ::new (node_pool::allocate(pool, sizeof(node))) node(value);
    registration waiter;
    const push_result result = in_.push(*added, waiter);
    woken_ += result == push_result::pushed_and_wake;
    return result != push_result::closed;
  }

  bool receive(node_pool* pool, std::uint64_t& value) {
    node* front = in_.front();
    if (front == nullptr) return false;
    value = front->value;
    if (node* old = in_.advance()) destroy(pool, old);
    return true;
  }

  // As a receiver that parks before each message.
  bool wait() { return in_.wait({this, woken_}); }

private:
  static void destroy(node_pool* pool, node* old) {
    old->~node();
    node_pool::release(pool, old, sizeof(node));
  }

  basic_inbox<node, registration> in_;
  std::uint64_t woken_ = 0;
};

class bounded {
public:
  bounded(std::size_t capacity, bool settle_each_time)
      : ring_(capacity), settle_each_time_(settle_each_time) {}

  bool send(node_pool*, std::uint64_t value) {
    registration waiter;
    const push_result result = ring_.try_push(value, waiter);
    woken_ += result == push_result::pushed_and_wake;
    return result != push_result::full;
  }

  bool receive(node_pool*, std::uint64_t& value) {
    std::uint64_t* front = ring_.front();
    if (front == nullptr) return false;
    value = *front;
    ring_.pop();
    if (settle_each_time_ || ring_.settle_due()) blocked_ += ring_.settle();
    return true;
  }

  bool wait() {
    const bool registered = ring_.wait({this, woken_});
    blocked_ += ring_.producers_blocked();
    return registered;
  }

private:
  basic_bounded_ring<std::uint64_t, registration> ring_;
  const bool settle_each_time_;
  std::uint64_t woken_ = 0;
  std::uint64_t blocked_ = 0;
};

template <class Channel>
void one_thread(const std::string& workload, const std::string& params, Channel& c,
                std::uint64_t burst, node_pool* pool, bool waits) {
  const auto ops = smarm_bench::scaled(2'000'000) / burst * burst;
  if (ops == 0) return; // a quick run has no such burst
  smarm_bench::report(workload, 1, params + ";burst=" + std::to_string(burst), double(ops), [&] {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < ops; i += burst) {
      if (waits) smarm_bench::require(c.wait(), "waiting");
      for (std::uint64_t j = 0; j < burst; ++j) {
        smarm_bench::require(c.send(pool, i + j), "sending");
      }
      for (std::uint64_t j = 0; j < burst; ++j) {
        std::uint64_t value = 0;
        smarm_bench::require(c.receive(pool, value), "receiving");
        sum += value;
      }
    }
    smarm_bench::require(sum == ops * (ops - 1) / 2, "the sum");
  });
}

// The sender keeps at most `ahead` messages in front of the receiver.
template <class Channel>
void two_threads(const std::string& workload, const std::string& params, Channel& c,
                 std::uint64_t ahead) {
  const auto ops = smarm_bench::scaled(1'000'000);
  smarm_bench::report(workload, 2, params + ";ahead=" + std::to_string(ahead), double(ops), [&] {
    alignas(128) std::atomic<std::uint64_t> taken{0};
    std::uint64_t sum = 0;
    std::thread sender([&] {
      node_pool pool;
      for (std::uint64_t i = 0; i < ops; ++i) {
        spin_until<std_atomics>([&] { return i - taken.load(std::memory_order_acquire) < ahead; });
        spin_until<std_atomics>([&] { return c.send(&pool, i); });
      }
    });
    {
      node_pool pool;
      for (std::uint64_t i = 0; i < ops;) {
        std::uint64_t value = 0;
        spin_until<std_atomics>([&] { return c.receive(&pool, value); });
        sum += value;
        if (++i % (ahead / 4) == 0) taken.store(i, std::memory_order_release);
      }
    }
    sender.join();
    smarm_bench::require(sum == ops * (ops - 1) / 2, "the sum");
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start(argc, argv);
  node_pool pool;
  unbounded in;
  one_thread("inbox", "node_pool;receiver=waits", in, 1, &pool, true);
  one_thread("inbox", "node_pool", in, 1, &pool, false);
  one_thread("inbox", "node_pool", in, 128, &pool, false);
  one_thread("inbox", "node_pool", in, 10'000, &pool, false);
  one_thread("inbox", "heap", in, 128, nullptr, false);
  two_threads("inbox", "node_pool", in, 1024);
  for (const bool each_time : {false, true}) {
    const std::string settle =
        each_time ? "capacity=1024;settle=each" : "capacity=1024;settle=half";
    bounded ring(1024, each_time);
    one_thread("bounded_ring", settle + ";receiver=waits", ring, 1, nullptr, true);
    one_thread("bounded_ring", settle, ring, 1, nullptr, false);
    one_thread("bounded_ring", settle, ring, 1024, nullptr, false);
    two_threads("bounded_ring", settle, ring, 4096);
  }
}
