// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Every way to end a server, met in every callback: whom terminate is called for and with what, how
// the actor ends, what becomes of the calls, of the object, of the name and of whoever starts it.

#define BOOST_TEST_MODULE server_endings
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/link.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

enum class place {
  constructor,
  init,
  call,
  deferred_call,
  cast,
  info,
  down,
  timer,
  reply,
  work,
  idle,
  terminate,
  destructor,
};
constexpr const char* place_names[] = {
    "constructor", "init",  "call", "deferred call", "cast",      "info",      "down",
    "timer",       "reply", "work", "idle",          "terminate", "destructor"};

enum class ending {
  stop_normal,
  stop_shutdown,
  stop_stopped,
  stop_failed,
  throws_exception,
  throws_other,
  last_ref,
  request_stop,
  request_shutdown,
  linked_death,
  root_ends,
};
constexpr const char* ending_names[] = {"stop()",         "stop(shutdown)", "stop(stopped)",
                                        "stop(failed)",   "an exception",   "an int",
                                        "the last ref",   "request_stop",   "request_shutdown",
                                        "a linked death", "the root's end"};

constexpr errc not_told = static_cast<errc>(-2);

class subject;
struct scene {
  scene(ending e, place p) : how(e), where(p) {}

  const ending how;
  const place where;
  tokens gate;       // where the callback waits until it is to go on
  bool here = false; // it has come there
  smarm::pid actor;
  smarm::server_ref<subject> ref;
  errc started = not_told;
  strings told; // what terminate was called with
  int destroyed = 0;
  strings reports;
  bool name_is_free = true;
  std::optional<smarm::pending_reply<int>> own; // the call whose handler it happens in
  std::vector<boost::system::result<smarm::pending_reply<int>>> queued;
  smarm::monitor_ref ended;
  boost::system::result<smarm::down> heard{make_error_code(errc::empty)};
};

class subject : public smarm::gen_server<subject> {
public:
  struct ask {};
  struct ask_later {};
  struct echo {};
  struct tell {};
  struct set_up {};
  struct leave {};
  struct payload {};

  explicit subject(scene& s) : s_(s) {
    s_.actor = smarm::this_actor::self();
    s_.ref = self();
    act(place::constructor);
  }
  ~subject() {
    act(place::destructor);
    ++s_.destroyed;
  }
  void init() { act(place::init); }
  void terminate(const smarm::exit_reason& why) {
    s_.told.push_back(smarm::to_string(why.kind()));
    act(place::terminate);
  }
  int handle_call(ask) {
    act(place::call);
    return 1;
  }
  void handle_call(ask_later, smarm::reply_to<int> r) {
    kept_.push_back(std::move(r));
    act(place::deferred_call);
  }
  int handle_call(echo) { return 1; }
  void handle_cast(tell) { act(place::cast); }
  void handle_cast(leave) { stop(); }
  void handle_cast(set_up) {
    switch (s_.where) {
    case place::info: {
      auto [to, from] = smarm::channel<payload>();
      (void)to.send(payload{});
      receive_info(std::move(from));
      break;
    }
    case place::down: watch(smarm::spawn([] {}).id()); break;
    case place::timer: (void)arm_after(0ns, payload{}); break;
    case place::reply: expect(self().send_request(echo{}).value(), payload{}); break;
    case place::work: continue_with(payload{}); break;
    case place::idle: idle_after(1us); break;
    default: break;
    }
  }
  void handle_info(payload) { act(place::info); }
  void handle_down(const smarm::down&) { act(place::down); }
  void handle_timer(payload) { act(place::timer); }
  void handle_reply(payload, const boost::system::result<int>&) { act(place::reply); }
  void handle_continue(payload) { act(place::work); }
  void handle_idle() { act(place::idle); }

private:
  void act(place p) {
    if (p != s_.where || s_.here) {
      return;
    }
    s_.here = true;
    s_.gate.take();
    switch (s_.how) {
    case ending::stop_normal: stop(); break;
    case ending::stop_shutdown: stop(exit_kind::shutdown); break;
    case ending::stop_stopped: stop(exit_kind::stopped); break;
    case ending::stop_failed: stop(smarm::exit_reason::failed("said so")); break;
    case ending::throws_exception: throw std::runtime_error("told to");
    case ending::throws_other: throw 42;
    default: break;
    }
  }

  scene& s_;
  std::vector<smarm::reply_to<int>> kept_;
};

constexpr smarm::server_name<subject> the_subject{"subject"};

bool by_itself(ending e) { return e <= ending::throws_other; }
bool by_throwing(ending e) { return e == ending::throws_exception || e == ending::throws_other; }
bool stops_are_masked(place p) { return p >= place::terminate; }
bool starting(place p) { return p <= place::init; }

void bring_it_there(scene& s) {
  switch (s.where) {
  case place::call: s.own = s.ref.send_request(subject::ask{}).value(); break;
  case place::deferred_call: s.own = s.ref.send_request(subject::ask_later{}).value(); break;
  case place::cast: (void)s.ref.cast(subject::tell{}); break;
  case place::terminate:
  case place::destructor: (void)s.ref.cast(subject::leave{}); break;
  default: (void)s.ref.cast(subject::set_up{}); break;
  }
}

// What the root does.
void play(scene& s) {
  auto starter = smarm::spawn([&s] {
    // A name would keep it alive.
    const auto got = s.how == ending::last_ref ? smarm::start_server<subject>(std::ref(s))
                                               : the_subject.start(std::ref(s));
    s.started = error_of(got);
  });
  until([&] { return s.here || s.started != not_told; });
  if (!s.here) {
    bring_it_there(s);
    until([&] { return s.here; });
  }
  s.ended = smarm::monitor(s.actor);
  for (int i = 0; i < 5; ++i) {
    s.queued.push_back(s.ref.send_request(subject::echo{}));
  }
  switch (s.how) {
  case ending::last_ref:
    s.ref = {};
    (void)smarm::request_stop(starter.id());
    (void)starter.join();
    break;
  case ending::request_stop: (void)smarm::request_stop(s.actor); break;
  case ending::request_shutdown: (void)smarm::request_shutdown(s.actor); break;
  case ending::linked_death:
    (void)smarm::spawn([&s] {
      smarm::link(s.actor);
      throw 1;
    }).join();
    break;
  case ending::root_ends:
    if (stops_are_masked(s.where)) {
      (void)smarm::spawn([&s] {
        struct opens_at_its_end {
          tokens& gate;
          ~opens_at_its_end() { gate.give(); }
        } const opener{s.gate};
        smarm::this_actor::sleep_for(24h);
      });
      smarm::this_actor::yield();
    }
    return;
  default: break;
  }
  if (by_itself(s.how) || s.how == ending::last_ref || stops_are_masked(s.where)) {
    s.gate.give();
  }
  s.heard = s.ended.recv();
  s.name_is_free = !the_subject.whereis();
  if (starter.joinable()) {
    (void)starter.join();
  }
}

std::string in_words(const boost::system::result<int>& answer) {
  return answer ? "answered" : error_of(answer) == errc::server_down ? "server_down" : "?";
}

std::string seen(const scene& s, const strings& queued, const std::string& own,
                 const std::string& down) {
  std::string text = "terminate";
  for (const auto& each : s.told) {
    text += " " + each;
  }
  text += ", destroyed " + std::to_string(s.destroyed) + ", down " + down + ", report";
  for (const auto& each : s.reports) {
    text += " " + each;
  }
  text += ", queued";
  for (const auto& each : queued) {
    text += " " + each;
  }
  text += ", own " + own + ", start ";
  text += s.started == errc{}               ? "ok"
          : s.started == errc::start_failed ? "failed"
          : s.started == not_told           ? "not told"
                                            : "?";
  return text + (s.name_is_free ? "" : ", the name is taken");
}

std::string played(ending how, place where) {
  scene s(how, where);
  {
    smarm::runtime rt({.schedulers = 1, .reports = [&s](const smarm::report& r) {
                         if (r.actor == s.actor) {
                           s.reports.push_back(smarm::to_string(r.kind));
                         }
                       }});
    rt.run([&s] { play(s); });
  }
  // Whoever asked has been answered by now; nobody waits.
  strings queued;
  for (auto& each : s.queued) {
    queued.push_back(each ? in_words(each->try_recv()) : in_words(each.error()));
  }
  const std::string own = s.own ? in_words(s.own->try_recv()) : "-";
  const auto down = s.heard ? s.heard : s.ended.try_recv();
  s.ref = {};
  return seen(s, queued, own, down ? smarm::to_string(down->reason.kind()) : "not heard");
}

exit_kind reason_of(ending e) {
  switch (e) {
  case ending::stop_normal:
  case ending::last_ref: return exit_kind::normal;
  case ending::stop_shutdown:
  case ending::request_shutdown:
  case ending::root_ends: return exit_kind::shutdown;
  case ending::stop_stopped:
  case ending::request_stop:
  case ending::linked_death: return exit_kind::stopped;
  default: return exit_kind::failed;
  }
}

std::string expected(ending how, place where) {
  const bool masked = stops_are_masked(where);
  const bool raised = by_throwing(how) || (!by_itself(how) && how != ending::last_ref);
  scene s(how, where);
  // In terminate it is too late for another reason, but for a failure of terminate itself.
  const exit_kind told = masked ? exit_kind::normal : reason_of(how);
  const exit_kind down = masked && by_throwing(how) ? exit_kind::failed : told;
  if (where != place::constructor || !raised) { // else there is no object
    s.told.push_back(smarm::to_string(told));
    s.destroyed = 1;
  }
  if (down == exit_kind::failed || down == exit_kind::stopped) {
    s.reports.push_back(smarm::to_string(down == exit_kind::failed
                                             ? smarm::report_kind::actor_failed
                                             : smarm::report_kind::actor_stopped));
  }
  const bool handled = how == ending::last_ref && !masked;
  const strings queued(5, handled ? "answered" : "server_down");
  const std::string own = where == place::call            ? (raised ? "server_down" : "answered")
                          : where == place::deferred_call ? "server_down"
                                                          : "-";
  s.started = !starting(where)          ? errc{}
              : how == ending::last_ref ? not_told // who would be told was stopped
              : raised                  ? errc::start_failed
                                        : errc{};
  return seen(s, queued, own, smarm::to_string(down));
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_endings, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(every_ending_in_every_callback_is_told_to_all_whom_it_concerns) {
  int rows = 0;
  for (int e = 0; e <= static_cast<int>(ending::root_ends); ++e) {
    for (int p = 0; p <= static_cast<int>(place::destructor); ++p) {
      const auto how = static_cast<ending>(e);
      const auto where = static_cast<place>(p);
      if (where == place::destructor && by_throwing(how)) {
        continue; // what leaves a destructor ends the program
      }
      ++rows;
      std::string want = expected(how, where);
      std::string got = played(how, where);
      if (how == ending::root_ends && starting(where)) {
        // The starter is told to end just as the server is: it may hear of the failure or not.
        want.erase(want.find(", start"));
        got.erase(got.find(", start"));
      }
      BOOST_TEST(got == want, ending_names[e] << " in " << place_names[p] << "\n  is:        "
                                              << got << "\n  should be: " << want);
    }
  }
  BOOST_TEST(rows == 11 * 13 - 2);
}

BOOST_AUTO_TEST_SUITE_END()
