// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What it costs to know an actor by name or by pid, and to hear of its end.

#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/registry.hpp>
#include <smarm/report.hpp>
#include <smarm/send.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using smarm_bench::measure;
using smarm_bench::require;
using smarm_bench::scaled;
namespace this_actor = smarm::this_actor;

// An actor that has the name takes it and gives it back.
void register_unregister() {
  const std::uint64_t n = scaled(500'000);
  measure("register", "-", static_cast<double>(n), [n] {
    const smarm::pid self = this_actor::self();
    for (std::uint64_t i = 0; i < n; ++i) {
      require(smarm::register_name("a_name", self).has_value(), "register");
      require(smarm::unregister("a_name").has_value(), "register");
    }
  });
}

// Among so many names.
void whereis(std::uint64_t names) {
  const std::uint64_t n = scaled(2'000'000);
  measure("whereis", "names=" + std::to_string(names), static_cast<double>(n), [=] {
    const smarm::pid self = this_actor::self();
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < names; ++i) {
      all.push_back("name_" + std::to_string(i));
      (void)smarm::register_name(all.back(), self);
    }
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      found += smarm::whereis(all[i % names]) == self;
    }
    require(found == n, "whereis");
    for (const std::string& each : all) {
      (void)smarm::unregister(each);
    }
  });
}

struct counter {
  using message = std::uint64_t;
  explicit counter(std::uint64_t until, std::uint64_t& into) : left(until), sum(into) {}
  void run(smarm::receiver<std::uint64_t>& inbox) {
    while (left-- > 0) {
      sum += *inbox.recv();
    }
  }
  std::uint64_t left;
  std::uint64_t& sum;
};

constexpr smarm::name<std::uint64_t> by_name("counter");

// One sends, one receives; the first yields now and then, so that the inbox stays short.
template <class To>
void send_to(const char* workload, To to) {
  const std::uint64_t n = scaled(1'000'000), batch = 64;
  measure(workload, "-", static_cast<double>(n), [=] {
    std::uint64_t sum = 0;
    auto c = smarm::spawn_actor<counter>(n, std::ref(sum));
    require(smarm::register_name(by_name, c.id()).has_value(), workload);
    const auto address = to(c);
    for (std::uint64_t i = 0; i < n; ++i) {
      require(address.send(std::uint64_t{i}).has_value(), workload);
      if (i % batch == batch - 1) {
        this_actor::yield();
      }
    }
    (void)c.join();
    require(sum == n * (n - 1) / 2, workload);
  });
}

// Spawned in batches, monitored, and each end received.
void monitor_death() {
  const std::uint64_t n = scaled(200'000), batch = 100;
  measure("monitor_death", "batch=100", static_cast<double>(n), [=] {
    std::vector<smarm::monitor_ref> watched;
    watched.reserve(batch);
    for (std::uint64_t i = 0; i < n; i += batch) {
      for (std::uint64_t k = 0; k < batch; ++k) {
        watched.push_back(smarm::spawn_monitor([] {}).second);
      }
      for (auto& m : watched) {
        require(m.recv()->reason.is_clean(), "monitor_death");
      }
      watched.clear();
    }
  });
}

// The same with links. A normal end tells nobody and is joined.
void link_normal_end() {
  const std::uint64_t n = scaled(200'000), batch = 100;
  measure("link_death", "end=normal;batch=100", static_cast<double>(n), [=] {
    std::vector<smarm::join_handle> linked;
    linked.reserve(batch);
    for (std::uint64_t i = 0; i < n; i += batch) {
      for (std::uint64_t k = 0; k < batch; ++k) {
        linked.push_back(smarm::spawn_link([] {}));
      }
      for (auto& h : linked) {
        require(h.join().is_clean(), "link_death");
      }
      linked.clear();
    }
  });
}

// A failure is a message to an actor that traps exits. Most of the cost is that of the exception.
void link_failure() {
  const std::uint64_t n = scaled(50'000), batch = 100;
  smarm::config settings = smarm_bench::runtime_settings();
  settings.reports = [](const smarm::report&) {};
  measure(
      "link_death", "end=failed;batch=100", static_cast<double>(n),
      [=] {
        auto exits = smarm::trap_exit();
        for (std::uint64_t i = 0; i < n; i += batch) {
          for (std::uint64_t k = 0; k < batch; ++k) {
            (void)smarm::spawn_link([] { throw 1; });
          }
          for (std::uint64_t k = 0; k < batch; ++k) {
            require(!exits.recv()->reason.is_clean(), "link_death");
          }
        }
      },
      std::move(settings));
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  register_unregister();
  whereis(1);
  whereis(10'000);
  send_to("send_by_name", [](const auto&) { return by_name; });
  send_to("send_by_pid", [](const auto& c) { return c.id(); });
  monitor_death();
  link_normal_end();
  link_failure();
}
