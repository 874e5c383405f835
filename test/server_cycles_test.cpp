// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who calls whom: oneself, each other in a circle, from the last callbacks of a life, from other
// runtimes and from plain threads.

#define BOOST_TEST_MODULE server_cycles
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

// Passes a call on to the next one.
class link : public smarm::gen_server<link> {
public:
  struct go {
    int further; // how many more servers it is to go through
  };
  struct go_for {
    int further;
    std::chrono::milliseconds limit;
  };
  struct join {
    smarm::server_ref<link> to;
  };

  void handle_cast(join j) { next_ = std::move(j.to); }
  errc handle_call(go g) { return g.further == 0 ? errc{} : passed(next_.call(go{g.further - 1})); }
  errc handle_call(go_for g) {
    return g.further == 0 ? errc{} : passed(next_.call(go_for{g.further - 1, g.limit}, g.limit));
  }

private:
  static errc passed(const boost::system::result<errc>& got) { return got ? *got : error_of(got); }
  smarm::server_ref<link> next_;
};

std::vector<smarm::server_ref<link>> circle(std::size_t n) {
  std::vector<smarm::server_ref<link>> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.push_back(smarm::start_server<link>().value());
  }
  for (std::size_t i = 0; i < n; ++i) {
    (void)all[i].cast(link::join{all[(i + 1) % n]});
  }
  return all;
}

// Refs in a circle keep the servers alive.
void end_all(const std::vector<smarm::server_ref<link>>& all) {
  for (const auto& each : all) {
    (void)each.shutdown(exit_kind::shutdown, 1h);
  }
}

class echo : public smarm::gen_server<echo> {
public:
  struct ask {
    int what;
  };
  struct wait {
    smarm::receiver<int> gate;
  };
  int handle_call(ask a) { return a.what; }
  int handle_call(wait w) { return w.gate.recv().value(); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_cycles, *boost::unit_test::timeout(120))

// ---- oneself

BOOST_AUTO_TEST_CASE(a_call_to_oneself_is_refused_in_every_form_and_a_cast_is_not) {
  struct selfish : smarm::gen_server<selfish> {
    struct go {};
    struct note {};
    explicit selfish(recorder& to) : to_(to) {}
    void try_all(const char* where) {
      const smarm::server_ref<selfish> me = self();
      const bool refused =
          error_of(me.call(go{})) == errc::calling_self &&
          error_of(me.call(go{}, 1h)) == errc::calling_self &&
          error_of(me.call(go{}, std::chrono::steady_clock::now())) == errc::calling_self;
      to_.note(std::string(where) + (refused ? " refused" : " ?"));
    }
    void init() { try_all("init"); }
    void handle_call(go) {
      try_all("call");
      (void)self().cast(note{});
      expect(self().send_request(go_on{}).value(), note{});
    }
    struct go_on {};
    int handle_call(go_on) { return 1; }
    void handle_cast(note) { to_.note("cast"); }
    void handle_reply(note, const boost::system::result<int>& got) {
      to_.note(got ? "answered" : "not answered");
      stop();
    }
    void terminate(const smarm::exit_reason&) { try_all("terminate"); }
    ~selfish() { try_all("destructor"); }
    recorder& to_;
  };
  recorder seen;
  smarm::run([&] {
    auto s = smarm::start_server<selfish>(std::ref(seen)).value();
    auto ended = smarm::monitor(s.id());
    s.call(selfish::go{}).value();
    (void)ended.recv();
  });
  CHECK_LIST(seen.all(), {"init refused", "call refused", "cast", "answered", "terminate refused",
                          "destructor refused"});
}

// The last refs may have gone when a handler makes a new one: it is a ref to a server that ends.
BOOST_AUTO_TEST_CASE(a_server_without_refs_may_still_give_itself_out) {
  struct last : smarm::gen_server<last> {
    struct go {
      smarm::receiver<int> gate;
    };
    explicit last(std::vector<errc>& got) : got_(got) {}
    void use_self() {
      const auto me = self();
      const auto another = me;
      got_.push_back(error_of(another.cast(go{})));
      got_.push_back(me.id() == smarm::this_actor::self() ? errc{} : errc::no_process);
    }
    void handle_cast(go g) {
      (void)g.gate.recv();
      use_self();
      use_self();
      kept_ = self();
    }
    void terminate(const smarm::exit_reason&) { use_self(); }
    ~last() { use_self(); }
    std::vector<errc>& got_;
    smarm::server_ref<last> kept_;
  };
  std::vector<errc> got;
  exit_kind how{};
  smarm::run([&] {
    auto [to, from] = smarm::channel<int>();
    auto s = smarm::start_server<last>(std::ref(got)).value();
    auto ended = smarm::monitor(s.id());
    (void)s.cast(last::go{std::move(from)});
    s = {};
    (void)to.send(1);
    how = ended.recv().value().reason.kind();
  });
  BOOST_TEST((how == exit_kind::normal));
  BOOST_TEST((got == std::vector<errc>{errc::server_down,
                                       {},
                                       errc::server_down,
                                       {},
                                       errc::server_down,
                                       {},
                                       errc::server_down,
                                       {}}));
}

// ---- circles

BOOST_AUTO_TEST_CASE(calls_in_a_circle_end_by_a_deadline_and_the_servers_go_on) {
  std::vector<errc> first;
  std::vector<errc> then;
  smarm::run([&] {
    for (const std::size_t n : {2U, 3U, 5U}) {
      auto all = circle(n);
      first.push_back(all[0].call(link::go_for{1000, 2ms}).value());
      for (const auto& each : all) {
        then.push_back(each.call(link::go{1}).value());
      }
      end_all(all);
    }
  });
  BOOST_TEST((first == std::vector<errc>(3, errc::timed_out)));
  BOOST_TEST((then == std::vector<errc>(2 + 3 + 5, errc{})));
}

BOOST_AUTO_TEST_CASE(calls_in_a_circle_without_a_deadline_end_by_a_stop_of_any_of_them) {
  int whole = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const std::size_t n : {2U, 3U}) {
      for (std::size_t victim = 0; victim < n; ++victim) {
        auto all = circle(n);
        auto call = all[0].send_request(link::go{1000}).value();
        for (const auto& each : all) {
          until([&] { return parked(each.id()); });
        }
        const bool stuck = !call.ready();
        (void)all[victim].shutdown(exit_kind::stopped, 1h);
        const auto got = call.recv();
        // Whoever called the victim was told; who is left answers.
        bool others = true;
        for (std::size_t i = 0; i < n; ++i) {
          others = others && (i == victim ? error_of(all[i].call(link::go{0})) == errc::server_down
                                          : all[i].call(link::go{0}).has_value());
        }
        whole += stuck && others &&
                 (victim == 0 ? error_of(got) == errc::server_down : *got == errc::server_down);
        end_all(all);
      }
    }
  });
  BOOST_TEST(whole == 2 + 3);
}

BOOST_AUTO_TEST_CASE(a_circle_that_nobody_stops_ends_with_the_root) {
  std::vector<smarm::pending_reply<errc>> calls;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto all = circle(2);
    calls.push_back(all[0].send_request(link::go{1000}).value());
    for (const auto& each : all) {
      until([&] { return parked(each.id()); });
    }
  });
  BOOST_TEST((error_of(calls[0].try_recv()) == errc::server_down));
}

// ---- the last callbacks of a life

BOOST_AUTO_TEST_CASE(terminate_and_destructors_may_call_other_servers) {
  struct caller : smarm::gen_server<caller> {
    struct leave {};
    // Calls when it goes: with the state, with a message, with a callback's locals.
    struct calls_at_its_end {
      smarm::server_ref<echo> to;
      std::vector<int>* got;
      int what;
      calls_at_its_end(smarm::server_ref<echo> e, std::vector<int>& g, int w)
          : to(std::move(e)), got(&g), what(w) {}
      calls_at_its_end(calls_at_its_end&& other) noexcept
          : to(std::move(other.to)), got(std::exchange(other.got, nullptr)), what(other.what) {}
      ~calls_at_its_end() {
        if (got != nullptr) {
          got->push_back(to.call(echo::ask{what}, 1h).value());
        }
      }
    };
    struct carry {
      calls_at_its_end end;
    };
    caller(smarm::server_ref<echo> e, std::vector<int>& g) : to_(e), got_(g), end_(e, g, 5) {}
    void handle_cast(const carry&) { const calls_at_its_end local(to_, got_, 1); }
    void handle_cast(leave) {
      const calls_at_its_end local(to_, got_, 3);
      throw 1;
    }
    void terminate(const smarm::exit_reason&) {
      got_.push_back(to_.call(echo::ask{4}, 1h).value());
    }
    smarm::server_ref<echo> to_;
    std::vector<int>& got_;
    calls_at_its_end end_;
  };
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto e = smarm::start_server<echo>().value();
    auto c = smarm::start_server<caller>(e, std::ref(got)).value();
    auto ended = smarm::monitor(c.id());
    (void)c.cast(caller::carry{{e, got, 2}});
    (void)c.cast(caller::leave{});
    (void)c.cast(caller::carry{{e, got, 6}}); // refused, and destroyed by the server
    (void)ended.recv();
  });
  CHECK_LIST(got, {1, 2, 3, 6, 4, 5});
}

// Its calls are refused before its terminate runs: a server that calls it back then is not stuck.
BOOST_AUTO_TEST_CASE(two_servers_that_call_each_other_in_terminate_both_end) {
  struct partner : smarm::gen_server<partner> {
    struct join {
      smarm::server_ref<partner> to;
    };
    struct ask {};
    explicit partner(std::vector<errc>& got) : got_(got) {}
    void handle_cast(join j) { other_ = std::move(j.to); }
    void handle_call(ask) { (void)other_.call(ask{}); }
    void terminate(const smarm::exit_reason&) { got_.push_back(error_of(other_.call(ask{}))); }
    std::vector<errc>& got_;
    smarm::server_ref<partner> other_;
  };
  std::vector<errc> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto a = smarm::start_server<partner>(std::ref(got)).value();
    auto b = smarm::start_server<partner>(std::ref(got)).value();
    (void)a.cast(partner::join{b});
    (void)b.cast(partner::join{a});
    until([&] { return parked(a.id()) && parked(b.id()); });
    (void)a.shutdown(exit_kind::shutdown, 1h);
    (void)b.shutdown(exit_kind::shutdown, 1h);
  });
  // The first one's call is handled: that handler's call back finds the first one refusing.
  BOOST_TEST((got == std::vector<errc>{errc{}, errc::server_down}));
}

// ---- callers that go

BOOST_AUTO_TEST_CASE(a_caller_that_is_stopped_leaves_its_request_to_the_server) {
  int abandoned = -1;
  bool answers = false;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    struct watching : smarm::gen_server<watching> {
      struct ask {
        smarm::receiver<int> gate;
      };
      struct seen {};
      void handle_call(ask a, smarm::reply_to<int> r) {
        (void)a.gate.recv();
        abandoned_ = r.abandoned();
        r.reply(1);
      }
      int handle_call(seen) const { return abandoned_; }
      int abandoned_ = -1;
    };
    auto s = smarm::start_server<watching>().value();
    auto [to, from] = smarm::channel<int>();
    auto caller = smarm::spawn(
        [s, gate = std::move(from)]() mutable { (void)s.call(watching::ask{std::move(gate)}); });
    until([&] { return parked(caller.id()) && parked(s.id()); });
    (void)smarm::request_stop(caller.id());
    (void)caller.join();
    (void)to.send(1);
    abandoned = s.call(watching::seen{}).value();
    answers = true;
  });
  BOOST_TEST(abandoned == 1);
  BOOST_TEST(answers);
}

// ---- other runtimes and plain threads

// Pids are numbers of one runtime: the server's may be the caller's own in another one.
BOOST_AUTO_TEST_CASE(servers_are_called_from_another_runtime) {
  std::vector<int> got;
  smarm::server_ref<echo> shared;
  std::atomic<bool> there{false};
  std::atomic<bool> done{false};
  std::thread other([&] {
    smarm::runtime rt({.schedulers = 1});
    rt.run([&] {
      for (int i = 0; i < 5000; ++i) { // a place that has had many actors
        (void)smarm::spawn([] {}).join();
      }
      shared = smarm::start_server<echo>().value();
      there = true;
      while (!done) {
        smarm::this_actor::sleep_for(1ms);
      }
    });
  });
  while (!there) {
    std::this_thread::yield();
  }
  smarm::runtime here({.schedulers = 1});
  bool same_pid = false;
  here.run([&] {
    const auto ask = [&] {
      const auto note = [&](const boost::system::result<int>& r) { got.push_back(r ? *r : -1); };
      note(shared.call(echo::ask{1}));
      note(shared.call(echo::ask{2}, 1h));
      auto p = shared.send_request(echo::ask{3}).value();
      note(p.recv());
    };
    ask();
    // Until there is an actor of the server's pid.
    for (int i = 0; i < 20'000 && !same_pid; ++i) {
      (void)smarm::spawn([&] {
        if (smarm::this_actor::self() == shared.id()) {
          same_pid = true;
          ask();
        }
      }).join();
    }
  });
  shared = {};
  done = true;
  other.join();
  BOOST_TEST(same_pid);
  CHECK_LIST(got, {1, 2, 3, 1, 2, 3});
}

BOOST_AUTO_TEST_CASE(plain_threads_call_cast_and_let_go) {
  std::vector<int> got;
  smarm::runtime rt({.schedulers = 1});
  smarm::server_ref<echo> kept;
  rt.run([&] {
    auto s = smarm::start_server<echo>().value();
    kept = s;
    std::atomic<bool> done{false};
    auto [to, from] = smarm::channel<int>();
    std::thread other([&, s, gate = std::move(from), open = std::move(to)]() mutable {
      got.push_back(s.call(echo::ask{1}).value());
      got.push_back(s.call(echo::ask{2}, 1h).value());
      auto waits = s.send_request(echo::wait{std::move(gate)}).value();
      { auto dropped = s.send_request(echo::ask{3}).value(); }
      got.push_back(error_of(s.call(echo::ask{4}, 1ms)) == errc::timed_out);
      got.push_back(error_of(waits.recv_for(1ms)) == errc::timed_out);
      (void)open.send(5);
      got.push_back(waits.recv().value());
      s = {};
      done = true;
    });
    while (!done) {
      smarm::this_actor::sleep_for(1ms);
    }
    other.join();
  });
  // The server has ended with its runtime; the ref says so.
  got.push_back(error_of(kept.call(echo::ask{6})) == errc::server_down);
  got.push_back(error_of(kept.call(echo::ask{6}, 1h)) == errc::server_down);
  got.push_back(error_of(kept.send_request(echo::ask{6})) == errc::server_down);
  CHECK_LIST(got, {1, 2, 1, 1, 5, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_ref_that_was_moved_from_behaves_as_if_the_server_had_ended) {
  std::vector<errc> got;
  smarm::run([&] {
    auto s = smarm::start_server<echo>().value();
    auto taken = std::move(s);
    got.push_back(error_of(s.call(echo::ask{1})));
    got.push_back(error_of(s.call(echo::ask{1}, 1h)));
    got.push_back(error_of(s.send_request(echo::ask{1})));
    got.push_back(taken.call(echo::ask{1}) ? errc{} : errc::server_down);
  });
  BOOST_TEST(
      (got == std::vector<errc>{errc::server_down, errc::server_down, errc::server_down, {}}));
}

BOOST_AUTO_TEST_SUITE_END()
