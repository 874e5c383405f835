// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What channels cost: one pair, many pairs, a ring, many senders, a channel that nobody contends for,
// choosing from a long queue, and sending from plain threads. Workloads and parameters as in
// runtime_bench.cpp.

#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using smarm_bench::measure;
using smarm_bench::scaled;

// With a bound if there is one.
std::pair<smarm::sender<std::uint64_t>, smarm::receiver<std::uint64_t>>
make_channel(std::size_t capacity) {
  return capacity == 0 ? smarm::channel<std::uint64_t>()
                       : smarm::channel<std::uint64_t>({.capacity = capacity});
}

std::string with_capacity(std::size_t capacity, const std::string& params) {
  return capacity == 0 ? params : "cap=" + std::to_string(capacity) + ";" + params;
}

// ---- one to one

void pair(std::uint64_t n, std::size_t capacity) {
  auto [there, requests] = make_channel(capacity);
  auto [back, answers] = make_channel(capacity);
  auto echo = smarm::spawn([requests = std::move(requests), back = std::move(back)]() mutable {
    while (auto message = requests.recv()) {
      (void)back.send(std::move(*message));
    }
  });
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    (void)there.send(std::uint64_t{i});
    sum += *answers.recv();
  }
  there = {};
  (void)echo.join();
  smarm_bench::require(sum == n * (n - 1) / 2, "ping_pong");
}

void ping_pong(std::size_t capacity) {
  const std::uint64_t n = scaled(200'000);
  measure("ping_pong", with_capacity(capacity, "n=200000"), static_cast<double>(n),
          [&] { (void)smarm::spawn([&] { pair(n, capacity); }).join(); });
}

void ping_pong_pairs(std::size_t capacity) {
  const std::uint64_t n = scaled(5000), pairs = 32;
  measure("ping_pong_pairs", with_capacity(capacity, "n=5000;pairs=32"),
          static_cast<double>(n * pairs), [&] {
            std::vector<smarm::join_handle> handles;
            for (std::uint64_t i = 0; i < pairs; ++i) {
              handles.push_back(smarm::spawn([&] { pair(n, capacity); }));
            }
            for (auto& h : handles) {
              (void)h.join();
            }
          });
}

// ---- one after the other

void thread_ring() {
  const std::uint64_t actors = 503, hops = scaled(500'000);
  measure("thread_ring", "actors=503;hops=500000", static_cast<double>(hops), [&] {
    std::vector<smarm::sender<std::uint64_t>> senders;
    std::vector<smarm::receiver<std::uint64_t>> receivers;
    for (std::uint64_t i = 0; i < actors; ++i) {
      auto [tx, rx] = smarm::channel<std::uint64_t>();
      senders.push_back(std::move(tx));
      receivers.push_back(std::move(rx));
    }
    std::vector<smarm::join_handle> handles;
    for (std::uint64_t i = 0; i < actors; ++i) {
      handles.push_back(smarm::spawn([in = std::move(receivers[i]),
                                      out = senders[(i + 1) % actors]]() mutable {
        for (;;) {
          const std::uint64_t left = in.recv().value();
          (void)out.send(left == 0 ? 0 : left - 1);
          if (left == 0) {
            return;
          }
        }
      }));
    }
    (void)senders[0].send(std::uint64_t{hops});
    for (auto& h : handles) {
      (void)h.join();
    }
  });
}

// ---- many to one

void mpsc(std::size_t capacity, std::uint64_t yield_every = 0) {
  const std::uint64_t n = scaled(100'000), producers = 8;
  const std::string params =
    "n=100000;producers=8" +
    (yield_every != 0 ? ";yield_every=" + std::to_string(yield_every) : std::string());
  measure("mpsc", with_capacity(capacity, params), static_cast<double>(n * producers), [&] {
    auto [tx, rx] = make_channel(capacity);
    std::vector<smarm::join_handle> handles;
    for (std::uint64_t p = 0; p < producers; ++p) {
      handles.push_back(smarm::spawn([n, yield_every, tx = tx] {
        for (std::uint64_t i = 0; i < n; ++i) {
          (void)tx.send(std::uint64_t{i});
          if (yield_every != 0 && i % yield_every == 0) {
            smarm::this_actor::yield();
          }
        }
      }));
    }
    tx = {};
    std::uint64_t sum = 0;
    (void)smarm::spawn([&] {
      while (auto message = rx.recv()) {
        sum += *message;
      }
    }).join();
    for (auto& h : handles) {
      (void)h.join();
    }
    smarm_bench::require(sum == producers * n * (n - 1) / 2, "mpsc");
  });
}

// ---- nobody waits

void uncontended(std::size_t capacity) {
  const std::uint64_t n = scaled(1'000'000);
  measure("channel_uncontended", with_capacity(capacity, "n=1000000"), static_cast<double>(n), [&] {
    auto [tx, rx] = make_channel(capacity);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      (void)tx.send(std::uint64_t{i});
      sum += *rx.recv();
    }
    smarm_bench::require(sum == n * (n - 1) / 2, "uncontended");
  });
}

// ---- choosing

// The message wanted is the last of a long queue; an op is one message looked at.
void recv_match(std::uint64_t length) {
  const std::uint64_t rounds = scaled(1'000'000) / std::min(scaled(1'000'000), length);
  measure("recv_match", "queued=" + std::to_string(length), static_cast<double>(rounds * length),
          [&] {
            auto [tx, rx] = smarm::channel<std::uint64_t>();
            for (std::uint64_t i = 1; i < length; ++i) {
              (void)tx.send(0);
            }
            for (std::uint64_t round = 0; round < rounds; ++round) {
              (void)tx.send(1);
              smarm_bench::require(
                rx.recv_match([](std::uint64_t m) { return m == 1; }).has_value(), "recv_match");
            }
          });
}

// A receive that waits while messages that it does not want arrive: linear once, not each time.
void recv_match_arrivals() {
  const std::uint64_t n = scaled(100'000);
  measure("recv_match_arrivals", "n=100000", static_cast<double>(n), [&] {
    auto [tx, rx] = smarm::channel<std::uint64_t>();
    auto choosing = smarm::spawn([&rx = rx] {
      (void)rx.recv_match([](std::uint64_t m) { return m == 1; });
    });
    for (std::uint64_t i = 0; i < n; ++i) {
      (void)tx.send(i + 1 == n ? 1 : 0);
      smarm::this_actor::yield();
    }
    (void)choosing.join();
  });
}

// ---- from outside

void from_threads(std::uint64_t senders) {
  const std::uint64_t n = scaled(200'000);
  measure("send_from_threads", "n=200000;senders=" + std::to_string(senders),
          static_cast<double>(n * senders), [&] {
            auto [tx, rx] = smarm::channel<std::uint64_t>();
            std::vector<std::thread> outside;
            for (std::uint64_t t = 0; t < senders; ++t) {
              outside.emplace_back([n, tx = tx] {
                for (std::uint64_t i = 0; i < n; ++i) {
                  (void)tx.send(std::uint64_t{i});
                }
              });
            }
            tx = {};
            std::uint64_t count = 0;
            while (rx.recv()) {
              ++count;
            }
            for (auto& t : outside) {
              t.join();
            }
            smarm_bench::require(count == n * senders, "send_from_threads");
          });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  ping_pong(0);
  ping_pong(1);
  ping_pong_pairs(0);
  thread_ring();
  mpsc(0);
  mpsc(0, 128);
  mpsc(1024);
  uncontended(0);
  uncontended(1024);
  recv_match(1000);
  recv_match(100'000);
  recv_match_arrivals();
  from_threads(1);
  from_threads(2);
}
