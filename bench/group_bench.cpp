// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What process groups cost: sending to one of a group, and to all of a large one; joining and
// leaving; choosing; and reading an actor-local value.

#include "in_runtime.hpp"

#include <smarm/actor_local.hpp>
#include <smarm/process_group.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using smarm_bench::measure;
using smarm_bench::scaled;

struct sink {
  using message = std::uint64_t;
  void run(smarm::receiver<std::uint64_t>& inbox) {
    while (auto n = inbox.recv()) {
      if (*n == 0) {
        return;
      }
    }
  }
};

constexpr smarm::process_group<sink> group("group");

struct members {
  std::vector<smarm::actor_handle<sink>> all;
  explicit members(std::uint64_t count, bool join = true) {
    for (std::uint64_t i = 0; i < count; ++i) {
      all.push_back(smarm::spawn_actor<sink>());
      if (join) {
        group.join(all.back().id()).value();
      }
    }
    smarm::this_actor::yield();
  }
  ~members() {
    for (auto& one : all) {
      (void)one.id().send(std::uint64_t{0});
    }
    for (auto& one : all) {
      (void)one.join();
    }
  }
};

// As `measure`, with so many members for all repetitions.
template <class Body>
void with_members(const std::string& workload, const std::string& params, std::uint64_t count,
                  double ops, bool join, Body body) {
  if (!smarm_bench::selected(workload)) {
    return;
  }
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    members m(count, join);
    smarm_bench::report(workload, smarm_bench::threads, params, ops, [&] { body(m); });
  });
}

// One message at a time to one of eight, and every so often they are given time to take them.
void dispatch(smarm::member_choice how) {
  const std::uint64_t n = scaled(1'000'000);
  const bool random = how == smarm::member_choice::random;
  with_members("dispatch", random ? "members=8;how=random;n=1000000" : "members=8;n=1000000", 8,
               static_cast<double>(n), true, [n, how](members&) {
                 for (std::uint64_t i = 1; i <= n; ++i) {
                   smarm_bench::require(group.dispatch(i, how).has_value(), "dispatch");
                   if (i % 256 == 0) {
                     smarm::this_actor::yield();
                   }
                 }
               });
}

// For comparison: the same messages by pid.
void send_by_pid() {
  const std::uint64_t n = scaled(1'000'000);
  with_members("dispatch_by_pid", "members=8;n=1000000", 8, static_cast<double>(n), true,
               [n](members& m) {
                 for (std::uint64_t i = 1; i <= n; ++i) {
                   (void)m.all[i % 8].id().send(i);
                   if (i % 256 == 0) {
                     smarm::this_actor::yield();
                   }
                 }
               });
}

// To 10 000, and each has taken its message before the next is sent.
void broadcast() {
  const std::uint64_t count = scaled(10'000);
  const std::uint64_t rounds = 10;
  with_members("broadcast", "members=10000;n=10", count, static_cast<double>(count * rounds), true,
               [=](members&) {
                 for (std::uint64_t i = 1; i <= rounds; ++i) {
                   smarm_bench::require(group.broadcast(i) == count, "broadcast");
                   smarm::this_actor::yield();
                 }
               });
}

// 10 000 join, and then leave.
void join_leave() {
  const std::uint64_t count = scaled(10'000);
  with_members("join_leave", "members=10000", count, static_cast<double>(count), false,
               [count](members& m) {
                 for (auto& one : m.all) {
                   (void)group.join(one.id());
                 }
                 smarm_bench::require(group.size() == count, "join");
                 for (auto& one : m.all) {
                   (void)group.leave(one.id());
                 }
                 smarm_bench::require(group.size() == 0, "leave");
               });
}

// The same, and between any two joins somebody is chosen: no list is made anew.
void join_pick() {
  const std::uint64_t count = scaled(10'000);
  with_members("join_pick_leave", "members=10000", count, static_cast<double>(count), false,
               [](members& m) {
                 for (auto& one : m.all) {
                   (void)group.join(one.id());
                   smarm_bench::keep(group.pick());
                 }
                 for (auto& one : m.all) {
                   smarm_bench::keep(group.pick());
                   (void)group.leave(one.id());
                 }
               });
}

void list_members() {
  const std::uint64_t count = scaled(10'000);
  with_members("group_members", "members=10000", count, static_cast<double>(count), true,
               [](members&) { smarm_bench::keep(group.members().size()); });
}

constinit smarm::actor_local<std::uint64_t> local;

void actor_local() {
  const std::uint64_t n = scaled(10'000'000);
  measure("actor_local", "n=10000000", static_cast<double>(n), [n] {
    *local = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      ++*local;
      smarm_bench::keep(i);
    }
    smarm_bench::require(*local == n, "actor_local");
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  dispatch(smarm::member_choice::round_robin);
  dispatch(smarm::member_choice::random);
  send_by_pid();
  broadcast();
  join_leave();
  join_pick();
  list_members();
  actor_local();
}
