// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#define BOOST_TEST_MODULE dump_stacks
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/channel.hpp>
#include <smarm/detail/parked_stack.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/dump_stacks.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/introspect.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/start_server.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace smarm_test;

std::string dumped() {
  std::ostringstream out;
  smarm::dump_stacks(out);
  return std::move(out).str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string name_of(smarm::pid who, const std::string& label) {
  std::ostringstream out;
  out << "actor " << who << " \"" << label << '"';
  return std::move(out).str();
}

// What stands between the line that names it and the next one that names anybody.
std::string part_about(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find(name);
  if (begin == std::string::npos) {
    return {};
  }
  std::size_t end = text.find('\n', begin);
  while (end != std::string::npos && text.compare(end, 5, "\n    ") == 0) {
    end = text.find('\n', end + 1);
  }
  return text.substr(begin, end - begin);
}

// Where each of these will go on; innermost last.
std::vector<void*> goes_on_at;

[[gnu::noinline]] void wait_deep(smarm::receiver<int>& rx, int deeper) {
  goes_on_at.push_back(__builtin_return_address(0));
  if (deeper == 0) {
    (void)rx.recv();
  } else {
    wait_deep(rx, deeper - 1);
  }
  asm volatile("" : : : "memory"); // no tail call
}

struct idle_server : smarm::gen_server<idle_server> {
  struct poke {};
  void handle_cast(poke) {}
};

} // namespace

BOOST_AUTO_TEST_CASE(the_frames_of_a_parked_actor_are_those_it_waits_in) {
  goes_on_at.clear();
  smarm::detail::frame_addresses seen;
  bool was_parked = false;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto h = waiting([rx = std::move(rx)]() mutable { wait_deep(rx, 5); });
    smarm::detail::slot& s =
        *smarm::detail::current_scheduler()->runtime.slots.find(h.id().index());
    for (int twice = 0; twice < 2; ++twice) { // looking changes nothing
      const smarm::detail::held_actor held(s);
      was_parked = static_cast<bool>(held);
      seen = smarm::detail::frames_of(s.context);
    }
    (void)tx.send(1);
    (void)h.join();
  });
  BOOST_TEST(was_parked);
  BOOST_TEST(goes_on_at.size() == 6u);
  // All of them, outermost last.
  auto at = seen.begin();
  for (auto wanted = goes_on_at.rbegin(); wanted != goes_on_at.rend(); ++wanted) {
    at = std::find(at, seen.end(), *wanted);
    BOOST_REQUIRE((at != seen.end()));
    ++at;
  }
}

BOOST_AUTO_TEST_CASE(who_is_held_to_be_looked_at_is_seen_to_wait) {
  smarm::actor_info before;
  smarm::actor_info held_info;
  std::string left;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    smarm::mutex m;
    m.lock();
    auto h = waiting([&m] { const std::lock_guard later(m); });
    smarm::detail::runtime_state& here = smarm::detail::current_scheduler()->runtime;
    smarm::detail::slot& s = *here.slots.find(h.id().index());
    before = smarm::introspect::actor_info(h.id()).value();
    {
      const smarm::detail::held_actor held(s);
      held_info = smarm::introspect::actor_info(h.id()).value();
      left = smarm::detail::doing_of(here, s, h.id());
    }
    m.unlock();
    (void)h.join();
  });
  BOOST_TEST(held_info.state == smarm::actor_state::parked);
  BOOST_TEST(held_info.waits_for == smarm::wait_kind::lock);
  BOOST_TEST(held_info.waits_on == before.waits_on);
  BOOST_TEST(held_info.stoppable == before.stoppable);
  BOOST_TEST((held_info.since.time_since_epoch() - before.since.time_since_epoch() < 1s));
  BOOST_TEST(left.find("waits for a lock") != std::string::npos);
}

// What is put into a label is no command to the terminal that shows it.
BOOST_AUTO_TEST_CASE(control_characters_in_labels_are_written_as_text) {
  smarm::runtime rt({.schedulers = 1});
  std::string text;
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto h = smarm::spawn({.label = "\x1b[2J\x07 caf\xc3\xa9 \xc2\x9b" "1m \xff\n"},
                          [rx = std::move(rx)]() mutable { (void)rx.recv(); });
    smarm::this_actor::yield();
    std::ostringstream out;
    smarm::dump_stacks(out);
    text = out.str();
    (void)tx.send(1);
    (void)h.join();
  });
  BOOST_TEST(text.find('\x1b') == std::string::npos);
  BOOST_TEST(text.find("\"\\x1b[2J\\x07 caf\xc3\xa9 \\x9b1m \xef\xbf\xbd\\x0a\"") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_actor_is_told_with_what_it_does) {
  smarm::runtime rt({.schedulers = 1});
  std::string text;
  smarm::pid receiver;
  smarm::pid sleeper;
  smarm::pid locker;
  smarm::pid self;
  smarm::pid server;
  rt.run([&] {
    self = smarm::this_actor::self();
    smarm::this_actor::label("the root");
    auto [tx, rx] = smarm::channel<int>();
    smarm::mutex m;
    auto ref = smarm::start_server<idle_server>().value();
    server = ref.id();
    auto a = smarm::spawn({.label = "receiver"}, [rx = std::move(rx)]() mutable { (void)rx.recv(); });
    auto b = smarm::spawn({.label = "sleeper"}, [] { smarm::this_actor::sleep_for(1h); });
    m.lock();
    auto c = smarm::spawn({.label = "locker"}, [&m] {
      m.lock();
      m.unlock();
    });
    auto d = smarm::spawn({.label = "ready"}, [] {});
    receiver = a.id();
    sleeper = b.id();
    locker = c.id();
    until([&] { return parked(receiver) && parked(sleeper) && parked(locker) && parked(server); });
    auto e = smarm::spawn({.label = "fresh"}, [] {});
    text = dumped();
    m.unlock();
    (void)tx.send(1);
    (void)smarm::request_stop(sleeper);
    (void)a.join();
    (void)b.join();
    (void)c.join();
    (void)d.join();
    (void)e.join();
  });
  BOOST_TEST_MESSAGE(text);
  BOOST_TEST(has(part_about(text, name_of(receiver, "receiver")), "waits for a message"));
  BOOST_TEST(has(part_about(text, name_of(receiver, "receiver")), "\n    #2 "));
  BOOST_TEST(has(part_about(text, name_of(sleeper, "sleeper")), "waits for the end of a sleep"));
  BOOST_TEST(has(part_about(text, name_of(locker, "locker")), "waits for a lock, which actor <"));
  BOOST_TEST(has(part_about(text, "\"fresh\""), "is ready to run"));
  BOOST_TEST(has(text, "scheduler 0 runs " + name_of(self, "the root")));
  BOOST_TEST(has(part_about(text, "scheduler 0 runs"), "\n    #2 "));
  std::ostringstream idle;
  idle << "actor " << server << " waits for a message; it needs no stack for that\n";
  BOOST_TEST(has(text, idle.str()));
}

BOOST_AUTO_TEST_CASE(a_runtime_that_does_not_run_is_told_so) {
  smarm::runtime rt({.schedulers = 1});
  BOOST_TEST(has(dumped(), " does not run\n"));
}

BOOST_AUTO_TEST_CASE(looking_loses_no_wake_and_no_stop) {
  smarm::runtime rt(quiet(2));
  std::atomic<bool> enough{false};
  std::atomic<long> received{0};
  std::atomic<long> stopped{0};
  std::thread looker;
  rt.start();
  auto talk = rt.handle().spawn([&] {
    std::vector<smarm::join_handle> all;
    for (int pair = 0; pair < 8; ++pair) {
      auto [to, at] = smarm::channel<int>();
      auto [back, at_home] = smarm::channel<int>();
      all.push_back(smarm::spawn([&received, at = std::move(at), back = std::move(back)]() mutable {
        while (at.recv()) {
          ++received;
          (void)back.send(1);
        }
      }));
      all.push_back(
          smarm::spawn([&enough, to = std::move(to), at_home = std::move(at_home)]() mutable {
            do {
              (void)to.send(1);
              (void)at_home.recv();
            } while (!enough);
          }));
    }
    all.push_back(smarm::spawn([&] {
      do {
        auto sleeper = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
        smarm::this_actor::yield();
        (void)smarm::request_stop(sleeper.id());
        stopped += sleeper.join().kind() == smarm::exit_kind::stopped;
        auto brief = smarm::spawn([] { smarm::this_actor::sleep_for(10us); });
        (void)brief.join();
      } while (!enough);
    }));
    join_all(all);
  });
  std::size_t parked_seen = 0;
  for (int i = 0; i < 200 || stopped < 200 || received < 2000; ++i) {
    const std::string text = dumped();
    parked_seen += has(text, "waits for a message") ? 1 : 0;
  }
  enough = true;
  (void)talk.join();
  rt.wait();
  BOOST_TEST(parked_seen > 0u);
}

BOOST_AUTO_TEST_CASE(a_signal_shows_even_a_stuck_scheduler) {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(::pipe(ends.data()) == 0);
  smarm::dump_stacks_on(SIGUSR2, ends[1]).value();
  BOOST_TEST((smarm::dump_stacks_on(SIGUSR2, ends[1]).error() == smarm::errc::already_waiting));
  smarm::runtime rt({.schedulers = 1});
  std::atomic<bool> spinning{false};
  std::atomic<bool> enough{false};
  rt.start();
  auto h = rt.handle().spawn({.label = "spinner"}, [&] {
    spinning = true;
    while (!enough) {
    }
  });
  wait_until([&] { return spinning.load(); });
  (void)::raise(SIGUSR2);
  std::string text;
  while (!has(text, "smarm: end of the stacks\n")) {
    std::array<char, 512> part;
    const auto got = ::read(ends[0], part.data(), part.size());
    BOOST_REQUIRE(got > 0);
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  enough = true;
  (void)h.join();
  rt.wait();
  BOOST_TEST(has(text, "scheduler 0 runs " + name_of(h.id(), "spinner")));
#if !SMARM_TSAN // which keeps signals for a call that can be interrupted
  BOOST_TEST(has(part_about(text, "scheduler 0 runs"), "\n    #0 "));
#endif
  smarm::no_stack_dumps();
  smarm::no_stack_dumps();
  BOOST_TEST(smarm::dump_stacks_on(SIGKILL, ends[1]).has_error());
  smarm::dump_stacks_on(SIGUSR2, ends[1]).value();
  (void)::raise(SIGUSR2);
  smarm::no_stack_dumps(); // what was asked for is there
  std::array<char, 32> first{};
  BOOST_TEST(::read(ends[0], first.data(), first.size()) > 0);
  ::close(ends[0]);
  ::close(ends[1]);
}
