// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the runtime does when there is no memory: this program's operator new can be told to fail.

#define BOOST_TEST_MODULE memory_failure
#include <boost/test/unit_test.hpp>

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/process_group.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/this_actor.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace {
[[maybe_unused]] std::atomic<bool> exhausted{false};
} // namespace

#if !SMARM_TSAN // which brings, with clang, functions that cannot be replaced
// Not inlined: compilers take a free that meets its operator new for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* p = exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
  if (p == nullptr) {
    throw std::bad_alloc();
  }
  return p;
}
// A sanitizer has one of its own for this form, which would not go with the delete below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

BOOST_AUTO_TEST_CASE(an_actor_that_fails_for_want_of_memory_takes_nobody_along) {
  smarm::runtime rt({.schedulers = 1});
  smarm::exit_status how;
  rt.run([&] {
    auto greedy = smarm::spawn({.label = "a label that is longer than a short string"}, [] {
      exhausted = true;
      throw std::bad_alloc();
    });
    how = greedy.join();
    exhausted = false;
  });
  BOOST_TEST((how.kind() == smarm::exit_kind::failed));
  BOOST_TEST(rt.stats().sink_failures == 1u);
}

// The first wait with a deadline in a runtime: no block for its timer is at hand.
BOOST_AUTO_TEST_CASE(a_wait_with_a_deadline_needs_no_memory) {
  bool slept = false;
  bool timed_out = false;
  smarm::run([&] {
    exhausted = true;
    smarm::this_actor::sleep_for(std::chrono::milliseconds(1));
    slept = true;
    exhausted = false;
    auto [tx, rx] = smarm::channel<int>();
    exhausted = true;
    timed_out = rx.recv_for(std::chrono::milliseconds(1)).error() == smarm::errc::timed_out;
    exhausted = false;
  });
  BOOST_TEST(slept);
  BOOST_TEST(timed_out);
}

BOOST_AUTO_TEST_CASE(a_server_that_has_what_it_listens_to_waits_without_memory) {
  struct listener : smarm::gen_server<listener> {
    struct listen {
      smarm::receiver<int> to;
    };
    struct heard {};
    void handle_cast(listen l) {
      receive_info(std::move(l.to));
      exhausted = true;
    }
    void handle_info(int number) { heard_ += number; }
    int handle_call(heard) const { return heard_; }
    int heard_ = 0;
  };
  int got = 0;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    auto server = smarm::start_server<listener>().value();
    auto [to, from] = smarm::channel<int>();
    (void)server.cast(listener::listen{std::move(from)});
    while (!exhausted) {
      smarm::this_actor::yield();
    }
    smarm::this_actor::yield(); // it waits, or has failed
    exhausted = false;
    (void)to.send(7);
    const auto answer = server.call(listener::heard{});
    got = answer ? *answer : -1;
  });
  BOOST_TEST(got == 7);
}

BOOST_AUTO_TEST_CASE(those_who_wait_for_an_end_for_want_of_memory_are_told) {
  smarm::exit_kind by_monitor{};
  smarm::exit_kind by_link{};
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    auto exits = smarm::trap_exit();
    auto greedy = smarm::spawn_link([] {
      exhausted = true;
      throw std::bad_alloc();
    });
    auto watch = smarm::monitor(greedy.id());
    auto told = exits.recv();
    auto down = watch.recv();
    exhausted = false;
    by_link = told->reason.kind();
    by_monitor = down->reason.kind();
  });
  BOOST_TEST((by_monitor == smarm::exit_kind::failed));
  BOOST_TEST((by_link == smarm::exit_kind::failed));
}

namespace {
using parcel = std::array<char, 1024>; // too large for the nodes that are kept
struct hoarder {
  using message = parcel;
  void run(smarm::receiver<parcel>& inbox) {
    while (inbox.recv()) {
    }
  }
};
constexpr smarm::process_group<hoarder> hoard("hoard");
} // namespace

BOOST_AUTO_TEST_CASE(a_group_says_that_there_is_no_memory_and_stays_as_it_was) {
  boost::system::error_code joined;
  boost::system::error_code dispatched;
  std::size_t took_it = 9;
  std::size_t size = 0;
  smarm::run([&] {
    auto a = smarm::spawn_actor<hoarder>();
    auto b = smarm::spawn_actor<hoarder>();
    hoard.join(a.id()).value();
    const parcel message{};
    exhausted = true;
    joined = hoard.join(b.id()).error();
    dispatched = hoard.dispatch(message).error();
    took_it = hoard.broadcast(message);
    exhausted = false;
    size = hoard.size();
  });
  BOOST_TEST((joined == smarm::errc::out_of_memory));
  BOOST_TEST((dispatched == smarm::errc::out_of_memory));
  BOOST_TEST(took_it == 0u);
  BOOST_TEST(size == 1u);
}

BOOST_AUTO_TEST_CASE(who_watches_a_group_finds_that_an_event_is_missing) {
  constexpr std::size_t count = 64;
  std::size_t heard = 0;
  std::size_t size = count;
  boost::system::error_code then;
  smarm::run([&] {
    std::vector<smarm::actor_handle<hoarder>> all;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(smarm::spawn_actor<hoarder>());
      hoard.join(all.back().id()).value();
    }
    auto [watch, members] = hoard.monitor();
    exhausted = true;
    for (auto& one : all) {
      (void)hoard.leave(one.id()); // needs no memory, the event does
    }
    exhausted = false;
    size = hoard.size();
    for (;;) {
      const auto event = watch.try_recv();
      if (!event) {
        then = event.error();
        break;
      }
      ++heard;
    }
  });
  BOOST_TEST(size == 0u);
  BOOST_TEST(heard < count);
  BOOST_TEST((then == smarm::errc::closed));
}
#else
BOOST_AUTO_TEST_CASE(memory_does_not_fail_under_this_sanitizer) {
  BOOST_TEST_MESSAGE("not tested: operator new cannot be replaced here");
}
#endif
