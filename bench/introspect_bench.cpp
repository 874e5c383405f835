// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What it costs to look at actors: ns per actor of a snapshot, and of one actor. The actors of `plain`
// wait for a message and have nothing else; those of `labelled` have a label, those of `server` are idle
// servers.

#include "bench.hpp"
#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/introspect.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

struct quiet_server : smarm::gen_server<quiet_server> {};

void wait_until_settled(std::size_t actors) {
  for (;;) {
    std::size_t settled = 0;
    for (const smarm::actor_info& a : smarm::introspect::snapshot().actors) {
      settled += a.state == smarm::actor_state::parked || a.state == smarm::actor_state::idle;
    }
    if (settled >= actors) {
      return;
    }
    smarm::this_actor::yield();
  }
}

template <class Populate>
void snapshots(const std::string& kind, std::size_t actors, Populate populate) {
  const std::size_t n = smarm_bench::quick() ? actors / 100 : actors;
  if (!smarm_bench::selected("snapshot") && !smarm_bench::selected("tree")) {
    return;
  }
  smarm::config settings = smarm_bench::runtime_settings();
  settings.reports = [](const smarm::report&) {}; // of those that are stopped at the end
  smarm::runtime rt(std::move(settings));
  rt.run([&] {
    const auto kept = populate(n);
    wait_until_settled(n);
    smarm_bench::report("snapshot", smarm_bench::threads,
                        "actors=" + std::to_string(actors) + ";kind=" + kind,
                        static_cast<double>(n), [&] {
                          const auto all = smarm::introspect::snapshot();
                          smarm_bench::require(all.actors.size() == n + 1, "snapshot");
                        });
    smarm_bench::report("tree", smarm_bench::threads,
                        "actors=" + std::to_string(actors) + ";kind=" + kind,
                        static_cast<double>(n), [&] {
                          const auto all = smarm::introspect::tree();
                          smarm_bench::require(all.nodes.size() == n + 1, "tree");
                        });
  });
}

struct crowd {
  std::vector<smarm::join_handle> handles;

  crowd() = default;
  crowd(crowd&&) = default; // what was moved from has no handles
  crowd& operator=(crowd&&) = delete;
  ~crowd() {
    for (auto& h : handles) {
      (void)smarm::request_stop(h.id());
    }
    for (auto& h : handles) {
      (void)h.join();
    }
  }
};

crowd plain(std::size_t n, bool labelled) {
  crowd all;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string label = labelled ? "a worker of the pool " + std::to_string(i) : std::string();
    all.handles.push_back(smarm::spawn({.label = label}, [] {
      auto [to, from] = smarm::channel<int>();
      (void)from.recv();
    }));
  }
  return all;
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  for (const std::size_t n : {std::size_t{1000}, std::size_t{100'000}}) {
    snapshots("plain", n, [](std::size_t count) { return plain(count, false); });
    snapshots("labelled", n, [](std::size_t count) { return plain(count, true); });
    snapshots("server", n, [](std::size_t count) {
      std::vector<smarm::server_ref<quiet_server>> all;
      for (std::size_t i = 0; i < count; ++i) {
        all.push_back(smarm::start_server<quiet_server>().value());
      }
      return all;
    });
  }
}
