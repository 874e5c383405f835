// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers in CAF 0.17, event-based actors that answer requests: the workloads of ../server_bench.cpp,
// with their names and parameters.
//
//   server_bench THREADS [WORKLOAD ...]

#include <caf/all.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace {

using caf::actor;
using u64 = std::uint64_t;
using done = std::promise<void>;

// What a request asks for, told from others by its first part.
using next = caf::atom_constant<caf::atom("next")>;
using next_later = caf::atom_constant<caf::atom("later")>;
using add = caf::atom_constant<caf::atom("add")>;
using total = caf::atom_constant<caf::atom("total")>;

caf::behavior server(caf::stateful_actor<u64>* self) {
  return {
      [](next, u64 to) { return to + 1; },
      [self](next_later, u64 to) {
        auto promise = self->make_response_promise<u64>();
        promise.deliver(to + 1);
        return promise;
      },
      [self](add, u64 by) { self->state += by; },
      [self](total) { return self->state; },
  };
}

std::string threads;
std::vector<std::string> wanted;

bool selected(const std::string& workload) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), workload) != wanted.end();
}

void require(bool right) {
  if (!right) {
    std::fprintf(stderr, "bench: wrong result\n");
    std::_Exit(EXIT_FAILURE);
  }
}

void line(const std::string& workload, const std::string& params, double median, double least,
          double ops, const std::string& extra) {
  std::printf("BENCH,caf017,%s,%s,%s,%.1f,%.1f,%.0f,%.2f,%s\n", workload.c_str(), threads.c_str(),
              params.c_str(), median, least, ops, median * 1e3 / ops, extra.c_str());
  std::fflush(stdout);
}

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

// One warm-up, then the median of five.
template <class Body>
void measure(const std::string& workload, const std::string& params, double ops, Body body) {
  if (!selected(workload)) {
    return;
  }
  body();
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    times.push_back(since(begin));
  }
  std::sort(times.begin(), times.end());
  line(workload, params, times[2], times[0], ops, "-");
}

template <class How, class Limit>
void call_next(caf::event_based_actor* self, const actor& to, How how, Limit limit, u64 left,
               done* end) {
  self->request(to, limit, how, left).then([=](u64 answer) {
    require(answer == left + 1);
    if (left > 1) {
      return call_next(self, to, how, limit, left - 1, end);
    }
    end->set_value();
    self->send_exit(to, caf::exit_reason::user_shutdown);
    self->quit();
  });
}

template <class How, class Limit>
void calls(caf::actor_system& system, const char* workload, How how, Limit limit) {
  measure(workload, "n=200000", 200000, [&] {
    done end;
    auto over = end.get_future();
    system.spawn([&](caf::event_based_actor* self) -> caf::behavior {
      call_next(self, self->spawn(server), how, limit, 200000, &end);
      return {[](int) {}};
    });
    over.get();
  });
}

void cast_batch(caf::event_based_actor* self, const actor& to, u64 left, done* end) {
  for (int i = 0; i < 1000; ++i) {
    self->send(to, add::value, u64{1});
  }
  self->request(to, caf::infinite, total::value).then([=](u64 sum) {
    if (left > 1) {
      return cast_batch(self, to, left - 1, end);
    }
    require(sum == 1000000);
    end->set_value();
    self->send_exit(to, caf::exit_reason::user_shutdown);
    self->quit();
  });
}

void casts(caf::actor_system& system) {
  measure("cast", "n=1000000;batch=1000", 1000000, [&] {
    done end;
    auto over = end.get_future();
    system.spawn([&](caf::event_based_actor* self) -> caf::behavior {
      cast_batch(self, self->spawn(server), 1000, &end);
      return {[](int) {}};
    });
    over.get();
  });
}

void call_from_threads(caf::actor_system& system, int callers) {
  constexpr u64 n = 2000; // tens of microseconds each
  measure("call_from_threads", "callers=" + std::to_string(callers) + ";n=20000",
          static_cast<double>(n) * callers, [&] {
            const actor to = system.spawn(server);
            std::vector<std::thread> all;
            for (int t = 0; t < callers; ++t) {
              all.emplace_back([&] {
                caf::scoped_actor self{system};
                for (u64 i = 0; i < n; ++i) {
                  self->request(to, caf::infinite, next::value, i)
                      .receive([&](u64 answer) { require(answer == i + 1); },
                               [](const caf::error&) { require(false); });
                }
              });
            }
            for (auto& one : all) {
              one.join();
            }
            caf::anon_send_exit(to, caf::exit_reason::user_shutdown);
          });
}

double resident() {
  long size = 0, pages = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    require(std::fscanf(f, "%ld %ld", &size, &pages) == 2);
    std::fclose(f);
  }
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void memory_servers(caf::actor_system& system, int n) {
  if (!selected("memory_servers")) {
    return;
  }
  std::vector<actor> all(static_cast<std::size_t>(n));
  const double before = resident();
  const auto begin = std::chrono::steady_clock::now();
  for (auto& one : all) {
    one = system.spawn(server);
  }
  const double us = since(begin);
  std::this_thread::sleep_for(std::chrono::seconds(1)); // until each has had its first turn
  const double after = resident();
  char extra[96];
  std::snprintf(extra, sizeof extra, "bytes_per_actor=%.0f;rss_mib=%.0f", (after - before) / n,
                after / 1048576);
  line("memory_servers", "n=" + std::to_string(n), us, us, n, extra);
  std::_Exit(EXIT_SUCCESS);
}

} // namespace

int main(int argc, char** argv) {
  threads = argc > 1 ? argv[1] : "1";
  wanted.assign(argv + std::min(argc, 2), argv + argc);
  caf::actor_system_config settings;
  settings.set("scheduler.max-threads", static_cast<std::size_t>(std::stoul(threads)));
  caf::actor_system system{settings};
  calls(system, "call", next::value, caf::infinite);
  calls(system, "call_with_deadline", next::value, std::chrono::seconds(1));
  calls(system, "call_deferred", next_later::value, caf::infinite);
  casts(system);
  call_from_threads(system, 1);
  call_from_threads(system, 2);
  memory_servers(system, 1000000);
}
