// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Refs to a server at the edges of its life: those that it makes of itself, those that travel with the
// message that is sent through them, and those of a starter that is stopped.

#define BOOST_TEST_MODULE server_ref
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/gen_statem.hpp> // with which it must not matter that a ref is to an incomplete class
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

// Makes refs of itself, in handlers and in its terminate.
class introvert : public smarm::gen_server<introvert> {
public:
  struct look {};
  struct hand_out {
    smarm::server_ref<introvert>& to;
  };

  explicit introvert(recorder& to) : to_(to) {}
  ~introvert() { to_.note("destroyed"); }

  void handle_cast(look) { note_self(); }
  void handle_cast(hand_out h) { h.to = self(); }
  void terminate(const smarm::exit_reason&) { note_self(); }

private:
  void note_self() {
    const auto me = self();
    const auto again = self();
    const errc error = error_of(me.cast(look{}));
    to_.note(std::string(me.id() == smarm::this_actor::self() ? "itself" : "another") +
             (error == errc::server_down ? ", ended" : ""));
  }

  recorder& to_;
};

// Is sent refs to itself, by way of themselves.
class courier : public smarm::gen_server<courier> {
public:
  struct letter {
    smarm::server_ref<courier> through;
    int number = 0;
  };
  struct question {
    smarm::server_ref<courier> through;
    int number = 0;
  };
  struct hold {
    smarm::receiver<int> gate;
  };

  explicit courier(recorder& to) : to_(to) {}

  void handle_cast(const letter& l) { to_.note("letter " + std::to_string(l.number)); }
  int handle_call(const question& q) { return q.number; }
  void handle_cast(hold h) { (void)h.gate.recv(); }

private:
  recorder& to_;
};

constexpr char long_name[] = "a name that is longer than a short string";

class named : public smarm::gen_server<named> {
public:
  struct ping {};
  explicit named(recorder& to) { to.note("made"); }
  int handle_call(ping) { return 1; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(server_ref_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_server_has_refs_of_itself_after_all_others_are_gone) {
  recorder to;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<introvert>(std::ref(to)).value();
    auto ended = smarm::monitor(server.id());
    (void)server.cast(introvert::look{});
    (void)server.cast(introvert::look{});
    server = {};
    to.note(smarm::to_string(ended.recv().value().reason.kind()));
  });
  CHECK_LIST(to.all(), {"itself, ended", "itself, ended", "itself, ended", "destroyed", "normal"});
}

BOOST_AUTO_TEST_CASE(such_a_ref_may_outlive_the_server) {
  recorder to;
  smarm::server_ref<introvert> kept;
  smarm::pid id;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<introvert>(std::ref(to)).value();
    id = server.id();
    auto ended = smarm::monitor(id);
    (void)server.cast(introvert::hand_out{kept});
    server = {};
    (void)ended.recv();
  });
  BOOST_TEST((kept.id() == id));
  BOOST_TEST((error_of(kept.cast(introvert::look{})) == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_ref_that_is_kept_holds_no_slot) {
  recorder to;
  bool reused = false;
  errc after{};
  smarm::runtime rt({.schedulers = 1, .max_actors = 8});
  rt.run([&] {
    auto kept = smarm::start_server<introvert>(std::ref(to)).value();
    auto ended = smarm::monitor(kept.id());
    (void)smarm::request_shutdown(kept.id());
    (void)ended.recv();
    std::vector<smarm::join_handle> tenants;
    for (int i = 0; i < 6 && !reused; ++i) {
      tenants.push_back(smarm::spawn([] {}));
      reused = tenants.back().id().index() == kept.id().index();
    }
    after = error_of(kept.cast(introvert::look{})); // and does not reach the tenant
  });
  BOOST_TEST(reused);
  BOOST_TEST((after == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_ref_may_go_with_the_message_that_is_sent_through_it) {
  recorder to;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<courier>(std::ref(to)).value();
    courier::question asked{server, 7};
    courier::question later{server, 8};
    courier::letter told{std::move(server), 9};
    auto ended = smarm::monitor(told.through.id());
    to.note(std::to_string(asked.through.call(std::move(asked)).value()));
    auto answer = later.through.send_request(std::move(later)).value();
    to.note(told.through.cast(std::move(told)) ? "sent" : "not sent");
    to.note(std::to_string(answer.recv().value()));
    to.note(smarm::to_string(ended.recv().value().reason.kind()));
  });
  CHECK_LIST(to.all(), {"7", "sent", "letter 9", "8", "normal"});
}

BOOST_AUTO_TEST_CASE(a_message_with_the_last_ref_waits_for_room) {
  recorder to;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<courier>(
                      smarm::server_options{.inbox = {1, smarm::overflow::block}}, std::ref(to))
                      .value();
    auto ended = smarm::monitor(server.id());
    auto [open, gate] = smarm::channel<int>();
    (void)server.cast(courier::hold{std::move(gate)});
    until([&] { return parked(server.id()); });
    (void)server.cast(courier::letter{{}, 1});
    auto sender = smarm::spawn([&to, last = courier::letter{std::move(server), 2}]() mutable {
      to.note(last.through.cast(std::move(last)) ? "sent" : "not sent");
    });
    until([&] { return parked(sender.id()); });
    (void)open.send(0);
    (void)sender.join();
    (void)ended.recv();
  });
  BOOST_TEST(to.count("letter 1") == 1);
  BOOST_TEST(to.count("letter 2") == 1);
  BOOST_TEST(to.count("sent") == 1);
}

BOOST_AUTO_TEST_CASE(a_message_that_could_not_be_sent_has_its_ref_again) {
  recorder to;
  bool same = false;
  errc error{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto server = smarm::start_server<courier>(std::ref(to)).value();
    courier::letter told{server, 1};
    (void)server.shutdown(exit_kind::shutdown, 10s);
    error = error_of(told.through.cast(std::move(told)));
    same = told.through == server;
  });
  BOOST_TEST((error == errc::server_down));
  BOOST_TEST(same);
}

BOOST_AUTO_TEST_CASE(a_starter_that_is_stopped_at_once_leaves_nothing_under_the_name) {
  recorder to;
  errc error{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto starter = smarm::spawn([&to] {
      const auto gone = std::make_unique<std::string>(long_name);
      (void)smarm::request_stop(smarm::this_actor::self());
      (void)smarm::server_name<named>(*gone).start(std::ref(to));
      to.note("not stopped");
    });
    (void)starter.join();
    until([&] { return rt.stats().spawned == rt.stats().ended + 1; });
    error = error_of(smarm::server_name<named>(long_name).call(named::ping{}));
  });
  CHECK_LIST(to.all(), {});
  BOOST_TEST((error == errc::unresolved));
}

BOOST_AUTO_TEST_SUITE_END()
