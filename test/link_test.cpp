// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Links and trapped exits: who is taken along, who is told, and who is left alone.

#define BOOST_TEST_MODULE link
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/detail/attend.hpp>
#include <smarm/link.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
namespace this_actor = smarm::this_actor;

namespace {

void sleep_for_ever() { this_actor::sleep_for(24h); }

std::size_t links_of(smarm::pid actor) {
  smarm::detail::slot& s = *this_runtime().slots.find(actor.index());
  const std::lock_guard guard(s.record_lock);
  auto* record = s.record.load();
  const auto* known = record != nullptr ? smarm::detail::relations_in(*record) : nullptr;
  return known != nullptr ? known->links.size() : 0;
}

// An actor that is linked with `partner` and waits.
smarm::join_handle linked_with(smarm::pid partner) {
  auto h = smarm::spawn([partner] {
    smarm::link(partner);
    sleep_for_ever();
  });
  until([&] { return parked(h.id()); });
  return h;
}

// How the partner of an actor ended that ends so.
exit_kind partner_of_one_that(
    unsigned schedulers, std::function<void(tokens&)> body,
    std::function<void(smarm::pid)> then = [](smarm::pid) {}) {
  exit_kind how{};
  smarm::runtime rt(quiet(schedulers));
  rt.run([&] {
    tokens gate;
    auto first = smarm::spawn([&] { body(gate); });
    auto second = linked_with(first.id());
    gate.give();
    then(first.id());
    (void)first.join();
    (void)smarm::request_shutdown(second.id()); // comes too late if it was taken along
    how = second.join().kind();
  });
  return how;
}

} // namespace

BOOST_AUTO_TEST_SUITE(link_suite, *boost::unit_test::timeout(120))

// ---- who is taken along

BOOST_AUTO_TEST_CASE(an_abnormal_end_takes_the_linked_actor_along) {
  for (const unsigned schedulers : {1u, 2u}) {
    BOOST_TEST(partner_of_one_that(schedulers, [](tokens& gate) {
                 gate.take();
                 throw std::runtime_error("fails");
               }) == exit_kind::stopped);
    BOOST_TEST(partner_of_one_that(
                   schedulers, [](tokens&) { sleep_for_ever(); },
                   [](smarm::pid p) { (void)smarm::request_stop(p); }) == exit_kind::stopped);
  }
}

BOOST_AUTO_TEST_CASE(a_clean_end_takes_nobody_along) {
  for (const unsigned schedulers : {1u, 2u}) {
    BOOST_TEST(partner_of_one_that(schedulers, [](tokens& gate) { gate.take(); }) ==
               exit_kind::shutdown);
    BOOST_TEST(partner_of_one_that(
                   schedulers, [](tokens&) { sleep_for_ever(); },
                   [](smarm::pid p) { (void)smarm::request_shutdown(p); }) == exit_kind::shutdown);
  }
}

BOOST_AUTO_TEST_CASE(a_link_works_both_ways) {
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto passive = smarm::spawn(sleep_for_ever);
    auto active = linked_with(passive.id());
    (void)smarm::request_stop(active.id());
    how = passive.join().kind();
  });
  BOOST_TEST(how == exit_kind::stopped);
}

BOOST_AUTO_TEST_CASE(a_chain_of_links_goes_down_as_a_whole) {
  for (const unsigned schedulers : {1u, 3u}) {
    std::size_t stopped = 0;
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      std::vector<smarm::join_handle> chain;
      chain.push_back(smarm::spawn(sleep_for_ever));
      for (int i = 1; i < 100; ++i) {
        chain.push_back(linked_with(chain.back().id()));
      }
      smarm::spawn([first = chain.front().id(), last = chain.back().id()] {
        smarm::link(first); // a ring
        smarm::link(last);
        throw std::runtime_error("fails");
      }).detach();
      for (auto& h : chain) {
        stopped += h.join().kind() == exit_kind::stopped;
      }
    });
    BOOST_TEST(stopped == 100u);
  }
}

BOOST_AUTO_TEST_CASE(a_link_with_the_dead_stops_at_the_next_stop_point) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const smarm::pid dead : {smarm::pid(4'000'000'000, 1), smarm::pid::none()}) {
      auto h = smarm::spawn([&, dead] {
        smarm::link(dead);
        seen.note("goes on");
        this_actor::yield();
        seen.note("never");
      });
      seen.note(to_string(h.join().kind()));
    }
  });
  CHECK_LIST(seen.all(), {"goes on", "stopped", "goes on", "stopped"});
}

BOOST_AUTO_TEST_CASE(a_link_with_oneself_is_nothing) {
  std::size_t links = 1;
  smarm::run([&] {
    smarm::link(this_actor::self());
    smarm::unlink(this_actor::self());
    links = links_of(this_actor::self());
    this_actor::yield();
  });
  BOOST_TEST(links == 0u);
}

BOOST_AUTO_TEST_CASE(two_links_are_one) {
  std::vector<std::size_t> links;
  std::vector<exit_kind> kinds;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto exits = smarm::trap_exit();
    auto h = smarm::spawn([parent = this_actor::self()] {
      smarm::link(parent);
      sleep_for_ever();
    });
    smarm::link(h.id());
    smarm::link(h.id());
    until([&] { return parked(h.id()); });
    links.push_back(links_of(h.id()));
    links.push_back(links_of(this_actor::self()));
    (void)smarm::request_stop(h.id());
    (void)h.join();
    while (auto signal = exits.try_recv()) {
      kinds.push_back(signal->reason.kind());
    }
    links.push_back(links_of(this_actor::self()));
  });
  CHECK_LIST(links, {1, 1, 0});
  CHECK_LIST(kinds, {exit_kind::stopped});
}

// ---- unlink

BOOST_AUTO_TEST_CASE(after_unlink_no_signal_comes_either_way) {
  for (const bool by_who_linked : {true, false}) {
    std::vector<std::size_t> links;
    exit_kind how{};
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      tokens gate;
      auto h = smarm::spawn([&, parent = this_actor::self()] {
        gate.take();
        if (!by_who_linked) {
          smarm::unlink(parent);
        }
        gate.take();
        throw std::runtime_error("fails");
      });
      smarm::link(h.id());
      if (by_who_linked) {
        smarm::unlink(h.id());
      }
      gate.give();
      this_actor::yield();
      links = {links_of(h.id()), links_of(this_actor::self())};
      gate.give();
      how = h.join().kind();
      this_actor::yield(); // would be stopped here
    });
    CHECK_LIST(links, {0, 0});
    BOOST_TEST(how == exit_kind::failed);
  }
}

BOOST_AUTO_TEST_CASE(an_unlinked_pair_can_be_linked_again) {
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto passive = smarm::spawn(sleep_for_ever);
    auto active = smarm::spawn([&] {
      smarm::link(passive.id());
      smarm::unlink(passive.id());
      smarm::unlink(passive.id());
      smarm::link(passive.id());
      throw std::runtime_error("fails");
    });
    how = passive.join().kind();
  });
  BOOST_TEST(how == exit_kind::stopped);
}

// ---- trapping

BOOST_AUTO_TEST_CASE(one_who_traps_is_told_and_lives) {
  for (const unsigned schedulers : {1u, 2u}) {
    std::vector<exit_kind> kinds;
    bool from_the_right_one = true;
    std::string text;
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      auto exits = smarm::trap_exit();
      auto failing = smarm::spawn_link([] { throw std::runtime_error("out of luck"); });
      auto signal = exits.recv().value();
      kinds.push_back(signal.reason.kind());
      text = signal.reason.text();
      from_the_right_one = signal.from == failing.id();
      auto stopped = smarm::spawn_link(sleep_for_ever);
      (void)smarm::request_stop(stopped.id());
      kinds.push_back(exits.recv().value().reason.kind());
      auto shut_down = smarm::spawn_link(sleep_for_ever);
      (void)smarm::request_shutdown(shut_down.id());
      kinds.push_back(exits.recv().value().reason.kind());
      smarm::link(smarm::pid::none());
      kinds.push_back(exits.recv().value().reason.kind());
    });
    using enum exit_kind;
    CHECK_LIST(kinds, {failed, stopped, shutdown, no_process});
    BOOST_TEST(from_the_right_one);
    BOOST_TEST(text.find("out of luck") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_normal_end_is_not_told) {
  errc code{};
  std::size_t links = 1;
  smarm::run([&] {
    auto exits = smarm::trap_exit();
    auto h = smarm::spawn_link([] {});
    (void)h.join();
    code = error_of(exits.try_recv());
    links = links_of(this_actor::self());
  });
  BOOST_TEST((code == errc::empty));
  BOOST_TEST(links == 0u);
}

BOOST_AUTO_TEST_CASE(the_signal_is_there_when_join_returns) {
  int there = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto exits = smarm::trap_exit();
    for (int i = 0; i < 300; ++i) {
      auto h = smarm::spawn_link([] { throw std::runtime_error("fails"); });
      (void)h.join();
      there += exits.try_recv().has_value();
    }
  });
  BOOST_TEST(there == 300);
}

BOOST_AUTO_TEST_CASE(trapping_is_the_incarnations_own) {
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto trapping = smarm::spawn([] { auto exits = smarm::trap_exit(); });
    const auto place = trapping.id().index();
    (void)trapping.join();
    auto next = smarm::spawn(sleep_for_ever);
    if (next.id().index() == place) {
      smarm::spawn([other = next.id()] {
        smarm::link(other);
        throw std::runtime_error("fails");
      }).detach();
      how = next.join().kind();
    }
  });
  BOOST_TEST(how == exit_kind::stopped);
}

BOOST_AUTO_TEST_CASE(who_drops_the_receiver_traps_no_more) {
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto h = smarm::spawn([] {
      { auto exits = smarm::trap_exit(); }
      (void)smarm::spawn_link([] { throw std::runtime_error("fails"); });
      sleep_for_ever();
    });
    how = h.join().kind();
  });
  BOOST_TEST(how == exit_kind::stopped);
}

BOOST_AUTO_TEST_CASE(a_second_trap_replaces_the_first) {
  std::vector<errc> codes;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto first = smarm::trap_exit();
    auto second = smarm::trap_exit();
    auto h = smarm::spawn_link([] { throw std::runtime_error("fails"); });
    codes.push_back(error_of(second.recv()));
    codes.push_back(error_of(first.try_recv()));
  });
  BOOST_TEST((codes == std::vector<errc>{errc{}, errc::closed}));
}

// ---- requests to shut down

BOOST_AUTO_TEST_CASE(one_who_traps_is_told_of_a_request_and_ends_when_it_will) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto h = smarm::spawn([&, parent = this_actor::self()] {
      auto exits = smarm::trap_exit();
      const auto signal = exits.recv().value();
      seen.note(to_string(signal.reason.kind()));
      seen.note(signal.from == parent ? "by its parent" : "by somebody");
      this_actor::yield();
      seen.note(this_actor::stop_requested() ? "asked to stop" : "goes on");
    });
    this_actor::yield();
    seen.note(smarm::request_shutdown(h.id()) ? "told" : "not told");
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"told", "shutdown", "by its parent", "goes on", "normal"});
}

BOOST_AUTO_TEST_CASE(one_who_traps_is_stopped_by_a_stop) {
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto h = smarm::spawn([] {
      auto exits = smarm::trap_exit();
      (void)exits.recv();
    });
    this_actor::yield();
    (void)smarm::request_stop(h.id());
    how = h.join().kind();
  });
  BOOST_TEST(how == exit_kind::stopped);
}

BOOST_AUTO_TEST_CASE(requests_come_from_plain_threads_through_the_handle_too) {
  recorder seen;
  tokens ready;
  smarm::runtime rt(quiet(2));
  rt.start();
  auto trapping = rt.handle().spawn([&] {
    auto exits = smarm::trap_exit();
    ready.give();
    const auto signal = exits.recv().value();
    seen.note(to_string(signal.reason.kind()));
    seen.note(signal.from == smarm::pid::root() ? "from outside" : "from an actor");
  });
  auto plain = rt.handle().spawn(sleep_for_ever);
  ready.take();
  (void)rt.handle().request_shutdown(trapping.id());
  (void)rt.handle().request_shutdown(plain.id());
  seen.note(to_string(trapping.join().kind()));
  seen.note(to_string(plain.join().kind()));
  seen.note(rt.handle().request_shutdown(trapping.id()) ? "still there" : "gone");
  (void)rt.shutdown(1h);
  CHECK_LIST(seen.all(), {"shutdown", "from outside", "normal", "shutdown", "gone"});
}

BOOST_AUTO_TEST_CASE(when_the_root_ends_one_who_traps_is_told_once_and_may_linger) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::spawn([&] {
      auto exits = smarm::trap_exit();
      seen.note(to_string(exits.recv().value().reason.kind()));
      for (int i = 0; i < 10; ++i) { // each of these deaths asks for another sweep
        (void)smarm::spawn([] {}).join();
        this_actor::yield();
      }
      this_actor::sleep_for(1ms); // idle: the sweep has been
      seen.note(exits.try_recv() ? "told again" : "lingers");
    }).detach();
    this_actor::yield();
  });
  CHECK_LIST(seen.all(), {"shutdown", "lingers"});
}

// ---- elsewhere

BOOST_AUTO_TEST_CASE(outside_an_actor_there_are_no_links) {
  int refused = 0;
  const auto refuses = [&](auto call) {
    try {
      call();
    } catch (const boost::system::system_error& e) {
      refused += e.code() == errc::not_in_actor;
    }
  };
  refuses([] { smarm::link(smarm::pid::none()); });
  refuses([] { smarm::unlink(smarm::pid::none()); });
  refuses([] { (void)smarm::trap_exit(); });
  refuses([] { (void)smarm::spawn_link([] {}); });
  BOOST_TEST(refused == 4);
}

BOOST_AUTO_TEST_CASE(a_linked_actor_that_fails_before_it_has_begun_is_told) {
  struct refuses {
    refuses() = default;
    refuses(refuses&&) noexcept = default;
    void operator()() { throw std::runtime_error("not today"); }
  };
  std::string text;
  bool linked = true;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    auto exits = smarm::trap_exit();
    auto h = smarm::spawn_link(refuses());
    text = exits.recv().value().reason.text();
    (void)h.join();
    linked = smarm::try_spawn_link({.stack_size = 1}, [] {}).has_value();
    linked |= links_of(this_actor::self()) != 0;
  });
  BOOST_TEST(text.find("not today") != std::string::npos);
  BOOST_TEST(!linked);
}

BOOST_AUTO_TEST_CASE(on_the_threads_own_stack_an_actor_links_itself) {
  exit_kind how{};
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    std::optional<smarm::receiver<smarm::exit_signal>> exits;
    auto partner = smarm::spawn([] { throw 1; });
    this_actor::run_on_thread_stack([&] {
      exits = smarm::trap_exit();
      smarm::link(partner.id());
    });
    how = exits->recv().value().reason.kind();
  });
  BOOST_TEST((how == exit_kind::failed));
}

BOOST_AUTO_TEST_SUITE_END()
