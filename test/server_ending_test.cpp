// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's terminate against those who want it to end: stops are masked until the time that they
// give it is over.

#define BOOST_TEST_MODULE server_ending
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

// What its terminate does.
enum class last { waits, waits_masked, locks, computes, unwinds };

// Takes its time in terminate, until it gets a number.
class lingering : public smarm::gen_server<lingering> {
public:
  struct leave {};

  lingering(last how, smarm::receiver<int> gate, smarm::mutex& lock, recorder& to)
      : how_(how), gate_(std::move(gate)), lock_(lock), to_(to) {}
  ~lingering() { to_.note("destroyed"); }

  void handle_cast(leave) { stop(); }
  void terminate(const smarm::exit_reason& why) {
    to_.note(std::string("terminate ") + smarm::to_string(why.kind()));
    try {
      switch (how_) {
      case last::waits: to_.note("got " + std::to_string(gate_.recv().value())); break;
      case last::waits_masked: {
        const smarm::disable_stop to_the_end;
        to_.note("got " + std::to_string(gate_.recv().value()));
        break;
      }
      case last::locks: {
        const std::lock_guard locked(lock_);
        to_.note("locked");
        break;
      }
      case last::computes:
        while (!gate_.try_recv()) {
          smarm::this_actor::checkpoint();
          smarm::this_actor::yield();
        }
        break;
      case last::unwinds: {
        struct waits_in_destructor {
          lingering& me;
          ~waits_in_destructor() { me.to_.note("got " + std::to_string(me.gate_.recv().value())); }
        };
        const waits_in_destructor at_last{*this};
        throw 1;
      }
      }
    } catch (const smarm::stop_unwind&) {
      to_.note("stopped");
      throw;
    } catch (int) {
      to_.note("unwound");
    }
  }

private:
  last how_;
  smarm::receiver<int> gate_;
  smarm::mutex& lock_;
  recorder& to_;
};

struct scene {
  recorder seen;
  smarm::mutex lock;
  smarm::sender<int> gate;
  smarm::server_ref<lingering> server;
  smarm::monitor_ref ended;

  explicit scene(last how) {
    auto [to, from] = smarm::channel<int>();
    gate = std::move(to);
    server = smarm::start_server<lingering>(how, std::move(from), std::ref(lock), std::ref(seen))
                 .value();
    ended = smarm::monitor(server.id());
  }
  // Waits in its terminate.
  void await_terminate() const {
    while (seen.all().empty() || !parked(server.id())) {
      smarm::this_actor::yield();
    }
  }
  strings end() {
    seen.note(smarm::to_string(ended.recv().value().reason.kind()));
    return seen.all();
  }
};

// Its time is over before it has ended.
strings overdue(last how, exit_kind kind) {
  strings got;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    scene s(how);
    if (how == last::locks) {
      s.lock.lock();
    }
    const errc why = error_of(s.server.shutdown(kind, 1ms));
    s.seen.note(why == errc::timed_out ? "timed out" : "?");
    if (how == last::locks) {
      s.lock.unlock();
    } else if (how != last::waits && how != last::computes) {
      (void)s.gate.send(7);
    }
    got = s.end();
    std::erase(got, "timed out"); // at which of two moments is not said
  });
  return got;
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_ending, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_stop_does_not_end_the_waits_of_terminate) {
  strings got;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    scene s(last::waits);
    (void)s.server.cast(lingering::leave{});
    s.await_terminate();
    (void)smarm::request_stop(s.server.id()); // the first thing that it hears from outside
    smarm::this_actor::yield();
    (void)s.gate.send(7);
    got = s.end();
  });
  CHECK_LIST(got, {"terminate normal", "got 7", "destroyed", "normal"});
}

BOOST_AUTO_TEST_CASE(terminate_has_until_the_deadline) {
  strings got;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    scene s(last::waits);
    auto helper = smarm::spawn([&s] {
      s.await_terminate();
      (void)s.gate.send(7);
    });
    s.seen.note(s.server.shutdown(exit_kind::shutdown, 100s) ? "down" : "not down");
    (void)helper.join();
    got = s.end();
  });
  CHECK_LIST(got, {"terminate shutdown", "got 7", "destroyed", "down", "shutdown"});
}

BOOST_AUTO_TEST_CASE(after_the_deadline_the_waits_of_terminate_are_stopped) {
  CHECK_LIST(overdue(last::waits, exit_kind::shutdown),
             {"terminate shutdown", "stopped", "destroyed", "stopped"});
  CHECK_LIST(overdue(last::waits, exit_kind::stopped),
             {"terminate stopped", "stopped", "destroyed", "stopped"});
  CHECK_LIST(overdue(last::computes, exit_kind::shutdown),
             {"terminate shutdown", "stopped", "destroyed", "stopped"});
}

BOOST_AUTO_TEST_CASE(what_terminate_protects_from_stops_stays_protected) {
  CHECK_LIST(overdue(last::waits_masked, exit_kind::shutdown),
             {"terminate shutdown", "got 7", "destroyed", "stopped"});
  CHECK_LIST(overdue(last::locks, exit_kind::shutdown),
             {"terminate shutdown", "locked", "destroyed", "stopped"});
  CHECK_LIST(overdue(last::unwinds, exit_kind::shutdown),
             {"terminate shutdown", "got 7", "unwound", "destroyed", "stopped"});
}

BOOST_AUTO_TEST_CASE(who_shuts_down_and_then_stops_gives_terminate_no_more_time) {
  strings got;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    scene s(last::waits);
    (void)smarm::request_shutdown(s.server.id());
    s.await_terminate();
    (void)smarm::request_stop(s.server.id());
    got = s.end();
  });
  CHECK_LIST(got, {"terminate shutdown", "stopped", "destroyed", "stopped"});
}

BOOST_AUTO_TEST_CASE(a_shutdown_that_makes_no_sense_asks_nothing) {
  struct selfish : smarm::gen_server<selfish> {
    struct end_yourself {};
    errc handle_call(end_yourself) { return error_of(self().shutdown(exit_kind::shutdown, 1s)); }
  };
  errc wrong_kind{}, itself{}, in_scheduler_context{}, moved_from{errc::timed_out};
  smarm::run([&] {
    auto server = smarm::start_server<selfish>().value();
    wrong_kind = error_of(server.shutdown(exit_kind::failed, 1s));
    itself = server.call(selfish::end_yourself{}).value();
    smarm::this_actor::run_on_thread_stack(
        [&] { in_scheduler_context = error_of(server.shutdown(exit_kind::shutdown, 1s)); });
    itself = server.call(selfish::end_yourself{}).value(); // it lives
    auto moved = std::move(server);
    moved_from = error_of(server.shutdown(exit_kind::shutdown, 1s));
  });
  BOOST_TEST((wrong_kind == errc::invalid_config));
  BOOST_TEST((itself == errc::calling_self));
  BOOST_TEST((in_scheduler_context == errc::would_block_scheduler));
  BOOST_TEST((moved_from == errc{}));
}

BOOST_AUTO_TEST_SUITE_END()
