// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers whose inbox has a limit: what each policy does to calls and to casts when it is full, that
// nobody is left hanging, and that what is no request passes.

#define BOOST_TEST_MODULE server_limit
#include <boost/test/unit_test.hpp>

#include "looked_at.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/sys.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace sys = smarm::sys;
using smarm::errc;
using smarm::overflow;

namespace {

till_ref start_limited(recorder& to, std::size_t capacity, overflow policy) {
  return smarm::start_server<till>(
             smarm::server_options{.actor = {.label = "till"}, .inbox = {capacity, policy}},
             std::ref(to))
      .value();
}

// With a server that is in a handler until the body opens the gate; its inbox is empty and takes two.
template <class Body>
void with_held(overflow policy, recorder& to, Body body) {
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = start_limited(to, 2, policy);
    auto gate = hold(server, to);
    body(server, gate);
  });
}

strings adds(const recorder& to) {
  strings all = to.all();
  std::erase_if(all, [](const std::string& one) { return one.rfind("add", 0) != 0; });
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_limit_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(fail_refuses_calls_and_casts_and_leaves_them_with_the_sender) {
  recorder to;
  std::vector<errc> seen;
  bool kept = false;
  smarm::overflow_counts counts;
  with_held(overflow::fail, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    for (int i = 0; i < 3; ++i) {
      seen.push_back(error_of(server.cast(till::add{i})));
    }
    seen.push_back(error_of(server.call(till::total{})));
    seen.push_back(error_of(server.send_request(till::total{})));
    seen.push_back(error_of(server.try_cast(till::add{9})));
    auto [open, inner] = smarm::channel<int>();
    till::hold message{std::move(inner)};
    seen.push_back(error_of(server.cast(std::move(message))));
    (void)open.send(1);
    kept = message.gate.try_recv().has_value();
    (void)gate.send(1);
    until([&] { return adds(to).size() == 2; });
    seen.push_back(error_of(server.call(till::total{})));
    counts = server.overflows();
  });
  const std::vector<errc> wanted = {{},
                                    {},
                                    errc::queue_full,
                                    errc::queue_full,
                                    errc::queue_full,
                                    errc::queue_full,
                                    errc::queue_full,
                                    {}};
  BOOST_TEST((seen == wanted));
  BOOST_TEST(kept);
  CHECK_LIST(adds(to), {"add 0", "add 1"});
  BOOST_TEST(counts.refused == 5);
  BOOST_TEST(counts.blocked + counts.dropped_newest + counts.dropped_oldest == 0);
}

BOOST_AUTO_TEST_CASE(drop_newest_loses_casts_and_answers_calls) {
  recorder to;
  std::vector<errc> seen;
  smarm::overflow_counts counts;
  with_held(overflow::drop_newest, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    for (int i = 0; i < 4; ++i) {
      seen.push_back(error_of(server.cast(till::add{i})));
    }
    seen.push_back(error_of(server.call(till::total{})));
    counts = server.overflows();
    (void)gate.send(1);
    until([&] { return adds(to).size() == 2; });
  });
  const std::vector<errc> wanted = {{}, {}, {}, {}, errc::dropped};
  BOOST_TEST((seen == wanted));
  CHECK_LIST(adds(to), {"add 0", "add 1"});
  BOOST_TEST(counts.dropped_newest == 3);
}

BOOST_AUTO_TEST_CASE(drop_oldest_keeps_the_newest_and_answers_the_calls_that_make_room) {
  recorder to;
  errc first{}, second{};
  int total = 0;
  smarm::overflow_counts counts;
  with_held(overflow::drop_oldest, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    auto waiting = server.send_request(till::total{}).value();
    auto caller = smarm::spawn([&] { second = error_of(server.call(till::total{})); });
    until([&] { return parked(caller.id()); });
    for (int i = 0; i < 5; ++i) {
      (void)server.cast(till::add{i});
    }
    first = error_of(waiting.recv());
    (void)caller.join();
    counts = server.overflows();
    (void)gate.send(1);
    until([&] { return adds(to).size() == 2; });
    total = server.call(till::total{}).value();
  });
  BOOST_TEST((first == errc::dropped));
  BOOST_TEST((second == errc::dropped));
  CHECK_LIST(adds(to), {"add 3", "add 4"});
  BOOST_TEST(total == 7);
  BOOST_TEST(counts.dropped_oldest == 5);
}

BOOST_AUTO_TEST_CASE(block_lets_senders_in_in_the_order_in_which_they_came) {
  recorder to;
  smarm::overflow_counts counts;
  std::size_t most = 0;
  with_held(overflow::block, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    std::vector<smarm::join_handle> senders;
    for (int i = 0; i < 6; ++i) {
      senders.push_back(smarm::spawn([&server, i] { (void)server.cast(till::add{i}); }));
      const smarm::pid id = senders.back().id();
      if (i >= 2) {
        until([&] { return parked(id); });
      } else {
        (void)senders.back().join();
      }
    }
    auto looker = smarm::spawn([&] { most = sys::statistics(server).value().queued; });
    until([&] { return parked(looker.id()); });
    (void)gate.send(1);
    until([&] { return adds(to).size() == 6; });
    for (std::size_t i = 2; i < senders.size(); ++i) {
      (void)senders[i].join();
    }
    (void)looker.join();
    counts = server.overflows();
  });
  CHECK_LIST(adds(to), {"add 0", "add 1", "add 2", "add 3", "add 4", "add 5"});
  BOOST_TEST(counts.blocked == 4);
  BOOST_TEST(most == 2u);
}

// It has its name before its init runs, so that they reach it while it starts.
BOOST_AUTO_TEST_CASE(senders_fill_an_inbox_of_one_place_before_its_server_has_started) {
  struct slow : smarm::gen_server<slow> {
    struct note {
      int number;
    };
    struct sum {};
    slow(recorder& to, smarm::receiver<int>& gate) : to_(to), gate_(gate) {}
    void init() {
      to_.note("starts");
      (void)gate_.recv();
    }
    void handle_cast(note n) { to_.note("note " + std::to_string(n.number)); }
    int handle_call(sum) { return 1; }
    recorder& to_;
    smarm::receiver<int>& gate_;
  };
  static constexpr smarm::server_name<slow> the_name("slow to start");
  recorder to;
  std::vector<errc> sent;
  bool started = false, answered = false;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [open, gate] = smarm::channel<int>();
    auto starter = smarm::spawn([&, &gate = gate] {
      started =
          the_name
              .start(smarm::server_options{.inbox = {.capacity = 1, .when_full = overflow::block}},
                     std::ref(to), std::ref(gate))
              .has_value();
    });
    until([&] { return to.count("starts") == 1; });
    std::vector<smarm::join_handle> senders;
    for (int i = 0; i < 6; ++i) {
      senders.push_back(
          smarm::spawn([&, i] { sent.push_back(error_of(the_name.cast(slow::note{i}))); }));
      const smarm::pid id = senders.back().id();
      until([&] { return i == 0 ? !sent.empty() : parked(id); });
    }
    auto caller = smarm::spawn([&] { answered = the_name.call(slow::sum{}).value() == 1; });
    until([&] { return parked(caller.id()); });
    (void)open.send(1);
    (void)starter.join();
    (void)caller.join();
    for (auto& one : senders) {
      (void)one.join();
    }
  });
  BOOST_TEST(started);
  BOOST_TEST(answered);
  BOOST_TEST((sent == std::vector<errc>(6)));
  CHECK_LIST(to.all(), {"starts", "note 0", "note 1", "note 2", "note 3", "note 4", "note 5"});
}

BOOST_AUTO_TEST_CASE(who_waits_for_room_waits_no_longer_than_its_limit_and_answers_stops) {
  recorder to;
  std::vector<errc> seen;
  bool kept = false;
  with_held(overflow::block, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    (void)server.cast(till::add{0});
    (void)server.cast(till::add{1});
    seen.push_back(error_of(server.cast(till::add{2}, 1ms)));
    seen.push_back(error_of(server.call(till::total{}, 1ms)));
    seen.push_back(error_of(server.send_request(till::total{}, 1ms)));
    seen.push_back(error_of(server.try_cast(till::add{2})));
    auto [open, inner] = smarm::channel<int>();
    till::hold message{std::move(inner)};
    auto stopped = smarm::spawn([&] { (void)server.cast(std::move(message)); });
    until([&] { return parked(stopped.id()); });
    (void)smarm::request_stop(stopped.id());
    seen.push_back(stopped.join().kind() == smarm::exit_kind::stopped ? errc{} : errc::closed);
    (void)open.send(1);
    kept = message.gate.try_recv().has_value();
    (void)gate.send(1);
    until([&] { return adds(to).size() == 2; });
    (void)server.call(till::total{});
  });
  const std::vector<errc> wanted = {
      errc::timed_out, errc::timed_out, errc::timed_out, errc::queue_full, {}};
  BOOST_TEST((seen == wanted));
  BOOST_TEST(kept);
  CHECK_LIST(adds(to), {"add 0", "add 1"});
}

BOOST_AUTO_TEST_CASE(who_waits_for_room_hears_that_the_server_has_ended) {
  recorder to;
  std::vector<errc> seen(3);
  with_held(overflow::block, to, [&](const till_ref& server, smarm::sender<int>&) {
    (void)server.cast(till::add{0});
    (void)server.cast(till::add{1});
    std::vector<smarm::join_handle> all;
    all.push_back(smarm::spawn([&] { seen[0] = error_of(server.cast(till::add{2})); }));
    all.push_back(smarm::spawn([&] { seen[1] = error_of(server.call(till::total{})); }));
    all.push_back(smarm::spawn([&] { seen[2] = error_of(server.call(till::total{}, 1h)); }));
    for (auto& one : all) {
      until([&] { return parked(one.id()); });
    }
    (void)server.shutdown(smarm::exit_kind::shutdown, 1h);
    for (auto& one : all) {
      (void)one.join();
    }
  });
  for (const errc one : seen) {
    BOOST_TEST((one == errc::server_down));
  }
}

BOOST_AUTO_TEST_CASE(a_server_never_waits_for_room_in_its_own_inbox) {
  recorder to;
  std::vector<errc> seen;
  with_held(overflow::block, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    (void)server.cast(till::run{[&, server](till&) {
      for (int i = 0; i < 3; ++i) {
        seen.push_back(error_of(server.cast(till::add{i})));
      }
    }});
    (void)gate.send(1);
    until([&] { return adds(to).size() == 2; });
  });
  const std::vector<errc> wanted = {{}, {}, errc::queue_full};
  BOOST_TEST((seen == wanted));
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_nobody_waits_for_room) {
  recorder to;
  errc seen{};
  with_held(overflow::block, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    (void)server.cast(till::add{0});
    (void)server.cast(till::add{1});
    seen =
        smarm::this_actor::run_on_thread_stack([&] { return error_of(server.cast(till::add{2})); });
    (void)gate.send(1);
    until([&] { return adds(to).size() == 2; });
  });
  BOOST_TEST((seen == errc::would_block_scheduler));
}

BOOST_AUTO_TEST_CASE(downs_timers_and_looks_do_not_count_and_reach_a_full_server) {
  recorder to;
  std::string state;
  with_held(overflow::fail, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    auto worker = smarm::spawn([] { smarm::this_actor::sleep_for(1h); });
    (void)server.cast(till::watch_it{worker.id()});
    (void)server.cast(till::remind{1ns});
    (void)gate.send(1);
    until([&] { return to.count("timer") == 1; });
    (void)sys::suspend(server).value();
    (void)server.cast(till::add{1});
    (void)server.cast(till::add{2});
    (void)smarm::request_stop(worker.id());
    (void)worker.join();
    until([&] { return parked(server.id()); });
    state = sys::state(server).value();
    (void)sys::resume(server).value();
    until([&] { return adds(to).size() == 2; });
  });
  BOOST_TEST(state == "total 0");
  CHECK_LIST(to.all(),
             {"holds", "timer", "down", "add 1", "add 2", "terminate shutdown", "destroyed"});
}

BOOST_AUTO_TEST_CASE(a_full_server_whose_last_ref_goes_handles_what_is_queued) {
  recorder to;
  smarm::exit_kind kind{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = start_limited(to, 2, overflow::fail);
    auto ended = smarm::monitor(server.id());
    (void)server.cast(till::add{1});
    (void)server.cast(till::add{2});
    server = {};
    kind = ended.recv().value().reason.kind();
  });
  BOOST_TEST((kind == smarm::exit_kind::normal));
  CHECK_LIST(adds(to), {"add 1", "add 2"});
}

BOOST_AUTO_TEST_CASE(an_idle_limited_server_is_woken_by_each_kind_of_request) {
  recorder to;
  std::string seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = start_limited(to, 1, overflow::block);
    for (int i = 0; i < 3; ++i) {
      until([&] { return parked(server.id()); });
      (void)server.cast(till::add{1});
      until([&] { return parked(server.id()); });
      seen += std::to_string(server.call(till::total{}).value());
      until([&] { return parked(server.id()); });
      seen += sys::state(server).value() + ' ';
    }
    auto ended = smarm::monitor(server.id());
    until([&] { return parked(server.id()); });
    server = {};
    (void)ended.recv();
  });
  BOOST_TEST(seen == "1total 1 2total 2 3total 3 ");
}

BOOST_AUTO_TEST_CASE(statistics_show_the_limit_and_count_from_the_start) {
  recorder to;
  sys::server_statistics s;
  with_held(overflow::fail, to, [&](const till_ref& server, smarm::sender<int>& gate) {
    for (int i = 0; i < 3; ++i) {
      (void)server.cast(till::add{i});
    }
    auto looker = smarm::spawn([&] { s = sys::statistics(server).value(); });
    until([&] { return parked(looker.id()); });
    (void)gate.send(1);
    (void)looker.join();
  });
  BOOST_TEST(s.capacity == 2u);
  BOOST_TEST(s.queued == 2u);
  BOOST_TEST(s.overflows.refused == 1);
  BOOST_TEST(s.handled.casts == 1); // the one that held it, before anybody looked
}

BOOST_AUTO_TEST_CASE(a_limit_out_of_range_is_refused_and_none_is_none) {
  recorder to;
  std::string text;
  std::size_t capacity = 1;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    try {
      (void)start_limited(to, std::size_t{1} << 40, overflow::block);
    } catch (const boost::system::system_error& e) {
      text = e.code() == errc::invalid_config ? e.what() : "another error";
    }
    auto server = smarm::start_server<till>({.actor = {.label = "x"}, .inbox = {}}, std::ref(to));
    capacity = sys::statistics(server.value()).value().capacity;
  });
  BOOST_TEST(text.find("capacity is 1099511627776") != std::string::npos, text);
  BOOST_TEST(capacity == 0);
}

BOOST_AUTO_TEST_CASE(named_servers_and_plain_threads_have_limits_too) {
  recorder to;
  static constexpr smarm::server_name<till> name{"limited"};
  std::atomic<int> sent{0};
  int total = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto server = name.start({.inbox = {1, overflow::block}}, std::ref(to)).value();
    std::vector<std::thread> outside;
    for (int t = 0; t < 3; ++t) {
      outside.emplace_back([&, server] {
        for (int i = 0; i < 1000; ++i) {
          sent += server.cast(till::add{1}).has_value();
        }
      });
    }
    until([&] { return sent == 3000; });
    for (auto& t : outside) {
      t.join();
    }
    total = name.call(till::total{}).value();
    (void)name.try_cast(till::add{1});
    (void)name.cast(till::add{1}, 1h);
  });
  BOOST_TEST(total == 3000);
}

// Who asks makes the request known, and then knocks. A server that is awake may have served it between
// the two.
BOOST_AUTO_TEST_CASE(a_knock_that_comes_too_late_lets_the_server_sleep) {
  for (const bool with_timer : {false, true}) {
    for (const bool suspended : {false, true}) {
      recorder to;
      bool knocked = false;
      with_held(overflow::fail, to, [&](const till_ref& server, smarm::sender<int>& gate) {
        if (with_timer) {
          (void)server.cast(till::remind{1h});
        }
        (void)gate.send(1);
        if (suspended) {
          (void)sys::suspend(server);
        }
        (void)sys::with_state(server, [&](till&) {
          smarm::detail::registration nobody;
          auto& core = *smarm::detail::server_ref_access::core(server);
          knocked = core.control.load()->limit->knock(nobody);
        });
        until([&] { return parked(server.id()); });
      });
      BOOST_TEST(knocked);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
