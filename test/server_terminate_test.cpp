// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What terminate may do, and what comes of it.

#define BOOST_TEST_MODULE server_terminate
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/actor_local.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/monitor.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
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

// Does in terminate what it is told to.
class last_words : public smarm::gen_server<last_words> {
public:
  using what = std::function<void(last_words&, const smarm::exit_reason&)>;
  struct leave {
    smarm::exit_reason why;
  };
  struct fail {};
  struct payload {};

  explicit last_words(what w) : what_(std::move(w)) {}
  void handle_cast(leave l) { stop(std::move(l.why)); }
  void handle_cast(fail) { throw std::runtime_error("in a handler"); }
  void terminate(const smarm::exit_reason& why) { what_(*this, why); }
  void handle_timer(payload) { ++handled; }
  void handle_continue(payload) { ++handled; }
  void handle_info(payload) { ++handled; }
  void handle_down(const smarm::down&) { ++handled; }
  void handle_idle() { ++handled; }

  void set_up_everything() {
    (void)arm_after(0ns, payload{});
    (void)tick_every(1ns, payload{});
    continue_with(payload{});
    idle_after(1ns);
    watch(smarm::pid(1'000'000, 1));
    auto [to, from] = smarm::channel<payload>();
    (void)to.send(payload{});
    receive_info(std::move(from));
    stop(exit_kind::stopped);
  }

  static inline int handled = 0;

private:
  what what_;
};

using ref = smarm::server_ref<last_words>;

// How a server ended that `end` has ended.
smarm::exit_reason ended_by(void (*end)(ref&), last_words::what w) {
  smarm::exit_reason how;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto s = smarm::start_server<last_words>(std::move(w)).value();
    auto ended = smarm::monitor(s.id());
    smarm::this_actor::yield();
    end(s);
    how = ended.recv().value().reason;
  });
  return how;
}

constexpr void (*clean_or_stopped[])(ref&) = {
    [](ref& s) { (void)s.cast(last_words::leave{exit_kind::normal}); },
    [](ref& s) { (void)s.cast(last_words::leave{exit_kind::shutdown}); },
    [](ref& s) { (void)s.cast(last_words::leave{exit_kind::stopped}); },
    [](ref& s) { s = {}; },
    [](ref& s) { (void)smarm::request_stop(s.id()); },
    [](ref& s) { (void)smarm::request_shutdown(s.id()); },
};

// Whether that is a request already.
bool asked(void (*end)(ref&)) {
  return std::find(std::end(clean_or_stopped) - 2, std::end(clean_or_stopped), end) !=
         std::end(clean_or_stopped);
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_terminate, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(what_terminate_throws_makes_a_failure_of_every_other_end) {
  for (const auto end : clean_or_stopped) {
    const auto how = ended_by(end, [](last_words&, const smarm::exit_reason&) {
      throw std::runtime_error("cannot be undone");
    });
    BOOST_TEST((how.kind() == exit_kind::failed));
    BOOST_TEST(how.text().find("cannot be undone") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(the_first_failure_is_the_one_that_is_told) {
  const auto how = ended_by([](ref& s) { (void)s.cast(last_words::fail{}); },
                            [](last_words&, const smarm::exit_reason& why) {
                              throw std::runtime_error("after: " + why.text());
                            });
  BOOST_TEST((how.kind() == exit_kind::failed));
  BOOST_TEST(how.text().find("in a handler") != std::string::npos);
  BOOST_TEST(how.text().find("after") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(terminate_is_told_what_was_thrown) {
  std::string told;
  (void)ended_by([](ref& s) { (void)s.cast(last_words::fail{}); },
                 [&](last_words&, const smarm::exit_reason& why) { told = why.text(); });
  BOOST_TEST(told.find("in a handler") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(terminate_may_wait_for_anything_and_no_stop_gets_in) {
  const smarm::actor_local<int> local([] { return 0; });
  for (const auto end : clean_or_stopped) {
    int steps = 0;
    const auto how = ended_by(end, [&](last_words&, const smarm::exit_reason&) {
      *local = 7;
      if (!asked(end)) { // a second request would be urgent, see server_ending_test
        (void)smarm::request_stop(smarm::this_actor::self());
      }
      smarm::this_actor::checkpoint();
      smarm::this_actor::yield();
      ++steps;
      smarm::this_actor::sleep_for(1us);
      ++steps;
      auto [to, from] = smarm::channel<int>();
      auto helper = smarm::spawn([out = std::move(to)] { (void)out.send(1); });
      (void)from.recv();
      (void)helper.join();
      ++steps;
      smarm::timed_mutex m;
      const std::unique_lock lock(m, 1h);
      ++steps;
      steps += *local;
    });
    BOOST_TEST(steps == 4 + 7);
    BOOST_TEST((how.kind() != exit_kind::failed));
  }
}

BOOST_AUTO_TEST_CASE(what_is_set_up_in_terminate_never_comes) {
  last_words::handled = 0;
  for (const auto end : clean_or_stopped) {
    const auto with = ended_by(end, [&](last_words& me, const smarm::exit_reason&) {
      me.set_up_everything();
      smarm::this_actor::sleep_for(1us);
    });
    const auto without = ended_by(end, [](last_words&, const smarm::exit_reason&) {});
    BOOST_TEST((with.kind() == without.kind()));
  }
  BOOST_TEST(last_words::handled == 0);
}

// Whoever is told of an end finds a kind of end.
BOOST_AUTO_TEST_CASE(a_server_cannot_end_as_one_that_never_was) {
  std::vector<errc> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    struct confused : smarm::gen_server<confused> {
      struct leave {};
      errc handle_call(leave) {
        try {
          stop(exit_kind::no_process);
        } catch (const boost::system::system_error& e) {
          return static_cast<errc>(e.code().value());
        }
        return {};
      }
    };
    struct unborn : smarm::gen_server<unborn> {
      explicit unborn(exit_kind& t) : told(t) {}
      smarm::init_result init() { return smarm::init_result::stop(exit_kind::no_process); }
      void terminate(const smarm::exit_reason& why) { told = why.kind(); }
      exit_kind& told;
    };
    exit_kind told{};
    auto c = smarm::start_server<confused>().value();
    got.push_back(c.call(confused::leave{}).value());
    got.push_back(c.call(confused::leave{}).value()); // it goes on
    got.push_back(error_of(smarm::start_server<unborn>(std::ref(told))));
    got.push_back(told == exit_kind::failed ? errc{} : errc::invalid_config);
  });
  BOOST_TEST((got == std::vector<errc>{
                         errc::invalid_config, errc::invalid_config, errc::start_failed, {}}));
}

BOOST_AUTO_TEST_SUITE_END()
