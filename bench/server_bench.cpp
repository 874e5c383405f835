// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What servers cost: calls of all kinds, casts, and a million that are idle. Workloads and parameters
// as in runtime_bench.cpp.

#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using smarm_bench::measure;
using smarm_bench::scaled;

class adder : public smarm::gen_server<adder> {
public:
  struct next {
    std::uint64_t to;
  };
  struct next_later {
    std::uint64_t to;
  };
  struct add {
    std::uint64_t by;
  };
  struct total {};
  std::uint64_t handle_call(next m) { return m.to + 1; }
  void handle_call(next_later m, smarm::reply_to<std::uint64_t> r) { r.reply(m.to + 1); }
  std::uint64_t handle_call(total) const { return total_; }
  void handle_cast(add m) { total_ += m.by; }

private:
  std::uint64_t total_ = 0;
};

template <class Call>
void calls(const char* workload, Call call) {
  const std::uint64_t n = scaled(200'000);
  measure(workload, "n=200000", static_cast<double>(n), [&] {
    auto server = smarm::start_server<adder>().value();
    for (std::uint64_t i = 0; i < n; ++i) {
      smarm_bench::require(call(server, i) == i + 1, workload);
    }
  });
}

void cast() {
  const std::uint64_t n = scaled(1'000'000), batch = 1000;
  measure("cast", "n=1000000;batch=1000", static_cast<double>(n), [&] {
    auto server = smarm::start_server<adder>().value();
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      (void)server.cast(adder::add{1});
      if (i % batch == batch - 1) {
        sum = server.call(adder::total{}).value();
      }
    }
    sum = server.call(adder::total{}).value();
    smarm_bench::require(sum == n, "cast");
  });
}

void call_from_threads(unsigned callers) {
  const std::uint64_t n = scaled(20'000);
  measure("call_from_threads", "callers=" + std::to_string(callers) + ";n=20000",
          static_cast<double>(n * callers), [&] {
            auto server = smarm::start_server<adder>().value();
            auto [to, over] = smarm::channel<std::uint64_t>();
            std::vector<std::thread> outside;
            for (unsigned t = 0; t < callers; ++t) {
              outside.emplace_back([n, server, to = to] {
                std::uint64_t right = 0;
                for (std::uint64_t i = 0; i < n; ++i) {
                  right += server.call(adder::next{i}).value() == i + 1;
                }
                (void)to.send(right);
              });
            }
            for (unsigned t = 0; t < callers; ++t) {
              smarm_bench::require(over.recv().value() == n, "call_from_threads");
            }
            for (auto& t : outside) {
              t.join();
            }
          });
}

std::int64_t resident_bytes() {
  long size = 0, resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &size, &resident) != 2) {
      resident = 0;
    }
    std::fclose(f);
  }
  return static_cast<std::int64_t>(resident) * ::sysconf(_SC_PAGESIZE);
}

void memory_servers(std::uint64_t n) {
  if (!smarm_bench::selected("memory_servers")) {
    return;
  }
  const std::uint64_t servers = smarm_bench::quick() ? 1000 : n;
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    std::vector<smarm::server_ref<adder>> all(servers);
    const std::int64_t before = resident_bytes();
    const auto begin = std::chrono::steady_clock::now();
    for (auto& one : all) {
      one = smarm::start_server<adder>().value();
    }
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    const std::int64_t after = resident_bytes();
    char extra[96];
    std::snprintf(extra, sizeof extra, "bytes_per_actor=%.0f;rss_mib=%.0f",
                  static_cast<double>(after - before) / static_cast<double>(servers),
                  static_cast<double>(after) / 1048576.0);
    smarm_bench::line("memory_servers", smarm_bench::threads, "n=" + std::to_string(n), us, us,
                      static_cast<double>(servers), extra);
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  calls("call", [](const auto& s, std::uint64_t i) { return s.call(adder::next{i}).value(); });
  calls("call_with_deadline",
        [](const auto& s, std::uint64_t i) { return s.call(adder::next{i}, 1s).value(); });
  calls("call_deferred",
        [](const auto& s, std::uint64_t i) { return s.call(adder::next_later{i}).value(); });
  cast();
  call_from_threads(1);
  call_from_threads(2);
  memory_servers(1'000'000);
}
