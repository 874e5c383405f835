// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A process to be looked at: once all its actors are where they should be it says so, and waits for
// the end of its input.

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/start_server.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <smarm/detail/runtime_state.hpp>

#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace {

[[gnu::noinline]] void wait_for_an_order(smarm::receiver<int>& orders, int deeper) {
  if (deeper == 0) {
    (void)orders.recv();
  } else {
    wait_for_an_order(orders, deeper - 1);
  }
  asm volatile("" : : : "memory"); // no tail call
}

struct idle_server : smarm::gen_server<idle_server> {
  struct poke {};
  void handle_cast(poke) {}
};

bool parked(smarm::pid who) {
  const auto* s = smarm::detail::current_scheduler()->runtime.slots.find(who.index());
  return s->word.snapshot().state >= smarm::detail::slot_state::parked;
}

} // namespace

int main(int argc, char**) {
  // With any argument: stacks as gdb's gcore can see them on every kernel.
  const auto guard = argc > 1 ? smarm::stack_guard::mapping : smarm::stack_guard::automatic;
  smarm::runtime rt({.schedulers = 2, .guard = guard, .reports = [](const smarm::report&) {}});
  rt.run([] {
    auto [tx, rx] = smarm::channel<int>();
    auto a = smarm::spawn({.label = "receiver"},
                          [rx = std::move(rx)]() mutable { wait_for_an_order(rx, 3); });
    auto b = smarm::spawn({.label = "sleeper"},
                          [] { smarm::this_actor::sleep_for(std::chrono::hours(1)); });
    auto server = smarm::start_server<idle_server>().value();
    while (!parked(a.id()) || !parked(b.id()) || !parked(server.id())) {
      smarm::this_actor::yield();
    }
    smarm::this_actor::label("the root");
    std::puts("ready");
    std::fflush(stdout);
    char byte = 0;
    (void)!::read(STDIN_FILENO, &byte, 1); // blocks the scheduler: the root runs
    (void)tx.send(1);
    (void)smarm::request_stop(b.id());
    (void)a.join();
    (void)b.join();
  });
}
