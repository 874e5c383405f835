// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine is stopped one step later in each round: while it starts, while a row, an enter or an exit
// waits, with events told, postponed and timed. Wherever that meets it, every event and every answer
// goes, and nobody waits for ever.

#define BOOST_TEST_MODULE statem_stopped_anywhere
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"

#include <smarm/gen_statem.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/describe/enum.hpp>

#include <set>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

constexpr int steps = 120; // more than a way through everything takes

void yield_times(int n) {
  for (; n > 0; --n) {
    smarm::this_actor::yield();
  }
}

struct counted {
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
  static inline int alive = 0;
};

BOOST_DEFINE_ENUM_CLASS(where, left, right)

class pendulum : public smarm::gen_statem<pendulum, where> {
  using enum where;

public:
  struct swing {
    counted c;
  };
  struct told {
    counted c;
  };
  struct timed {
    counted c;
  };
  struct ask_right {
    counted c;
    using reply = counted;
  };
  struct ask_looking {
    counted c;
    using reply = counted;
  };
  using events = smarm::events<swing, told, timed, ask_right, ask_looking, smarm::down>;
  using state_data =
      smarm::state_data<smarm::data_in<left, counted>, smarm::data_in<right, counted>>;

  explicit pendulum(int& way) : way_(way) {}

  void init() {
    reached();
    next_event(told{});
  }
  void enter(smarm::any_state) {
    reached();
    state_timeout(1us, timed{});
    event_timeout(1us, timed{});
    timeout("a name that is longer than what a string holds inside", 0ns, timed{});
    reached();
  }
  void exit(smarm::any_state) { reached(); }
  void terminate(const smarm::exit_reason&) { yield_times(1); }

  smarm::to<right> on(smarm::in<left>, const swing&) {
    reached();
    next_event(told{});
    prepare(smarm::in<right>());
    reached();
    auto helper = smarm::spawn([] { smarm::this_actor::yield(); });
    watch(helper.id());
    (void)helper.join();
    reached();
    return {};
  }
  smarm::to<left> on(smarm::in<right>, const swing&) {
    reached();
    return {};
  }
  smarm::stay on(smarm::any_state, const told&) {
    reached();
    return {};
  }
  smarm::stay on(smarm::any_state, const timed&) {
    reached();
    return {};
  }
  smarm::postponed on(smarm::in<left>, ask_right, smarm::reply_to<counted>);
  smarm::stay on(smarm::in<right>, ask_right q, smarm::reply_to<counted> r) {
    reached();
    r.reply(q.c);
    return {};
  }
  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::any_state, const ask_looking& q,
                                                 smarm::reply_to<counted>& r) {
    reached();
    if (state() == left) {
      return smarm::postpone;
    }
    r.reply(q.c);
    return smarm::keep;
  }
  smarm::postponed on(smarm::in<left>, smarm::down);
  smarm::stay on(smarm::in<right>, smarm::down) { return {}; }

private:
  void reached() {
    ++way_;
    smarm::this_actor::yield();
  }
  int& way_;
};

constexpr smarm::server_name<pendulum> the_pendulum{"pendulum"};

} // namespace

BOOST_AUTO_TEST_SUITE(statem_stopped_anywhere, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_machine_ends_in_whatever_its_callbacks_wait_for) {
  int whole = 0;
  std::set<int> ways;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < steps; ++step) {
      int way = 0;
      errc got[2] = {};
      {
        auto p = smarm::start_server<pendulum>(std::ref(way)).value();
        auto gone = smarm::monitor(p.id());
        const auto client = [&](auto request, errc& answer) {
          return smarm::spawn([&answer, p, request] {
            while (answer == errc{}) {
              answer = error_of(p.call(request));
            }
          });
        };
        auto first = client(pendulum::ask_right{}, got[0]);
        auto second = client(pendulum::ask_looking{}, got[1]);
        auto swinger = smarm::spawn([p] {
          while (p.cast(pendulum::swing{})) {
            yield_times(4);
          }
        });
        yield_times(step);
        (void)smarm::request_stop(p.id());
        const exit_kind how = gone.recv().value().reason.kind();
        (void)first.join();
        (void)second.join();
        (void)swinger.join();
        whole +=
            how == exit_kind::stopped && got[0] == errc::server_down && got[1] == errc::server_down;
      }
      whole -= counted::alive != 0;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == steps);
  BOOST_TEST(ways.size() >= 20u);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_stopped_while_it_starts_leaves_nothing) {
  int whole = 0;
  std::set<int> ways;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < 20; ++step) {
      int way = 0;
      errc got{};
      auto starter = smarm::spawn([&] { got = error_of(the_pendulum.start(std::ref(way))); });
      yield_times(step);
      if (const auto who = smarm::whereis("pendulum")) {
        (void)smarm::request_stop(*who);
      } else {
        (void)smarm::request_stop(starter.id());
      }
      (void)starter.join();
      // One that has its name lives on without its starter.
      until([] {
        if (const auto who = smarm::whereis("pendulum")) {
          (void)smarm::request_stop(*who);
          return false;
        }
        return counted::alive == 0;
      });
      ++whole;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == 20);
  BOOST_TEST(ways.size() >= 3u);
}

BOOST_AUTO_TEST_SUITE_END()
