// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The workloads of ../connections_bench.cpp, and blocking_roundtrip of ../io_bench.cpp, with callbacks on an
// io_context that so many threads run.
//
//     io_bench THREADS [WORKLOAD ...]

#include "../held_connections.hpp"

#include <boost/asio.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <string>
#include <thread>
#include <vector>

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

unsigned threads = 1;
std::vector<std::string> wanted;

bool selected(const std::string& workload) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), workload) != wanted.end();
}

void run_by_all(asio::io_context& context) {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) {
    others.emplace_back([&context] { context.run(); });
  }
  context.run();
  for (std::thread& t : others) {
    t.join();
  }
}

double cpu_us() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

template <class F>
void measure(const char* workload, const char* params, double ops, F f) {
  if (!selected(workload)) {
    return;
  }
  std::vector<double> wall;
  f();
  const double cpu = cpu_us();
  for (int i = 0; i < 11; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    wall.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  const double used = (cpu_us() - cpu) * 1e3 / ops / 11;
  std::sort(wall.begin(), wall.end());
  std::printf("BENCH,asio,%s,%u,%s,%.1f,%.1f,%.0f,%.2f,cpu_ns_op=%.1f\n", workload, threads, params,
              wall[5], wall[0], ops, wall[5] * 1e3 / ops, used);
  std::fflush(stdout);
}

constexpr std::size_t mebibyte = 1024 * 1024, chunk = 64 * 1024;

struct sender {
  tcp::socket socket;
  std::size_t left;
  std::vector<char> room = std::vector<char>(chunk, 'x');
  void go() {
    asio::async_write(socket, asio::buffer(room), [this](error_code, std::size_t n) {
      if ((left -= n) > 0) {
        go();
      } else {
        socket.shutdown(tcp::socket::shutdown_send);
      }
    });
  }
};

struct receiver {
  tcp::socket socket;
  std::size_t total = 0;
  std::vector<char> room = std::vector<char>(chunk);
  void go() {
    socket.async_read_some(asio::buffer(room), [this](error_code ec, std::size_t n) {
      total += n;
      if (!ec) {
        go();
      }
    });
  }
};

void tcp_stream(std::size_t bytes_each) {
  asio::io_context context(static_cast<int>(threads));
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  std::deque<sender> senders;
  std::deque<receiver> receivers;
  for (int i = 0; i < 4; ++i) {
    tcp::socket from(context), to(context);
    from.connect(acceptor.local_endpoint());
    acceptor.accept(to);
    senders.push_back({std::move(from), bytes_each}), senders.back().go();
    receivers.push_back({std::move(to)}), receivers.back().go();
  }
  run_by_all(context);
  for (const receiver& one : receivers) {
    if (one.total != bytes_each) {
      std::abort();
    }
  }
}

struct idler {
  tcp::socket socket;
  std::array<char, 64> room{};
  void go() {
    socket.async_read_some(asio::buffer(room), [this](error_code ec, std::size_t) {
      if (!ec) {
        go();
      }
    });
  }
};

void idle_connections(std::uint64_t n, int seconds) {
  if (!selected("idle_connections")) {
    return;
  }
  smarm_bench::raise_descriptor_limit();
  const smarm_bench::held_connections others(n);
  asio::io_context context(static_cast<int>(threads));
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  std::vector<std::unique_ptr<idler>> all;
  all.reserve(n);
  smarm_bench::idle_measure idle;
  idle.begin();
  const auto begin = std::chrono::steady_clock::now();
  double us = 0;
  asio::steady_timer timer(context);
  others.connect_to(acceptor.local_endpoint().port());
  const auto accept = [&](auto& self) -> void {
    acceptor.async_accept([&](error_code, tcp::socket socket) {
      all.push_back(std::make_unique<idler>(idler{std::move(socket)}));
      all.back()->go();
      if (all.size() < n) {
        self(self);
        return;
      }
      us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
      timer.expires_after(std::chrono::milliseconds(100));
      timer.async_wait([&](error_code) {
        idle.settled();
        timer.expires_after(std::chrono::seconds(seconds));
        timer.async_wait([&](error_code) {
          idle.print("asio", threads, n, us, seconds);
          context.stop();
        });
      });
    });
  };
  accept(accept);
  run_by_all(context);
}

// A function on a pool's thread and the way back, for so many at once.
void blocking_roundtrip(std::uint64_t at_once, std::uint64_t times) {
  asio::io_context context(static_cast<int>(threads));
  asio::thread_pool pool(std::max<std::size_t>(at_once, 1));
  auto work = asio::make_work_guard(context);
  std::atomic<std::uint64_t> running{at_once};
  struct one {
    asio::io_context& context;
    asio::thread_pool& pool;
    std::uint64_t left;
    std::atomic<std::uint64_t>& running;
    asio::executor_work_guard<asio::io_context::executor_type>& work;
    void go() {
      asio::post(pool, [this] {
        asio::post(context, [this] {
          if (--left > 0) {
            go();
          } else if (--running == 0) {
            work.reset();
          }
        });
      });
    }
  };
  std::deque<one> all;
  for (std::uint64_t i = 0; i < at_once; ++i) {
    all.push_back({context, pool, times, running, work});
    all.back().go();
  }
  run_by_all(context);
  pool.join();
}

int main(int argc, char** argv) {
  threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  wanted.assign(argv + std::min(argc, 2), argv + argc);
  idle_connections(10'000, 3);
  measure("tcp_stream", "connections=4", 1024, [] { tcp_stream(256 * mebibyte); });
  measure("blocking_roundtrip", "actors=1", 20'000, [] { blocking_roundtrip(1, 20'000); });
  measure("blocking_roundtrip", "actors=16", 20'000, [] { blocking_roundtrip(16, 20'000 / 16); });
  return 0;
}
