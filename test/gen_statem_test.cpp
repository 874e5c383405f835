// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine as an actor: what it is told, asked and answers, and when.

#define BOOST_TEST_MODULE gen_statem
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_name_in_runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/describe/enum.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

BOOST_DEFINE_ENUM_CLASS(power, off, on_now)

class lamp : public smarm::gen_statem<lamp, power> {
  using enum power;

public:
  struct flip {};
  struct flips {
    using reply = int;
  };
  struct enters {
    using reply = int;
  };
  struct boom {
    using reply = int;
  };
  using events = smarm::events<flip, flips, enters, boom>;

  smarm::to<on_now> on(smarm::in<off>, flip) {
    ++flips_;
    return {};
  }
  smarm::to<off> on(smarm::in<on_now>, flip) { return {}; }
  smarm::stay on(smarm::any_state, flips, smarm::reply_to<int> r) {
    r.reply(flips_);
    return {};
  }
  smarm::stay on(smarm::any_state, enters, smarm::reply_to<int> r) {
    r.reply(enters_);
    return {};
  }
  smarm::stay on(smarm::any_state, boom, smarm::reply_to<int>) { throw std::runtime_error("boom"); }
  void enter(smarm::any_state) { ++enters_; }

private:
  int flips_ = 0;
  int enters_ = 0;
};

// ---- one that is open or shut, and postpones what comes while it is shut

BOOST_DEFINE_ENUM_CLASS(hours, shut, open)

class desk : public smarm::gen_statem<desk, hours> {
  using enum hours;

public:
  struct opens {};
  struct closes {};
  struct ask {
    std::unique_ptr<int> number;
    using reply = std::string;
  };
  struct look {
    int number;
    using reply = int;
  };
  struct never {
    using reply = int;
  };
  struct letter {
    std::string text;
  };
  struct watch_it {
    smarm::pid who;
  };
  struct hear {
    smarm::receiver<letter> from;
  };
  struct log {
    using reply = strings;
  };
  struct hold {
    smarm::receiver<int> gate;
  };
  struct spoil {
    using reply = int;
  };
  struct leave {
    smarm::exit_reason why;
  };
  struct own_ref {
    using reply = smarm::server_ref<desk>;
  };
  using events = smarm::events<opens, closes, ask, look, never, letter, watch_it, hear, log, hold,
                               spoil, leave, own_ref, smarm::down>;

  smarm::to<open> on(smarm::any_state, opens) { return {}; }
  smarm::to<shut> on(smarm::any_state, closes) { return {}; }
  smarm::postponed on(smarm::in<shut>, ask, smarm::reply_to<std::string>);
  smarm::stay on(smarm::in<open>, ask q, smarm::reply_to<std::string> r) {
    note("ask " + std::to_string(*q.number));
    r.reply("answer " + std::to_string(*q.number));
    return {};
  }
  // It looks before it postpones.
  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::in<shut>, const look& l,
                                                 smarm::reply_to<int>& r) {
    if (l.number == 0) {
      r.reply(0);
      return smarm::keep;
    }
    note("postpones " + std::to_string(l.number));
    return smarm::postpone;
  }
  smarm::stay on(smarm::in<open>, look l, smarm::reply_to<int> r) {
    note("looks " + std::to_string(l.number));
    r.reply(l.number);
    return {};
  }
  smarm::ignored on(smarm::any_state, never, smarm::reply_to<int>);
  smarm::postponed on(smarm::in<shut>, letter);
  smarm::stay on(smarm::in<open>, const letter& l) {
    note("letter " + l.text);
    return {};
  }
  smarm::stay on(smarm::any_state, watch_it w) {
    watch(w.who);
    return {};
  }
  smarm::stay on(smarm::any_state, hear h) {
    receive_info(std::move(h.from));
    return {};
  }
  smarm::stay on(smarm::any_state, log, smarm::reply_to<strings> r) {
    r.reply(seen_);
    return {};
  }
  smarm::stay on(smarm::any_state, hold h) {
    (void)h.gate.recv();
    return {};
  }
  // Wrong: it gives the answer away and wants the call again.
  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::any_state, const spoil&,
                                                 smarm::reply_to<int>& r) {
    r.reply(1);
    return smarm::postpone;
  }
  smarm::stopped on(smarm::any_state, leave l) { return stop(std::move(l.why)); }
  smarm::stay on(smarm::any_state, own_ref, smarm::reply_to<smarm::server_ref<desk>> r) {
    r.reply(self());
    return {};
  }
  smarm::postponed on(smarm::in<shut>, smarm::down);
  smarm::stay on(smarm::in<open>, const smarm::down& d) {
    note(std::string("down ") + smarm::to_string(d.reason.kind()));
    return {};
  }

private:
  void note(std::string what) { seen_.push_back(std::move(what)); }
  strings seen_;
};

desk::ask question(int n) { return {std::make_unique<int>(n)}; }

constexpr smarm::server_name<desk> the_desk{"desk"};

} // namespace

BOOST_AUTO_TEST_CASE(casts_are_handled_in_order_before_a_later_call) {
  int flips = 0;
  smarm::runtime(quiet(1)).run([&] {
    const auto l = smarm::start_server<lamp>().value();
    (void)l.cast(lamp::flip{});
    (void)l.cast(lamp::flip{});
    flips = l.call(lamp::flips{}).value();
  });
  BOOST_TEST(flips == 1);
}

BOOST_AUTO_TEST_CASE(enter_is_called_at_the_start_and_at_each_change_but_not_where_it_stays) {
  std::vector<int> seen;
  smarm::runtime(quiet(1)).run([&] {
    const auto l = smarm::start_server<lamp>().value();
    seen.push_back(l.call(lamp::enters{}).value());
    (void)l.call(lamp::flips{});
    (void)l.call(lamp::flips{});
    seen.push_back(l.call(lamp::enters{}).value());
    (void)l.cast(lamp::flip{});
    seen.push_back(l.call(lamp::enters{}).value());
  });
  CHECK_LIST(seen, {1, 1, 2});
}

BOOST_AUTO_TEST_CASE(a_row_that_fails_ends_the_machine_and_its_caller_hears_so) {
  errc seen[2] = {};
  smarm::runtime(quiet(1)).run([&] {
    const auto l = smarm::start_server<lamp>().value();
    seen[0] = error_of(l.call(lamp::boom{}));
    seen[1] = error_of(l.call(lamp::flips{}));
  });
  BOOST_TEST((seen[0] == errc::server_down));
  BOOST_TEST((seen[1] == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_call_that_was_postponed_is_answered_from_a_later_state) {
  for (const unsigned schedulers : {1u, 2u}) {
    std::string answers[2];
    int looked[2] = {};
    strings log;
    smarm::runtime(quiet(schedulers)).run([&] {
      const auto d = smarm::start_server<desk>().value();
      auto first = d.send_request(question(1)).value();
      auto second = d.send_request(desk::look{2}).value();
      auto third = d.send_request(question(3), 1h).value();
      looked[0] = d.call(desk::look{0}).value(); // not postponed
      (void)d.cast(desk::letter{"4"});
      (void)d.cast(desk::opens{});
      answers[0] = first.recv().value();
      looked[1] = second.recv().value();
      answers[1] = third.recv().value();
      log = d.call(desk::log{}).value();
    });
    BOOST_TEST(answers[0] == "answer 1");
    BOOST_TEST(answers[1] == "answer 3");
    BOOST_TEST(looked[0] == 0);
    BOOST_TEST(looked[1] == 2);
    CHECK_LIST(log, {"postpones 2", "ask 1", "looks 2", "ask 3", "letter 4"});
  }
}

BOOST_AUTO_TEST_CASE(a_postponed_call_whose_time_has_passed_is_skipped) {
  errc error{};
  strings log;
  std::uint64_t expired = 0;
  smarm::runtime(quiet(1)).run([&] {
    const auto d = smarm::start_server<desk>().value();
    error = error_of(d.call(question(1), 1us));
    smarm::this_actor::sleep_for(1us);
    (void)d.cast(desk::opens{});
    log = d.call(desk::log{}).value();
    expired = d.expired_requests();
  });
  BOOST_TEST((error == errc::timed_out));
  CHECK_LIST(log, {});
  BOOST_TEST(expired == 1u);
}

BOOST_AUTO_TEST_CASE(who_waits_for_what_a_machine_never_answers_hears_of_its_end) {
  errc ignored{};
  errc postponed{};
  smarm::runtime(quiet(1)).run([&] {
    auto d = smarm::start_server<desk>().value();
    ignored = error_of(d.call(desk::never{}));
    auto asked = d.send_request(question(1)).value();
    d = {}; // the last ref
    postponed = error_of(asked.recv());
  });
  BOOST_TEST((ignored == errc::server_down));
  BOOST_TEST((postponed == errc::server_down));
}

BOOST_AUTO_TEST_CASE(a_row_that_uses_up_what_it_postpones_is_told_so) {
  int answer = 0;
  smarm::exit_reason why;
  smarm::runtime(quiet(1)).run([&] {
    const auto d = smarm::start_server<desk>().value();
    auto end = smarm::monitor(d.id());
    answer = d.call(desk::spoil{}).value(); // what it has given it has given
    why = end.recv().value().reason;
  });
  BOOST_TEST(answer == 1);
  BOOST_TEST((why.kind() == exit_kind::failed));
  BOOST_TEST(why.text().find("postpones a call whose reply_to") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(downs_and_messages_of_channels_are_events_and_may_be_postponed) {
  strings log;
  smarm::runtime(quiet(1)).run([&] {
    const auto d = smarm::start_server<desk>().value();
    auto [to, from] = smarm::channel<desk::letter>();
    (void)d.cast(desk::hear{std::move(from)});
    auto h = smarm::spawn([] {});
    (void)d.cast(desk::watch_it{h.id()});
    (void)h.join();
    (void)to.send(desk::letter{"one"});
    until([&] { return parked(d.id()); });
    (void)d.cast(desk::opens{});
    (void)to.send(desk::letter{"two"});
    until([&] { return parked(d.id()); });
    log = d.call(desk::log{}).value();
  });
  // Whichever of the first two came first: downs before infos only if both were there.
  BOOST_TEST(log.size() == 3u);
  BOOST_TEST(log.back() == "letter two");
}

BOOST_AUTO_TEST_CASE(downs_come_before_infos_and_those_before_the_inbox) {
  strings log;
  smarm::runtime(quiet(1)).run([&] {
    const auto d = smarm::start_server<desk>().value();
    auto [to, from] = smarm::channel<desk::letter>();
    auto [open_gate, gate] = smarm::channel<int>();
    (void)d.cast(desk::opens{});
    (void)d.cast(desk::hear{std::move(from)});
    auto [end, ends] = smarm::channel<int>();
    auto h = smarm::spawn([ends = std::move(ends)]() mutable { (void)ends.recv(); });
    (void)d.cast(desk::watch_it{h.id()});
    (void)d.cast(desk::hold{std::move(gate)});
    (void)d.cast(desk::letter{"inbox"});
    until([&] { return parked(d.id()) && parked(h.id()); });
    (void)to.send(desk::letter{"info"});
    (void)end.send(1);
    (void)h.join();
    (void)open_gate.send(1);
    log = d.call(desk::log{}).value();
  });
  CHECK_LIST(log, {"down normal", "letter info", "letter inbox"});
}

BOOST_AUTO_TEST_CASE(a_machine_has_a_name_and_a_ref_of_its_own) {
  errc taken{};
  errc refused{};
  std::string answer;
  bool same = false;
  smarm::runtime(quiet(1)).run([&] {
    const auto d = the_desk.start().value();
    taken = error_of(the_desk.start());
    (void)the_desk.cast(desk::opens{});
    answer = the_desk.call(question(5)).value();
    same = the_desk.call(desk::own_ref{}).value() == d;
    (void)the_desk.shutdown(exit_kind::shutdown, 1h);
    refused = error_of(the_desk.call(question(6)));
  });
  BOOST_TEST((taken == errc::name_taken));
  BOOST_TEST(answer == "answer 5");
  BOOST_TEST(same);
  BOOST_TEST((refused == errc::unresolved));
}

BOOST_AUTO_TEST_CASE(plain_threads_call_a_machine) {
  std::string answer;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const auto d = smarm::start_server<desk>().value();
    auto [to, done] = smarm::channel<int>();
    std::thread outside([&, d, to = std::move(to)] {
      auto asked = d.send_request(question(1)).value();
      (void)d.cast(desk::opens{});
      answer = asked.recv().value();
      (void)to.send(1);
    });
    (void)done.recv();
    outside.join();
  });
  BOOST_TEST(answer == "answer 1");
}

BOOST_AUTO_TEST_CASE(an_event_that_a_machine_cannot_get_stays_with_its_sender) {
  std::string left;
  int still = 0;
  smarm::runtime(quiet(1)).run([&] {
    auto d = smarm::start_server<desk>().value();
    (void)d.shutdown(exit_kind::shutdown, 1h);
    desk::letter l{"a text that is too long to be kept in place"};
    if (!d.cast(std::move(l))) {
      left = l.text; // NOLINT: it was not sent
    }
    desk::ask q = question(9);
    if (!d.send_request(std::move(q))) {
      still = *q.number; // NOLINT
    }
  });
  BOOST_TEST(left == "a text that is too long to be kept in place");
  BOOST_TEST(still == 9);
}
